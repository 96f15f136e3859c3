"""``portability build``."""

from __future__ import annotations

from pathlib import Path

import click

from portability.cli._shared import Output, json_option, path_option
from portability.cli._study import (
    selection_options,
    start_session,
    system_option,
    workspace_option,
)


@click.command()
@click.argument("study")
@system_option
@workspace_option
@selection_options
@click.option("--builder", type=click.Choice(["cmake"]), default="cmake", show_default=True)
@click.option("--retry-failed", is_flag=True, help="Build again what failed before.")
@path_option
@json_option
def command(
    study: str,
    system: str | None,
    workspace: Path | None,
    apps: tuple[str, ...],
    models: tuple[str, ...],
    builder: str,
    retry_failed: bool,
    paths: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Build the binaries of a study; needs no GPU."""
    from portability._convert import to_plain
    from portability.cli._progress import Progress

    out = Output(as_json)
    session, chosen = start_session(
        study, system, paths, workspace, (apps, models), builder=builder
    )
    progress = Progress(out, session.plan)
    outcomes = session.build(
        chosen, again=retry_failed, started=progress.building, done=progress.built
    )
    out.say(f"workspace: {session.workspace.root}")
    out.document(
        {
            "workspace": str(session.workspace.root),
            "builds": [to_plain(outcome) for outcome in outcomes.values()],
        }
    )
    return 0 if all(outcome.ok for outcome in outcomes.values()) else 1
