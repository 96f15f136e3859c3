"""``portability doctor``."""

from __future__ import annotations

from pathlib import Path

import click

from portability.cli._shared import Output, catalog_of, json_option, path_option, table


@click.command()
@path_option
@json_option
def command(paths: tuple[Path, ...], as_json: bool) -> None:
    """What this machine can build and run, with which toolchain, and how to get the rest."""
    from portability._convert import to_plain
    from portability.catalog import doctor

    out = Output(as_json)
    catalog = catalog_of(paths)
    system = catalog.system("localhost")
    rows = doctor(catalog, system)
    out.say(f"{system.title}")
    for platform in system.platforms:
        memory = platform.memory_bytes / 1e9
        out.say(f"  {platform.name}: {platform.title}, {memory:.0f} GB, target {platform.target}")
    out.say()
    shown = [
        (
            row["model"],
            row["target"],
            "yes" if row["can_build"] else "no",
            "yes" if row["can_run"] else "no",
            f"{row['toolchain']} {row['version']}".strip() if row["can_build"] else "-",
            row["note"] if row["can_build"] else f"get it: {row['get']}",
        )
        for row in rows
    ]
    out.say(table(shown, ("model", "target", "builds", "runs", "toolchain", "remark")))
    out.document({"system": to_plain(system), "models": rows})
