"""Wrong answers: what was expected and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portability.report import _numbers as numbers
from portability.report._facts import Facts
from portability.report._page import Item, Note, Part, SectionKind, Table
from portability.words import Status

__all__ = ["SECTION"]

_SHOWN = (str(Status.WRONG), str(Status.UNVERIFIED))


def parts(facts: Facts) -> tuple[Part, ...]:
    """A row per failed check of each run that was wrong or could not be checked."""
    records = [r for r in facts.used() if r.get("status") in _SHOWN]
    if not records:
        ran = any(r.get("status") == Status.OK for r in facts.used())
        return (Note("No run gave a wrong answer." if ran else "No run got as far as an answer."),)
    rows = tuple(row for record in records for row in _rows(facts, record))
    columns = ("app", "problem", "model", "platform", "run", "check", "expected", "actual",
               "tolerance")  # fmt: skip
    note = "A wrong answer is never a time: it counts as zero, and none of its values is used."
    return (Note(note), Table("Answers that failed their check", columns, rows, heads=4))


def _rows(facts: Facts, record: Mapping[str, Any]) -> list[tuple[Item, ...]]:
    head = tuple(Item(str(record.get(k) or "-")) for k in ("app", "problem", "model", "platform"))
    run = Item(f"block {record.get('block', '?')}, {record['status']}", facts.raw(record))
    checks = (record.get("verdict") or {}).get("checks") or []
    failed = [check for check in checks if check.get("passed") is not True]
    if not failed:
        reason = Item("no check recorded", note=str(record.get("reason") or ""))
        return [(*head, run, reason, Item("-"), Item("-"), Item("-"))]
    return [
        (
            *head,
            run,
            Item(str(check.get("name") or "-"), note=str(check.get("what") or "")),
            *(Item(numbers.plain(check.get(key))) for key in ("expected", "actual", "tolerance")),
        )
        for check in failed
    ]


SECTION = SectionKind("wrong", "Wrong answers", 60, parts)
