"""Records on disk: each writer appends to a file of its own, readers read them all.

Appends are not atomic on network file systems, so no two processes share a file.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from portability.errors import WorkError
from portability.records.schema import check_record

__all__ = ["Store"]


@dataclass
class Store:
    """The records of one workspace; ``torn`` lists the lines that could not be read."""

    folder: Path
    torn: list[str] = field(default_factory=list)

    def append(self, record: Mapping[str, Any]) -> None:
        """Check the record, then append it whole and flushed to this process's own file."""
        check_record(record, f"record {record.get('run')}")
        line = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
        host = re.sub(r"[^A-Za-z0-9-]", "-", platform.node()) or "host"
        path = self.folder / f"{host}-{os.getpid()}.jsonl"
        try:
            with path.open("ab") as stream:
                if stream.tell() and not _ends_with_newline(path):
                    stream.write(b"\n")
                stream.write(line.encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise WorkError(
                f"{path}: the record could not be written: {error.strerror}; what ran stays in its "
                "run folder, and the next `portability run` takes it in"
            ) from error

    def read(self) -> list[dict[str, Any]]:
        """Every record once, in the order of file name and line; torn lines are set aside."""
        self.torn.clear()
        records: dict[str, dict[str, Any]] = {}
        for path in sorted(self.folder.glob("*.jsonl")):
            for record in self._lines(path):
                records.setdefault(record["run"], record)
        return list(records.values())

    def _lines(self, path: Path) -> Iterator[dict[str, Any]]:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    record = json.loads(line)
                    record["run"]
                except (ValueError, TypeError, KeyError):
                    self.torn.append(f"{path}:{number}")
                    continue
                yield record

    def merge(self, out: Path) -> int:
        """Write the merged view ``runs.jsonl`` and return how many records it holds."""
        records = self.read()
        temporary = out.with_name(f".{out.name}.{os.getpid()}")
        with temporary.open("w", encoding="utf-8") as stream:
            for record in records:
                stream.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        temporary.replace(out)
        return len(records)


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"
