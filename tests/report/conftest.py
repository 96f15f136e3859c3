"""Synthetic studies: plans, records and run folders as the engine leaves them."""

from __future__ import annotations

import hashlib
import math
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from portability.records import cells
from portability.report import write_report
from portability.words import Experiment, Fom, Plan, Study, System

settings.register_profile("calm", deadline=None)  # a machine may be busy
settings.load_profile("calm")

FOMS = {
    "babelstream": (
        Fom("triad", "B/s", "higher"),
        Fom("dot", "B/s", "higher"),
        Fom("total", "s", "lower", headline=True),
    ),
    "xsbench": (Fom("lookups", "lookups/s", "higher", headline=True),),
}
HOSTILE = "<script>alert(1)</script>"

Outcome = Callable[[Experiment, int], "tuple[str, str, float]"]


def fine(experiment: Experiment, block: int) -> tuple[str, str, float]:
    """Verified; how fast depends on model and platform, and a little on the block."""
    name = f"{experiment.app}/{experiment.model}/{experiment.platform}"
    slow = 1 + int(hashlib.sha256(name.encode()).hexdigest()[:4], 16) / 65536
    noise = random.Random(f"{name}/{block}").gauss(0, 0.004)
    return "ok", "", slow * math.exp(noise)


@dataclass
class Campaign:
    """A study on paper, run by ``outcome``: (experiment, block) -> status, reason, slowness."""

    root: Path
    models: Sequence[str] = ("cuda", "kokkos", "openmp")
    platforms: Sequence[str] = ("here/h200",)
    apps: Sequence[str] = ("babelstream",)
    problems: Sequence[str] = ("small",)
    native: Mapping[str, str] = field(default_factory=dict)
    blocks: int = 3
    baseline: str = "native"
    outcome: Outcome = fine
    planned: Callable[[Experiment], tuple[str, str]] = lambda _: ("", "")
    title: str = "A study on paper"

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    def plan(self) -> Plan:
        study = Study("paper", self.title, tuple(self.apps), tuple(self.models),
                      tuple(self.problems), tuple(self.platforms), baseline=self.baseline,
                      blocks=self.blocks)  # fmt: skip
        experiments = []
        for i, (platform, app, problem, model) in enumerate(
            (p, a, q, m)
            for p in self.platforms for a in self.apps for q in self.problems for m in self.models
        ):  # fmt: skip
            e = Experiment(f"e{i:04}", app, model, problem, platform, "default", "nvidia/sm_90")
            status, reason = self.planned(e)
            experiments.append(
                Experiment(e.id, app, model, problem, platform, "default", e.target,
                           "" if status else f"b-{i:04}", status, reason)
            )  # fmt: skip
        native = {p: self.native.get(p, self.models[0]) for p in self.platforms}
        foms = {app: FOMS[app] for app in self.apps if app in FOMS}
        return Plan(study, "here", tuple(self.platforms), tuple(self.platforms), native, (),
                    tuple(experiments), foms)  # fmt: skip

    def records(self, plan: Plan) -> list[dict[str, Any]]:
        found = []
        for e in plan.experiments:
            for block in range(self.blocks if e.possible else 0):
                status, reason, slow = self.outcome(e, block)
                twice = status in ("run_failed", "build_failed", "timeout")
                for attempt in range(1, 2 + twice):
                    if status != "not_attempted":
                        found.append(self.record(e, block, attempt, (status, reason, slow)))
        return found

    def record(
        self, e: Experiment, block: int, attempt: int, what: tuple[str, str, float]
    ) -> dict[str, Any]:
        status, reason, slow = what
        run = f"{e.id}-{block}.{attempt}"
        base: dict[str, Any] = {
            "schema_version": 1, "run": run, "experiment": e.id, "build": e.build, "app": e.app,
            "problem": e.problem, "model": e.model, "platform": e.platform, "status": status,
            "reason": reason, "block": block, "repeat": 0, "attempt": attempt,
            "verdict": {"status": "", "checks": []}, "kernels": [], "foms": [], "logs": [],
        }  # fmt: skip
        if status == "build_failed":
            (self.workspace / "build").mkdir(parents=True, exist_ok=True)
            (self.workspace / "build" / f"{e.id}.log").write_text("error: no such header\n")
            return base | {"build_log": f"build/{e.id}.log", "folder": ""}
        folder = self.workspace / "runs" / run
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "stdout").write_text(f"{e.model} says {status}\n")
        (folder / "stderr").write_text("" if status == "ok" else "it broke\n")
        values = {"total": 0.0123 * slow, "triad": 3.277e12 / slow, "dot": 3.1e12 / slow,
                  "lookups": 1.2e9 / slow}  # fmt: skip
        foms = [
            {"name": f.name, "value": values[f.name], "unit": f.unit, "direction": f.direction,
             "best": values[f.name] * (1.01 if f.direction == "higher" else 0.99)}
            for f in FOMS[e.app]
        ]  # fmt: skip
        checks = [
            {"name": "sum", "what": "sum of a * b", "expected": 1.5, "actual": 1.5,
             "tolerance": 1e-8, "passed": True},
        ]  # fmt: skip
        if status == "wrong":
            checks.append({"name": "array a", "what": "largest relative error of a",
                           "expected": 0.0, "actual": 0.12345678901234567, "tolerance": 2.2e-14,
                           "passed": False})  # fmt: skip
        return base | {
            "folder": f"runs/{run}", "foms": foms if status == "ok" else [],
            "verdict": {"status": "ok" if status == "ok" else "wrong", "checks": checks},
            "toolchain": f"{e.model}-tools", "target": e.target, "position": 1,
            "compiler": {"name": "nvcc", "version": "12.9.86", "flags": "-O3 -arch=sm_90"},
            "device": {"vendor": "nvidia", "name": "H200", "uuid": "GPU-0a",
                       "architecture": "sm_90", "memory_bytes": 150754820096},
            "times": {"started": f"2025-12-01T10:00:{block:02}.000+00:00",
                      "ended": f"2025-12-01T10:01:{block:02}.000+00:00", "wall_s": 4.2},
            "noise": {"before": {"load1": 0.25}, "after": {"load1": 1.5}},
            "provenance": {"commit": "0123abcd", "dirty": False, "binary_sha256": "ab" * 32},
        }  # fmt: skip

    def write(self, **options: Any) -> Path:
        """Run it all and write the report; its folder."""
        plan = self.plan()
        records = self.records(plan)
        self.workspace.mkdir(parents=True, exist_ok=True)
        out = options.pop("out", self.report)
        self.files = write_report(
            self.workspace, plan, options.pop("cells", cells(plan, records)), records,
            System("here", "This machine", "none", (), (), facts={"cpu": "EPYC 9454"}), out,
            **options,
        )  # fmt: skip
        return out

    @property
    def report(self) -> Path:
        return self.workspace / "report"


