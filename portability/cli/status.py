"""``portability status``."""

from __future__ import annotations

from pathlib import Path

import click

from portability.cli._shared import Output, cell_rows, counts, json_option, path_option, table
from portability.cli._workspace import directory_argument, open_session


@click.command()
@directory_argument
@path_option
@json_option
def command(directory: Path | None, paths: tuple[Path, ...], as_json: bool) -> None:
    """What is done, what failed and what is left in a workspace."""
    out = Output(as_json)
    session = open_session(directory, paths)
    cells = session.cells()
    out.say(f"{session.workspace.root}: study {session.plan.study.name} on {session.plan.system}")
    out.say(", ".join(f"{n} {status}" for status, n in counts(cells).items()))
    rows = []
    for cell in cells:
        e = cell.experiment
        rows.append((e.app, e.problem, e.model, e.platform, str(cell.status), cell.reason))
    out.say(table(rows, ("app", "problem", "model", "platform", "status", "reason")))
    for line in session.store.torn:
        out.say(f"set aside, not readable: {line}")
    out.document(
        {
            "workspace": str(session.workspace.root),
            "study": session.plan.study.name,
            "system": session.plan.system,
            "counts": counts(cells),
            "cells": cell_rows(cells),
            "torn": session.store.torn,
        }
    )
