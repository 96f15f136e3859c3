"""Run folder -> record.  Only this makes a record out of what a run left behind."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from portability.build import AppOutcome
from portability.errors import InputError
from portability.records.schema import check_record
from portability.words import Fom, Status

__all__ = ["build_record", "collect"]

_LOGS = ("stdout", "stderr", "result.json", "exit.json", "command.json")
_FROM_RESULT: dict[str, Any] = {
    "app_version": "",
    "compiler": {},
    "device": {},
    "kernels": [],
    "transfers": None,
}


def collect(folder: Path, foms: Mapping[str, Sequence[Fom]], root: Path) -> dict[str, Any]:
    """The record of the run in ``folder``.

    ``foms`` maps each app to the figures of merit that it declares: a result that reports others,
    or in another unit or direction, is not taken.  Paths in the record are relative to ``root``.
    """
    command = _load(folder / "command.json") or {}
    declared = foms.get(command.get("context", {}).get("app", ""), ())
    end = _load(folder / "exit.json")
    result = _load(folder / "result.json") or {}
    status, reason = _status(end, result, declared, command, _tail(folder / "stderr"))
    problem = result.get("problem") or {}
    record = {
        **_blank(command.get("context", {})),
        "status": str(status),
        "reason": reason,
        "parameters": problem.get("parameters", {}),
        "working_set_bytes": problem.get("working_set_bytes"),
        "precision": problem.get("precision") or "",
        "verdict": result.get("verdict") or {"status": "", "checks": []},
        "foms": result.get("foms", []) if status == Status.OK else [],
        "logs": [_log(folder / name, root) for name in _LOGS if (folder / name).is_file()],
        "folder": str(folder.relative_to(root)),
    }
    record |= {key: result.get(key) or default for key, default in _FROM_RESULT.items()}
    if status != Status.OK:
        record["kernels"] = []  # a wrong answer is never a time; its samples stay in result.json
    end = end or {}
    record["times"] = {key: end.get(key) for key in ("started", "ended", "wall_s")}
    record["noise"] = {"before": end.get("noise_before", {}), "after": end.get("noise_after", {})}
    record["provenance"] = {
        **command.get("provenance", {}),
        "argv": command.get("argv", []),
        "environment": command.get("environment", {}),
        "host": end.get("host", ""),
    }
    return _fitting(record)


def _fitting(record: dict[str, Any]) -> dict[str, Any]:
    """``record``, or a run_failed one where what the binary wrote does not fit the schema."""
    try:
        check_record(record, "result.json")
    except InputError as error:
        verdict = {"status": "", "checks": []}
        blank: dict[str, Any] = {"kernels": [], "foms": [], "verdict": verdict, "device": {}}
        blank |= {"compiler": {}, "parameters": {}, "working_set_bytes": None, "precision": ""}
        blank |= {"transfers": None, "app_version": ""}
        status, reason = Status.RUN_FAILED, str(error)[:400]
        return {**record, **blank, "status": str(status), "reason": reason}
    return record


def build_record(context: Mapping[str, Any], outcome: AppOutcome, attempt: int) -> dict[str, Any]:
    """The record of a run that could not start because its app did not compile."""
    return {
        **_blank(context),
        "status": str(Status.BUILD_FAILED),
        "reason": f"{outcome.reason} (log: {outcome.log})",
        "attempt": attempt,
        "verdict": {"status": "", "checks": []},
        "kernels": [],
        "foms": [],
        "logs": [],
        "folder": "",
        "build_log": outcome.log,
    }


def _blank(context: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema_version": 1, **context}


def _status(
    end: Mapping[str, Any] | None,
    result: Mapping[str, Any],
    foms: Sequence[Fom],
    command: Mapping[str, Any],
    complaint: str,
) -> tuple[Status, str]:
    """What became of the run, and why."""
    if end is None:
        return Status.INTERRUPTED, "the run did not end: no exit.json"
    if end.get("interrupted"):
        return Status.INTERRUPTED, f"stopped by signal {end.get('signal')}"
    if end.get("timed_out"):
        return Status.TIMEOUT, f"over its limit of {command.get('timeout_s')} s"
    if end.get("error"):
        return Status.RUN_FAILED, f"could not be started: {end['error']}"
    code = end.get("returncode")
    verdict = (result.get("verdict") or {}).get("status", "")
    if code in (0, 1) and verdict == "not_checked":
        return Status.UNVERIFIED, "the answer could not be checked at this size and precision"
    if verdict == "wrong":
        return Status.WRONG, _first_failure(result["verdict"]) or f"exit code {code}"
    if code == 1:
        return Status.WRONG, complaint or "the binary says that its answer is wrong"
    if code != 0:
        how = f"ended by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return Status.RUN_FAILED, f"{how}: {complaint}" if complaint else how
    if verdict != "ok":
        return Status.RUN_FAILED, "exit code 0 without a verdict in result.json"
    problem = _contract(result, foms, command.get("context", {}))
    if problem:
        return Status.RUN_FAILED, problem
    device = _device(result, command)
    if device:
        return Status.WRONG_DEVICE, device
    return Status.OK, ""


def _first_failure(verdict: Mapping[str, Any]) -> str:
    for check in verdict.get("checks", []):
        if not check.get("passed"):
            what = check.get("what") or check.get("name", "")
            return (
                f"{what}: expected {check.get('expected')}, got {check.get('actual')}, "
                f"tolerance {check.get('tolerance')}"
            )
    return ""


def _contract(result: Mapping[str, Any], foms: Sequence[Fom], context: Mapping[str, Any]) -> str:
    """How the result breaks what the app declares, or ""."""
    for key in ("app", "model"):
        if result.get(key) != context.get(key):
            return f"result.json is of {key} {result.get(key)!r}, not {context.get(key)!r}"
    declared = {fom.name: fom for fom in foms}
    reported = {fom.get("name"): fom for fom in result.get("foms", [])}
    if set(reported) != set(declared):
        return (
            f"figures of merit {sorted(map(str, reported))} are not those that app.yaml declares: "
            f"{sorted(declared)}"
        )
    for name, fom in declared.items():
        got = reported[name]
        if (got.get("unit"), got.get("direction")) != (fom.unit, fom.direction):
            return (
                f"{name} is reported in {got.get('unit')} ({got.get('direction')} is better), "
                f"app.yaml declares {fom.unit} ({fom.direction})"
            )
        value = got.get("value")
        if not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
            return f"{name} is {value!r}, not a positive number"
    return ""


def _device(result: Mapping[str, Any], command: Mapping[str, Any]) -> str:
    """How the device that did the work differs from the one asked for, or ""."""
    wanted = command.get("device", {})
    found = result.get("device") or {}
    if wanted.get("vendor") and found.get("vendor") != wanted["vendor"]:
        return f"ran on {found.get('vendor')!r} ({found.get('name')}), not on {wanted['vendor']!r}"
    return ""


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _load(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text("utf-8"), parse_constant=_no_constant)
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _tail(path: Path) -> str:
    """The last line of a log, for a reason."""
    try:
        with path.open("rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - 4096))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:400] if lines else ""


def _log(path: Path, root: Path) -> dict[str, str]:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"path": str(path.relative_to(root)), "sha256": digest}
