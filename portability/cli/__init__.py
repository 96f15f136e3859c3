"""The command ``portability``: a lazy group, one small file per command, no logic.

A command is a module of this package whose name does not begin with ``_``; its ``command`` is a
click command.  Modules import what they work with inside their functions, so that ``--help`` loads
neither pandas nor matplotlib.
"""

from __future__ import annotations

from portability.cli._group import main

__all__ = ["main"]
