"""The local engine: one process at a time on this machine, with an optional launcher prefix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from portability.build import AppOutcome
from portability.records import Store, build_record, collect
from portability.records.cells import CONFIRMED_AFTER, decided
from portability.run.folder import Setting
from portability.run.launch import launch
from portability.run.left import Left, attempts_by_run, left
from portability.words import Run

__all__ = ["LocalEngine", "take_in"]

Record = dict[str, Any]


@dataclass(frozen=True)
class LocalEngine:
    """Runs what is left, a second time what failed, and appends one record per attempt.

    ``started(run, number, total)`` and ``ended(record, number, total)`` report progress.
    """

    setting: Setting
    store: Store
    launcher: tuple[str, ...] = ()
    started: Callable[[Run, int, int], None] = lambda *_: None
    ended: Callable[[Record, int, int], None] = lambda *_: None

    def execute(self, runs: list[Run], *, retry_failed: bool = False) -> list[Record]:
        """Make every run of ``runs`` that is not decided yet; returns the new records.

        ``KeyboardInterrupt`` ends the running binary's process group, records ``interrupted`` and
        is raised again.
        """
        take_in(self.setting, self.store)
        earlier = self.store.read()
        todo = left(runs, earlier, retry_failed=retry_failed)
        tried = attempts_by_run(earlier)
        new: list[Record] = []
        for number, item in enumerate(todo, 1):
            attempts: list[Mapping[str, Any]] = [] if retry_failed else list(tried[item.run.id])
            self.started(item.run, number, len(todo))
            while not decided(attempts):
                record = self._attempt(item)
                attempts.append(record)
                new.append(record)
                self.ended(record, number, len(todo))
                item = replace(item, attempt=item.attempt + 1)
        return new

    def _attempt(self, item: Left) -> Record:
        failed = self._failed_build(item.run)
        if failed is not None:
            record = build_record(
                self.setting.context(item.run, item.attempt), failed, item.attempt
            )
            self.store.append(record)
            return record
        folder = self.setting.prepare(item.run, item.attempt, self.launcher)
        try:
            launch(folder)
        finally:
            record = collect(folder, self.setting.plan.foms, self.setting.workspace.root)
            self.store.append(record)
        return record

    def _failed_build(self, run: Run) -> AppOutcome | None:
        outcome = self.setting.outcomes.get(run.build)
        app = self.setting.experiments[run.experiment].app
        if outcome is None or app not in outcome.apps or outcome.apps[app].ok:
            return None
        assert outcome.apps[app].attempts >= CONFIRMED_AFTER
        return outcome.apps[app]


def take_in(setting: Setting, store: Store) -> list[Record]:
    """Record the run folders that have no record yet, as after a killed driver; the new records.

    Folders of an earlier plan of this workspace are left alone.
    """
    known = {record["run"] for record in store.read()}
    new = []
    for folder in sorted(setting.workspace.runs.iterdir()):
        if folder.name in known or not (folder / "command.json").is_file():
            continue
        record = collect(folder, setting.plan.foms, setting.workspace.root)
        if record.get("experiment") in setting.experiments:
            store.append(record)
            new.append(record)
    return new
