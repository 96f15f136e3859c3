"""The JSON Schema of a record, shipped beside this file, and its checker."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from portability.errors import InputError

__all__ = ["RECORD_SCHEMA", "check_record"]

RECORD_SCHEMA = Path(__file__).with_name("record.schema.json")


@functools.cache
def _validator() -> Any:
    import jsonschema

    schema = json.loads(RECORD_SCHEMA.read_text("utf-8"))
    return jsonschema.Draft202012Validator(schema)


def check_record(record: Mapping[str, Any], where: str = "record") -> None:
    """Raise :class:`InputError` naming the place in the record when it does not fit the schema."""
    error = next(iter(_validator().iter_errors(record)), None)
    if error is not None:
        raise InputError(f"{where}: {error.json_path}: {error.message}")
