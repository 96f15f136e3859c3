"""Interleaved pairs of runs, and the ratio of their rates with its interval."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev

from scipy.stats import t as student

Rates = dict[str, float]


@dataclass(frozen=True)
class Ratio:
    """Geometric mean of ours/theirs over the pairs, with its two-sided 95 % interval."""

    low: float
    middle: float
    high: float
    pairs: tuple[float, ...]


def our_rates(binary: str, options: list[str]) -> Rates:
    """Best rate (or 1/best time) per figure of merit of one run of our binary."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        subprocess.run([binary, *options, "--json", str(out)], check=True, capture_output=True)
        foms = json.loads(out.read_text())["foms"]
    return {f["name"]: f["best"] if f["direction"] == "higher" else 1 / f["best"] for f in foms}


def ratios(ours: Callable[[], Rates], theirs: Callable[[], Rates], pairs: int) -> dict[str, Ratio]:
    """Run both in turn, ours first in every other pair; the ratio per rate that theirs has."""
    found: dict[str, list[float]] = {}
    for pair in range(pairs):
        if pair % 2:
            b, a = theirs(), ours()
        else:
            a, b = ours(), theirs()
        for name in b:
            found.setdefault(name, []).append(a[name] / b[name])
        print(f"pair {pair + 1}/{pairs}", file=sys.stderr)
    return {name: _ratio(values) for name, values in found.items()}


def _ratio(values: list[float]) -> Ratio:
    logs = [log(v) for v in values]
    half = student.ppf(0.975, len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    low, middle, high = (exp(mean(logs) + sign * half) for sign in (-1, 0, 1))
    return Ratio(low, middle, high, tuple(values))
