"""What became of a build: ``build/<id>/build.json``, one entry an app."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from portability._convert import from_plain

__all__ = ["AppOutcome", "BuildOutcome", "error_line", "file_hash", "load_outcome"]


@dataclass(frozen=True)
class AppOutcome:
    """The binary of one app, or why there is none.  Paths are relative to the workspace."""

    app: str
    binary: str = ""
    sha256: str = ""
    reason: str = ""
    log: str = ""
    attempts: int = 1
    libraries: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return bool(self.binary)


@dataclass(frozen=True)
class BuildOutcome:
    """``build.json``: the apps of one build, the command lines, and when (UTC, ISO 8601)."""

    id: str
    apps: Mapping[str, AppOutcome]
    commands: tuple[tuple[str, ...], ...] = ()
    tools: Mapping[str, str] = field(default_factory=dict)
    started: str = ""
    ended: str = ""

    @property
    def ok(self) -> bool:
        return all(app.ok for app in self.apps.values())


def load_outcome(workspace: Path, build_id: str) -> BuildOutcome | None:
    """What an earlier build left, or None when there is none or its binaries have changed since."""
    try:
        data = json.loads((workspace / "build" / build_id / "build.json").read_text("utf-8"))
        outcome = from_plain(BuildOutcome, data)
        for app in outcome.apps.values():
            if app.ok and file_hash(workspace / app.binary) != app.sha256:
                return None
    except Exception:  # whatever is wrong with it: it is built again
        return None
    return outcome


def file_hash(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


_NO_MESSAGE = ("Call Stack", "-- ", "See also", "CMake ")
_ERROR = re.compile(r"\b(fatal error|error|Error|undefined reference|not found|No such)\b")


def error_line(text: str) -> str:
    """The last line of a log that names an error, else its last line; for a one-line reason."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("ninja:", "make:", "gmake", "FAILED:"))]
    errors = [line for line in lines if _ERROR.search(line)]
    # CMake puts its message in the lines after "CMake Error at ...:"
    for at, line in enumerate(lines):
        if line.startswith("CMake Error") and at + 1 < len(lines):
            after = itertools.takewhile(lambda x: not x.startswith(_NO_MESSAGE), lines[at + 1 :])
            return " ".join(after)[:400]
    return (errors or lines or ["no output"])[-1][:400]
