"""``portability plan``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from portability.cli._shared import Output, catalog_of, json_option, path_option, table


@click.command()
@click.argument("study")
@click.option("--system", help="Plan for this system alone (default: all of H, or this machine).")
@path_option
@json_option
def command(study: str, system: str | None, paths: tuple[Path, ...], as_json: bool) -> None:
    """What a study asks: experiments, builds, impossible ones with reasons; touches nothing."""
    from portability.plan import runs, selected
    from portability.session import plan_study

    out = Output(as_json)
    plan, _ = plan_study(catalog_of(paths), study, system)
    possible = [e for e in plan.experiments if e.possible]
    per_cell = plan.study.blocks * plan.study.repeats
    planned = len(possible) * per_cell
    hours = planned * plan.study.timeout / 3600
    here = runs(plan, selected(plan))
    out.say(f"study {plan.study.name}: {plan.study.title}")
    out.say(f"H ({len(plan.platforms)}): {', '.join(plan.platforms)}")
    out.say(
        f"{len(plan.experiments)} experiments, {len(possible)} possible; "
        f"{plan.study.blocks} blocks x {plan.study.repeats} repeats: {planned} runs, "
        f"at most {hours:.1f} node-hours (every run up to its limit of {plan.study.timeout:g} s)"
    )
    builds = [
        (b.id, b.model, b.target, b.system, b.toolchain, " ".join(b.apps)) for b in plan.builds
    ]
    out.say("\n" + table(builds, ("build", "model", "target", "system", "toolchain", "apps")))
    tally = Counter((e.app, e.problem, e.platform, e.status, e.reason) for e in plan.experiments)
    models: dict[tuple[str, ...], list[str]] = {}
    for e in plan.experiments:
        models.setdefault((e.app, e.problem, e.platform, e.status, e.reason), []).append(e.model)
    rows = [
        (
            app,
            problem,
            platform,
            " ".join(models[key]),
            f"{status}: {reason}" if status else "asked",
        )
        for key in tally
        for app, problem, platform, status, reason in [key]
    ]
    out.say("\n" + table(rows, ("app", "problem", "platform", "models", "status")))
    out.document(
        {
            **plan.as_dict(),
            "runs": {"total": planned, "on_this_system": len(here)},
            "node_hours_at_most": hours,
        }
    )
