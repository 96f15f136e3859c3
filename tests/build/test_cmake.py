from __future__ import annotations

import json
from pathlib import Path

import pytest

from portability.build import load_outcome
from portability.build._outcome import error_line
from tests import _standin as standin


def test_every_app_gets_a_binary_with_its_hash_and_command_line(tmp_path):
    session = standin.session(tmp_path / "ws")
    outcomes = session.build(session.selected((), ()))
    assert len(outcomes) == 3
    for outcome in outcomes.values():
        app = outcome.apps["stream"]
        assert (session.workspace.root / app.binary).is_file()
        assert len(app.sha256) == 64
        assert any("-DPROXY_MODEL=" in word for word in outcome.commands[0])


def test_a_compiler_that_fails_leaves_the_log_its_error_line_and_two_attempts(tmp_path):
    session = standin.session(tmp_path / "ws", kokkos="build_failed")
    outcomes = session.build(session.selected((), ()))
    failed = [app for o in outcomes.values() for app in o.apps.values() if not app.ok]
    assert len(failed) == 1
    assert failed[0].reason == "stream.cpp:7:1: error: expected ';'"
    assert failed[0].attempts == 2
    assert "expected ';'" in (session.workspace.root / failed[0].log).read_text()


def test_a_tree_that_cannot_be_configured_is_a_failed_build_with_cmake_s_own_words(tmp_path):
    session = standin.session(tmp_path / "ws", cuda="configure_failed")
    outcomes = session.build(session.selected((), ()))
    failed = [app for o in outcomes.values() for app in o.apps.values() if not app.ok]
    assert [app.reason for app in failed] == ["compiler frobc not found; install frob"]


def test_what_is_built_is_not_built_again(tmp_path):
    session = standin.session(tmp_path / "ws", kokkos="build_failed")
    fresh: list[bool] = []
    for _ in range(2):
        session.build(session.selected((), ()), done=lambda b, o, f: fresh.append(f))
    assert fresh == [True] * 3 + [False] * 3
    fresh.clear()
    session.build(session.selected((), ()), again=True, done=lambda b, o, f: fresh.append(f))
    assert sorted(fresh) == [False, False, True]


def test_a_binary_that_changed_on_disk_is_built_again(tmp_path):
    session = standin.session(tmp_path / "ws")
    outcome = next(iter(session.build(session.selected((), ())).values()))
    root = session.workspace.root
    assert load_outcome(root, outcome.id) == outcome
    (root / outcome.apps["stream"].binary).write_text("something else")
    assert load_outcome(root, outcome.id) is None


def test_a_torn_build_json_is_built_again(tmp_path):
    session = standin.session(tmp_path / "ws")
    outcome = next(iter(session.build(session.selected((), ())).values()))
    (session.workspace.builds / outcome.id / "build.json").write_text("{")
    assert load_outcome(session.workspace.root, outcome.id) is None


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("a.cpp:1:2: error: no\nninja: build stopped: subcommand failed.", "a.cpp:1:2: error: no"),
        (
            "ld: undefined reference to `f'\ncollect2: exit 1",
            "ld: undefined reference to `f'",
        ),
        ("CMake Error at x.cmake:3 (message):\n  Kokkos not found\n\n", "Kokkos not found"),
        ("", "no output"),
        ("only words", "only words"),
    ],
)
def test_the_reason_is_the_line_that_names_the_error(log, line):
    assert error_line(log) == line


def test_build_json_is_readable_by_others(tmp_path: Path):
    session = standin.session(tmp_path / "ws")
    outcome = next(iter(session.build(session.selected((), ())).values()))
    data = json.loads((session.workspace.builds / outcome.id / "build.json").read_text())
    assert data["id"] == outcome.id
    assert data["tools"]["cmake"].startswith("cmake version")
