"""A study from its name to its report, as the commands do it; usable from a notebook as well.

``plan_study`` asks, :class:`Session` builds, runs, collects and reports in one workspace.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from portability.build import BUILDERS, BuildOutcome, build_all, load_outcome
from portability.catalog import Catalog
from portability.errors import InputError
from portability.plan import Request, make_plan, runs, selected
from portability.records import Store, cells
from portability.run.folder import Setting
from portability.run.local import LocalEngine, take_in
from portability.words import Build, Cell, Experiment, Plan, Run, Study, System
from portability.workspace import Workspace

__all__ = ["Session", "default_workspace", "plan_study"]

LOCALHOST = "localhost"


def plan_study(
    catalog: Catalog,
    study_name: str,
    system_name: str | None = None,
    *,
    blocks: int | None = None,
    repeats: int | None = None,
    builder: str = "cmake",
) -> tuple[Plan, System | None]:
    """The plan of a study, and the system that it is for.

    Without ``system_name`` a study that declares no platforms is planned for this machine, and one
    that declares its H is planned for all of it (the system is then None).
    """
    study = _adjusted(catalog.study(study_name), blocks, repeats)
    system = None
    if system_name is not None or not study.platforms:
        system = catalog.system(system_name or LOCALHOST)
    owners = {platform.partition("/")[0] for platform in study.platforms}
    request = Request(
        study=study,
        apps=catalog.apps,
        models=catalog.models,
        systems={name: catalog.system(name) for name in sorted(owners)},
        system=system,
        source=catalog.source_digest(),
        builder=builder,
    )
    return make_plan(request), system


def _adjusted(study: Study, blocks: int | None, repeats: int | None) -> Study:
    return replace(
        study,
        blocks=study.blocks if blocks is None else blocks,
        repeats=study.repeats if repeats is None else repeats,
    )


def default_workspace(plan: Plan) -> Path:
    """Where a study's workspace is when none is named: ``workspaces/<study>-<system>``."""
    return Path("workspaces") / f"{plan.study.name}-{plan.system}"


@dataclass(frozen=True)
class Session:
    """One workspace at work.

    ``source`` is the folder of the proxy applications, ``folders`` has the apps that are not in it.
    """

    workspace: Workspace
    plan: Plan
    system: System
    source: Path
    folders: Mapping[str, Path] = field(default_factory=dict)

    @classmethod
    def start(
        cls,
        root: Path,
        plan: Plan,
        system: System,
        source: Path,
        folders: Mapping[str, Path] | None = None,
    ) -> Session:
        """Make or take up the workspace of this plan."""
        return cls(Workspace.prepare(root, plan, system), plan, system, source, folders or {})

    @classmethod
    def open(cls, root: Path, source: Path) -> Session:
        """An existing workspace with the plan and system that it froze."""
        workspace = Workspace.open(root)
        return cls(workspace, workspace.plan(), workspace.system(), source)

    @functools.cached_property
    def store(self) -> Store:
        return Store(self.workspace.records)

    def needed(self, experiments: Iterable[Experiment]) -> list[Build]:
        """The builds that these experiments need."""
        ids = {e.build for e in experiments}
        return [b for b in self.plan.builds if b.id in ids]

    def build(
        self,
        experiments: Iterable[Experiment],
        *,
        again: bool = False,
        started: Callable[[Sequence[Build]], None] = lambda _: None,
        done: Callable[[Build, BuildOutcome, bool], None] = lambda *_: None,
    ) -> dict[str, BuildOutcome]:
        """Build what the experiments need and is not built yet."""
        builds = self.needed(experiments)
        if not builds:
            return {}
        builder = BUILDERS[builds[0].builder](self.source, self.folders)
        return build_all(
            builds, builder, self.system, self.workspace, again=again, started=started, done=done
        )

    def built(self, experiments: Iterable[Experiment]) -> dict[str, BuildOutcome]:
        """What was built earlier; :class:`InputError` naming what is missing."""
        outcomes, missing = {}, []
        for build in self.needed(experiments):
            outcome = load_outcome(self.workspace.root, build.id)
            if outcome is None:
                missing.append(f"{build.model} for {build.target}")
            else:
                outcomes[build.id] = outcome
        if missing:
            raise InputError(
                f"not built: {', '.join(missing)}; run `portability build "
                f"{self.plan.study.name}` first, or leave out --no-build"
            )
        return outcomes

    def run(
        self,
        experiments: Iterable[Experiment],
        outcomes: Mapping[str, BuildOutcome],
        *,
        launcher: tuple[str, ...] = (),
        retry_failed: bool = False,
        started: Callable[[Run, int, int], None] = lambda *_: None,
        ended: Callable[[dict[str, Any], int, int], None] = lambda *_: None,
    ) -> list[dict[str, Any]]:
        """Run what is left of the experiments on this machine; returns the new records."""
        engine = LocalEngine(
            self._setting(outcomes),
            self.store,
            launcher=launcher or self.system.launcher,
            started=started,
            ended=ended,
        )
        try:
            return engine.execute(runs(self.plan, experiments), retry_failed=retry_failed)
        finally:
            self.store.merge(self.workspace.merged)

    def collect(self) -> list[dict[str, Any]]:
        """Take in run folders without a record, and write the merged view; the new records."""
        new = take_in(self._setting({}), self.store)
        self.store.merge(self.workspace.merged)
        return new

    def _setting(self, outcomes: Mapping[str, BuildOutcome]) -> Setting:
        return Setting(self.workspace, self.plan, self.system, outcomes, self.source)

    def cells(self) -> list[Cell]:
        """What became of every experiment so far."""
        return cells(self.plan, self.store.read())

    def report(
        self, out: Path | None = None, formats: tuple[str, ...] = ("html", "md")
    ) -> list[Path]:
        """Write the comparison report; the files that were written."""
        from portability.report import write_report

        records = self.store.read()
        return write_report(
            workspace=self.workspace.root,
            plan=self.plan,
            cells=cells(self.plan, records),
            records=records,
            system=self.system,
            out=out or self.workspace.report,
            formats=formats,
        )

    def selected(self, apps: Iterable[str], models: Iterable[str]) -> tuple[Experiment, ...]:
        """The experiments that can be run here, of these apps and models (all when empty)."""
        return selected(self.plan, apps, models)
