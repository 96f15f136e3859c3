"""Errors that a user can act on.

::

    PortabilityError          base class; the command line prints it and never shows a traceback
    +-- InputError            what the user wrote is wrong: an unknown name, a bad file    (exit 2)
    |   +-- UnknownNameError  a name that nothing carries, with the nearest one that does
    +-- WorkError             the work itself failed: a compiler, a run, a full disk       (exit 1)

A message says what, where (``file:line``), why, and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["InputError", "PortabilityError", "UnknownNameError", "WorkError"]


class PortabilityError(Exception):
    """Base class of every error that the package raises on purpose."""

    exit_code = 1


class InputError(PortabilityError):
    """What the user wrote cannot be used as it stands."""

    exit_code = 2


class WorkError(PortabilityError):
    """The input was fine; doing the work failed."""

    exit_code = 1


class UnknownNameError(InputError):
    """Nothing carries this name.

    ``kind`` is a word of the framework (``study``, ``app``, ...), ``known`` every name that exists.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], where: str = "") -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        close = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else self._listing()
        super().__init__(f"{where + ': ' if where else ''}unknown {kind} {name!r}; {hint}")

    def _listing(self) -> str:
        if not self.known:
            return f"no {self.kind} is known"
        shown = ", ".join(self.known[:12])
        return f"known: {shown}{', ...' if len(self.known) > 12 else ''}"
