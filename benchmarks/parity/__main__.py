"""Our binary against the public one of the same app and model: ratio of rates, kernel by kernel.

    python -m benchmarks.parity babelstream --ours BIN --theirs BIN [--pairs 15] [--size N ...]

Both run in turn (ours first in every other pair), so that whatever else the machine does hits both
alike.  Printed per kernel: the geometric mean of ours/theirs over the pairs, its two-sided 95 %
interval (Student's t on the logarithms), and every pair's ratio.  Build both with the same
compiler and flags; the best rate of each run is compared, because the public codes print that.

An app is a module beside this one with ``options(parser)`` and ``runners(args)``, which returns two
functions: one run of ours, one run of theirs, each giving rates by name.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

from benchmarks.parity._pairs import ratios


def main() -> int:
    names = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)])]
    apps = {n: importlib.import_module(f"benchmarks.parity.{n}") for n in names if n[0] != "_"}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="app", required=True)
    for name, module in apps.items():
        command = commands.add_parser(name)
        command.add_argument("--ours", required=True, help="our binary")
        command.add_argument("--theirs", required=True, help="the public binary")
        command.add_argument("--pairs", type=int, default=15)
        module.options(command)
    args = parser.parse_args()
    found = ratios(*apps[args.app].runners(args), args.pairs)
    print(f"{'rate':<14} {'ours/theirs':>11}  95 % interval     all pairs")
    for name, ratio in found.items():
        every = " ".join(f"{value:.3f}" for value in ratio.pairs)
        interval = f"[{ratio.low:.3f}, {ratio.high:.3f}]"
        print(f"{name:<14} {ratio.middle:>11.3f}  {interval:<16}  {every}")
    return 0 if all(ratio.low >= 0.97 for ratio in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
