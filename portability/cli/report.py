"""``portability report``."""

from __future__ import annotations

from pathlib import Path

import click

from portability.cli._shared import Output, json_option, path_option
from portability.cli._workspace import directory_argument, open_session


@click.command()
@directory_argument
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(["html", "md"]),
    help="What to write; repeatable (default: both).",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to (default: report/ in the workspace).",
)
@path_option
@json_option
def command(
    directory: Path | None,
    formats: tuple[str, ...],
    folder: Path | None,
    paths: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Write the comparison report of a workspace."""
    out = Output(as_json)
    session = open_session(directory, paths)
    written = session.report(folder, formats or ("html", "md"))
    for path in written:
        out.say(str(path))
    out.document({"report": [str(path) for path in written]})
