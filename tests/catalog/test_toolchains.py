"""Toolchain files: what is wrong with one is said before anything is looked for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portability.catalog import ToolchainFile
from portability.catalog._toolchains import Ability, Fact, Need, load_toolchain
from portability.errors import InputError

from .conftest import TOOLCHAIN, attempt, write

MODELS = ("openmp", "kokkos")


def _full() -> dict[str, Any]:
    data = copy.deepcopy(TOOLCHAIN)
    data["programs"]["cxx"]["facts"] = {"arch": {"arguments": ["-a"], "pattern": "a(\\d)"}}
    data["roots"] = {
        "lib": {
            "title": "Lib",
            "variables": ["LIB_ROOT"],
            "folders": ["/opt/lib*"],
            "needs": [{"file": "a.h", "has": "x"}, {"file": ["b", "c"], "lacks": "y"}],
            "facts": {"version": {"file": "a.h", "pattern": "v(\\d)"}},
        }
    }
    data["environment"] = {"E": "{cxx.version}"}
    data["prepend"] = {"LD_LIBRARY_PATH": ["{cxx.prefix}/lib"]}
    data["recipes"][0] |= {
        "targets": ["cpu", "nvidia/sm_{cxx.arch}"],
        "cmake": {"LIB_ROOT": "{lib}"},
        "note": "Lib {lib.version}",
        "get": "more",
        "check": {"program": "cxx", "arguments": ["-m{arch}"], "source": "int main() {}"},
    }
    return data


def _load(top: Path, data: dict[str, Any]) -> ToolchainFile:
    return load_toolchain(write(top / "spack_envs/toolchains/cc.yaml", data), MODELS)


def test_toolchain_file_is_what_it_says(top: Path) -> None:
    file = _load(top, _full())
    assert (file.name, file.order, file.compiler) == ("cc", 5, "cxx")
    assert file.programs[0].names == ("fake++-2", "fake++")
    assert file.roots[0].needs == (Need(("a.h",), has="x"), Need(("b", "c"), lacks="y"))
    assert file.roots[0].facts == {"version": Fact("v(\\d)", ("a.h",), ())}
    assert file.prepend == {"LD_LIBRARY_PATH": ("{cxx.prefix}/lib",)}
    ability = file.abilities[0]
    assert ability.check is not None
    assert ability.check.per_target
    assert ability.note == "Lib {lib.version}"


@pytest.mark.parametrize(
    ("target", "covered"),
    [("cpu", True), ("nvidia/sm_80", True), ("nvidia/", False), ("amd/gfx90a", False)],
)
def test_ability_covers_what_its_placeholders_could_become(target: str, covered: bool) -> None:
    ability = Ability("openmp", ("cpu", "nvidia/sm_{cxx.arch}"), {})
    assert ability.covers(target) is covered


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda t: t.update(name="c2"), "called 'c2' and its file 'cc.yaml'"),
        (lambda t: t.update(compiler="cx"), "unknown program 'cx'; did you mean 'cxx'"),
        (lambda t: t["recipes"][0].update(model="opnmp"), "unknown model 'opnmp'; did you mean"),
        (lambda t: t["recipes"][0]["check"].update(program="x"), "unknown program 'x'"),
        (
            lambda t: t["recipes"][0]["cmake"].update(A="{libb}"),
            "unknown program or root 'libb'; did you mean 'lib'",
        ),
        (lambda t: t["recipes"][0].update(note="{lib.vers}"), "unknown fact of lib 'vers'"),
        (lambda t: t["recipes"][0].update(targets=["amd/{cxx.ar}"]), "unknown fact of cxx 'ar'"),
        (lambda t: t["cmake"].update(A="{lib}"), "unknown program or root 'lib'"),
        (lambda t: t["environment"].update(A="{arch}"), "unknown program or root 'arch'"),
        (lambda t: t["roots"].update(cxx=t["roots"]["lib"]), "'cxx' is a program too"),
        (
            lambda t: t["programs"]["cxx"]["version"].update(pattern="(a"),
            "not a regular expression",
        ),
        (
            lambda t: t["programs"]["cxx"]["version"].update(pattern="a"),
            "0 groups, expected exactly one",
        ),
        (lambda t: t["roots"]["lib"]["needs"][0].update(has="["), "not a regular expression"),
        (lambda t: t["roots"]["lib"]["needs"][0].update(has="[[a]"), "Possible nested set"),
        (lambda t: t["roots"]["lib"]["facts"]["version"].pop("file"), "facts.version is"),
        (lambda t: t.pop("get"), "has no 'get'"),
        (lambda t: t["recipes"][0].update(targets=["gpu"]), 'targets\\[0\\] is "gpu"'),
        (lambda t: t["programs"].update({"A-b": t["programs"]["cxx"]}), 'key "A-b" in programs'),
    ],
)
def test_faulty_toolchain_file_is_refused_with_its_line(
    top: Path, change: Callable[[dict[str, Any]], Any], expected: str
) -> None:
    data = _full()
    change(data)
    data = json_copy(data)
    with pytest.raises(InputError, match=expected) as caught:
        _load(top, data)
    assert "cc.yaml:" in str(caught.value)


def json_copy(data: dict[str, Any]) -> dict[str, Any]:
    """Without shared parts, which YAML would write as anchors and aliases."""
    import json

    return dict(json.loads(json.dumps(data)))


VALUES = st.none() | st.text(max_size=9) | st.lists(st.text(max_size=5), max_size=3)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="{}.ab()[*cxx\\", max_size=12), st.sampled_from(["pattern", "note", "E"]))
def test_no_text_makes_anything_but_a_file_or_an_input_error(
    top: Path, text: str, place: str
) -> None:
    data = _full()
    if place == "pattern":
        data["programs"]["cxx"]["version"]["pattern"] = text
    elif place == "note":
        data["recipes"][0]["note"] = text
    else:
        data["environment"]["E"] = text
    outcome = attempt(lambda: _load(top, data))
    assert isinstance(outcome, ToolchainFile) or "cc.yaml:" in str(outcome)
