"""The public SU3_Bench: products per second, from the time that it prints for all iterations.

With ``--cpu-seconds``, for a machine that others use too: from the processor time that a run with
all iterations takes more than one with a single iteration (run both with OMP_NUM_THREADS=1, because
threads that wait may spin).
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
from collections.abc import Callable

from benchmarks.parity._pairs import Rates, our_rates


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lattice", type=int, default=32, help="sites along each direction")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--precision", choices=("f64", "f32"), default="f64")
    parser.add_argument("--their-threads", type=int, help="work-group size of the public program")
    parser.add_argument("--cpu-seconds", action="store_true", help="compare processor time")


def runners(args: argparse.Namespace) -> tuple[Callable[[], Rates], Callable[[], Rates]]:
    if args.cpu_seconds:
        return lambda: _cpu_rates(_ours, args), lambda: _cpu_rates(_theirs, args)
    line = _ours(args, args.iterations, 1)[1:]
    return lambda: {"time": our_rates(args.ours, line)["time"]}, lambda: _their_rates(args)


def _ours(args: argparse.Namespace, iterations: int, warmup: int) -> list[str]:
    # one sample of all iterations, because that is what the public program times
    line = [args.ours, "--lattice", str(args.lattice), "--precision", args.precision]
    line += ["--iterations", "1", "--calls-per-sample", str(iterations), "--warmup", str(warmup)]
    return line


def _theirs(args: argparse.Namespace, iterations: int, warmup: int) -> list[str]:
    line = [args.theirs, "-l", str(args.lattice), "-i", str(iterations), "-w", str(warmup)]
    if args.their_threads is not None:
        line += ["-t", str(args.their_threads)]
    return line


def _their_rates(args: argparse.Namespace) -> Rates:
    line = _theirs(args, args.iterations, 1)
    text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    found = re.search(r"^Total execution time = ([0-9.]+) secs", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{args.theirs}: no total execution time in its output")
    return {"time": args.iterations / float(found[1])}


def _cpu_rates(
    line: Callable[[argparse.Namespace, int, int], list[str]], args: argparse.Namespace
) -> Rates:
    one, all_of_them = (_cpu_seconds(line(args, n, 0)) for n in (1, args.iterations + 1))
    return {"time": args.iterations / (all_of_them - one)}


def _cpu_seconds(line: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(line, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
