"""The catalog: lazy, nearest names, users' folders first, replacement only when said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from portability.catalog import Catalog
from portability.catalog import _catalog as module
from portability.errors import InputError, UnknownNameError
from portability.words import System

from .conftest import APP, STUDY, SYSTEM, TOOLCHAIN, write, write_model


def test_names_are_known_without_reading_what_they_stand_for(top: Path) -> None:
    (top / "experiments/studies/broken.yaml").write_text("[")
    catalog = Catalog([top])
    assert list(catalog.studies) == ["broken", "first"]
    assert len(catalog.studies) == 2
    assert catalog.study("first").name == "first"
    with pytest.raises(InputError, match=r"broken.yaml:"):
        catalog.study("broken")


def test_localhost_is_a_system_and_probed_only_when_asked(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def probe(toolchains: object) -> System:
        calls.append(toolchains)
        return System("localhost", "t", "none", (), ())

    monkeypatch.setattr(module, "probe", probe)
    catalog = Catalog([top])
    assert list(catalog.systems) == ["big", "localhost"]
    assert "localhost" in catalog.systems
    assert catalog.system("big").name == "big"
    assert calls == []
    assert catalog.system("localhost") is catalog.system("localhost")
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("kind", "wrong", "right"),
    [
        ("app", "demi", "demo"),
        ("model", "cudaa", "cuda"),
        ("study", "fist", "first"),
        ("system", "localhots", "localhost"),
        ("toolchain", "ccc", "cc"),
    ],
)
def test_unknown_name_gets_the_nearest(catalog: Catalog, kind: str, wrong: str, right: str) -> None:
    with pytest.raises(UnknownNameError, match=f"unknown {kind} '{wrong}'; did you mean '{right}'"):
        getattr(catalog, kind)(wrong)
    assert wrong not in getattr(catalog, "studies" if kind == "study" else f"{kind}s")


def test_value_that_is_not_there_is_a_key_error_in_the_mapping(catalog: Catalog) -> None:
    with pytest.raises(KeyError):
        catalog.apps["nothing"]
    assert catalog.apps.get("nothing") is None


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "experiments/studies").mkdir(parents=True)
    return folder


def test_users_folder_adds_to_the_catalog(top: Path, mine: Path) -> None:
    write(mine / "experiments/studies/own.yaml", {**STUDY, "name": "own"})
    assert list(Catalog([mine, top]).studies) == ["first", "own"]


@pytest.mark.parametrize(
    ("kind", "place", "data"),
    [
        ("study", "experiments/studies/first.yaml", STUDY),
        ("system", "spack_envs/systems/big/system.yaml", SYSTEM),
        ("toolchain", "spack_envs/toolchains/cc.yaml", TOOLCHAIN),
        ("app", "proxyapps/demo/app.yaml", APP),
    ],
)
def test_same_name_twice_is_an_error_unless_it_says_replaces(
    top: Path, mine: Path, kind: str, place: str, data: dict[str, object]
) -> None:
    write(mine / place, {**data, "title": "Mine"})
    with pytest.raises(InputError, match=f"{kind} '{data['name']}' exists already"):
        Catalog([mine, top])
    write(mine / place, {**data, "title": "Mine", "replaces": "another"})
    with pytest.raises(InputError, match="exists already"):
        Catalog([mine, top])
    write(mine / place, {**data, "title": "Mine", "replaces": data["name"]})
    if kind == "app":
        (mine / "proxyapps/demo/cuda.cu").write_text("")
        text = (top / "proxyapps/demo/problems.json").read_text()
        (mine / "proxyapps/demo/problems.json").write_text(text)
    assert getattr(Catalog([mine, top]), kind)(data["name"]).title == "Mine"


def test_same_model_twice_is_an_error_unless_it_says_replaces(top: Path, mine: Path) -> None:
    write_model(mine, "cuda", title="Mine")
    with pytest.raises(InputError, match="model 'cuda' exists already"):
        Catalog([mine, top])
    file = mine / "proxyapps/cmake/models/cuda.cmake"
    file.write_text("# Mine: my own\n# replaces: cuda\n")
    assert Catalog([mine, top]).model("cuda").title == "Mine"


def test_system_of_a_users_folder_may_not_be_called_localhost(mine: Path) -> None:
    write(mine / "spack_envs/systems/localhost/system.yaml", {**SYSTEM, "name": "localhost"})
    with pytest.raises(InputError, match="localhost is what this machine is called"):
        Catalog([mine])


def test_folder_that_is_no_catalog_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(InputError, match="no catalog, expected a folder with proxyapps/"):
            Catalog.load([folder])


def test_source_of_an_app_is_the_folder_that_it_came_from(top: Path, mine: Path) -> None:
    write(mine / "proxyapps/own/app.yaml", {**APP, "name": "own", "models": {}})
    text = (top / "proxyapps/demo/problems.json").read_text()
    (mine / "proxyapps/own/problems.json").write_text(text)
    (top / "proxyapps/CMakeLists.txt").write_text("")
    catalog = Catalog([mine, top])
    assert catalog.source("own") == mine / "proxyapps"
    assert catalog.source("demo") == top / "proxyapps"
    assert catalog.source() == top / "proxyapps"
    assert catalog.sources() == (mine / "proxyapps", top / "proxyapps")


def test_digest_is_of_the_sources_alone(catalog: Catalog, top: Path) -> None:
    before = catalog.source_digest()
    (top / "experiments/studies/more.yaml").write_text(yaml.safe_dump(STUDY))
    assert catalog.source_digest() == before
    (top / "proxyapps/demo/main.cpp").write_text("// changed\n")
    assert catalog.source_digest() != before


def test_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, portability.catalog;"
        "print([m for m in ('jsonschema', 'yaml', 'pandas', 'numpy', 'matplotlib')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
