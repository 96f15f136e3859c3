"""Apps and models from their files."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portability.catalog import Catalog
from portability.catalog._apps import load_app, load_model
from portability.errors import InputError
from portability.words import App, Kernel

from .conftest import APP, PROBLEMS, attempt, write

MODELS = ("cuda", "hip", "kokkos", "openmp")


def test_app_is_what_its_files_say(catalog: Catalog, top: Path) -> None:
    app = catalog.app("demo")
    assert app.title == "Demo"
    assert app.kernels == (Kernel("go", "a = b"),)
    assert app.headline.name == "go"
    assert app.headline.direction == "higher"
    assert app.headline.statistic == "median"
    assert app.folder == top / "proxyapps/demo"
    assert app.problems["paper"].parameters == {"size": 1e-8}
    assert app.problems["tiny"].memory_bytes == 64
    assert app.problems["tiny"].app == "demo"


def test_models_of_an_app_are_those_with_a_source_file(catalog: Catalog) -> None:
    assert dict(catalog.app("demo").models) == {"cuda": "shared with hip", "hip": "", "openmp": ""}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda app: app.update(name="other"), "called 'other' and its folder 'demo'"),
        (lambda app: app["foms"][0].pop("headline"), "0 foms with 'headline: true'"),
        (lambda app: app["foms"].append({**app["foms"][0], "name": "b"}), "2 foms with"),
        (lambda app: app["foms"].append({**app["foms"][0]}), "'go' again in foms"),
        (lambda app: app["kernels"].append({"name": "go"}), "'go' again in kernels"),
        (lambda app: app.update(models={"cudda": "x"}), "unknown model 'cudda'; did you mean"),
        (lambda app: app.update(models={"kokkos": "x"}), "a note on kokkos, but no source file"),
        (lambda app: app["foms"][0].update(direction="up"), "expected one of higher, lower"),
        (lambda app: app["foms"][0].pop("direction"), "has no 'direction'"),
    ],
)
def test_faulty_app_is_refused(
    top: Path, change: Callable[[dict[str, Any]], Any], expected: str
) -> None:
    app = copy.deepcopy(APP)
    change(app)
    write(top / "proxyapps/demo/app.yaml", app)
    with pytest.raises(InputError, match=expected) as caught:
        load_app(top / "proxyapps/demo", MODELS)
    assert "app.yaml:" in str(caught.value)


@pytest.mark.parametrize("value", [-1, 1.5, "8", None])
def test_memory_of_a_problem_is_a_number_of_bytes(top: Path, value: Any) -> None:
    problems = copy.deepcopy(PROBLEMS)
    problems["problems"]["tiny"]["memory_bytes"] = value
    write(top / "proxyapps/demo/problems.json", problems)
    with pytest.raises(InputError, match=r"problems.json:\d+: problems.tiny.memory_bytes"):
        load_app(top / "proxyapps/demo", MODELS)


def test_app_without_problems_is_refused(top: Path) -> None:
    (top / "proxyapps/demo/problems.json").unlink()
    with pytest.raises(InputError, match=r"problems.json: cannot be read"):
        load_app(top / "proxyapps/demo", MODELS)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*APP, "x"]), st.text() | st.lists(st.text())))
def test_no_app_yaml_makes_anything_but_an_app_or_an_input_error(
    top: Path, change: dict[str, Any]
) -> None:
    write(top / "proxyapps/demo/app.yaml", {**APP, **change})
    outcome = attempt(lambda: load_app(top / "proxyapps/demo", MODELS))
    assert isinstance(outcome, App) or "app.yaml:" in str(outcome)


def test_model_is_what_its_cmake_file_says(catalog: Catalog) -> None:
    assert catalog.model("cuda").title == "cuda"
    assert catalog.model("cuda").summary == "a model"
    assert catalog.model("cuda").native_on == ("nvidia",)
    assert catalog.model("kokkos").native_on == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "x.cmake:1: expected '# <Title>"),
        ("macro(x)\n", "x.cmake:1: expected"),
        ("# Title without a colon\n", "x.cmake:1: expected"),
        ("# X: y\n# native-on: nvidai\n", "x.cmake:2: unknown vendor 'nvidai'; did you mean"),
    ],
)
def test_faulty_model_file_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "x.cmake").write_text(text)
    with pytest.raises(InputError, match=expected):
        load_model(tmp_path / "x.cmake")


def test_model_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.cmake").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read as text"):
        load_model(tmp_path / "x.cmake")


def test_native_on_is_only_read_in_the_head(tmp_path: Path) -> None:
    (tmp_path / "x.cmake").write_text(
        "# X: y\n#\n# native-on: cpu, intel\nset(a)\n# native-on: amd"
    )
    assert load_model(tmp_path / "x.cmake").native_on == ("cpu", "intel")
