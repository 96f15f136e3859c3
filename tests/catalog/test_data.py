"""The shipped data and the digest of a source tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from portability.catalog import DATA_FOLDERS, data_folder
from portability.catalog import _data as data
from portability.errors import UnknownNameError, WorkError


@pytest.mark.parametrize("name", DATA_FOLDERS)
def test_every_data_folder_of_this_clone_is_found(name: str) -> None:
    assert data_folder(name).is_dir()


def test_unknown_data_folder_gets_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'proxyapps'"):
        data_folder("proxyaps")


def test_installed_data_comes_before_a_neighbour_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages/portability"
    (package / "_data/analysis").mkdir(parents=True)
    (tmp_path / "site-packages/analysis").mkdir()
    monkeypatch.setattr(data, "_PACKAGE", package)
    assert data_folder("analysis") == package / "_data/analysis"
    with pytest.raises(WorkError, match="reinstall"):
        data_folder("proxyapps")


def test_a_stranger_beside_the_package_is_not_taken_for_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "portability").mkdir()
    (tmp_path / "analysis").mkdir()
    monkeypatch.setattr(data, "_PACKAGE", tmp_path / "portability")
    with pytest.raises(WorkError, match="reinstall"):
        data_folder("analysis")


def test_digest_ignores_what_editors_and_python_leave(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.cpp").write_text("1")
    before = data.tree_digest([tmp_path])
    for leftover in (".x.swp", "x.cpp~", "#x.cpp#", "x.bak"):
        (tmp_path / "a" / leftover).write_text("2")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__/y.pyc").write_text("3")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden/z").write_text("4")
    assert data.tree_digest([tmp_path]) == before


@pytest.mark.parametrize("change", ["content", "name", "move", "new"])
def test_digest_sees_every_change_of_a_source(tmp_path: Path, change: str) -> None:
    file = tmp_path / "x.cpp"
    file.write_text("1")
    before = data.tree_digest([tmp_path])
    if change == "content":
        file.write_text("2")
    elif change == "name":
        file.rename(tmp_path / "y.cpp")
    elif change == "move":
        (tmp_path / "sub").mkdir()
        file.rename(tmp_path / "sub/x.cpp")
    else:
        (tmp_path / "empty").write_text("")
    after = data.tree_digest([tmp_path])
    assert after != before
    assert len(after) == 64


def test_digest_tells_where_a_file_ends(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    (one / "a").write_text("xb")
    (two / "a").write_text("x")
    (two / "b").write_text("")
    assert data.tree_digest([one]) != data.tree_digest([two])
