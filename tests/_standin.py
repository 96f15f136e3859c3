"""A study of stand-in binaries in a workspace: the engine without a compiler."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from portability.session import Session
from portability.words import Recipe, System, Toolchain
from tests import _words as w

SOURCE = Path(__file__).parent / "standin"


def system(**behaviours: str) -> System:
    """One NVIDIA platform and one toolchain a model; keywords say how a model's binary ends."""
    toolchains = tuple(
        Toolchain(
            f"{model}-tools",
            "python",
            "3",
            (Recipe(model, (w.NVIDIA.target,)),),
            cmake={"STANDIN": behaviours.get(model, "ok"), "STANDIN_PYTHON": sys.executable},
        )
        for model in ("cuda", "kokkos", "openmp")
    )
    return replace(w.system(), platforms=(w.NVIDIA,), toolchains=toolchains)


def session(root: Path, blocks: int = 2, timeout: float = 20.0, **behaviours: str) -> Session:
    """A session in ``root`` of a study with cuda, kokkos and openmp (hip is excluded)."""
    the_system = system(**behaviours)
    plan = w.plan(the_system, blocks=blocks, timeout=timeout)
    return Session.start(root, plan, the_system, SOURCE)


def run(s: Session, **options: Any) -> list[dict[str, Any]]:
    """Build what is needed and run what is left."""
    chosen = s.selected((), ())
    again = bool(options.get("retry_failed"))
    return s.run(chosen, s.build(chosen, again=again), **options)


def statuses(s: Session) -> dict[str, str]:
    """Status by model."""
    return {cell.experiment.model: str(cell.status) for cell in s.cells()}
