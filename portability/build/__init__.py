"""Builders: a planned build -> binaries in the workspace.

A builder is a class with one method, :meth:`Builder.build`; ``BUILDERS`` names them.
"""

from __future__ import annotations

from portability.build._outcome import AppOutcome, BuildOutcome, load_outcome
from portability.build._prologue import environment, under_prologue
from portability.build.all import BUILDERS, build_all

__all__ = [
    "BUILDERS",
    "AppOutcome",
    "BuildOutcome",
    "build_all",
    "environment",
    "load_outcome",
    "under_prologue",
]
