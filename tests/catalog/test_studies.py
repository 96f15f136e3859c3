"""Studies: names are checked, and what is left out has its default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portability.catalog import Catalog
from portability.errors import InputError, UnknownNameError
from portability.words import Exclusion, Study

from .conftest import STUDY, attempt, write


def _load(top: Path, **changes: Any) -> Study:
    data = {key: value for key, value in {**STUDY, **changes}.items() if value is not None}
    write(top / "experiments/studies/first.yaml", data)
    return Catalog([top]).study("first")


def test_all_stands_for_what_the_catalog_has(top: Path) -> None:
    study = _load(top, models="all")
    assert study.apps == ("demo",)
    assert study.models == ("cuda", "hip", "kokkos", "openmp")
    assert study.problems == ("tiny",)


def test_defaults_are_those_of_the_word(top: Path) -> None:
    study = _load(top)
    assert study.platforms == ()
    assert (study.baseline, study.blocks, study.repeats) == ("native", 3, 1)
    assert (study.timeout, study.track, study.seed) == (600.0, "default", 1)


def test_everything_that_is_said_arrives(top: Path) -> None:
    study = _load(
        top,
        platforms=["big/a100", "localhost/h100"],
        baseline="best",
        blocks=5,
        repeats=2,
        timeout=1.5,
        track="tuned",
        seed=7,
        exclude=[{"models": ["hip"], "vendors": ["nvidia"], "reason": "same", "apps": ["demo"]}],
        toolchains={"openmp": "clang"},
    )
    assert study.platforms == ("big/a100", "localhost/h100")
    assert (study.baseline, study.blocks, study.repeats, study.timeout) == ("best", 5, 2, 1.5)
    assert (study.track, study.seed) == ("tuned", 7)
    assert study.exclusions == (Exclusion(("hip",), ("nvidia",), "same", ("demo",)),)
    assert study.toolchains == {"openmp": "clang"}


def test_planned_app_need_not_exist_and_keeps_its_place(top: Path) -> None:
    study = _load(top, apps=["later", "demo"], planned=["later"])
    assert study.apps == ("later", "demo")


def test_app_that_exists_by_now_may_still_be_planned(top: Path) -> None:
    assert _load(top, apps=["demo"], planned=["demo"]).apps == ("demo",)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"apps": ["dmeo"]}, r"first.yaml:2: unknown app 'dmeo'; did you mean 'demo'"),
        ({"apps": ["latter"], "planned": ["later"]}, "unknown app of this study 'later'"),
        ({"apps": ["demo", "latr"], "planned": []}, "unknown app 'latr'"),
        ({"planned": ["later"]}, "'planned' with 'apps: all'"),
        ({"models": ["openmpp"]}, "unknown model 'openmpp'; did you mean 'openmp'"),
        ({"problems": ["tyni"]}, "unknown problem 'tyni'; did you mean 'tiny'"),
        ({"platforms": ["bgi/a100"]}, "unknown system 'bgi'; did you mean 'big'"),
        ({"platforms": ["big/a10"]}, "unknown platform 'big/a10'; did you mean 'big/a100'"),
        ({"toolchains": {"opnmp": "x"}}, "unknown model 'opnmp'"),
        (
            {"exclude": [{"models": ["cdua"], "vendors": ["cpu"], "reason": "r"}]},
            "unknown model 'cdua'; did you mean 'cuda'",
        ),
        (
            {
                "exclude": [
                    {"models": ["cuda"], "vendors": ["cpu"], "reason": "r", "apps": ["demmo"]}
                ]
            },
            "unknown app 'demmo'",
        ),
    ],
)
def test_unknown_name_gets_line_and_nearest_name(
    top: Path, changes: dict[str, Any], expected: str
) -> None:
    with pytest.raises(InputError, match=expected) as caught:
        _load(top, **changes)
    assert "first.yaml:" in str(caught.value)


def test_study_of_another_name_than_its_file_is_refused(top: Path) -> None:
    with pytest.raises(InputError, match=r"called 'second' and its file 'first.yaml'"):
        _load(top, name="second")


def test_problem_is_not_checked_while_no_app_exists(top: Path) -> None:
    assert _load(top, apps=["later"], planned=["later"], problems=["huge"]).problems == ("huge",)


def test_unknown_study_gets_the_nearest_name(catalog: Catalog) -> None:
    with pytest.raises(UnknownNameError, match="unknown study 'frist'; did you mean 'first'"):
        catalog.study("frist")


VALUES = st.none() | st.integers() | st.text(max_size=9) | st.lists(st.text(max_size=5), max_size=3)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*STUDY, "platforms", "exclude", "planned"]), VALUES))
def test_no_study_makes_anything_but_a_study_or_an_input_error(
    top: Path, changes: dict[str, Any]
) -> None:
    write(top / "experiments/studies/first.yaml", {**STUDY, **changes})
    outcome = attempt(lambda: Catalog([top]).study("first"))
    assert isinstance(outcome, Study) or "first.yaml:" in str(outcome)