@pytest.fixture
def campaign(tmp_path) -> Callable[..., Campaign]:
    return lambda **fields: Campaign(tmp_path, **fields)


SEVEN = ("cuda", "hip", "kokkos", "raja", "openmp", "openacc", "sycl")


def many(root: Path) -> Campaign:
    """Two apps, seven models, eight platforms of two vendors, with holes of every kind."""
    platforms = [f"site{i}/{'a100' if i % 2 else 'mi250x-gcd'}" for i in range(8)]
    holes = {
        ("raja", 2): ("run_failed", "ended by signal 11: segmentation fault in forall"),
        ("openacc", 4): ("wrong", "largest relative error of a: expected 0, got 0.12"),
        ("sycl", 5): ("build_failed", "error: no such header (log: build/x.log)"),
        ("openmp", 6): ("timeout", "over its limit of 600 s"),
        ("kokkos", 7): ("not_attempted", ""),
    }

    def outcome(e: Experiment, block: int) -> tuple[str, str, float]:
        place = platforms.index(e.platform)
        status, reason = holes.get((e.model, place), ("ok", ""))
        return status, reason, fine(e, block)[2]

    def planned(e: Experiment) -> tuple[str, str]:
        nvidia = e.platform.endswith("a100")
        if e.model == "hip" and nvidia:
            return "excluded", "hip on NVIDIA is cuda by another name"
        if e.model == "cuda" and not nvidia:
            return "unsupported", "cuda is for NVIDIA alone"
        return "", ""

    native = {p: "cuda" if p.endswith("a100") else "hip" for p in platforms}
    return Campaign(
        root, SEVEN, platforms, ("babelstream", "xsbench"), ("small",), native,
        outcome=outcome, planned=planned, title="Seven models on eight platforms",
    )  # fmt: skip


@pytest.fixture(scope="session")
def wide(tmp_path_factory) -> Campaign:
    """The study of :func:`many`, with its report written."""
    made = many(tmp_path_factory.mktemp("wide"))
    made.write()
    return made


@pytest.fixture(scope="session")
def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("chromium is not installed")
    return found
