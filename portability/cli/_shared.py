"""What the commands share: options, the catalog, and where text and JSON go."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from portability.catalog import Catalog
    from portability.words import Cell

__all__ = ["Output", "catalog_of", "cell_rows", "counts", "json_option", "path_option", "table"]

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document on stdout, text on stderr."
)
path_option = click.option(
    "--path",
    "paths",
    multiple=True,
    envvar="PORTABILITY_PATH",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of your own apps, systems and studies, searched first; repeatable "
    "(also PORTABILITY_PATH).",
)


@dataclass(frozen=True)
class Output:
    """Text for people on stdout, or on stderr when the one JSON document has stdout."""

    as_json: bool

    def say(self, text: str = "", *, nl: bool = True) -> None:
        click.echo(text, err=self.as_json, nl=nl)

    def document(self, data: Any) -> None:
        if self.as_json:
            click.echo(json.dumps(data, indent=1, ensure_ascii=False))


def catalog_of(paths: Iterable[Path]) -> Catalog:
    """The catalog with the user's folders in front."""
    from portability.catalog import Catalog

    return Catalog.load(list(paths))


def table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> str:
    """Columns for a terminal, the last one not padded."""
    lines = [list(header), *[list(map(str, row)) for row in rows]]
    widths = [max(len(line[at]) for line in lines) for at in range(len(header))]
    text = []
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        text.append("  ".join(cells).rstrip())
    text[0] = click.style(text[0], bold=True)
    return "\n".join(text)


def counts(cells: Iterable[Cell]) -> dict[str, int]:
    """How many cells have each status."""
    found: dict[str, int] = {}
    for cell in cells:
        found[str(cell.status)] = found.get(str(cell.status), 0) + 1
    return found


def cell_rows(cells: Iterable[Cell]) -> list[Mapping[str, Any]]:
    """Cells as plain rows for a JSON document."""
    return [
        {
            "experiment": cell.experiment.id,
            "app": cell.experiment.app,
            "problem": cell.experiment.problem,
            "model": cell.experiment.model,
            "platform": cell.experiment.platform,
            "track": cell.experiment.track,
            "status": str(cell.status),
            "reason": cell.reason,
            "effect": str(cell.effect),
            "complete": cell.complete,
            "values": {name: list(values) for name, values in cell.values.items()},
            "runs": list(cell.runs),
        }
        for cell in cells
    ]
