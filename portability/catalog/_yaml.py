"""YAML and JSON files to plain data that knows its line numbers.

A small, strict subset: one document, a mapping at the top, text keys, the scalars of YAML 1.2 (so
``no`` and ``on`` are text, ``1e-8`` is a number).  Tags, anchors, aliases, duplicate keys, numbers
that are not finite and files over 1 MiB are errors.  Every error is an ``InputError`` that starts
with ``file:line``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from portability.errors import InputError

__all__ = ["Document", "Key", "parse", "read", "shown"]

Key = tuple[str | int, ...]

_MAX_BYTES = 1 << 20
_MAX_DEPTH = 40
_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_PAIR = re.compile(
    r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


@dataclass(frozen=True)
class Document:
    """A file as plain ``data``; ``lines`` maps the path of each node to its line."""

    file: Path
    data: dict[str, Any]
    lines: Mapping[Key, int]

    def where(self, *key: str | int) -> str:
        """``file:line`` of the node at ``key``, or of the nearest node above it."""
        while key and key not in self.lines:
            key = key[:-1]
        return f"{shown(self.file)}:{self.lines.get(key, 1)}"


def shown(file: Path) -> str:
    """``file`` as a user would name it: relative to the current folder where it is below it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(file)


def read(file: Path) -> Document:
    """Read a ``.yaml`` or ``.json`` file; raises ``InputError`` for whatever is wrong with it."""
    try:
        with file.open("rb") as stream:
            content = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{shown(file)}: cannot be read ({reason}), check the path") from None
    return parse(content, file)


def parse(content: bytes, file: Path) -> Document:
    """``content`` of ``file`` as a document; raises ``InputError``."""
    if len(content) > _MAX_BYTES:
        raise InputError(f"{shown(file)}:1: over 1 MiB, expected a small file; split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown(file)}:{line}: byte {error.start} is not UTF-8; save the file as UTF-8"
        ) from None
    if file.suffix == ".json":
        _check_json(text, file)
        text = text.replace("\t", " ")  # valid JSON holds a tab only between its tokens
        text = _PAIR.sub(_character, text)
    return _Reader(file, text).document()


def _check_json(text: str, file: Path) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{shown(file)}:{error.lineno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{shown(file)}:1: not usable JSON: {error}") from None


def _character(found: re.Match[str]) -> str:
    """JSON writes one character outside the basic plane as two escapes, YAML does not."""
    pair = bytes.fromhex(found[2] + found[3])
    return found[1] + pair.decode("utf-16-be")


class _Reader:
    """One pass over the parser's events, without recursion in the parser and with a depth limit."""

    def __init__(self, file: Path, text: str) -> None:
        self.file, self.text = file, text
        self.lines: dict[Key, int] = {}

    def document(self) -> Document:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            events = iter(list(yaml.parse(self.text, Loader=loader)))
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line if mark else 0
            self._fail(line + 1, self._advice(error.problem or str(error), line))
        except yaml.YAMLError as error:
            line = self.text.count("\n", 0, getattr(error, "position", 0)) + 1
            self._fail(line, f"{getattr(error, 'reason', error)}; remove that character")
        data = self._document(events)
        return Document(self.file, data, self.lines)

    def _document(self, events: Iterator[Any]) -> dict[str, Any]:
        kind = type(next(events)).__name__  # StreamStart
        kind = type(next(events)).__name__  # DocumentStart, or StreamEnd
        if kind == "StreamEndEvent":
            self._fail(1, "the file is empty, expected a mapping (key: value)")
        first = next(events)
        if type(first).__name__ != "MappingStartEvent":
            found = "a list" if type(first).__name__ == "SequenceStartEvent" else "a single value"
            self._fail(_line(first), f"{found}, expected a mapping (key: value) at the top")
        data = self._mapping(first, events, ())
        next(events)  # DocumentEnd
        after = next(events)
        if type(after).__name__ != "StreamEndEvent":
            self._fail(_line(after), "a second document, expected one; remove the --- line")
        return data

    def _node(self, event: Any, events: Iterator[Any], key: Key) -> Any:
        kind = type(event).__name__
        if kind == "AliasEvent" or getattr(event, "anchor", None):
            self._fail(_line(event), "an anchor or alias, expected plain values; write them out")
        if event.tag is not None:
            self._fail(_line(event), f"the tag {event.tag}, expected a plain value; remove it")
        if len(key) > _MAX_DEPTH:
            self._fail(_line(event), f"nested over {_MAX_DEPTH} levels, expected a flat file")
        self.lines.setdefault(key, _line(event))
        if kind == "MappingStartEvent":
            return self._mapping(event, events, key)
        if kind == "SequenceStartEvent":
            return self._sequence(events, key)
        return self._scalar(event)

    def _mapping(self, start: Any, events: Iterator[Any], key: Key) -> dict[str, Any]:
        self.lines.setdefault(key, _line(start))
        if not key and (start.anchor or start.tag):
            self._fail(_line(start), "a tag or anchor, expected a plain mapping; remove it")
        found: dict[str, Any] = {}
        while type(event := next(events)).__name__ != "MappingEndEvent":
            name = self._key(event)
            if name in found:
                first = self.lines[(*key, name)]
                self._fail(_line(event), f"key {name!r} again (first on line {first}); remove one")
            self.lines[(*key, name)] = _line(event)
            found[name] = self._node(next(events), events, (*key, name))
        return found

    def _sequence(self, events: Iterator[Any], key: Key) -> list[Any]:
        found: list[Any] = []
        while type(event := next(events)).__name__ != "SequenceEndEvent":
            found.append(self._node(event, events, (*key, len(found))))
        return found

    def _key(self, event: Any) -> str:
        if type(event).__name__ != "ScalarEvent":
            self._fail(_line(event), "a list, mapping or alias as a key, expected text")
        value = self._node(event, iter(()), ())
        if not isinstance(value, str):
            self._fail(_line(event), f"key {event.value!r} is not text; put it in quotes")
        return value

    def _scalar(self, event: Any) -> Any:
        value: str = event.value
        if not event.implicit[0]:  # quoted or a block: always text
            return value
        if value in _WORDS:
            return _WORDS[value]
        if _INTEGER.fullmatch(value):
            return int(value)
        number = float(value) if _FLOAT.fullmatch(value) else 0.0
        if _NOT_FINITE.fullmatch(value) or not math.isfinite(number):
            self._fail(_line(event), f"{value[:40]} is not finite, expected a finite number")
        return number if _FLOAT.fullmatch(value) else value

    def _advice(self, problem: str, line: int) -> str:
        lines = self.text.splitlines()
        text = lines[line] if line < len(lines) else ""
        if "\t" in text[: len(text) - len(text.lstrip())]:
            return "a tab in the indentation, expected spaces; replace it"
        if "mapping values are not allowed" in problem:
            return f"{problem}, expected quotes around a text with ': ' in it"
        return f"not YAML: {problem}"

    def _fail(self, line: int, message: str) -> NoReturn:
        raise InputError(f"{shown(self.file)}:{line}: {message}") from None


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
