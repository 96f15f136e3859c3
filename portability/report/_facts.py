"""Everything that a report is made from, computed once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from portability.analysis import (
    blocks_frame,
    cells_frame,
    efficiency,
    efficiency_intervals,
    intervals,
    performance_portability,
    with_native,
)
from portability.errors import InputError
from portability.words import Cell, Effect, Fom, Plan, Status, System

__all__ = ["CONFIDENCE", "Facts", "rows_of"]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Facts:
    """The study, what came of it, and the metrics.

    ``eff`` has one row per (cell, figure of merit) with efficiency and interval; ``p`` one per
    (app, problem, model, figure of merit) with P and its interval over H; ``records`` are by run.
    """

    plan: Plan
    system: System
    cells: tuple[Cell, ...]
    records: Mapping[str, Mapping[str, Any]]
    blocks: pd.DataFrame
    eff: pd.DataFrame
    p: pd.DataFrame
    workspace: Path
    out: Path

    @classmethod
    def of(
        cls,
        plan: Plan,
        system: System,
        cells: Sequence[Cell],
        records: Sequence[Mapping[str, Any]],
        places: tuple[Path, Path],
    ) -> Facts:
        """Compute the metrics; ``places`` are the workspace and the report's folder."""
        baseline = plan.study.baseline
        if baseline not in ("native", "best"):
            raise InputError(
                f"study {plan.study.name}: baseline {baseline!r} is not native or best"
            )
        blocks = blocks_frame(cells, plan.foms)
        frame = cells_frame(cells, plan.foms)
        eff = efficiency(frame, "native" if baseline == "native" else "best", plan.native)
        eff = efficiency_intervals(blocks, eff, CONFIDENCE)
        over = eff
        if baseline == "best" and "native" not in plan.study.models:
            over = with_native(eff, plan.native)
        p = performance_portability(over, plan.platforms)
        ci = intervals(blocks, over, plan.platforms, CONFIDENCE)
        p = p.assign(**{name: ci[name] for name in ("ci_low", "ci_high", "ci_note")})
        by_run = {str(record["run"]): record for record in records if record.get("run")}
        return cls(plan, system, tuple(cells), by_run, blocks, eff, p, *places)

    @property
    def questions(self) -> list[tuple[str, str]]:
        """(app, problem), in the study's order."""
        return list(dict.fromkeys((c.experiment.app, c.experiment.problem) for c in self.cells))

    def headline(self, app: str) -> Fom | None:
        """The figure of merit that the app is judged by; None where the app has none."""
        foms = self.plan.foms.get(app, ())
        return next((fom for fom in foms if fom.headline), foms[0] if foms else None)

    def on_headline(self, frame: pd.DataFrame, app: str, problem: str) -> pd.DataFrame:
        """The rows of ``frame`` of one app, problem and its headline figure of merit."""
        fom = self.headline(app)
        hit = (frame["app"] == app) & (frame["problem"] == problem)
        return frame.loc[hit & (frame["fom"] == (fom.name if fom else ""))]

    def cells_of(self, app: str, problem: str) -> list[Cell]:
        return [c for c in self.cells if (c.experiment.app, c.experiment.problem) == (app, problem)]

    def runs(self, cell: Cell) -> list[Mapping[str, Any]]:
        """The records behind a cell: verified ones where it counts, else those of its status."""
        found = [self.records[run] for run in cell.runs if run in self.records]
        wanted = str(Status.OK if cell.effect is Effect.COUNTS else cell.status)
        return [record for record in found if record.get("status") == wanted] or found

    def used(self) -> list[Mapping[str, Any]]:
        """The records behind any cell, in the order in which they ran."""
        runs = dict.fromkeys(run for cell in self.cells for run in cell.runs)
        found = [self.records[run] for run in runs if run in self.records]
        return sorted(found, key=lambda r: str((r.get("times") or {}).get("started") or ""))

    def href(self, path: str) -> str:
        """``path`` (relative to the workspace) as seen from the report; "" where no file is."""
        if not path or not (self.workspace / path).is_file():
            return ""
        relative = os.path.relpath((self.workspace / path).resolve(), self.out.resolve())
        return quote(Path(relative).as_posix())

    def raw(self, record: Mapping[str, Any]) -> str:
        """The link to what a run printed; where it failed stderr first, or the build log."""
        folder = str(record.get("folder") or "")
        names = ["stdout", "stderr"] if record.get("status") == Status.OK else ["stderr", "stdout"]
        places = [f"{folder}/{name}" for name in names] if folder else []
        filled = [p for p in places if _size(self.workspace / p)] or places
        return next(
            filter(None, (self.href(p) for p in [*filled, str(record.get("build_log") or "")])), ""
        )

    def devices(self, platform: str) -> set[str]:
        """What tells the devices apart that verified runs on ``platform`` used."""
        found = [r.get("device") or {} for r in self.used() if r.get("platform") == platform]
        names = ((d.get("uuid") or d.get("pci") or d.get("name")) for d in found)
        return {str(name) for name in names if name}

    def spread(self) -> pd.DataFrame:
        """Per (app, problem, model, platform, fom): ``cv``, the sample deviation of ln value."""
        keys = ["app", "problem", "model", "platform", "fom"]
        logs = self.blocks.assign(ln=np.log(self.blocks["value"]))
        return logs.groupby(keys, sort=False)["ln"].agg(cv="std").reset_index()


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame as dicts, by column."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
