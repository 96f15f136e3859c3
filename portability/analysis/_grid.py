"""Integer codes of rows, and the (application x platform) matrices of a tidy frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from portability.analysis._metric import FloatArray, IntArray
from portability.analysis.frames import KEYS
from portability.errors import InputError

__all__ = ["Grid", "codes", "declared", "require", "tell"]

_SHOWN = 3


def require(frame: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raise :class:`InputError` naming the columns that ``frame`` lacks."""
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        raise InputError(f"results lack the column(s) {', '.join(lacking)}")


def codes(frame: pd.DataFrame, columns: Sequence[str]) -> tuple[IntArray, int]:
    """A number per row, equal where ``columns`` are, in order of appearance; and how many.

    Raises :class:`InputError` for a missing name, or one with blanks at its ends (which would be
    another platform than the one without).
    """
    combined = np.zeros(len(frame), dtype=np.int64)
    size = 1
    for column in columns:
        code, names = pd.factorize(frame[column])
        for name in names:
            if isinstance(name, str) and name != name.strip():
                raise InputError(f"{column} {name!r} has blanks at its ends")
        if (code < 0).any():
            first = int(np.argmax(code < 0))
            raise InputError(f"row {first}: no {column}")
        if size * max(len(names), 1) > 2**62:
            combined, found = pd.factorize(combined)
            size = len(found)
        combined = combined * max(len(names), 1) + code
        size *= max(len(names), 1)
    combined, found = pd.factorize(combined)
    return combined.astype(np.int64), len(found)


def tell(frame: pd.DataFrame, bad: npt.NDArray[np.bool_]) -> str:
    """The first rows where ``bad`` holds: ``app problem model on platform (track, fom)``."""
    rows = frame.loc[bad].head(_SHOWN)
    told = [
        f"{r['app']} {r['problem']} {r['model']} on {r['platform']} ({r['track']}, {r['fom']})"
        for r in rows.to_dict("records")
    ]
    more = int(bad.sum()) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


def declared(platforms: Sequence[str]) -> tuple[str, ...]:
    """H as a tuple; :class:`InputError` when it is empty or names a platform twice."""
    if isinstance(platforms, str):
        raise InputError(f"H must be a list of platforms, not the text {platforms!r}")
    names = tuple(platforms)
    if not names:
        raise InputError("H is empty: P needs at least one declared platform")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"H names {', '.join(twice)} more than once")
    return names


@dataclass(frozen=True)
class Grid:
    """Rows of a tidy frame laid out as (application, platform of H).

    ``index`` has one row per application (columns ``KEYS``), ``inside`` selects the rows on a
    platform of H, ``row`` and ``column`` place each of them.
    """

    platforms: tuple[str, ...]
    index: pd.DataFrame
    inside: npt.NDArray[np.bool_]
    row: IntArray
    column: IntArray

    @classmethod
    def of(cls, frame: pd.DataFrame, platforms: Sequence[str]) -> Grid:
        """Lay out ``frame``; :class:`InputError` when two rows claim one place."""
        names = declared(platforms)
        require(frame, (*KEYS, "platform"))
        code, count = codes(frame, KEYS)
        first = np.full(count, len(frame), dtype=np.int64)
        np.minimum.at(first, code, np.arange(len(frame)))
        column = pd.Index(list(names)).get_indexer(pd.Index(frame["platform"]))
        inside = column >= 0
        place = code[inside] * len(names) + column[inside]
        seen = np.bincount(place, minlength=count * len(names))
        if (seen > 1).any():
            bad = np.zeros(len(frame), dtype=np.bool_)
            bad[inside] = seen[place] > 1
            raise InputError(f"more than one result for {tell(frame, bad)}")
        index = frame[list(KEYS)].iloc[first].reset_index(drop=True)
        return cls(names, index, inside, code[inside], column[inside].astype(np.int64))

    def matrix(self, values: pd.Series[float] | FloatArray) -> FloatArray:
        """``values`` (one per row of the frame) as (application, platform); NaN where none is."""
        filled = np.full((len(self.index), len(self.platforms)), np.nan)
        filled[self.row, self.column] = np.asarray(values, dtype=np.float64)[self.inside]
        return filled

    def texts(self, values: pd.Series[str], default: str) -> npt.NDArray[np.object_]:
        """The same for texts; ``default`` where there is no row."""
        filled = np.full((len(self.index), len(self.platforms)), default, dtype=object)
        filled[self.row, self.column] = np.asarray(values, dtype=object)[self.inside]
        return filled
