"""Intervals from paired blocks.

The unit is the block (one job on one device, in which every model ran once), not the repeat within
it.  A block holds the model and its reference, so their log-ratio is free of what the block has in
common.  For P: delta method, Var(ln P) = sum w_i^2 Var(ln e_i) with w_i = (1/e_i) / sum (1/e_j),
degrees of freedom after Satterthwaite, Student t.  After Patil and Lilja, IEEE CAL 9(1) 2010,
doi 10.1109/L-CA.2010.1; the tests simulate the coverage.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from portability.analysis._grid import Grid, require
from portability.analysis._metric import FloatArray
from portability.analysis.frames import BLOCK_COLUMNS, IDENTITY
from portability.analysis.metrics.pennycook import p
from portability.errors import InputError

__all__ = ["efficiency_intervals", "intervals", "ratio_intervals"]

ONE_BLOCK = "one block: no interval"
NO_PAIR = "no block in common with the reference: no interval"
ITSELF = "the reference itself: 1 by definition"
BEST = "best observed: no interval, the baseline is picked from the same blocks"
NO_SPREAD = "no spread between blocks"

_IDENTITY = list(IDENTITY)


def ratio_intervals(
    blocks: pd.DataFrame,
    frame: pd.DataFrame,
    reference: Sequence[str],
    confidence: float = 0.95,
) -> pd.DataFrame:
    """How each row of ``frame`` performs relative to another model in the same blocks.

    ``blocks`` is a :func:`portability.analysis.blocks_frame`; ``frame`` has the identity columns
    and ``direction``; ``reference`` names the other model, row by row.  The ratio is above 1 where
    the row is better.  Columns: the identity, ``reference``, ``ratio`` (geometric mean over the
    paired blocks), ``blocks`` (how many), ``ln_variance`` (of the mean log-ratio), ``dof``,
    ``ci_low``, ``ci_high``, ``ci_note``.
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence {confidence} is not between 0 and 1")
    require(blocks, BLOCK_COLUMNS)
    require(frame, (*IDENTITY, "direction"))
    left = frame[[*_IDENTITY, "direction"]].reset_index(drop=True)
    left["reference"] = np.asarray(reference, dtype=object)
    out = left.merge(_paired(blocks, left), how="left", on=_IDENTITY, validate="1:1")
    n = out["blocks"].fillna(0).astype("int64")
    itself = (out["model"] == out["reference"]) & (n > 0)
    variance = (out["variance"] / n.where(n > 0)).mask(n < 2).mask(itself, 0.0)
    dof = (n - 1).where(n > 1).astype("float64").mask(itself, np.inf)
    ratio = np.exp(out["mean"].to_numpy(np.float64))
    low, high = _bounds(
        ratio, np.asarray(variance, np.float64), np.asarray(dof, np.float64), confidence
    )
    note = np.select(
        [itself, n == 0, n == 1, variance == 0], [ITSELF, NO_PAIR, ONE_BLOCK, NO_SPREAD], ""
    )
    return out[[*_IDENTITY, "reference"]].assign(
        ratio=ratio, blocks=n, ln_variance=variance, dof=dof, ci_low=low, ci_high=high, ci_note=note
    )


def efficiency_intervals(
    blocks: pd.DataFrame, eff: pd.DataFrame, confidence: float = 0.95
) -> pd.DataFrame:
    """``eff`` with ``ci_low``, ``ci_high``, ``ci_note``, ``ln_variance``, ``dof``, ``ci_blocks``.

    The interval is that of the row's efficiency; NaN with a note for one block, for a cell that
    does not count, and for the best-observed baseline (a winner picked from the same blocks is
    biased).  The native model is 1 exactly, without variance.
    """
    require(eff, ("efficiency", "baseline"))
    code, names = pd.factorize(eff["baseline"])
    parts = [str(name).partition(":") for name in names]
    reference = np.array([model for _, _, model in parts], dtype=object)[code]
    ratios = ratio_intervals(blocks, eff, reference.tolist(), confidence)
    e = np.asarray(eff["efficiency"], dtype=np.float64)
    native = np.array([kind == "native" for kind, _, _ in parts], dtype=np.bool_)[code]
    sound = native & (e > 0)
    variance = np.where(sound, ratios["ln_variance"], np.nan)
    dof = np.where(sound, ratios["dof"], np.nan)
    low, high = _bounds(e, variance, dof, confidence)
    note = np.select(
        [~(e > 0), ~native], ["no efficiency: no interval", BEST], ratios["ci_note"].to_numpy(str)
    )
    return eff.assign(
        ci_low=low,
        ci_high=high,
        ci_note=note.astype(object),
        ln_variance=variance,
        dof=dof,
        ci_blocks=ratios["blocks"].to_numpy(),
    )


