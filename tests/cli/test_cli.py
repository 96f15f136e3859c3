from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import portability

PACKAGE = Path(portability.__file__).parent
COMMANDS = ("build", "collect", "doctor", "list", "plan", "report", "run", "status")


def portability_command(*argv: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from portability.cli import main; main()", *argv],
        capture_output=True,
        text=True,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
    )


def test_help_names_every_command():
    done = portability_command("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


def test_help_loads_neither_pandas_nor_matplotlib():
    script = (
        "import sys\nfrom portability.cli._group import _run\nassert _run(['--help']) == 0\n"
        "heavy = {'pandas', 'matplotlib', 'numpy', 'scipy', 'seaborn', 'jsonschema'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(command):
    done = portability_command(command, "--help")
    assert done.returncode == 0
    assert "--json" in done.stdout


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["rnu", "quickstart"], "no such command 'rnu'; did you mean 'run'?"),
        (["run", "quikstart"], "unknown study 'quikstart'; did you mean 'quickstart'?"),
        (["run", "quickstart", "--modle", "openmp"], "--modle"),
        (["run", "quickstart", "--model", "openpm"], "did you mean 'openmp'?"),
        (["run", "quickstart", "--app", "babelstraem"], "did you mean 'babelstream'?"),
        (["plan", "paper", "--system", "fronteir"], "did you mean 'frontier'?"),
        (["run", "paper"], "its H is on"),
        (["run", "quickstart", "--blocks", "0"], "--blocks"),
        (["run", "quickstart", "--engine", "slurm"], "--engine"),
        (["list", "aps"], "apps"),
        (["status", "nowhere"], "not a workspace"),
        (["status"], "none here"),
        (["report", "nowhere", "--json"], "not a workspace"),
        (["plan", "quickstart", "--path", "no/such/folder"], "no/such/folder"),
    ],
)
def test_bad_input_is_exit_2_with_a_message_and_no_traceback(argv, message, tmp_path):
    done = portability_command(*argv, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_an_error_under_json_is_one_document(tmp_path):
    done = portability_command("run", "quikstart", "--json", cwd=tmp_path)
    error = json.loads(done.stdout)["error"]
    assert error["exit_code"] == done.returncode == 2
    assert "did you mean 'quickstart'" in error["message"]


@pytest.mark.parametrize("kind", ["apps", "models", "systems", "studies", "toolchains"])
def test_list_gives_names_and_one_json_document(kind):
    text = portability_command("list", kind)
    assert text.returncode == 0
    document = json.loads(portability_command("list", kind, "--json").stdout)
    for thing in document[kind]:
        assert f"\n{thing['name']} " in text.stdout


def test_plan_paper_is_five_apps_by_seven_models_by_five_systems():
    document = json.loads(portability_command("plan", "paper", "--json").stdout)
    cells = {(e["app"], e["model"], e["platform"]) for e in document["experiments"]}
    assert len(cells) == len(document["experiments"]) == 5 * 7 * 5
    assert len(document["platforms"]) == 5
    for experiment in document["experiments"]:
        assert experiment["build"] if not experiment["status"] else experiment["reason"]


def test_plan_touches_nothing(tmp_path):
    assert portability_command("plan", "quickstart", cwd=tmp_path).returncode == 0
    assert not list(tmp_path.iterdir())


def test_doctor_says_what_can_run_and_how_to_get_the_rest():
    document = json.loads(portability_command("doctor", "--json").stdout)
    for row in document["models"]:
        assert row["toolchain"] if row["can_build"] else row["get"]
    models = {row["model"] for row in document["models"]}
    assert models == {"cuda", "hip", "kokkos", "openacc", "openmp", "raja", "sycl"}


# In this order: a room imports only from rooms named before it.
ORDER = [
    *("errors", "words", "_convert", "catalog", "plan", "workspace", "build", "records", "run"),
    *("analysis", "report", "session", "cli"),
]
ANALYSIS_MAY = {"errors", "words", "analysis"}


def rooms_imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("portability."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            names |= {a.name.split(".")[1] for a in node.names if a.name.startswith("portability.")}
    return names


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE))
)
def test_a_room_imports_only_from_rooms_above_it(path):
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    imported = rooms_imported(path)
    allowed = set(ORDER[: ORDER.index(room) + 1])
    if room == "analysis":
        allowed = ANALYSIS_MAY
    assert imported <= allowed
