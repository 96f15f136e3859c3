"""One folder per study and system that holds everything.

::

    plan.json  system.json   what was asked, and what the machine was
    build/<build id>/        one CMake tree or Spack environment each, with its logs and build.json
    runs/<run>.<attempt>/    one run folder each (see ``portability.run.launch``)
    records/*.jsonl          one record a run, one file a writer
    runs.jsonl               the merged view of them
    report/
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portability._convert import from_plain, to_plain
from portability.errors import InputError, WorkError
from portability.plan import plan_from_plain
from portability.words import Plan, System

__all__ = ["Workspace", "write_json"]

FORMAT = 1


def write_json(path: Path, data: Any) -> None:
    """Write ``data`` so that a reader sees the old file or the whole new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise WorkError(f"{path}: cannot be written: {error.strerror}") from error


@dataclass(frozen=True)
class Workspace:
    """The paths of a workspace, and its plan and system."""

    root: Path

    @property
    def plan_file(self) -> Path:
        return self.root / "plan.json"

    @property
    def system_file(self) -> Path:
        return self.root / "system.json"

    @property
    def builds(self) -> Path:
        return self.root / "build"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def records(self) -> Path:
        return self.root / "records"

    @property
    def merged(self) -> Path:
        return self.root / "runs.jsonl"

    @property
    def report(self) -> Path:
        return self.root / "report"

    @classmethod
    def open(cls, root: Path) -> Workspace:
        """An existing workspace; :class:`InputError` when ``root`` is none."""
        workspace = cls(root)
        if not workspace.plan_file.is_file():
            raise InputError(
                f"{root}: not a workspace (no plan.json); `portability run STUDY` makes one"
            )
        return workspace

    @classmethod
    def prepare(cls, root: Path, plan: Plan, system: System) -> Workspace:
        """Make the workspace of this plan, or take up the one that is there.

        A folder that holds something else, or another study's or system's workspace, is an error
        and is left alone.
        """
        workspace = cls(root)
        if workspace.plan_file.is_file():
            found = workspace.plan()
            if (found.study.name, found.system) != (plan.study.name, plan.system):
                raise InputError(
                    f"{root}: is the workspace of study {found.study.name} on {found.system}, not "
                    f"of {plan.study.name} on {plan.system}; name another with --workspace"
                )
        elif root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise InputError(
                f"{root}: exists and is not a workspace; name another folder with --workspace"
            )
        try:
            for folder in (workspace.builds, workspace.runs, workspace.records):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkError(f"{root}: cannot be made: {error.strerror}") from error
        write_json(workspace.system_file, {"format": FORMAT, **to_plain(system)})
        write_json(workspace.plan_file, {"format": FORMAT, **to_plain(plan)})
        return workspace

    def plan(self) -> Plan:
        """The plan as frozen in ``plan.json``."""
        return plan_from_plain(self._read(self.plan_file))

    def system(self) -> System:
        """The system as frozen in ``system.json``."""
        return from_plain(System, self._read(self.system_file))

    def _read(self, path: Path) -> Mapping[str, Any]:
        try:
            data = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise InputError(f"{path}: not JSON: {error}; plan the study again") from error
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise InputError(f"{path}: not of format {FORMAT}; made by another version?")
        return data
