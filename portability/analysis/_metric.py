"""What a metric over platforms is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["FloatArray", "IntArray", "Metric"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Metric:
    """A number per application, from its efficiencies on the platforms of H.

    ``compute`` takes efficiencies of shape (applications, platforms), 0 where the application is
    known not to work and NaN where nothing is known, and gives one number per application (NaN:
    undefined).  ``name`` is the column it becomes.
    """

    name: str
    title: str
    formula: str
    source: str
    compute: Callable[[FloatArray], FloatArray]
