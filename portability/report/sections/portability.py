"""P of every model over H."""

from __future__ import annotations

from typing import Any

from portability.report import _numbers as numbers
from portability.report._facts import CONFIDENCE, Facts, rows_of
from portability.report._page import Item, Note, Part, SectionKind, Table

__all__ = ["SECTION"]

_SHOWN = 2


def parts(facts: Facts) -> tuple[Part, ...]:
    """A table for the headline figure of each (app, problem)."""
    rows: list[tuple[Item, ...]] = []
    for app, problem in facts.questions:
        rows += [_row(facts, r) for r in rows_of(facts.on_headline(facts.p, app, problem))]
    if not rows:
        return ()
    against = (
        "the native model of each platform"
        if facts.plan.study.baseline == "native"
        else "the best observed model on each platform"
    )
    about = (
        f"P is the harmonic mean over H of application efficiency against {against}: 0 when a "
        "model is known not to work on a platform of H, undefined when nothing is known there. "
        "P over S counts only the supported platforms S and must be read with the coverage |S|/|H|."
    )
    columns = ("app", "problem", "model", "P", f"{100 * CONFIDENCE:.0f} % interval", "|H|",
               "coverage", "P over S", "mean over S", "baseline")  # fmt: skip
    caption = f"Performance portability over H = {', '.join(facts.plan.platforms)}"
    return (Note(about), Table(caption, columns, tuple(rows), heads=3))


def _row(facts: Facts, row: dict[str, Any]) -> tuple[Item, ...]:
    missing: dict[str, str] = row["missing"]
    size = int(row["H"])
    fom = facts.headline(row["app"])
    bounds = numbers.interval(row["ci_low"], row["ci_high"])
    return (
        Item(row["app"], note=fom.name if fom else ""),
        Item(row["problem"]),
        Item(row["model"]),
        Item(numbers.efficiency(row["P"]), note=_why(missing), kind=_kind(row["P"])),
        Item(bounds or "none", note=row["ci_note"]),
        Item(str(size)),
        Item(f"{round(row['coverage'] * size)}/{size}"),
        Item(numbers.efficiency(row["P_supported"])),
        Item(numbers.efficiency(row["mean_supported"])),
        Item(_baseline(facts)),
    )


def _baseline(facts: Facts) -> str:
    if facts.plan.study.baseline == "best":
        return "best observed"
    natives = dict.fromkeys(facts.plan.native.get(p) or "none" for p in facts.plan.platforms)
    return f"native ({', '.join(natives)})"


def _kind(p: float) -> str:
    return "undefined" if p != p else "zero" if p == 0 else "counts"


def _why(missing: dict[str, str]) -> str:
    told = [f"{platform}: {reason}" for platform, reason in missing.items()]
    more = f"; and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return "; ".join(told[:_SHOWN]) + more


SECTION = SectionKind("portability", "Performance portability", 20, parts)
