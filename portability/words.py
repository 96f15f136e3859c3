"""The words of the framework, one frozen dataclass each.

Ids are *planned*: a hash of what was asked for, so they exist before anything is built.  What was
found (a binary's SHA-256, a device's uuid) is *observed* and stands in records, never in an id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

__all__ = [
    "STATUSES",
    "App",
    "Build",
    "Cell",
    "Effect",
    "Exclusion",
    "Experiment",
    "Fom",
    "Kernel",
    "Model",
    "Plan",
    "Platform",
    "Problem",
    "Prologue",
    "Recipe",
    "Run",
    "Status",
    "Study",
    "System",
    "Toolchain",
    "short_hash",
]  # fmt: skip


def short_hash(*parts: Any) -> str:
    """First 12 hexadecimal digits of the SHA-256 of ``parts`` as canonical JSON."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Effect(StrEnum):
    """What a status does to the efficiency of a cell, and so to P."""

    COUNTS = "counts"
    ZERO = "zero"
    UNDEFINED = "undefined"


class Status(StrEnum):
    """What became of a run or a cell; never merged with one another."""

    OK = "ok"
    WRONG = "wrong"
    UNSUPPORTED = "unsupported"
    BUILD_FAILED = "build_failed"
    RUN_FAILED = "run_failed"
    TIMEOUT = "timeout"
    EXCLUDED = "excluded"
    UNVERIFIED = "unverified"
    NOT_ATTEMPTED = "not_attempted"
    INTERRUPTED = "interrupted"
    NODE_FAILED = "node_failed"
    WRONG_DEVICE = "wrong_device"


STATUSES: Mapping[Status, str] = {
    Status.OK: "the answer was verified",
    Status.WRONG: "ran, and the answer failed its check",
    Status.UNSUPPORTED: "this model, app or toolchain cannot do this here",
    Status.BUILD_FAILED: "did not compile",
    Status.RUN_FAILED: "ended with an error",
    Status.TIMEOUT: "was over its time limit",
    Status.EXCLUDED: "the study leaves it out by its own rule",
    Status.UNVERIFIED: "ran, but the answer could not be checked",
    Status.NOT_ATTEMPTED: "was not run",
    Status.INTERRUPTED: "was interrupted",
    Status.NODE_FAILED: "the machine failed, not the code",
    Status.WRONG_DEVICE: "ran on another device than asked for",
}


@dataclass(frozen=True)
class Kernel:
    """A timed kernel of an app; ``formula`` is what it computes per element."""

    name: str
    formula: str = ""


@dataclass(frozen=True)
class Fom:
    """A figure of merit: ``direction`` is ``higher`` or ``lower`` (is better), never guessed."""

    name: str
    unit: str
    direction: str
    statistic: str = "median"
    headline: bool = False
    description: str = ""


@dataclass(frozen=True)
class Problem:
    """A named input with all its parameters; ``memory_bytes`` is what it needs on the device."""

    app: str
    name: str
    parameters: Mapping[str, Any]
    memory_bytes: int
    description: str = ""


@dataclass(frozen=True)
class App:
    """A proxy application; ``models`` maps each model with a source file to what is known of it."""

    name: str
    title: str
    version: str
    summary: str
    kernels: tuple[Kernel, ...]
    foms: tuple[Fom, ...]
    models: Mapping[str, str]
    problems: Mapping[str, Problem]
    folder: Path

    @property
    def headline(self) -> Fom:
        return next(fom for fom in self.foms if fom.headline)


@dataclass(frozen=True)
class Model:
    """A programming model; ``native_on`` names the vendors whose own model it is."""

    name: str
    title: str
    summary: str
    native_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prologue:
    """What must be loaded and set before a toolchain builds or its binaries run.

    ``prepend`` has folders that go in front of a search path (``LD_LIBRARY_PATH``, ...).
    """

    modules: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    prepend: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """One ability of a toolchain: to build ``model`` for ``targets`` with these CMake variables."""

    model: str
    targets: tuple[str, ...]
    cmake: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Toolchain:
    """Compilers and libraries, with the prologue that building and running both need."""

    name: str
    compiler: str
    version: str
    recipes: tuple[Recipe, ...]
    cmake: Mapping[str, str] = field(default_factory=dict)
    prologue: Prologue = field(default_factory=Prologue)

    def recipe(self, model: str, target: str) -> Recipe | None:
        """The recipe for ``model`` on ``target``, or None."""
        return next((r for r in self.recipes if r.model == model and target in r.targets), None)


@dataclass(frozen=True)
class Platform:
    """What P is measured over: one device type of one system in one mode (``system/device``)."""

    name: str
    title: str
    vendor: str
    target: str
    memory_bytes: int
    devices: tuple[str, ...] = ()
    ceilings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class System:
    """A machine.  ``missing`` says per model and target what would have to be installed."""

    name: str
    title: str
    scheduler: str
    platforms: tuple[Platform, ...]
    toolchains: tuple[Toolchain, ...]
    launcher: tuple[str, ...] = ()
    nodes: int = 1
    retired: bool = False
    source: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Exclusion:
    """A study's own rule: leave these models out on these vendors' devices, for this reason."""

    models: tuple[str, ...]
    vendors: tuple[str, ...]
    reason: str
    apps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """Apps x models x problems on a declared set of platforms H.

    ``platforms`` empty means "every platform of the system that the study is run on"; H is then
    fixed when the plan is made.  ``timeout`` is in seconds, per run.
    """

    name: str
    title: str
    apps: tuple[str, ...]
    models: tuple[str, ...]
    problems: tuple[str, ...]
    platforms: tuple[str, ...]
    baseline: str = "native"
    blocks: int = 3
    repeats: int = 1
    timeout: float = 600.0
    track: str = "default"
    seed: int = 1
    exclusions: tuple[Exclusion, ...] = ()
    toolchains: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Build:
    """Source tree, model, target, toolchain, builder: builds every app of the study at once."""

    id: str
    source: str
    model: str
    target: str
    system: str
    toolchain: str
    builder: str
    apps: tuple[str, ...]


@dataclass(frozen=True)
class Experiment:
    """One question of a study.  ``status`` and ``reason`` are set only where it cannot be asked."""

    id: str
    app: str
    model: str
    problem: str
    platform: str
    track: str
    target: str
    build: str = ""
    status: str = ""
    reason: str = ""

    @property
    def possible(self) -> bool:
        return not self.status


@dataclass(frozen=True)
class Run:
    """One process execution of the plan; ``position`` is its place in the order of its block."""

    id: str
    experiment: str
    build: str
    block: int
    repeat: int
    position: int


@dataclass(frozen=True)
class Plan:
    """A study on a catalog and a system: everything that will be asked, and why the rest is not.

    ``platforms`` is H; ``native`` maps each of them to the model that is native there; ``here`` are
    those of H that belong to the system that this plan is for.
    """

    study: Study
    system: str
    platforms: tuple[str, ...]
    here: tuple[str, ...]
    native: Mapping[str, str]
    builds: tuple[Build, ...]
    experiments: tuple[Experiment, ...]
    foms: Mapping[str, tuple[Fom, ...]]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON types, as in ``plan.json``."""
        return asdict(self)


@dataclass(frozen=True)
class Cell:
    """An experiment and what became of it.

    ``values`` maps each figure of merit to one number per block (median of samples, then median of
    repeats), present only when the status is ``ok``; ``value`` is their geometric mean.
    """

    experiment: Experiment
    status: Status
    reason: str
    effect: Effect
    values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    blocks: tuple[int, ...] = ()
    runs: tuple[str, ...] = ()
    complete: bool = False
