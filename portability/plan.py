"""A study on a catalog and a system -> experiments and builds.  Pure: no file, clock or machine.

What cannot be asked stays in the plan with its status and reason, so that no cell of a report is
ever empty without one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from portability._convert import from_plain, to_plain
from portability.errors import InputError, UnknownNameError
from portability.words import (
    App,
    Build,
    Experiment,
    Model,
    Plan,
    Platform,
    Recipe,
    Run,
    Status,
    Study,
    System,
    Toolchain,
    short_hash,
)

__all__ = ["Request", "make_plan", "plan_from_plain", "recipe_of", "runs", "selected"]


@dataclass(frozen=True)
class Request:
    """What a plan is made from.

    ``systems`` holds every system that a platform of H may belong to; ``system`` is the one to run
    on, or None to plan for all of H.  ``source`` is the digest of the proxy applications' tree.
    """

    study: Study
    apps: Mapping[str, App]
    models: Mapping[str, Model]
    systems: Mapping[str, System]
    system: System | None
    source: str
    builder: str = "cmake"


def make_plan(request: Request) -> Plan:
    """Every experiment of the study on every platform of H, and the builds that they need.

    Raises :class:`InputError` when the study's H holds nothing of the system asked for, and
    :class:`UnknownNameError` for a platform or model that does not exist.
    """
    study = request.study
    for model in study.models:
        if model not in request.models:
            raise UnknownNameError("model", model, request.models, f"study {study.name}")
    platforms = _platforms(request)
    here = tuple(
        name
        for name, (owner, _) in platforms.items()
        if request.system is not None and owner.name == request.system.name
    )
    if request.system is not None and not here:
        owners = sorted({owner.name for owner, _ in platforms.values()})
        raise InputError(
            f"study {study.name} has no platform on system {request.system.name}; "
            f"its H is on {', '.join(owners)}; choose one of them with --system"
        )
    builds: dict[str, Build] = {}
    experiments: list[Experiment] = []
    for owner, platform in platforms.values():
        for app in study.apps:
            for problem in study.problems:
                for model in study.models:
                    experiments.append(
                        _experiment(request, owner, platform, (app, problem, model), builds)
                    )
    return Plan(
        study=study,
        system=request.system.name if request.system else "",
        platforms=tuple(platforms),
        here=here,
        native={name: _native(request.models, p.vendor) for name, (_, p) in platforms.items()},
        builds=tuple(builds.values()),
        experiments=tuple(experiments),
        foms={name: request.apps[name].foms for name in study.apps if name in request.apps},
    )


def plan_from_plain(data: Mapping[str, Any]) -> Plan:
    """The plan that was written to ``plan.json``."""
    return from_plain(Plan, data)


def recipe_of(system: System, build: Build) -> tuple[Toolchain, Recipe]:
    """The toolchain and recipe that ``build`` asked for, as ``system`` describes them."""
    for toolchain in system.toolchains:
        recipe = toolchain.recipe(build.model, build.target)
        if toolchain.name == build.toolchain and recipe is not None:
            return toolchain, recipe
    raise InputError(
        f"system {system.name} no longer has toolchain {build.toolchain} for {build.model} on "
        f"{build.target}; plan the study again"
    )


def selected(
    plan: Plan, apps: Iterable[str] = (), models: Iterable[str] = ()
) -> tuple[Experiment, ...]:
    """The possible experiments of this plan's system, of these apps and models (all when empty)."""
    apps, models = tuple(apps), tuple(models)
    for name in apps:
        if name not in plan.study.apps:
            raise UnknownNameError("app", name, plan.study.apps, f"study {plan.study.name}")
    for name in models:
        if name not in plan.study.models:
            raise UnknownNameError("model", name, plan.study.models, f"study {plan.study.name}")
    return tuple(
        e
        for e in plan.experiments
        if e.possible
        and e.platform in plan.here
        and (not apps or e.app in apps)
        and (not models or e.model in models)
    )


def runs(plan: Plan, experiments: Iterable[Experiment]) -> list[Run]:
    """The runs of ``experiments`` in the order of execution.

    A block holds every model once per repeat.  The order of (app, problem) and of the models
    within it is drawn anew for each block from the study's seed, so that drift of a machine hits
    all models alike; the models of one (app, problem) stay neighbours in time.
    """
    experiments = tuple(experiments)
    ordered: list[Run] = []
    for platform in plan.here:
        ours = [e for e in experiments if e.platform == platform]
        for block in range(plan.study.blocks):
            for repeat in range(plan.study.repeats):
                draw = random.Random(f"{plan.study.seed}/{platform}/{block}/{repeat}")  # noqa: S311
                for position, e in enumerate(_shuffled(ours, draw)):
                    run_id = short_hash("run", e.id, e.build, block, repeat)
                    ordered.append(Run(run_id, e.id, e.build, block, repeat, position))
    return ordered


