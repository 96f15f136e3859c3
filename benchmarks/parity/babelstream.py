"""The public BabelStream: rates per kernel from its table."""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Callable

from benchmarks.parity._pairs import Rates, our_rates

# Counted words per element; ``total`` is one over the sum of the five best times, ours alike.
WORDS = {"copy": 2, "mul": 2, "add": 3, "triad": 3, "dot": 2}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", type=int, default=2**25, help="elements")
    parser.add_argument("--iterations", type=int, default=20)


def runners(args: argparse.Namespace) -> tuple[Callable[[], Rates], Callable[[], Rates]]:
    line = ["--size", str(args.size), "--iterations", str(args.iterations), "--warmup", "1"]
    line += ["--calls-per-sample", "1", "--precision", "f64"]
    return lambda: our_rates(args.ours, line), lambda: _their_rates(args)


def _their_rates(args: argparse.Namespace) -> Rates:
    line = [args.theirs, "-s", str(args.size), "-n", str(args.iterations + 1)]
    text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^(Copy|Mul|Add|Triad|Dot)\s+([0-9.]+)", text, re.MULTILINE)
    rates = {name.lower(): float(rate) * 1e6 for name, rate in rows}
    seconds = sum(WORDS[name] * 8 * args.size / rate for name, rate in rates.items())
    return {**rates, "total": 1 / seconds}
