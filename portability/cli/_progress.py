"""How builds and runs are told: a line each, and on a terminal what is being done right now."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from portability.cli._shared import Output

if TYPE_CHECKING:
    from portability.build import BuildOutcome
    from portability.words import Build, Experiment, Plan, Run

__all__ = ["Progress"]

_COLOURS = {"ok": "green", "wrong": "red", "build_failed": "red", "run_failed": "red"}


@dataclass
class Progress:
    """Progress of one command; a terminal also sees the run that is going on."""

    out: Output
    plan: Plan
    live: bool = field(default_factory=lambda: sys.stderr.isatty())
    start: float = field(default_factory=time.monotonic)

    def building(self, builds: Sequence[Build]) -> None:
        self._line(f"building for {', '.join(sorted({b.model for b in builds}))} ...")

    def built(self, build: Build, outcome: BuildOutcome, fresh: bool) -> None:
        made = [app.app for app in outcome.apps.values() if app.ok]
        what = f"{build.model} for {build.target} with {build.toolchain}"
        if fresh and made:
            self._line(f"built {what}: {' '.join(made)}")
        elif made:
            self._line(f"built before: {what}: {' '.join(made)}")
        for app in outcome.apps.values():
            if not app.ok:
                status = click.style("build_failed", fg="red")
                self._line(f"{status} {app.app} {what}: {app.reason}\n  log: {app.log}")

    def started(self, run: Run, number: int, total: int) -> None:
        if self.live:
            experiment = self._experiment(run.experiment)
            text = (
                f"[{number}/{total}] {experiment.app} {experiment.model} {experiment.problem} ..."
            )
            click.echo(f"\r\033[K{text}", nl=False, err=True)

    def ended(self, record: Mapping[str, Any], number: int, total: int) -> None:
        status = str(record["status"])
        shown = click.style(status, fg=_COLOURS.get(status, "yellow"))
        name = f"{record['app']} {record['model']} {record['problem']}"
        text = f"[{number:>{len(str(total))}}/{total}] {name:<32} block {record['block']}  {shown}"
        if record.get("reason"):
            text += f": {record['reason']}"
        elif record["foms"]:
            text += f"  {self._headline(record)}"
        self._line(text)

    def _headline(self, record: Mapping[str, Any]) -> str:
        names = [fom.name for fom in self.plan.foms[record["app"]] if fom.headline]
        fom = next(f for f in record["foms"] if f["name"] in names)
        return f"{fom['name']} {fom['value']:.4g} {fom['unit']}"

    def _experiment(self, identity: str) -> Experiment:
        return next(e for e in self.plan.experiments if e.id == identity)

    def _line(self, text: str) -> None:
        if self.live:
            click.echo("\r\033[K", nl=False, err=True)
        self.out.say(text)
