"""Application efficiency, against the native model or against the best observed.

Best observed: Pennycook, Sewall, Lee, PMBS'16 (arXiv:1611.07409).  Native: the same with a declared
application on each platform as the reference, because CUDA and HIP cover one vendor each; it may
exceed 1 and is never clipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from portability.analysis._grid import codes, require, tell
from portability.analysis._metric import FloatArray, IntArray
from portability.analysis.frames import IDENTITY
from portability.errors import InputError
from portability.words import Effect

__all__ = ["Baseline", "efficiency", "with_native"]

Baseline: TypeAlias = Literal["native", "best"]

_NEEDED = (*IDENTITY, "unit", "direction", "value", "status", "effect")
_GROUP = ("app", "problem", "platform", "track", "fom")
_NATIVE = "native"


def efficiency(
    frame: pd.DataFrame,
    baseline: Baseline = "native",
    native: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """``frame`` with ``efficiency``, ``baseline``, ``baseline_value``, ``above_one``,
    ``efficiency_reason``.

    ``frame`` has the columns of :func:`portability.analysis.cells_frame`; ``native`` maps each
    platform to the model that is native there.  e = value / baseline for rates, baseline / value
    for times; 0 for a cell that is known not to work, NaN for one of which nothing is known and
    for one without a baseline (``efficiency_reason`` says which).  The baseline is taken over
    verified cells alone.

    Raises :class:`InputError` naming the rows: a direction that is missing, or two directions or
    units of one (app, fom); the same number given twice; a verified value that is no positive
    number.
    """
    if baseline not in ("native", "best"):
        raise InputError(f"baseline {baseline!r} is neither 'native' nor 'best'")
    if baseline == "native" and native is None:
        raise InputError("the native baseline needs to know which model is native where")
    require(frame, _NEEDED)
    out = frame.reset_index(drop=True)
    counts = _check(out)
    group, size = codes(out, _GROUP)
    higher = np.asarray(out["direction"] == "higher")
    value = np.asarray(out["value"], dtype=np.float64)
    if baseline == "native":
        names, base, why = _native_baseline(out, native or {}, counts, value, (group, size))
    else:
        with np.errstate(invalid="ignore", divide="ignore"):
            score = np.where(higher, value, 1 / value)
        names, base, why = _best_baseline(out, counts, score, value, (group, size))
    with np.errstate(invalid="ignore", divide="ignore"):
        e = np.where(counts, np.where(higher, value / base, base / value), np.nan)
    e[np.asarray(out["effect"] == Effect.ZERO)] = 0.0
    reason = np.where(counts & np.isnan(base), why, "").astype(object)
    reason[~counts] = _told(out.loc[~counts])
    return out.assign(
        efficiency=e,
        baseline=names,
        baseline_value=base,
        above_one=e > 1,
        efficiency_reason=reason,
    )


def with_native(eff: pd.DataFrame, native: Mapping[str, str]) -> pd.DataFrame:
    """``eff`` and the composite model ``native``: on each platform, the rows of its native model.

    Raises :class:`InputError` when a model is called ``native`` already.
    """
    if (eff["model"] == _NATIVE).any():
        raise InputError(f"a model is called {_NATIVE!r}, which names the composite of all natives")
    here = eff["platform"].map(dict(native)).fillna("")
    composite = eff.loc[eff["model"] == here].assign(model=_NATIVE)
    return pd.concat([eff, composite], ignore_index=True)


def _check(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Which rows count; raises for anything that must not be computed with."""
    direction = frame["direction"]
    bad = ~np.asarray(direction.isin(["higher", "lower"]), dtype=np.bool_)
    if bad.any():
        raise InputError(
            f"direction must be 'higher' or 'lower', never guessed: {tell(frame, bad)}"
        )
    bad = ~np.asarray(frame["effect"].isin([str(e) for e in Effect]), dtype=np.bool_)
    if bad.any():
        raise InputError(f"effect must be counts, zero or undefined: {tell(frame, bad)}")
    kind, size = codes(frame, ("app", "fom"))
    for column in ("direction", "unit"):
        code, _ = pd.factorize(frame[column].fillna(""))
        bad = _differs(kind, size, code.astype(np.int64))
        if bad.any():
            found = sorted(set(map(str, frame.loc[bad, column])))
            raise InputError(f"{column} {' and '.join(found)} for one figure: {tell(frame, bad)}")
    place, size = codes(frame, IDENTITY)
    bad = np.bincount(place, minlength=size)[place] > 1
    if bad.any():
        raise InputError(f"given more than once: {tell(frame, bad)}")
    counts = np.asarray(frame["effect"] == Effect.COUNTS)
    try:
        value = np.asarray(frame["value"], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"value must be a number: {error}") from error
    bad = counts & ~(np.isfinite(value) & (value > 0))
    if bad.any():
        shown = ", ".join(map(str, value[bad][:3]))
        raise InputError(f"verified, but no positive number ({shown}): {tell(frame, bad)}")
    return counts


