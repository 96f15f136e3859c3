from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from portability.records import check_record, collect
from tests import _words as w

PLAN = w.plan()
FOMS = PLAN.foms


def run_folder(tmp_path: Path, **changes: Any) -> Path:
    """A finished run folder; keyword ``result``/``exit``/``command`` change those documents."""
    context = {
        key: value
        for key, value in w.record(PLAN, "kokkos").items()
        if key
        in [
            "run",
            "experiment",
            "build",
            "app",
            "problem",
            "model",
            "platform",
            "block",
            "repeat",
            "attempt",
        ]
    }
    folder = tmp_path / "runs" / context["run"]
    folder.mkdir(parents=True)
    command = {"argv": ["x"], "timeout_s": 5, "context": context, "device": {"vendor": "nvidia"}}
    result = {
        "app": "stream",
        "model": "kokkos",
        "verdict": {"status": "ok", "checks": [{"name": "a", "passed": True}]},
        "device": {"vendor": "nvidia", "name": "A100"},
        "kernels": [{"name": "k", "samples": [0.1, 0.2], "bytes": 10, "flops": 1}],
        "foms": [
            {"name": "rate", "value": 5.0, "unit": "B/s", "direction": "higher"},
            {"name": "total", "value": 0.2, "unit": "s", "direction": "lower"},
        ],
    }
    end = {"returncode": 0, "timed_out": False, "started": "t", "ended": "t", "wall_s": 1.0}
    documents = {"command.json": command, "result.json": result, "exit.json": end}
    for name, document in documents.items():
        change = changes.get(name.partition(".")[0], {})
        if change is not None:
            (folder / name).write_text(json.dumps({**document, **change}))
    (folder / "stdout").write_text("hello\n")
    (folder / "stderr").write_text(changes.get("stderr", ""))
    return folder


def record_of(tmp_path: Path, **changes: Any) -> dict[str, Any]:
    record = collect(run_folder(tmp_path, **changes), FOMS, tmp_path)
    check_record(record)
    return record


def test_a_verified_run_keeps_samples_foms_and_hashes_of_its_logs(tmp_path):
    record = record_of(tmp_path)
    assert (record["status"], record["reason"]) == ("ok", "")
    assert record["kernels"][0]["samples"] == [0.1, 0.2]
    assert {f["name"] for f in record["foms"]} == {"rate", "total"}
    logs = {Path(log["path"]).name for log in record["logs"]}
    assert {"stdout", "stderr", "result.json", "exit.json", "command.json"} == logs


WRONG = {
    "status": "wrong",
    "checks": [
        {
            "name": "a",
            "what": "array a",
            "expected": 1,
            "actual": 2,
            "tolerance": 0,
            "passed": False,
        }
    ],
}


@pytest.mark.parametrize("code", [0, 1])
def test_a_wrong_verdict_is_wrong_whatever_the_exit_code(tmp_path, code):
    record = record_of(tmp_path, result={"verdict": WRONG}, exit={"returncode": code})
    assert record["status"] == "wrong"
    assert record["reason"] == "array a: expected 1, got 2, tolerance 0"
    assert record["foms"] == []
    assert record["kernels"] == []


def test_exit_one_is_wrong_even_if_the_result_claims_ok(tmp_path):
    assert record_of(tmp_path, exit={"returncode": 1})["status"] == "wrong"


def test_exit_zero_without_a_verdict_is_no_answer(tmp_path):
    for result in ({"verdict": None}, None):
        record = record_of(tmp_path / str(result is None), result=result)
        assert record["status"] == "run_failed"
        assert "without a verdict" in record["reason"]


def test_an_answer_that_could_not_be_checked_never_counts(tmp_path):
    record = record_of(
        tmp_path, result={"verdict": {"status": "not_checked"}}, exit={"returncode": 1}
    )
    assert (record["status"], record["foms"]) == ("unverified", [])


def test_a_fom_in_the_wrong_direction_is_not_taken(tmp_path):
    foms = [
        {"name": "rate", "value": 5.0, "unit": "B/s", "direction": "lower"},
        {"name": "total", "value": 0.2, "unit": "s", "direction": "lower"},
    ]
    record = record_of(tmp_path, result={"foms": foms})
    assert record["status"] == "run_failed"
    assert record["reason"] == (
        "rate is reported in B/s (lower is better), app.yaml declares B/s (higher)"
    )


@pytest.mark.parametrize(
    "foms", [[], [{"name": "rate", "value": 1, "unit": "B/s", "direction": "higher"}]]
)
def test_missing_figures_of_merit_are_not_taken(tmp_path, foms):
    record = record_of(tmp_path, result={"foms": foms})
    assert record["status"] == "run_failed"
    assert "app.yaml declares" in record["reason"]


@pytest.mark.parametrize("value", [0, -1, None, "fast"])
def test_a_figure_of_merit_that_is_no_positive_number_is_not_taken(tmp_path, value):
    foms = [
        {"name": "rate", "value": value, "unit": "B/s", "direction": "higher"},
        {"name": "total", "value": 0.2, "unit": "s", "direction": "lower"},
    ]
    assert record_of(tmp_path, result={"foms": foms})["status"] == "run_failed"


def test_nan_in_a_result_is_no_result(tmp_path):
    folder = run_folder(tmp_path)
    text = (folder / "result.json").read_text().replace("5.0", "NaN")
    (folder / "result.json").write_text(text)
    assert collect(folder, FOMS, tmp_path)["status"] == "run_failed"


def test_a_result_of_another_model_s_binary_is_not_taken(tmp_path):
    record = record_of(tmp_path, result={"model": "openmp"})
    assert record["status"] == "run_failed"
    assert "openmp" in record["reason"]


def test_a_result_that_breaks_the_schema_is_a_failed_run_not_a_crash(tmp_path):
    record = record_of(tmp_path, result={"kernels": [{"name": "k", "samples": ["soon"]}]})
    assert record["status"] == "run_failed"
    assert "soon" in record["reason"]


def test_a_silent_fallback_to_the_cpu_is_wrong_device(tmp_path):
    record = record_of(tmp_path, result={"device": {"vendor": "cpu", "name": "Xeon"}})
    assert record["status"] == "wrong_device"
    assert "not on 'nvidia'" in record["reason"]


@pytest.mark.parametrize(
    ("end", "status", "reason"),
    [
        ({"timed_out": True, "returncode": -15}, "timeout", "over its limit of 5 s"),
        ({"interrupted": True, "signal": 2}, "interrupted", "stopped by signal 2"),
        ({"error": "x: No such file", "returncode": None}, "run_failed", "could not be started"),
        ({"returncode": 3}, "run_failed", "exit code 3: out of memory"),
        ({"returncode": -11}, "run_failed", "ended by signal 11: out of memory"),
    ],
)
def test_what_happened_to_the_process_decides_before_its_result(tmp_path, end, status, reason):
    record = record_of(tmp_path, exit=end, stderr="\nbang\nout of memory\n")
    assert record["status"] == status
    assert reason in record["reason"]


def test_a_run_folder_without_an_end_was_interrupted(tmp_path):
    assert record_of(tmp_path, exit=None)["status"] == "interrupted"
