"""Every cell of the study: its efficiency and value, or its status and reason."""

from __future__ import annotations

import math
from typing import Any

from portability.report import _numbers as numbers
from portability.report._facts import Facts, rows_of
from portability.report._page import Item, Note, Part, SectionKind, Table
from portability.words import Cell, Effect, Fom

__all__ = ["SECTION"]


def parts(facts: Facts) -> tuple[Part, ...]:
    """One table per problem: (app, model) by platform."""
    problems = list(dict.fromkeys(problem for _, problem in facts.questions))
    if not problems:
        return ()
    note = Note(
        "Efficiency on the app's headline figure of merit, with the value below it. Each number "
        "and each failure links to what its run printed; every run is listed under provenance."
    )
    return (note, *(_table(facts, problem) for problem in problems))


def _table(facts: Facts, problem: str) -> Table:
    platforms = facts.plan.platforms
    rows: list[tuple[Item, ...]] = []
    for app in dict.fromkeys(app for app, of in facts.questions if of == problem):
        fom = facts.headline(app)
        eff = facts.on_headline(facts.eff, app, problem)
        numbers_of = {(r["model"], r["platform"]): r for r in rows_of(eff)}
        cells = {
            (c.experiment.model, c.experiment.platform): c for c in facts.cells_of(app, problem)
        }
        for model in dict.fromkeys(model for model, _ in cells):
            items = [
                _item(facts, cells.get((model, p)), fom, numbers_of.get((model, p)))
                for p in platforms
            ]
            rows.append((Item(app, note=fom.name if fom else ""), Item(model), *items))
    caption = f"Problem {problem}: efficiency of each app and model on each platform"
    return Table(caption, ("app", "model", *platforms), tuple(rows), heads=2)


def _item(facts: Facts, cell: Cell | None, fom: Fom | None, row: dict[str, Any] | None) -> Item:
    if cell is None:
        return Item("not in the plan", kind=str(Effect.UNDEFINED))
    runs = facts.runs(cell)
    link = next(filter(None, (facts.raw(r) for r in runs)), "")
    if cell.effect is not Effect.COUNTS or fom is None or row is None:
        status = str(cell.status).replace("_", " ")
        return Item(status, link, cell.reason or "no reason recorded", str(cell.effect))
    value = numbers.quantity(row["value"], fom.unit)
    notes = [value, numbers.interval(row["ci_low"], row["ci_high"]), cell.reason]
    if math.isnan(row["efficiency"]):
        told = f"efficiency undefined: {row['efficiency_reason']}"
        return Item(value, link, "; ".join(filter(None, (told, cell.reason))), "undefined")
    if row["above_one"]:
        notes.insert(1, "above its baseline")
    if row["baseline"] == f"native:{row['model']}":
        notes[1:2] = ["the baseline"]
    return Item(
        numbers.efficiency(row["efficiency"]), link, "; ".join(filter(None, notes)), "counts"
    )


SECTION = SectionKind("matrix", "Every cell", 40, parts)
