from __future__ import annotations

import os
import subprocess

from portability.build import environment, under_prologue
from portability.words import Prologue


def test_without_modules_the_command_stays_as_it_is():
    assert under_prologue(["x", "y z"], Prologue()) == ["x", "y z"]


def test_modules_are_loaded_in_order_and_nothing_is_interpreted_by_the_shell(tmp_path):
    bin_ = tmp_path / "profile"
    bin_.write_text('module() { echo "module $*"; }\nexport -f module\n')
    argv = under_prologue(["echo", "a b", "$(touch pwned)"], Prologue(("gcc/12", "cuda; x")))
    done = subprocess.run(
        argv,
        env={**os.environ, "HOME": str(tmp_path), "BASH_FUNC_module%%": '() { echo "module $*"; }'},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == ["module load gcc/12 cuda; x", "a b $(touch pwned)"]
    assert not (tmp_path / "pwned").exists()


def test_a_module_that_does_not_load_stops_the_command(tmp_path):
    argv = under_prologue(["echo", "ran"], Prologue(("gcc/12",)))
    env = {**os.environ, "HOME": str(tmp_path), "BASH_FUNC_module%%": "() { return 1; }"}
    done = subprocess.run(argv, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (97, "")


def test_search_paths_go_in_front_and_other_variables_are_replaced():
    prologue = Prologue(
        environment={"OMP_PROC_BIND": "close"}, prepend={"LD_LIBRARY_PATH": ("/a", "/c")}
    )
    base = {"LD_LIBRARY_PATH": "/b:/c", "OMP_PROC_BIND": "spread"}
    assert environment(prologue, base) == {
        "LD_LIBRARY_PATH": "/a:/c:/b",
        "OMP_PROC_BIND": "close",
    }
    assert environment(prologue, {})["LD_LIBRARY_PATH"] == "/a:/c"
