"""Things found by being there: one module of a package each, no list to edit."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Protocol, TypeVar

from portability.errors import PortabilityError

__all__ = ["found"]


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


def found(package: ModuleType, attribute: str, kind: type[T]) -> dict[str, T]:
    """Every ``attribute`` of the modules in ``package``, by its ``name``, in the modules' order.

    ``attribute`` holds one ``kind`` or a tuple of them; modules whose name starts with ``_`` are
    helpers and are passed over.  Raises :class:`PortabilityError` naming the module when it has no
    such attribute, when the attribute is something else, or when the name is taken.
    """
    things: dict[str, T] = {}
    owners: dict[str, str] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for thing in _declared(module, attribute, kind):
            if thing.name in things:
                raise PortabilityError(
                    f"{module.__name__}: {attribute} is called {thing.name!r}, and so is one of "
                    f"{owners[thing.name]}; give it another name"
                )
            things[thing.name], owners[thing.name] = thing, module.__name__
    return things


def _declared(module: ModuleType, attribute: str, kind: type[T]) -> tuple[T, ...]:
    declared = getattr(module, attribute, None)
    things = declared if isinstance(declared, tuple) else (declared,)
    for thing in things:
        if not isinstance(thing, kind):
            raise PortabilityError(
                f"{module.__name__}: {attribute} must be a {kind.__name__} (or a tuple of them), "
                f"found {'nothing' if thing is None else repr(thing)}"
            )
    return things
