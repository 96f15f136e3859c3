"""A planned run -> a run folder ready for ``launch``; the same for every engine."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portability import __version__
from portability.build import BuildOutcome, environment, under_prologue
from portability.errors import InputError
from portability.plan import recipe_of
from portability.words import Build, Experiment, Plan, Platform, Run, System
from portability.workspace import Workspace, write_json

__all__ = ["Setting"]

# Variables of the user's own environment that change how a binary runs; kept with the record.
_RUNTIMES = (
    "ACC_", "ACPP_", "CUDA_", "GOMP_", "GPU_", "HIP_", "HSA_", "KMP_", "KOKKOS_", "NVIDIA_",
    "OMP_", "ONEAPI_", "ROCR_", "SLURM_JOB_ID", "SYCL_", "ZE_",
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """Everything that turns runs of one workspace into run folders and records."""

    workspace: Workspace
    plan: Plan
    system: System
    outcomes: Mapping[str, BuildOutcome]
    source: Path

    @functools.cached_property
    def experiments(self) -> Mapping[str, Experiment]:
        return {e.id: e for e in self.plan.experiments}

    @functools.cached_property
    def builds(self) -> Mapping[str, Build]:
        return {b.id: b for b in self.plan.builds}

    @functools.cached_property
    def platforms(self) -> Mapping[str, Platform]:
        return {p.name: p for p in self.system.platforms}

    @functools.cached_property
    def commit(self) -> Mapping[str, Any]:
        """The commit that the applications come from, and whether files differ from it."""

        def git(*words: str) -> str:
            try:
                done = subprocess.run(
                    ["git", "-C", str(self.source), *words], capture_output=True, text=True
                )
            except OSError:
                return ""
            return done.stdout.strip() if done.returncode == 0 else ""

        # an installed copy may lie inside somebody else's repository
        commit = git("rev-parse", "HEAD") if git("ls-files", "CMakeLists.txt") else ""
        return {"commit": commit, "dirty": bool(commit and git("status", "--porcelain", "--", "."))}

    def context(self, run: Run, attempt: int) -> dict[str, Any]:
        """The fields of the record that are known before the run."""
        experiment, build = self.experiments[run.experiment], self.builds[run.build]
        outcome = self.outcomes.get(run.build)
        app = outcome.apps.get(experiment.app) if outcome else None
        return {
            "run": f"{run.id}.{attempt}",
            "experiment": experiment.id,
            "build": build.id,
            "app": experiment.app,
            "problem": experiment.problem,
            "model": experiment.model,
            "platform": experiment.platform,
            "study": self.plan.study.name,
            "system": self.plan.system,
            "track": experiment.track,
            "target": experiment.target,
            "block": run.block,
            "repeat": run.repeat,
            "attempt": attempt,
            "position": run.position,
            "toolchain": build.toolchain,
            "build_log": app.log if app else "",
        }

    def prepare(self, run: Run, attempt: int, launcher: tuple[str, ...] = ()) -> Path:
        """Make the run's folder with its ``command.json`` and return it.

        ``launcher`` (``srun -n1`` and the like) goes before the binary, inside the prologue.
        Raises :class:`InputError` when the binary has not been built.
        """
        experiment, build = self.experiments[run.experiment], self.builds[run.build]
        outcome = self.outcomes.get(run.build)
        app = outcome.apps.get(experiment.app) if outcome else None
        if app is None or not app.ok:
            raise InputError(
                f"{experiment.app}-{experiment.model} is not built for {experiment.target}; "
                "run `portability build` first"
            )
        toolchain, _ = recipe_of(self.system, build)
        platform = self.platforms[experiment.platform]
        folder = self.workspace.runs / f"{run.id}.{attempt}"
        folder.mkdir()
        binary = (self.workspace.root / app.binary).resolve()
        argv = [*launcher, str(binary), "--problem", experiment.problem, "--device", "0"]
        argv += ["--json", str((folder / "result.json").resolve())]
        command = {
            "schema_version": 1,
            "argv": under_prologue(argv, toolchain.prologue),
            "environment": environment(toolchain.prologue),
            "timeout_s": self.plan.study.timeout,
            "device": {"vendor": platform.vendor, "title": platform.title},
            "context": self.context(run, attempt),
            "provenance": {
                **self.commit,
                "portability": __version__,
                "source": build.source,
                "binary_sha256": app.sha256,
                "libraries": list(app.libraries),
                "modules": list(toolchain.prologue.modules),
                "tools": dict(outcome.tools) if outcome else {},
                "seed": self.plan.study.seed,
                "inherited": _inherited(),
            },
        }
        write_json(folder / "command.json", command)
        return folder


def _inherited() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_RUNTIMES)}
