"""Words to plain JSON types and back, by one converter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import cattrs

__all__ = ["from_plain", "to_plain"]

T = TypeVar("T")

_converter = cattrs.Converter()
_converter.register_unstructure_hook(Path, str)
_converter.register_structure_hook(Path, lambda value, _: Path(value))


def to_plain(word: Any) -> Any:
    """A dataclass of ``portability.words`` as dicts, lists, strings and numbers."""
    return _converter.unstructure(word)


def from_plain(cls: type[T], data: Mapping[str, Any]) -> T:
    """The inverse of :func:`to_plain`; a cattrs error where ``data`` does not fit."""
    return _converter.structure(data, cls)