def _differs(kind: IntArray, size: int, code: IntArray) -> npt.NDArray[np.bool_]:
    """Rows of those kinds that have more than one ``code``."""
    low = np.full(size, np.iinfo(np.int64).max)
    high = np.full(size, -1)
    np.minimum.at(low, kind, code)
    np.maximum.at(high, kind, code)
    return np.asarray((low < high)[kind])


def _native_baseline(
    frame: pd.DataFrame,
    native: Mapping[str, str],
    counts: npt.NDArray[np.bool_],
    value: FloatArray,
    grouping: tuple[IntArray, int],
) -> tuple[npt.NDArray[np.object_], FloatArray, npt.NDArray[np.object_]]:
    """Per row: the name of its baseline, its value, and why there is none."""
    group, size = grouping
    codes_of, platforms = pd.factorize(frame["platform"])
    models = np.array([native.get(str(p), "") for p in platforms], dtype=object)
    names = np.array([f"native:{m}" for m in models], dtype=object)
    lacks = np.array(
        [
            f"native {m} is not in the results" if m else f"no model is declared native on {p}"
            for m, p in zip(models, platforms, strict=True)
        ],
        dtype=object,
    )
    is_native = np.asarray(frame["model"], dtype=object) == models[codes_of]
    base = np.full(size, np.nan)
    base[group[is_native & counts]] = value[is_native & counts]
    why = np.full(size, "", dtype=object)
    why[group] = lacks[codes_of]
    broken = is_native & ~counts
    if broken.any():
        rows = frame.loc[broken]
        why[group[broken]] = [
            f"native {model}: {told}"
            for model, told in zip(rows["model"], _told(rows), strict=True)
        ]
    return names[codes_of], base[group], why[group]


def _best_baseline(
    frame: pd.DataFrame,
    counts: npt.NDArray[np.bool_],
    score: FloatArray,
    value: FloatArray,
    grouping: tuple[IntArray, int],
) -> tuple[npt.NDArray[np.object_], FloatArray, npt.NDArray[np.object_]]:
    """The same against the best verified result; the first in the frame wins a tie."""
    group, size = grouping
    rows = np.flatnonzero(counts)
    order = rows[np.lexsort((rows, -score[rows], group[rows]))]
    leader = order[np.r_[True, np.diff(group[order]) > 0]] if len(order) else order
    base = np.full(size, np.nan)
    base[group[leader]] = value[leader]
    names = np.full(size, "best:", dtype=object)
    names[group[leader]] = [f"best:{model}" for model in frame["model"].iloc[leader]]
    why = np.full(len(frame), "no verified result on this platform", dtype=object)
    return names[group], base[group], why


def _told(rows: pd.DataFrame) -> npt.NDArray[np.object_]:
    """``status: reason`` of each row."""
    reasons = rows["reason"] if "reason" in rows.columns else [""] * len(rows)
    return np.array(
        [
            f"{status}: {reason}" if isinstance(reason, str) and reason else str(status)
            for status, reason in zip(rows["status"], reasons, strict=True)
        ],
        dtype=object,
    )
