"""A machine as the probe sees it: files below a root, an environment, programs on its PATH."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Machine", "Output", "version_key"]

_MAX_TEXT = 1 << 22


@dataclass(frozen=True)
class Output:
    """What a program printed; ``failure`` says why it did not end well, if so."""

    text: str
    failure: str = ""


@dataclass(frozen=True)
class Machine:
    """``root`` holds /proc, /sys and the usual places of libraries; variables hold real paths."""

    root: Path
    environ: Mapping[str, str]
    timeout: float = 20.0

    def at(self, path: str) -> Path:
        """The absolute ``path`` of this machine as a path of ours."""
        return self.root / path.lstrip("/")

    def glob(self, pattern: str) -> list[Path]:
        """Files that match the absolute ``pattern``, in the order of people (2 before 10)."""
        try:
            found = list(self.root.glob(pattern.lstrip("/")))
        except (OSError, ValueError, NotImplementedError):
            return []
        return sorted(found, key=lambda path: _natural(str(path)))

    def read(self, path: str | Path) -> str:
        """The text of a file; empty where it cannot be read, as in a container."""
        file = self.at(path) if isinstance(path, str) else path
        try:
            with file.open("rb") as stream:
                return stream.read(_MAX_TEXT).decode("utf-8", "replace")
        except (OSError, ValueError):
            return ""

    def which(self, name: str, folders: Sequence[str] = ()) -> str:
        """The program ``name`` on PATH, else in ``folders`` (* allowed); empty if nowhere."""
        if "/" in name:
            return ""
        found = shutil.which(name, path=self.environ.get("PATH", ""))
        if found:
            return found
        for pattern in folders:
            for folder in self._folders(pattern):
                file = folder / name
                if file.is_file() and os.access(file, os.X_OK):
                    return str(file)
        return ""

    def _folders(self, pattern: str) -> list[Path]:
        """Folders that match, the newest release first; ``$NAME/...`` is below a variable's."""
        if not pattern.startswith("$"):
            return self.glob(pattern)[::-1]
        name, _, rest = pattern[1:].partition("/")
        value = self.environ.get(name, "")
        return [Path(value) / rest] if value.startswith("/") else []

    def run(self, command: Sequence[str], cwd: Path | None = None) -> Output:
        """Run a program without input, with a time limit; never raises."""
        environment = {**self.environ, "LC_ALL": "C"}
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=cwd,
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Output("", f"gave no answer within {self.timeout:g} s")
        except (OSError, ValueError) as error:
            return Output("", f"cannot be started ({error})")
        text = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            errors = [line for line in lines if "error" in line.lower() or "fatal" in line.lower()]
            said = (errors or lines or ["no output"])[0]
            return Output(text, f"exit status {done.returncode}: {said[:200]}")
        return Output(text)


def version_key(text: str) -> tuple[int, ...]:
    """A version as numbers that compare: ``12.2.0`` is (12, 2, 0)."""
    return tuple(int(part) for part in re.findall(r"[0-9]{1,9}", text))


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(t), "") if t.isdigit() else (-1, t) for t in re.split(r"([0-9]{1,12})", text)]
