"""Arithmetic means of efficiency.  Marowka, SPE 52(1) 2022, doi 10.1002/spe.3002."""

from __future__ import annotations

import numpy as np

from portability.analysis._metric import FloatArray, Metric

__all__ = ["METRICS", "mean_all", "mean_supported"]

_SOURCE = "Marowka, SPE 52(1) 2022, doi 10.1002/spe.3002"


def mean_supported(e: FloatArray) -> FloatArray:
    """Mean over the platforms with a verified answer; NaN where there are none."""
    works = e > 0
    count = works.sum(axis=1)
    total = np.where(works, e, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def mean_all(e: FloatArray) -> FloatArray:
    """Mean over H, a platform that is known not to work counting 0; NaN where any is undefined."""
    mean: FloatArray = e.mean(axis=1)
    return mean


METRICS = (
    Metric("mean_supported", "mean efficiency over S", "sum over S of e / |S|", _SOURCE,
           mean_supported),
    Metric("mean_all", "mean efficiency over H", "sum over H of e / |H|", _SOURCE, mean_all),
)  # fmt: skip
