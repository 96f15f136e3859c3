"""Performance portability P, its supported subset and coverage.

Pennycook, Sewall and Lee, PMBS'16 (arXiv:1611.07409) and FGCS 92 (2019) 947.
"""

from __future__ import annotations

import numpy as np

from portability.analysis._metric import FloatArray, Metric

__all__ = ["METRICS", "coverage", "harmonic", "p", "p_supported"]

_SOURCE = "Pennycook, Sewall, Lee, PMBS'16 arXiv:1611.07409; FGCS 92 (2019) 947"


def harmonic(e: FloatArray) -> FloatArray:
    """Harmonic mean of the positive entries of each row; NaN where a row has none.

    Scaled by the row's smallest entry, so that one platform gives exactly its own efficiency and
    no reciprocal overflows.
    """
    works = e > 0
    safe = np.where(works, e, np.inf)
    least = safe.min(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(
            works.any(axis=1),
            least * works.sum(axis=1) / (least[:, None] / safe).sum(axis=1),
            np.nan,
        )


def p(e: FloatArray) -> FloatArray:
    """0 where any platform is 0; else NaN where any is undefined; else the harmonic mean."""
    value = np.where(np.isnan(e).any(axis=1), np.nan, harmonic(e))
    return np.where((e == 0).any(axis=1), 0.0, value)


def p_supported(e: FloatArray) -> FloatArray:
    """Harmonic mean over the platforms with a verified answer; NaN where there are none."""
    return harmonic(e)


def coverage(e: FloatArray) -> FloatArray:
    """Share of H with a verified answer and a known efficiency."""
    share: FloatArray = (e > 0).mean(axis=1)
    return share


METRICS = (
    Metric("P", "performance portability over H", "|H| / sum over H of 1/e", _SOURCE, p),
    Metric(
        "P_supported",
        "P over the supported subset S",
        "|S| / sum over S of 1/e",
        _SOURCE,
        p_supported,
    ),
    Metric("coverage", "share of H that is supported", "|S| / |H|", _SOURCE, coverage),
)
