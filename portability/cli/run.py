"""``portability run``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from portability.cli._shared import Output, cell_rows, counts, json_option, path_option
from portability.cli._study import (
    selection_options,
    start_session,
    system_option,
    workspace_option,
)

# A study with one of these cells did not end well.
_BAD = ("wrong", "build_failed", "run_failed", "timeout", "wrong_device", "node_failed")


@click.command()
@click.argument("study")
@system_option
@workspace_option
@selection_options
@click.option("--engine", type=click.Choice(["local"]), default="local", show_default=True)
@click.option("--builder", type=click.Choice(["cmake"]), default="cmake", show_default=True)
@click.option("--no-build", is_flag=True, help="Use what was built before; needs no network.")
@click.option("--blocks", type=click.IntRange(1, 1000), help="Blocks instead of the study's.")
@click.option("--repeats", type=click.IntRange(1, 1000), help="Repeats a block.")
@click.option("--launcher", default="", help='Prefix before each binary, as in "srun -n1".')
@click.option("--retry-failed", is_flag=True, help="Build and run again what failed before.")
@path_option
@json_option
def command(
    study: str,
    system: str | None,
    workspace: Path | None,
    apps: tuple[str, ...],
    models: tuple[str, ...],
    engine: str,  # noqa: ARG001  (one so far)
    builder: str,
    no_build: bool,
    blocks: int | None,
    repeats: int | None,
    launcher: str,
    retry_failed: bool,
    paths: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Build, run and record what is missing of a study, and write its report."""
    from portability.cli._progress import Progress

    out = Output(as_json)
    adjustments = {"builder": builder, "blocks": blocks, "repeats": repeats}
    session, chosen = start_session(study, system, paths, workspace, (apps, models), **adjustments)
    progress = Progress(out, session.plan)
    if no_build:
        outcomes = session.built(chosen)
    else:
        outcomes = session.build(
            chosen, again=retry_failed, started=progress.building, done=progress.built
        )
    new = session.run(
        chosen,
        outcomes,
        launcher=tuple(shlex.split(launcher)),
        retry_failed=retry_failed,
        started=progress.started,
        ended=progress.ended,
    )
    cells = session.cells()
    written = session.report()
    found = counts(cells)
    out.say(f"{len(new)} new runs; cells: " + ", ".join(f"{n} {s}" for s, n in found.items()))
    out.say(f"workspace: {session.workspace.root}")
    out.say(f"report:    {written[0]}")
    out.document(
        {
            "workspace": str(session.workspace.root),
            "report": [str(path) for path in written],
            "new_runs": len(new),
            "cells": cell_rows(cells),
        }
    )
    return 1 if any(found.get(status) for status in _BAD) else 0
