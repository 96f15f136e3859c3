"""From a folder on the command line to the session of its workspace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from portability.cli._shared import catalog_of
from portability.errors import InputError

if TYPE_CHECKING:
    from portability.session import Session

__all__ = ["directory_argument", "open_session"]

directory_argument = click.argument(
    "directory", required=False, type=click.Path(file_okay=False, path_type=Path)
)


def open_session(directory: Path | None, paths: Iterable[Path]) -> Session:
    """The session of ``directory``, or of the only workspace below ``workspaces/``."""
    from portability.session import Session

    if directory is None:
        found = sorted(path.parent for path in Path("workspaces").glob("*/plan.json"))
        if len(found) != 1:
            names = ", ".join(map(str, found)) or "none here; `portability run STUDY` makes one"
            raise InputError(f"which workspace? name its folder: {names}")
        directory = found[0]
    return Session.open(directory, catalog_of(paths).source())
