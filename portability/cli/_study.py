"""From a study's name on the command line to a session in its workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from portability.cli._shared import catalog_of

if TYPE_CHECKING:
    from portability.session import Session
    from portability.words import Experiment

__all__ = ["selection_options", "start_session", "system_option", "workspace_option"]

F = TypeVar("F", bound=Callable[..., Any])

system_option = click.option("--system", help="The system to work on (default: this machine).")
workspace_option = click.option(
    "--workspace",
    type=click.Path(file_okay=False, path_type=Path),
    help="The workspace folder (default: workspaces/STUDY-SYSTEM).",
)


def selection_options(command: F) -> F:
    """``--app`` and ``--model``: only these, each repeatable."""
    command = click.option("--model", "models", multiple=True, help="Only this model; repeatable.")(
        command
    )
    return click.option("--app", "apps", multiple=True, help="Only this app; repeatable.")(command)


def start_session(
    study: str,
    system: str | None,
    paths: Iterable[Path],
    workspace: Path | None,
    only: tuple[tuple[str, ...], tuple[str, ...]],
    **adjustments: Any,
) -> tuple[Session, tuple[Experiment, ...]]:
    """Plan the study, then make or take up its workspace; and the experiments that are chosen.

    ``only`` has the apps and the models to choose (all when empty); a name that the study does not
    hold is an error before anything is written.
    """
    from portability.plan import selected
    from portability.session import Session, default_workspace, plan_study

    catalog = catalog_of(paths)
    plan, found = plan_study(catalog, study, system or "localhost", **adjustments)
    assert found is not None
    chosen = selected(plan, *only)
    source = catalog.source()
    folders = {name: catalog.app(name).folder for name in plan.study.apps if name in catalog.apps}
    elsewhere = {name: folder for name, folder in folders.items() if folder.parent != source}
    root = workspace or default_workspace(plan)
    return Session.start(root, plan, found, source, elsewhere), chosen
