"""``portability collect``."""

from __future__ import annotations

from pathlib import Path

import click

from portability.cli._shared import Output, counts, json_option, path_option
from portability.cli._workspace import directory_argument, open_session


@click.command()
@directory_argument
@path_option
@json_option
def command(directory: Path | None, paths: tuple[Path, ...], as_json: bool) -> None:
    """Take in finished run folders that have no record yet; nothing twice."""
    out = Output(as_json)
    session = open_session(directory, paths)
    new = session.collect()
    found = counts(session.cells())
    out.say(f"{len(new)} new records; cells: " + ", ".join(f"{n} {s}" for s, n in found.items()))
    out.say(f"records: {session.workspace.merged}")
    out.document(
        {
            "workspace": str(session.workspace.root),
            "new_records": [record["run"] for record in new],
            "counts": found,
            "records": str(session.workspace.merged),
        }
    )
