"""The public XSBench: lookups per second of its event mode.

The original (ANL-CESAR) prints the rate of one pass; the fork with more models (hpcgroup, `--fork`)
prints the milliseconds of its kernel in its last line, without the copies that its printed rate
includes.  Neither repeats its timing in one process, so a pair is the best of `--repeats` processes
of each.

With `--cpu-seconds`, for a machine that others use too: from the processor time that a run takes
more than one with a single lookup.  Choose a number of lookups whose hash is published (README), or
ours also computes the reference for each of them.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from collections.abc import Callable

from benchmarks.parity._pairs import Rates, our_rates

Line = Callable[[argparse.Namespace, int], list[str]]


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", choices=["small", "large"], default="small")
    parser.add_argument("--grid", choices=["unionized", "hash", "nuclide"], default="unionized")
    parser.add_argument("--lookups", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fork", action="store_true", help="the public program is the fork's")
    parser.add_argument("--cpu-seconds", action="store_true", help="compare processor time")


def runners(args: argparse.Namespace) -> tuple[Callable[[], Rates], Callable[[], Rates]]:
    rate = _cpu_rate if args.cpu_seconds else _printed_rate

    def best(line: Line) -> Rates:
        return {"lookups": max(rate(line, args) for _ in range(args.repeats))}

    return lambda: best(_ours), lambda: best(_theirs)


def _ours(args: argparse.Namespace, lookups: int) -> list[str]:
    line = [args.ours, "--problem", "small", "--size", args.size, "--grid", args.grid]
    return [*line, "--lookups", str(lookups), "--iterations", "1", "--warmup", "0"]


def _theirs(args: argparse.Namespace, lookups: int) -> list[str]:
    line = [args.theirs, "-m", "event", "-s", args.size, "-G", args.grid, "-l", str(lookups)]
    return [*line, "-n", "1", "-w", "0"] if args.fork else line


def _printed_rate(line: Line, args: argparse.Namespace) -> float:
    if line is _ours:
        return our_rates(args.ours, _ours(args, args.lookups)[1:])["lookups"]
    # the exit status is 1 for every number of lookups but the default: that it has a sum must do
    done = subprocess.run(_theirs(args, args.lookups), capture_output=True, text=True)
    if "Verification checksum" not in done.stdout:
        raise SystemExit(f"{args.theirs}: no checksum: {done.stdout[-500:]}{done.stderr[-500:]}")
    if args.fork:
        found = re.search(r"^[\d.]+,([\d.]+),[\d.]+,1,0$", done.stdout, re.MULTILINE)
        if found is None:
            raise SystemExit(f"{args.theirs}: no line of times: {done.stdout[-500:]}")
        return args.lookups / (float(found[1]) * 1e-3)
    rates = re.findall(r"^Lookups/s:\s+([\d,]+)", done.stdout, re.MULTILINE)
    return float(rates[-1].replace(",", ""))


def _cpu_rate(line: Line, args: argparse.Namespace) -> float:
    return args.lookups / (_cpu_seconds(line(args, args.lookups)) - _cpu_seconds(line(args, 1)))


def _cpu_seconds(line: list[str]) -> float:
    # threads that wait must not spin, or waiting counts as work
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(line, stdout=quiet, stderr=quiet, env=environment)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime
