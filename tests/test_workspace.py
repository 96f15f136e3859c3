from __future__ import annotations

from dataclasses import replace

import pytest

from portability.errors import InputError
from portability.workspace import Workspace
from tests import _words as w


def test_plan_and_system_are_frozen_in_the_workspace(tmp_path):
    plan, system = w.plan(), w.system()
    Workspace.prepare(tmp_path / "ws", plan, system)
    again = Workspace.open(tmp_path / "ws")
    assert (again.plan(), again.system()) == (plan, system)


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="is not a workspace"):
        Workspace.prepare(tmp_path, w.plan(), w.system())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_workspace_of_another_study_is_left_alone(tmp_path):
    plan = w.plan()
    Workspace.prepare(tmp_path, plan, w.system())
    other = replace(plan, study=replace(plan.study, name="other"))
    with pytest.raises(InputError, match="workspace of study study on site, not of other on site"):
        Workspace.prepare(tmp_path, other, w.system())
    assert Workspace.open(tmp_path).plan() == plan


def test_a_folder_without_a_plan_is_no_workspace(tmp_path):
    with pytest.raises(InputError, match="not a workspace"):
        Workspace.open(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}'])
def test_a_plan_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path, text):
    Workspace.prepare(tmp_path, w.plan(), w.system())
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(InputError, match=r"plan\.json"):
        Workspace.open(tmp_path).plan()
