"""Small words for tests: an app with two figures of merit, a system with two platforms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from portability.plan import Request, make_plan
from portability.words import (
    App,
    Exclusion,
    Fom,
    Kernel,
    Model,
    Plan,
    Platform,
    Problem,
    Recipe,
    Study,
    System,
    Toolchain,
)

RATE = Fom("rate", "B/s", "higher", headline=True)
TIME = Fom("total", "s", "lower")


def app(name: str = "stream", models: tuple[str, ...] = ("cuda", "hip", "kokkos", "openmp")) -> App:
    problems = {
        size: Problem(name, size, {"size": n}, memory_bytes=24 * n)
        for size, n in (("tiny", 1000), ("huge", 10**11))
    }
    return App(
        name,
        name,
        "1",
        "",
        (Kernel("k"),),
        (RATE, TIME),
        dict.fromkeys(models, ""),
        problems,
        Path(),
    )


MODELS = {
    "cuda": Model("cuda", "CUDA", "", ("nvidia",)),
    "hip": Model("hip", "HIP", "", ("amd",)),
    "kokkos": Model("kokkos", "Kokkos", ""),
    "openmp": Model("openmp", "OpenMP", "", ("cpu",)),
}

NVIDIA = Platform("site/a100", "A100", "nvidia", "nvidia/sm_80", 40 * 10**9)
AMD = Platform("site/mi250x", "MI250X", "amd", "amd/gfx90a", 64 * 10**9)


def system(missing: Mapping[str, str] | None = None) -> System:
    toolchains = (
        Toolchain(
            "gcc",
            "g++",
            "12",
            (Recipe("kokkos", ("nvidia/sm_80", "amd/gfx90a")), Recipe("cuda", ("nvidia/sm_80",))),
        ),
        Toolchain(
            "rocm",
            "hipcc",
            "6",
            (Recipe("hip", ("amd/gfx90a",)), Recipe("openmp", ("amd/gfx90a", "nvidia/sm_80"))),
        ),
    )
    return System("site", "Site", "none", (NVIDIA, AMD), toolchains, missing=dict(missing or {}))


def study(**changes: Any) -> Study:
    defaults: dict[str, Any] = {
        "name": "study",
        "title": "A study",
        "apps": ("stream",),
        "models": ("cuda", "hip", "kokkos", "openmp"),
        "problems": ("tiny",),
        "platforms": (),
        "blocks": 2,
        "exclusions": (
            Exclusion(("cuda",), ("amd",), "CUDA is NVIDIA's"),
            Exclusion(("hip",), ("nvidia",), "HIP on NVIDIA is CUDA"),
        ),
    }
    return Study(**{**defaults, **changes})


def plan(the_system: System | None = None, apps: tuple[App, ...] = (), **changes: Any) -> Plan:
    the_system = the_system or system()
    apps = apps or (app(),)
    request = Request(
        study=study(**{"apps": tuple(a.name for a in apps), **changes}),
        apps={a.name: a for a in apps},
        models=MODELS,
        systems={the_system.name: the_system},
        system=the_system,
        source="0" * 64,
    )
    return make_plan(request)


def record(
    the_plan: Plan, model: str, platform: str = "site/a100", **changes: Any
) -> dict[str, Any]:
    """A record of one run of the plan, ok unless changed; ``value`` is its rate."""
    experiment = next(e for e in the_plan.experiments if (e.model, e.platform) == (model, platform))
    value = changes.pop("value", 10.0)
    status = changes.get("status", "ok")
    block, attempt = changes.get("block", 0), changes.get("attempt", 1)
    repeat = changes.get("repeat", 0)
    foms = [
        {"name": "rate", "value": value, "unit": "B/s", "direction": "higher"},
        {"name": "total", "value": 1 / value, "unit": "s", "direction": "lower"},
    ]
    return {
        "schema_version": 1,
        "run": f"{experiment.id}-{block}-{repeat}.{attempt}",
        "experiment": experiment.id,
        "build": experiment.build,
        "app": experiment.app,
        "problem": experiment.problem,
        "model": model,
        "platform": platform,
        "status": status,
        "reason": "" if status == "ok" else f"because of {status}",
        "block": block,
        "repeat": repeat,
        "attempt": attempt,
        "verdict": {"status": "ok" if status == "ok" else ""},
        "kernels": [],
        "foms": foms if status == "ok" else [],
        "logs": [],
        **changes,
    }
