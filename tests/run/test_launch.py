from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from portability.run import launch as module
from portability.run.launch import launch


def folder(tmp_path: Path, script: str, timeout_s: float = 20.0, **extra: object) -> Path:
    command = {"argv": [sys.executable, "-c", script], "timeout_s": timeout_s, **extra}
    (tmp_path / "command.json").write_text(json.dumps(command))
    return tmp_path


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


def test_output_exit_code_times_and_noise_are_left_in_the_folder(tmp_path):
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    end = launch(folder(tmp_path, script))
    assert (tmp_path / "stdout").read_text() == "out\n"
    assert (tmp_path / "stderr").read_text() == "err\n"
    assert json.loads((tmp_path / "exit.json").read_text()) == end
    assert (end["returncode"], end["timed_out"]) == (3, False)
    assert end["wall_s"] > 0
    assert end["started"].endswith("+00:00")
    assert end["noise_before"]["processors"] >= 1


def test_the_environment_of_the_command_is_set_over_the_inherited_one(tmp_path, monkeypatch):
    monkeypatch.setenv("KEPT", "kept")
    script = "import os; print(os.environ['KEPT'], os.environ['SET'])"
    launch(folder(tmp_path, script, environment={"SET": "a b; $(c)"}))
    assert (tmp_path / "stdout").read_text() == "kept a b; $(c)\n"


def test_a_program_that_does_not_exist_is_told_in_exit_json(tmp_path):
    (tmp_path / "command.json").write_text(json.dumps({"argv": ["/no/such/program"]}))
    end = launch(tmp_path)
    assert end["returncode"] is None
    assert "/no/such/program" in end["error"]


SPAWN = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, '-c', '''
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)'''], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
"""


def test_over_its_limit_the_whole_process_group_is_ended(tmp_path):
    end = launch(folder(tmp_path, SPAWN + "time.sleep(600)", timeout_s=1.5))
    assert end["timed_out"]
    child = int((tmp_path / "stdout").read_text())
    assert not alive(child)


def test_children_that_outlive_their_parent_are_ended(tmp_path):
    end = launch(folder(tmp_path, SPAWN))
    assert (end["timed_out"], end["returncode"]) == (False, 0)
    assert not alive(int((tmp_path / "stdout").read_text()))


def test_a_finished_folder_is_not_run_again(tmp_path):
    launch(folder(tmp_path, "print(1)"))
    with pytest.raises(FileExistsError):
        launch(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_as_a_program_it_ends_the_group_and_says_interrupted(tmp_path, number):
    path = folder(tmp_path, SPAWN + "time.sleep(600)")
    driver = subprocess.Popen([sys.executable, module.__file__, str(path)])
    deadline = time.monotonic() + 20
    while not ((path / "stdout").exists() and (path / "stdout").read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    driver.send_signal(number)
    assert driver.wait(timeout=20) == 130
    end = json.loads((path / "exit.json").read_text())
    assert (end["interrupted"], end["signal"]) == (True, number)
    assert not alive(int((path / "stdout").read_text()))


def test_as_a_program_it_needs_nothing_but_the_standard_library(tmp_path):
    path = folder(tmp_path, "print('ran')")
    done = subprocess.run([sys.executable, "-I", "-S", module.__file__, str(path)], check=True)
    assert done.returncode == 0
    assert (path / "stdout").read_text() == "ran\n"


def test_a_folder_without_a_command_is_an_error_without_a_traceback(tmp_path):
    done = subprocess.run(
        [sys.executable, module.__file__, str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "command.json" in done.stderr
    assert "Traceback" not in done.stderr
