"""``portability list``."""

from __future__ import annotations

from pathlib import Path

import click

from portability.cli._shared import Output, catalog_of, json_option, path_option, table

KINDS = ("apps", "models", "systems", "studies", "toolchains")


@click.command("list")
@click.argument("kind", type=click.Choice(KINDS))
@path_option
@json_option
def command(kind: str, paths: tuple[Path, ...], as_json: bool) -> None:
    """What there is: apps, models, systems, studies, toolchains."""
    from portability._convert import to_plain

    out = Output(as_json)
    things = getattr(catalog_of(paths), kind)
    rows = []
    for name, thing in things.items():
        text = getattr(thing, "summary", "") or getattr(thing, "title", "")
        rows.append((name, " ".join(str(text).split())))
    out.say(table(rows, (kind[:-1] if kind != "studies" else "study", "what it is")))
    out.document({kind: [to_plain(thing) for thing in things.values()]})
