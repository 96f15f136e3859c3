"""A study end to end with real compilers, from a user's own folder, as a user would run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from portability.records import RECORD_SCHEMA

GXX = shutil.which("g++")
pytestmark = pytest.mark.skipif(GXX is None, reason="g++: not found")

SYSTEM = """
name: testbox
title: The machine of a test
source: ["made up for a test"]
scheduler: none
platforms:
  - {name: cpu, title: CPU, vendor: cpu, target: cpu, memory_bytes: 8000000000}
toolchains:
  - name: gcc
    compiler: g++
    version: "0"
    cmake: {CMAKE_CXX_COMPILER: g++, PROXY_CPU_ARCH: ""}
    recipes:
      - {model: openmp, targets: [cpu]}
  - name: gcc-faulty
    compiler: g++
    version: "0"
    cmake: {CMAKE_CXX_COMPILER: g++, PROXY_CPU_ARCH: "", PROXY_FAULT: dropped_tail}
    recipes:
      - {model: openacc, targets: [cpu]}
  - name: gcc-broken
    compiler: g++
    version: "0"
    cmake: {CMAKE_CXX_COMPILER: g++, PROXY_CPU_ARCH: no-such-processor}
    recipes:
      - {model: kokkos, targets: [cpu]}
"""

STUDY = """
name: mine
title: Three models, one right, one wrong, one that does not compile
apps: [babelstream]
models: [openmp, openacc, kokkos, sycl]
problems: [tiny]
blocks: 2
timeout: 120
"""

HANGING = """
name: hanging
title: An app that never answers
apps: [sleeper]
models: [openmp, openacc]
problems: [tiny]
blocks: 1
timeout: 2
"""

APP = """
name: sleeper
title: Sleeper
version: "1"
summary: Never answers.
source: made up for a test
kernels: [{name: sleep, formula: nothing}]
foms: [{name: total, unit: s, direction: lower, statistic: median, headline: true, description: d}]
models: {openmp: hangs}
"""

PROBLEMS = """
{"problems": {
  "tiny": {"description": "d", "parameters": {"iterations": 1}, "memory_bytes": 1},
  "default": {"description": "d", "parameters": {"iterations": 1}, "memory_bytes": 1}
}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A user's folder: a system, a study, and an app that hangs."""
    top = tmp_path_factory.mktemp("mine")
    files = {
        "spack_envs/systems/testbox/system.yaml": SYSTEM,
        "experiments/studies/mine.yaml": STUDY,
        "experiments/studies/hanging.yaml": HANGING,
        "proxyapps/sleeper/app.yaml": APP,
        "proxyapps/sleeper/problems.json": PROBLEMS,
        "proxyapps/sleeper/main.cpp": "#include <unistd.h>\nint main() { for (;;) sleep(100); }\n",
        "proxyapps/sleeper/openmp.cpp": "\n",
    }
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip())
    return top


def portability(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from portability.cli import main; main()", *argv],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PORTABILITY_PATH": str(folder)},
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def done(folder) -> subprocess.CompletedProcess[str]:
    return portability(folder, "run", "mine", "--system", "testbox", "--workspace", "ws", "--json")


@pytest.fixture(scope="module")
def cells(done) -> dict[tuple[str, str], dict]:
    return {(c["app"], c["model"]): c for c in json.loads(done.stdout)["cells"]}


def test_a_study_with_a_wrong_answer_exits_1_and_says_so(done):
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "wrong" in done.stderr


def test_the_right_model_is_verified(cells, record_property):
    record_property("toolchain", "gcc openmp")
    cell = cells["babelstream", "openmp"]
    assert (cell["status"], cell["complete"]) == ("ok", True)
    assert len(cell["values"]["total"]) == 2


def test_the_faulty_model_is_wrong_and_has_no_time(cells):
    cell = cells["babelstream", "openacc"]
    assert (cell["status"], cell["effect"], cell["values"]) == ("wrong", "zero", {})
    assert "expected" in cell["reason"]


def test_a_failed_compilation_names_the_error_and_the_log_and_the_others_go_on(cells, folder):
    cell = cells["babelstream", "kokkos"]
    assert (cell["status"], cell["effect"]) == ("build_failed", "zero")
    log = cell["reason"].partition("(log: ")[2].partition(")")[0]
    assert (folder / "ws" / log).is_file()


def test_an_app_of_the_user_s_own_that_hangs_is_a_timeout(folder):
    line = ("run", "hanging", "--system", "testbox", "--workspace", "hanging", "--json")
    ended = portability(folder, *line)
    assert ended.returncode == 1
    cells = {c["model"]: c for c in json.loads(ended.stdout)["cells"]}
    assert cells["openmp"]["status"] == "timeout"
    assert cells["openmp"]["effect"] == "zero"
    assert "over its limit of 2" in cells["openmp"]["reason"]
    assert cells["openacc"]["reason"] == "sleeper has no openacc variant"
    page = (folder / "hanging/report/index.html").read_text()
    assert "sleeper has no openacc variant" in page
    assert "timeout" in page


def test_a_model_without_a_toolchain_is_unsupported_with_a_reason(cells):
    cell = cells["babelstream", "sycl"]
    assert cell["status"] == "unsupported"
    assert "testbox" in cell["reason"]


def test_every_record_fits_the_shipped_schema(done, folder):
    validator = jsonschema.Draft202012Validator(json.loads(RECORD_SCHEMA.read_text()))
    records = [json.loads(x) for x in (folder / "ws/runs.jsonl").read_text().splitlines()]
    assert len(records) >= 2 + 1 + 2
    for record in records:
        validator.validate(record)
        for log in record["logs"]:
            assert (folder / "ws" / log["path"]).is_file()


def test_no_time_of_a_wrong_run_is_in_any_record(done, folder):
    records = [json.loads(x) for x in (folder / "ws/runs.jsonl").read_text().splitlines()]
    for record in records:
        if record["status"] != "ok":
            assert record["foms"] == []
            assert record["kernels"] == []


def test_the_report_names_every_status_and_reason(done, cells, folder):
    page = (folder / "ws/report/index.html").read_text()
    text = (folder / "ws/report/report.md").read_text()
    for cell in cells.values():
        if cell["status"] != "ok":
            assert cell["status"].replace("_", " ") in page.replace("_", " ")
            assert cell["status"].replace("_", " ") in text.replace("_", " ")


def test_status_and_collect_read_the_same_cells(done, cells, folder):
    status = json.loads(portability(folder, "status", "ws", "--json").stdout)
    assert {(c["app"], c["model"]): c["status"] for c in status["cells"]} == {
        key: cell["status"] for key, cell in cells.items()
    }
    collected = json.loads(portability(folder, "collect", "ws", "--json").stdout)
    assert collected["new_records"] == []


def test_running_again_does_nothing(done, folder):
    again = portability(folder, "run", "mine", "--system", "testbox", "--workspace", "ws", "--json")
    assert json.loads(again.stdout)["new_runs"] == 0


def test_no_build_uses_what_is_there(done, folder):
    line = ("run", "mine", "--system", "testbox", "--model", "openmp", "--app", "babelstream")
    again = portability(folder, *line, "--workspace", "ws", "--no-build")
    assert "0 new runs" in again.stdout
    fresh = portability(folder, *line, "--workspace", "fresh", "--no-build")
    assert fresh.returncode == 2
    assert "not built" in fresh.stderr
