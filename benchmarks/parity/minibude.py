"""The public miniBUDE: interactions per second on one of its decks, from its shortest iteration.

Both read the same deck and check every energy.  ``--math`` must be what the public program was
compiled with (fast is its default).  With ``--cpu-seconds``, for a machine that others use too:
from the processor time that a run takes more than one with a single iteration.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.parity._pairs import Rates, our_rates

WARMUP = 2  # the public program's


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deck", required=True, help="folder of a public deck")
    parser.add_argument("--poses", type=int, default=8192)
    parser.add_argument("--iterations", type=int, default=8)
    parser.add_argument("--ppwi", type=int, default=64, help="poses per work item")
    parser.add_argument("--wgsize", type=int, default=1, help="work items per work-group")
    parser.add_argument("--math", choices=["contract", "fast"], default="fast")
    parser.add_argument("--cpu-seconds", action="store_true", help="compare processor time")


def runners(args: argparse.Namespace) -> tuple[Callable[[], Rates], Callable[[], Rates]]:
    if args.cpu_seconds:
        return lambda: _cpu_rate(_ours, args), lambda: _cpu_rate(_theirs, args)
    return lambda: our_rates(args.ours, _ours(args, args.iterations)[1:]), lambda: _printed(args)


def _ours(args: argparse.Namespace, iterations: int) -> list[str]:
    sizes = {
        name: str(Path(args.deck, file).stat().st_size // 16)
        for name, file in (
            ("--protein-atoms", "protein.in"),
            ("--ligand-atoms", "ligand.in"),
            ("--atom-types", "forcefield.in"),
        )
    }
    line = [args.ours, "--deck", args.deck, *(word for pair in sizes.items() for word in pair)]
    line += ["--poses", str(args.poses), "--math", args.math, "--warmup", str(WARMUP)]
    line += ["--ppwi", str(args.ppwi), "--block", str(args.wgsize)]
    return [*line, "--iterations", str(iterations)]


def _theirs(args: argparse.Namespace, iterations: int) -> list[str]:
    line = [args.theirs, "--deck", args.deck, "-n", str(args.poses), "-i", str(iterations)]
    return [*line, "-p", str(args.ppwi), "--wgsize", str(args.wgsize)]


def _printed(args: argparse.Namespace) -> Rates:
    line = _theirs(args, args.iterations)
    text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    shortest = re.search(r"^best: \{ min_ms: ([0-9.]+)", text, re.MULTILINE)
    if "valid: true" not in text or shortest is None:
        raise SystemExit(f"{args.theirs}: no valid result: {text[-500:]}")
    return {"interactions": _interactions(args) / (float(shortest[1]) * 1e-3)}


def _interactions(args: argparse.Namespace) -> float:
    atoms = [Path(args.deck, name).stat().st_size // 16 for name in ("protein.in", "ligand.in")]
    return float(args.poses * atoms[0] * atoms[1])


def _cpu_rate(
    line: Callable[[argparse.Namespace, int], list[str]], args: argparse.Namespace
) -> Rates:
    seconds = _cpu_seconds(line(args, 1 + args.iterations)) - _cpu_seconds(line(args, 1))
    return {"interactions": args.iterations * _interactions(args) / seconds}


def _cpu_seconds(line: list[str]) -> float:
    # threads that wait must not spin, or waiting counts as work
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(line, stdout=quiet, stderr=quiet, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{line[0]}: failed")
    return usage.ru_utime + usage.ru_stime
