"""What is left to do in a workspace: planned runs against the records there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portability.records.cells import decided
from portability.words import Run, Status

__all__ = ["Left", "attempts_by_run", "left"]


@dataclass(frozen=True)
class Left:
    """A run that is still to be made, and the number of its next attempt."""

    run: Run
    attempt: int


def attempts_by_run(records: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Records by run id (without the attempt), in the order of attempts."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        found[record["run"].rpartition(".")[0]].append(record)
    for tries in found.values():
        tries.sort(key=lambda record: int(record["attempt"]))
    return found


def left(
    runs: Sequence[Run], records: Iterable[Mapping[str, Any]], *, retry_failed: bool = False
) -> list[Left]:
    """The runs that are not decided yet; with ``retry_failed`` also those that are not ok."""
    tried = attempts_by_run(records)
    todo = []
    for run in runs:
        tries = tried.get(run.id, [])
        ok = any(record["status"] == Status.OK for record in tries)
        if not decided(tries) or (retry_failed and not ok):
            todo.append(Left(run, 1 + max((int(r["attempt"]) for r in tries), default=0)))
    return todo
