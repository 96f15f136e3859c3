"""How a command is run under a toolchain's prologue: its modules, then its environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence

from portability.words import Prologue

__all__ = ["environment", "program_path", "under_prologue"]

# The shell sees module names and the command as positional parameters, never as text to interpret.
_LOAD = 'n=$1; shift; module load "${@:1:$n}" || exit 97; shift "$n"; exec "$@"'


def under_prologue(argv: Sequence[str], prologue: Prologue) -> list[str]:
    """``argv`` behind ``module load`` of the prologue's modules; ``argv`` itself without any."""
    if not prologue.modules:
        return list(argv)
    count = str(len(prologue.modules))
    return ["bash", "-lc", _LOAD, "prologue", count, *prologue.modules, *argv]


def environment(prologue: Prologue, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """What to set for the prologue, over ``base`` (this process's environment)."""
    base = os.environ if base is None else base
    chosen = dict(prologue.environment)
    for name, folders in prologue.prepend.items():
        present = [folder for folder in base.get(name, "").split(os.pathsep) if folder]
        chosen[name] = os.pathsep.join(dict.fromkeys([*folders, *present]))
    return chosen


def program_path(name: str) -> str | None:
    """Where ``name`` is: on PATH, or beside this Python, where PyPI's cmake and ninja are."""
    found = shutil.which(name)
    if found:
        return found
    import sys

    beside = os.path.join(os.path.dirname(sys.executable), name)  # noqa: PTH118, PTH120
    return beside if os.access(beside, os.X_OK) else None
