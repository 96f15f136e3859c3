"""Our binary against the public one of the same app and model: ratio of rates, kernel by kernel.

    python benchmarks/parity.py babelstream --ours BIN --theirs BIN [--pairs 15] [-- SIZE OPTIONS]

Both run in turn (ours first in every other pair), so that whatever else the machine does hits both
alike.  Printed per kernel: the geometric mean of ours/theirs over the pairs, its two-sided 95 %
interval (Student's t on the logarithms), and every pair's ratio.  Build both with the same
compiler and flags; the best rate of each run is compared, because the public code prints that.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev

from scipy.stats import t as student

Rates = dict[str, float]


def ours(binary: str, options: list[str]) -> Rates:
    """Best rate (or 1/best time) per figure of merit of one run of our binary."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        subprocess.run([binary, *options, "--json", str(out)], check=True, capture_output=True)
        foms = json.loads(out.read_text())["foms"]
    return {f["name"]: f["best"] if f["direction"] == "higher" else 1 / f["best"] for f in foms}


def babelstream(binary: str, size: int, iterations: int) -> Rates:
    """Rates of one run of the public BabelStream in B/s, from its table."""
    line = [binary, "-s", str(size), "-n", str(iterations)]
    text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^(Copy|Mul|Add|Triad|Dot)\s+([0-9.]+)", text, re.MULTILINE)
    return {name.lower(): float(rate) * 1e6 for name, rate in rows}


def babelstream_pair(args: argparse.Namespace) -> tuple[Callable[[], Rates], Callable[[], Rates]]:
    options = ["--size", str(args.size), "--iterations", str(args.iterations), "--warmup", "1"]
    options += ["--calls-per-sample", "1", "--precision", "f64"]
    return (
        lambda: ours(args.ours, options),
        lambda: babelstream(args.theirs, args.size, args.iterations),
    )


APPS = {"babelstream": babelstream_pair}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("app", choices=sorted(APPS))
    parser.add_argument("--ours", required=True, help="our binary")
    parser.add_argument("--theirs", required=True, help="the public binary")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--size", type=int, default=2**25, help="elements (babelstream)")
    parser.add_argument("--iterations", type=int, default=20)
    args = parser.parse_args()
    mine, other = APPS[args.app](args)
    ratios: dict[str, list[float]] = {}
    for pair in range(args.pairs):
        if pair % 2:
            b, a = other(), mine()
        else:
            a, b = mine(), other()
        for name in b:
            ratios.setdefault(name, []).append(a[name] / b[name])
        print(f"pair {pair + 1}/{args.pairs}", file=sys.stderr)
    print(f"{'kernel':<10} {'ours/theirs':>11}  95 % interval     all pairs")
    good = True
    for name, values in ratios.items():
        logs = [log(v) for v in values]
        half = student.ppf(0.975, len(logs) - 1) * stdev(logs) / sqrt(len(logs))
        low, middle, high = (exp(mean(logs) + sign * half) for sign in (-1, 0, 1))
        good &= low >= 0.97
        every = " ".join(f"{v:.3f}" for v in values)
        print(f"{name:<10} {middle:>11.3f}  [{low:.3f}, {high:.3f}]  {every}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
