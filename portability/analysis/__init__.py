"""Metrics of what was measured.  Pure: DataFrame in, DataFrame out; no file, clock or machine.

::

    cells_frame, blocks_frame     cells -> tidy frames, one row per (cell, figure of merit[, block])
    efficiency, with_native       against the native model, or against the best observed
    performance_portability       P over a declared H, with coverage and a reason for every hole
    *_intervals, intervals        from paired blocks: per cell, and of P
    metrics                       every metric over platforms, one file per family in ``metrics/``

A zero (known not to work) and NaN (nothing known) are never mixed: see
:class:`portability.words.Effect`.
"""

from __future__ import annotations

from portability.analysis._metric import Metric
from portability.analysis.efficiency import efficiency, with_native
from portability.analysis.frames import blocks_frame, cells_frame
from portability.analysis.intervals import (
    efficiency_intervals,
    intervals,
    ratio_intervals,
)
from portability.analysis.performance import DEFAULT_METRICS, metrics, performance_portability
from portability.analysis.registry import found

__all__ = [
    "DEFAULT_METRICS",
    "Metric",
    "blocks_frame",
    "cells_frame",
    "efficiency",
    "efficiency_intervals",
    "found",
    "intervals",
    "metrics",
    "performance_portability",
    "ratio_intervals",
    "with_native",
]