def _shuffled(experiments: list[Experiment], draw: random.Random) -> list[Experiment]:
    groups: dict[tuple[str, str], list[Experiment]] = {}
    for experiment in experiments:
        groups.setdefault((experiment.app, experiment.problem), []).append(experiment)
    keys = list(groups)
    draw.shuffle(keys)
    for key in keys:
        draw.shuffle(groups[key])
    return [experiment for key in keys for experiment in groups[key]]


def _platforms(request: Request) -> dict[str, tuple[System, Platform]]:
    """H with the system that each platform belongs to."""
    known = {p.name: (s, p) for s in request.systems.values() for p in s.platforms}
    if request.system is not None:
        known |= {p.name: (request.system, p) for p in request.system.platforms}
    names = request.study.platforms
    if not names:
        if request.system is None:
            raise InputError(f"study {request.study.name} runs on any system; name one (--system)")
        names = tuple(p.name for p in request.system.platforms)
    for name in names:
        if name not in known:
            raise UnknownNameError("platform", name, known, f"study {request.study.name}")
    return {name: known[name] for name in names}


def _native(models: Mapping[str, Model], vendor: str) -> str:
    return next((m.name for m in models.values() if vendor in m.native_on), "")


def _experiment(
    request: Request,
    owner: System,
    platform: Platform,
    names: tuple[str, str, str],
    builds: dict[str, Build],
) -> Experiment:
    app_name, problem_name, model = names
    track = request.study.track
    app = request.apps.get(app_name)
    problem = app.problems.get(problem_name) if app else None
    parameters = dict(problem.parameters) if problem else {}
    plain = Experiment(
        id=short_hash(
            "experiment", app_name, model, problem_name, parameters, platform.name, track
        ),
        app=app_name,
        model=model,
        problem=problem_name,
        platform=platform.name,
        track=track,
        target=platform.target,
    )
    status, reason = _obstacle(request, owner, platform, names)
    if status:
        return replace(plain, status=str(status), reason=reason)
    build = _build(request, owner, model, platform.target)
    builds.setdefault(build.id, build)
    return replace(plain, build=build.id)


def _obstacle(
    request: Request, owner: System, platform: Platform, names: tuple[str, str, str]
) -> tuple[Status | None, str]:
    """Why the question cannot be asked, or (None, "")."""
    app_name, problem_name, model = names
    for rule in request.study.exclusions:
        if (
            model in rule.models
            and platform.vendor in rule.vendors
            and (not rule.apps or app_name in rule.apps)
        ):
            return Status.EXCLUDED, rule.reason
    app = request.apps.get(app_name)
    if app is None:
        return Status.UNSUPPORTED, "not implemented yet"
    if model not in app.models:
        return Status.UNSUPPORTED, f"{app_name} has no {model} variant"
    problem = app.problems.get(problem_name)
    if problem is None:
        return Status.UNSUPPORTED, f"{app_name} has no problem {problem_name}"
    if 0 < platform.memory_bytes < problem.memory_bytes:  # 0: not known
        return Status.UNSUPPORTED, (
            f"needs {problem.memory_bytes / 1e9:.1f} GB, "
            f"{platform.name} has {platform.memory_bytes / 1e9:.1f} GB"
        )
    if _toolchain(request, owner, model, platform.target) is None:
        hint = owner.missing.get(f"{model} on {platform.target}")
        if hint is not None:  # a probed machine: nothing is known about the model
            return Status.NOT_ATTEMPTED, f"no toolchain found here: {hint}"
        return Status.UNSUPPORTED, f"no toolchain of {owner.name} builds it for {platform.target}"
    return None, ""


def _toolchain(request: Request, owner: System, model: str, target: str) -> Toolchain | None:
    """The study's choice for ``model``, else the first of the system that builds it."""
    wanted = request.study.toolchains.get(model)
    for toolchain in owner.toolchains:
        if wanted in (None, toolchain.name) and toolchain.recipe(model, target):
            return toolchain
    return None


def _build(request: Request, owner: System, model: str, target: str) -> Build:
    toolchain = _toolchain(request, owner, model, target)
    assert toolchain is not None
    identity = short_hash(
        "build", request.source, model, target, owner.name, to_plain(toolchain), request.builder
    )
    apps = tuple(a for a in request.study.apps if a in request.apps)
    return Build(
        id=identity,
        source=request.source,
        model=model,
        target=target,
        system=owner.name,
        toolchain=toolchain.name,
        builder=request.builder,
        apps=tuple(a for a in apps if model in request.apps[a].models),
    )
