from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time

import pytest

from portability.errors import InputError
from tests import _standin as standin


def test_every_run_leaves_one_folder_and_one_record(tmp_path):
    session = standin.session(tmp_path / "ws")
    new = standin.run(session)
    assert len(new) == 3 * 2
    assert standin.statuses(session) == {
        "cuda": "ok",
        "hip": "excluded",
        "kokkos": "ok",
        "openmp": "ok",
    }
    for record in new:
        folder = session.workspace.root / record["folder"]
        assert folder.name == record["run"]
        assert {"stdout", "stderr", "exit.json", "result.json", "command.json"} <= {
            path.name for path in folder.iterdir()
        }
    lines = session.workspace.merged.read_text().splitlines()
    assert sorted(json.loads(line)["run"] for line in lines) == sorted(r["run"] for r in new)


def test_a_second_run_does_nothing(tmp_path):
    session = standin.session(tmp_path / "ws", cuda="wrong", kokkos="crash", openmp="build_failed")
    first = standin.run(session)
    assert standin.run(session) == []
    assert len(session.store.read()) == len(first)


def test_wrong_failed_hanging_and_unbuildable_cells_each_have_their_status(tmp_path):
    session = standin.session(
        tmp_path / "ws", blocks=1, timeout=1.0, cuda="wrong", kokkos="hang", openmp="build_failed"
    )
    new = standin.run(session)
    found = standin.statuses(session)
    assert (found["cuda"], found["kokkos"], found["openmp"]) == ("wrong", "timeout", "build_failed")
    attempts = {r["model"]: r["attempt"] for r in new}
    assert attempts == {"cuda": 1, "kokkos": 2, "openmp": 2}
    effects = {c.experiment.model: str(c.effect) for c in session.cells()}
    assert {effects[m] for m in ("cuda", "kokkos", "openmp")} == {"zero"}
    reason = next(c.reason for c in session.cells() if c.experiment.model == "openmp")
    assert "expected ';'" in reason
    assert ".log" in reason


def test_a_run_that_fails_once_is_tried_again_and_counts(tmp_path):
    session = standin.session(tmp_path / "ws", blocks=1, cuda="flaky")
    standin.run(session)
    assert standin.statuses(session)["cuda"] == "ok"
    tries = [r for r in session.store.read() if r["model"] == "cuda"]
    assert [(r["attempt"], r["status"]) for r in tries] == [(1, "run_failed"), (2, "ok")]


def test_retry_failed_runs_only_what_was_not_ok_with_new_attempt_numbers(tmp_path):
    session = standin.session(tmp_path / "ws", blocks=1, kokkos="crash")
    standin.run(session)
    again = standin.run(session, retry_failed=True)
    assert [(r["model"], r["attempt"]) for r in again] == [("kokkos", 3), ("kokkos", 4)]


def test_a_finished_run_folder_without_a_record_is_taken_in_and_not_run_again(tmp_path):
    session = standin.session(tmp_path / "ws")
    first = standin.run(session)
    shutil.rmtree(session.workspace.records)
    session.workspace.records.mkdir()
    assert standin.run(session) == []
    assert {r["run"] for r in session.store.read()} == {r["run"] for r in first}


def test_a_run_that_was_cut_off_is_recorded_interrupted_and_made_again(tmp_path):
    session = standin.session(tmp_path / "ws", blocks=1)
    record = next(r for r in standin.run(session) if r["model"] == "cuda")
    shutil.rmtree(session.workspace.records)
    session.workspace.records.mkdir()
    (session.workspace.root / record["folder"] / "exit.json").unlink()
    again = standin.run(session)
    assert [(r["model"], r["attempt"], r["status"]) for r in again] == [("cuda", 2, "ok")]
    assert standin.statuses(session)["cuda"] == "ok"


def test_the_launcher_goes_before_the_binary(tmp_path):
    session = standin.session(tmp_path / "ws", blocks=1)
    new = standin.run(session, launcher=("env", "LAUNCHED=yes"))
    argv = new[0]["provenance"]["argv"]
    assert argv[:2] == ["env", "LAUNCHED=yes"]
    assert argv[2].endswith(f"stream-{new[0]['model']}")


def test_without_a_build_running_is_an_error_that_says_what_to_do(tmp_path):
    session = standin.session(tmp_path / "ws")
    with pytest.raises(InputError, match=r"not built: .*portability build study"):
        session.built(session.selected((), ()))


DRIVER = """
import sys
from pathlib import Path
from tests import _standin as standin
s = standin.session(Path(sys.argv[1]), blocks=2, cuda="slow", kokkos="slow", openmp="slow")
standin.run(s, ended=lambda record, n, total: print(record["status"], flush=True))
"""


def test_ctrl_c_records_interrupted_and_the_next_run_finishes_what_is_missing(tmp_path):
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(tmp_path / "ws")], stdout=subprocess.PIPE, text=True
    )
    assert driver.stdout
    assert driver.stdout.readline() == "ok\n"
    time.sleep(0.3)
    driver.send_signal(signal.SIGINT)
    assert driver.wait(timeout=20) != 0
    session = standin.session(tmp_path / "ws", cuda="slow", kokkos="slow", openmp="slow")
    before = session.store.read()
    assert sorted(r["status"] for r in before) == ["interrupted", "ok"]
    standin.run(session)
    assert set(standin.statuses(session).values()) == {"ok", "excluded"}
    ok = [r for r in session.store.read() if r["status"] == "ok"]
    assert len(ok) == 6
