"""Performance portability over a declared set of platforms H."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from portability.analysis import metrics as families
from portability.analysis._grid import Grid, require
from portability.analysis._metric import FloatArray, Metric
from portability.analysis.registry import found
from portability.errors import UnknownNameError

__all__ = ["DEFAULT_METRICS", "metrics", "performance_portability"]

DEFAULT_METRICS = ("coverage", "P", "P_supported", "mean_supported", "mean_all")

_ABSENT = "not_attempted: not in the results"


@functools.cache
def metrics() -> dict[str, Metric]:
    """Every metric over platforms, by name: one module per family in ``metrics/``."""
    return found(families, "METRICS", Metric)


def performance_portability(
    eff: pd.DataFrame,
    platforms: Sequence[str],
    columns: Sequence[str] = DEFAULT_METRICS,
) -> pd.DataFrame:
    """One row per (app, problem, model, track, fom), in order of appearance.

    ``eff`` comes from :func:`portability.analysis.efficiency`; ``platforms`` is H.  A platform of
    H that ``eff`` lacks is ``not_attempted`` (undefined), platforms outside H are left out.
    Columns: ``H`` (its size), one per metric of ``columns``, ``undefined`` (how many platforms of H
    nothing is known of), ``missing`` (a dict, platform -> ``status: reason``, of every platform
    without an efficiency above zero) and ``baseline``.

    Raises :class:`InputError` for an empty H, a platform named twice, two results for one place,
    and :class:`UnknownNameError` for an unknown metric.
    """
    known = metrics()
    for name in columns:
        if name not in known:
            raise UnknownNameError("metric", name, known)
    require(eff, ("efficiency", "baseline"))
    grid = Grid.of(eff, platforms)
    e = grid.matrix(eff["efficiency"])
    kinds = sorted({str(name).partition(":")[0] for name in eff["baseline"].unique()})
    computed = {name: known[name].compute(e) for name in columns}
    return grid.index.assign(
        H=len(grid.platforms),
        **computed,
        undefined=np.isnan(e).sum(axis=1),
        missing=_missing(grid, e, eff),
        baseline=", ".join(kinds),
    )


def _missing(grid: Grid, e: FloatArray, eff: pd.DataFrame) -> npt.NDArray[np.object_]:
    """Per application: platform -> why it has no efficiency above zero."""
    out = np.empty(len(grid.index), dtype=object)
    for row in range(len(out)):
        out[row] = {}
    if "efficiency_reason" in eff.columns:
        reasons = grid.texts(eff["efficiency_reason"], _ABSENT)
    else:
        reasons = np.full(e.shape, _ABSENT, dtype=object)
    for row, column in zip(*np.nonzero(~(e > 0)), strict=True):
        out[row][grid.platforms[column]] = reasons[row, column]
    return out
