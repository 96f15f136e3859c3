"""Every build of a plan, several at once where there are processors for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Protocol

from portability.build._outcome import BuildOutcome, load_outcome
from portability.build.cmake import CMakeBuilder
from portability.words import Build, System
from portability.workspace import Workspace

__all__ = ["BUILDERS", "Builder", "build_all"]


class Builder(Protocol):
    """What a builder must provide."""

    def build(self, build: Build, system: System, workspace: Workspace, jobs: int) -> BuildOutcome:
        """Build every app of ``build``; failures are in the outcome."""
        ...


BUILDERS: Mapping[str, Callable[[Path, Mapping[str, Path]], Builder]] = {"cmake": CMakeBuilder}


def build_all(
    builds: Sequence[Build],
    builder: Builder,
    system: System,
    workspace: Workspace,
    *,
    again: bool = False,
    started: Callable[[Sequence[Build]], None] = lambda _: None,
    done: Callable[[Build, BuildOutcome, bool], None] = lambda *_: None,
) -> dict[str, BuildOutcome]:
    """Outcomes by build id.

    What an earlier call finished is kept, failures too unless ``again``.  ``started(builds)`` is
    called with what is left to build, ``done(build, outcome, fresh)`` as each build ends, both in
    this thread.
    """
    outcomes: dict[str, BuildOutcome] = {}
    open_builds = []
    for build in builds:
        earlier = load_outcome(workspace.root, build.id)
        if earlier is None or (again and not earlier.ok) or set(build.apps) - set(earlier.apps):
            open_builds.append(build)
        else:
            outcomes[build.id] = earlier
            done(build, earlier, False)
    if not open_builds:
        return outcomes
    started(open_builds)
    processors = len(os.sched_getaffinity(0))
    workers = min(processors, len(open_builds))
    jobs = max(1, processors // workers)
    pool = ThreadPoolExecutor(workers)
    try:
        futures = {pool.submit(builder.build, b, system, workspace, jobs): b for b in open_builds}
        for future in as_completed(futures):
            build = futures[future]
            outcomes[build.id] = future.result()
            done(build, outcomes[build.id], True)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return outcomes
