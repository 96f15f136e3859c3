"""Documents against the JSON Schemas of this folder, with errors that name the line."""

from __future__ import annotations

import difflib
import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portability.catalog._yaml import Document
from portability.errors import InputError

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

__all__ = ["SCHEMAS", "check", "problems", "schema"]

SCHEMAS = Path(__file__).parent / "schemas"
_MOST = 10
_TYPES = {
    "string": "text", "integer": "a whole number", "number": "a number", "array": "a list",
    "object": "a mapping", "boolean": "true or false", "null": "nothing",
}  # fmt: skip


def check(document: Document, name: str) -> None:
    """Raise ``InputError`` with every fault of ``document`` against schema ``name``, one a line."""
    found = problems(document, name)
    if found:
        more = len(found) - _MOST
        tail = [f"... and {more} more"] if more > 0 else []
        raise InputError("\n".join([*found[:_MOST], *tail]))


def problems(document: Document, name: str) -> list[str]:
    """What is wrong with ``document``, in the order of its lines."""
    lines: list[tuple[int, str]] = []
    for error in _validator(name).iter_errors(document.data):
        path = tuple(error.absolute_path)
        for key, text in _explain(error):
            place = (*path, *key)
            line = int(document.where(*place).rpartition(":")[2])
            lines.append((line, f"{document.where(*place)}: {text}"))
    return [text for _, text in sorted(set(lines))]


@lru_cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema ``name`` of this folder."""
    data: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return data


@lru_cache
def _validator(name: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(name))


def _explain(error: ValidationError) -> list[tuple[tuple[str, ...], str]]:
    """(further path, message) pairs for one error of the validator."""
    rule: Any = error.validator_value
    found: Any = error.instance
    kind, schema_here = error.validator, _schema_of(error)
    name = _name(error)
    if kind == "additionalProperties":
        return _unknown_keys(error)
    if "propertyNames" in error.absolute_schema_path:
        return [((str(found),), f"key {_value(found)} in {name}, expected {_hint(error)}")]
    if kind == "required":
        missing = [key for key in rule if key not in found]
        described = schema_here.get("properties", {})
        return [
            ((), f"{name} has no {key!r}: {described.get(key, {}).get('description', '')}")
            for key in missing
        ]
    if kind == "type":
        kinds = rule if isinstance(rule, list) else [rule]
        wanted = " or ".join(_TYPES[each] for each in kinds)
        advice = "; put it in quotes" if "string" in kinds and _is_number(found) else ""
        return [((), f"{name} is {_value(found)}, expected {wanted}{advice}")]
    if kind == "enum":
        close = difflib.get_close_matches(str(found), [str(each) for each in rule], n=1)
        advice = f"; did you mean {close[0]!r}?" if close else ""
        return [((), f"{name} is {_value(found)}, expected one of {_list(rule)}{advice}")]
    return [((), f"{name} is {_value(found)}, expected {_hint(error)}")]


def _unknown_keys(error: ValidationError) -> list[tuple[tuple[str, ...], str]]:
    known = list(_schema_of(error).get("properties", {}))
    out: list[tuple[tuple[str, ...], str]] = []
    instance: Any = error.instance
    for key in instance:
        if key in known:
            continue
        close = difflib.get_close_matches(key, known, n=1)
        advice = f"did you mean {close[0]!r}?" if close else f"expected one of {_list(known)}"
        out.append(((key,), f"unknown key {key[:60]!r} in {_name(error)}; {advice}"))
    return out


def _schema_of(error: ValidationError) -> dict[str, Any]:
    return error.schema if isinstance(error.schema, dict) else {}


def _name(error: ValidationError) -> str:
    name = ""
    for part in error.absolute_path:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else str(part)
    return name or "the file"


def _hint(error: ValidationError) -> str:
    rules = {
        "minimum": "at least {}", "maximum": "at most {}", "exclusiveMinimum": "more than {}",
        "minItems": "at least {} entries", "maxItems": "at most {} entries",
        "minLength": "at least {} characters", "maxLength": "at most {} characters",
        "uniqueItems": "no entry twice", "minProperties": "at least {} entries",
    }  # fmt: skip
    rule = rules.get(str(error.validator))
    said = str(_schema_of(error).get("description", "")).rstrip(".")
    if rule is None:
        return said or str(error.message)
    return rule.format(error.validator_value) + (f" ({said})" if said else "")


def _value(found: Any) -> str:
    if isinstance(found, dict):
        return "a mapping" if found else "an empty mapping"
    if isinstance(found, list):
        return "a list" if found else "an empty list"
    if found is None:
        return "empty"
    text = json.dumps(found, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_number(found: Any) -> bool:
    return isinstance(found, int | float)


def _list(values: Any) -> str:
    shown = [str(each) for each in values]
    return ", ".join(shown[:14]) + (", ..." if len(shown) > 14 else "")
