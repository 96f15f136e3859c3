"""Fill one run folder: ``python3 launch.py DIR``.  Standard library alone.

The folder holds ``command.json`` (``argv``, ``environment``, ``timeout_s`` and whatever else its
writer wants to keep); this leaves ``stdout``, ``stderr`` and, last and whole, ``exit.json``.  The
binary itself leaves ``result.json``.  A folder with ``exit.json`` is finished and is not run again.

The command runs in a process group of its own.  Over its time limit, or when this process is told
to stop (SIGINT, SIGTERM), the whole group is ended: SIGTERM first, SIGKILL two seconds later.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from types import FrameType
from typing import Any

__all__ = ["launch"]

GRACE_S = 2.0


class Stopped(BaseException):
    """This process was told to stop by the signal ``number``."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


def launch(folder: Path) -> dict[str, Any]:
    """Run the folder's command and return what was written to ``exit.json``.

    Raises ``FileExistsError`` for a folder that is finished, ``KeyboardInterrupt`` after SIGINT
    (``exit.json`` then says ``interrupted``).
    """
    if (folder / "exit.json").exists():
        raise FileExistsError(f"{folder}: finished already")
    command = json.loads((folder / "command.json").read_text("utf-8"))
    end: dict[str, Any] = {
        "schema_version": 1,
        "host": platform.node(),
        "noise_before": noise(),
        "started": _now(),
    }
    start = time.monotonic()
    stop: Stopped | None = None
    try:
        with _signals():
            end |= _execute(folder, command)
    except Stopped as stopped:
        stop = stopped
        end |= {"interrupted": True, "signal": stopped.number}
    end |= {
        "wall_s": time.monotonic() - start,
        "ended": _now(),
        "noise_after": noise(),
    }
    temporary = folder / ".exit.json"
    temporary.write_text(json.dumps(end, indent=1) + "\n", "utf-8")
    temporary.replace(folder / "exit.json")
    if stop is not None:
        raise KeyboardInterrupt
    return end


def _execute(folder: Path, command: dict[str, Any]) -> dict[str, Any]:
    environment = {**os.environ, **command.get("environment", {})}
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        try:
            process = subprocess.Popen(
                command["argv"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            return {"returncode": None, "error": f"{command['argv'][0]}: {error.strerror}"}
        try:
            process.wait(timeout=command.get("timeout_s"))
            timed_out = False
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            _end_group(process)
    return {"returncode": process.returncode, "timed_out": timed_out}


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End whatever is left of the process's group; children may outlive their parent."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=GRACE_S)
        if _group_gone(process.pid):
            break
    process.wait()


def _group_gone(group: int) -> bool:
    deadline = time.monotonic() + 0.2
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return True
        time.sleep(0.005)
    return False


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """SIGINT and SIGTERM raise :class:`Stopped` here, where this is the main thread."""

    def raise_stopped(number: int, _: FrameType | None) -> None:
        raise Stopped(number)

    old: dict[int, Any] = {}
    with contextlib.suppress(ValueError):  # not the main thread: the caller's handlers stay
        for sig in (signal.SIGINT, signal.SIGTERM):
            old[sig] = signal.signal(sig, raise_stopped)
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def noise() -> dict[str, Any]:
    """What else this machine is doing: load averages, and the processors this process may use."""
    with contextlib.suppress(OSError):
        load = os.getloadavg()
        return {"load1": load[0], "load5": load[1], "processors": len(os.sched_getaffinity(0))}
    return {}


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")  # noqa: UP017


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: launch.py DIR")
    try:
        launch(Path(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit(130)
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"launch.py: {sys.argv[1]}: {problem}")