def intervals(
    blocks: pd.DataFrame,
    eff: pd.DataFrame,
    platforms: Sequence[str],
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The interval of P over H: one row per (app, problem, model, track, fom).

    Columns: the keys, ``P``, ``ci_low``, ``ci_high``, ``dof`` (Satterthwaite) and ``ci_note``.  NaN
    with a note where P is zero or undefined, where a platform of H has one block, and for the
    best-observed baseline.
    """
    cells = efficiency_intervals(blocks, eff, confidence)
    grid = Grid.of(cells, platforms)
    e, variance = grid.matrix(cells["efficiency"]), grid.matrix(cells["ln_variance"])
    value = p(e)
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = (1 / e) / (1 / e).sum(axis=1, keepdims=True)
        terms = weight**2 * variance
        total = terms.sum(axis=1)
        spread = np.where(terms > 0, terms**2 / grid.matrix(cells["dof"]), terms).sum(axis=1)
        dof = np.where(total > 0, total**2 / spread, np.inf)
    dof = np.where(np.isnan(total), np.nan, dof)
    usable = value > 0
    low, high = _bounds(
        value, np.where(usable, total, np.nan), np.where(usable, dof, np.nan), confidence
    )
    note = np.full(len(value), "", dtype=object)
    texts = grid.texts(cells["ci_note"], "")
    for row in np.flatnonzero(usable & np.isnan(total)):
        note[row] = next((t for t in texts[row] if t and t not in (ITSELF, NO_SPREAD)), "")
    for row in np.flatnonzero(usable & (total == 0)):
        note[row] = ITSELF if all(t == ITSELF for t in texts[row]) else NO_SPREAD
    note[value == 0] = "P is 0: no interval"
    note[np.isnan(value)] = "P is undefined: no interval"
    return grid.index.assign(P=value, ci_low=low, ci_high=high, dof=dof, ci_note=note)


def _paired(blocks: pd.DataFrame, left: pd.DataFrame) -> pd.DataFrame:
    """Per identity: number, mean and sample variance of the log-ratios of its paired blocks."""
    own = blocks.merge(left, on=_IDENTITY)
    other = blocks.rename(columns={"model": "reference", "value": "reference_value"})
    on = ["app", "problem", "platform", "track", "fom", "block", "reference"]
    both = own.merge(other, on=on)
    sign = np.where(both["direction"] == "higher", 1.0, -1.0)
    ratio = np.asarray(both["value"], dtype=np.float64) / np.asarray(
        both["reference_value"], dtype=np.float64
    )
    both["log_ratio"] = sign * np.log(ratio)
    grouped = both.groupby(_IDENTITY, sort=False)["log_ratio"]
    return grouped.agg(blocks="count", mean="mean", variance="var").reset_index()


def _bounds(
    center: FloatArray, variance: FloatArray, dof: FloatArray, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """center * exp(-+ t * sd), NaN where the variance is unknown, the center where it is 0."""
    with np.errstate(invalid="ignore"):
        quantile = stats.t.ppf(0.5 + confidence / 2, dof)
        half = np.where(variance == 0, 0.0, quantile * np.sqrt(variance))
    return center * np.exp(-half), center * np.exp(half)
