"""Cells -> tidy frames."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

import pandas as pd

from portability.words import Cell, Effect, Fom

__all__ = ["BLOCK_COLUMNS", "CELL_COLUMNS", "IDENTITY", "KEYS", "blocks_frame", "cells_frame"]

KEYS = ("app", "problem", "model", "track", "fom")
"""What names an application's row over platforms."""

IDENTITY = ("app", "problem", "model", "platform", "track", "fom")
"""What names one number."""

CELL_COLUMNS = (
    *IDENTITY, "unit", "direction", "headline", "value", "status", "reason", "effect", "complete",
)  # fmt: skip
BLOCK_COLUMNS = (*IDENTITY, "block", "value")


def cells_frame(cells: Iterable[Cell], foms: Mapping[str, Sequence[Fom]]) -> pd.DataFrame:
    """One row per (cell, figure of merit of its app), columns ``CELL_COLUMNS``.

    ``value`` is the geometric mean over the cell's blocks, in ``unit``; NaN unless the cell counts.
    An app without figures of merit (one that is not implemented) has no rows: there is nothing to
    compare in it.
    """
    rows: list[dict[str, Any]] = [
        {
            **_identity(cell, fom),
            "unit": fom.unit,
            "direction": fom.direction,
            "headline": fom.headline,
            "value": _value(cell, fom.name),
            "status": str(cell.status),
            "reason": cell.reason,
            "effect": str(cell.effect),
            "complete": cell.complete,
        }
        for cell in cells
        for fom in foms.get(cell.experiment.app, ())
    ]
    frame = pd.DataFrame(rows, columns=list(CELL_COLUMNS))
    types = {"value": "float64", "headline": "bool", "complete": "bool"}
    return frame.astype(types)


def blocks_frame(cells: Iterable[Cell], foms: Mapping[str, Sequence[Fom]]) -> pd.DataFrame:
    """One row per (cell that counts, figure of merit, block), columns ``BLOCK_COLUMNS``."""
    rows: list[dict[str, Any]] = [
        {**_identity(cell, fom), "block": block, "value": value}
        for cell in cells
        if cell.effect is Effect.COUNTS
        for fom in foms.get(cell.experiment.app, ())
        for block, value in zip(cell.blocks, cell.values.get(fom.name, ()), strict=False)
    ]
    frame = pd.DataFrame(rows, columns=list(BLOCK_COLUMNS))
    return frame.astype({"value": "float64", "block": "int64"})


def _identity(cell: Cell, fom: Fom) -> dict[str, str]:
    experiment = cell.experiment
    return {
        "app": experiment.app,
        "problem": experiment.problem,
        "model": experiment.model,
        "platform": experiment.platform,
        "track": experiment.track,
        "fom": fom.name,
    }


def _value(cell: Cell, fom: str) -> float:
    """Geometric mean over blocks; a value that has none is handed on, for the error to name it."""
    values = cell.values.get(fom, ())
    if cell.effect is not Effect.COUNTS or not values:
        return math.nan
    odd = [value for value in values if not (math.isfinite(value) and value > 0)]
    if odd:
        return odd[0]
    return math.exp(fmean(math.log(value) for value in values)) if len(values) > 1 else values[0]
