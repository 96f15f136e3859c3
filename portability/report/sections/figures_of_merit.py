"""Every figure of merit of every verified cell."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from portability.report import _numbers as numbers
from portability.report._facts import Facts, rows_of
from portability.report._page import Item, Note, Part, SectionKind, Table
from portability.words import Cell, Effect, Fom

__all__ = ["SECTION"]

_Numbers: TypeAlias = dict[tuple[str, ...], float]


def parts(facts: Facts) -> tuple[Part, ...]:
    """One table per (app, problem): (platform, model) by figure of merit."""
    spread = {_place(r): float(r["cv"]) for r in rows_of(facts.spread())}
    values = {_place(r): float(r["value"]) for r in rows_of(facts.eff)}
    tables: list[Part] = []
    for app, problem in facts.questions:
        foms = facts.plan.foms.get(app, ())
        cells = [c for c in facts.cells_of(app, problem) if c.effect is Effect.COUNTS]
        if not (foms and cells):
            continue
        heads = tuple(f"{fom.name} ({fom.direction} is better)" for fom in foms)
        rows = tuple(_row(facts, cell, foms, (values, spread)) for cell in cells)
        caption = f"{app}, problem {problem}: all figures of merit"
        columns = ("platform", "model", *heads, "blocks", "runs")
        tables.append(Table(caption, columns, rows, heads=2))
    if not tables:
        return ()
    note = Note(
        "A run's value is from the median of its samples, a cell's the geometric mean over its "
        "blocks. Spread is the standard deviation between blocks of the logarithm of the value; "
        "best is from the fastest sample of any run, as the literature reports it."
    )
    return (note, *tables)


def _row(
    facts: Facts, cell: Cell, foms: tuple[Fom, ...], numbers_of: tuple[_Numbers, _Numbers]
) -> tuple[Item, ...]:
    e = cell.experiment
    values, spread = numbers_of
    runs = facts.runs(cell)
    link = next(filter(None, (facts.raw(r) for r in runs)), "")
    items = []
    for fom in foms:
        place = (e.app, e.problem, e.model, e.platform, fom.name)
        note = _note(spread.get(place, math.nan), _best(runs, fom), fom)
        items.append(Item(numbers.quantity(values.get(place, math.nan), fom.unit), link, note))
    links = (Item(f"{r.get('block', '?')}.{r.get('repeat', '?')}", facts.raw(r)) for r in runs)
    return (
        Item(e.platform),
        Item(e.model),
        *items,
        Item(str(len(cell.blocks))),
        Item("", more=tuple(links)),
    )


def _place(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[key]) for key in ("app", "problem", "model", "platform", "fom"))


def _note(cv: float, best: float, fom: Fom) -> str:
    told = [] if math.isnan(cv) else [f"spread {numbers.percent(cv)}"]
    if not math.isnan(best):
        told.append(f"best {numbers.quantity(best, fom.unit)}")
    return "; ".join(told)


def _best(runs: list[Any], fom: Fom) -> float:
    found = [
        float(f["best"])
        for run in runs
        for f in run.get("foms") or []
        if f.get("name") == fom.name and f.get("best")
    ]
    if not found:
        return math.nan
    return max(found) if fom.direction == "higher" else min(found)


SECTION = SectionKind("foms", "Figures of merit", 50, parts)
