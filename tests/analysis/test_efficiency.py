from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from portability.analysis import efficiency, with_native
from portability.errors import InputError

from .conftest import rows, undefined, zero

NVIDIA = {"a": "cuda"}


def by_model(frame: pd.DataFrame, column: str = "efficiency") -> dict[str, object]:
    return dict(zip(frame["model"], frame[column], strict=True))


def on(platform: str, **values: float) -> list[dict[str, object]]:
    return [{"model": m, "platform": platform, "value": v} for m, v in values.items()]


def test_rates_and_times_give_the_same_efficiency():
    times = rows(*on("a", cuda=2.0, kokkos=4.0))
    rates = rows(*on("a", cuda=1 / 2, kokkos=1 / 4)).assign(direction="higher", unit="1/s")
    for baseline in ("native", "best"):
        got = [by_model(efficiency(f, baseline, NVIDIA)) for f in (times, rates)]
        assert got[0] == got[1] == {"cuda": 1.0, "kokkos": 0.5}


def test_bandwidth_is_never_scored_as_a_time():
    frame = rows(*on("a", cuda=800.0, kokkos=400.0)).assign(direction="higher", unit="GB/s")
    assert by_model(efficiency(frame, "best"))["kokkos"] == 0.5


@pytest.mark.parametrize("direction", ["", None, "bigger"])
def test_no_direction_is_assumed(direction):
    frame = rows(*on("a", cuda=1.0, kokkos=2.0))
    frame.loc[1, "direction"] = direction
    with pytest.raises(InputError, match=r"direction.*small kokkos on a"):
        efficiency(frame, "best")


@pytest.mark.parametrize(("column", "other"), [("direction", "higher"), ("unit", "ms")])
def test_two_directions_or_units_of_one_figure_are_refused(column, other):
    frame = rows(*on("a", cuda=1.0, kokkos=2.0))
    frame.loc[1, column] = other
    with pytest.raises(InputError, match=rf"{column} .*{other}.*kokkos on a"):
        efficiency(frame, "best")


def test_native_is_the_declared_model_of_each_platform():
    frame = rows(*on("a", cuda=1.0, kokkos=2.0), *on("b", hip=3.0, kokkos=3.0))
    got = efficiency(frame, "native", {"a": "cuda", "b": "hip"})
    assert got["efficiency"].tolist() == [1.0, 0.5, 1.0, 1.0]
    assert got["baseline"].tolist() == ["native:cuda"] * 2 + ["native:hip"] * 2
    assert got["baseline_value"].tolist() == [1.0, 1.0, 3.0, 3.0]


def test_better_than_native_is_kept_and_flagged():
    got = efficiency(rows(*on("a", cuda=2.0, kokkos=1.0)), "native", NVIDIA)
    assert by_model(got)["kokkos"] == 2.0
    assert by_model(got, "above_one") == {"cuda": False, "kokkos": True}


def test_best_observed_is_over_verified_cells_alone():
    wrong = {"model": "openacc", "platform": "a", "value": 0.1, **zero("wrong", "sum is off")}
    got = efficiency(rows(wrong, *on("a", cuda=2.0, kokkos=4.0)), "best")
    assert by_model(got) == {"openacc": 0.0, "cuda": 1.0, "kokkos": 0.5}
    assert set(got["baseline"]) == {"best:cuda"}


def test_zero_and_undefined_stay_apart():
    got = efficiency(
        rows(
            *on("a", cuda=2.0),
            {"model": "hip", "platform": "a", **zero()},
            {"model": "sycl", "platform": "a", **undefined()},
        ),
        "native",
        NVIDIA,
    )
    e = by_model(got)
    assert e["hip"] == 0.0
    assert math.isnan(e["sycl"])
    reason = by_model(got, "efficiency_reason")
    assert reason == {
        "cuda": "",
        "hip": "unsupported: no such port",
        "sycl": "not_attempted: queue was full",
    }


@pytest.mark.parametrize(
    ("native_cell", "why"),
    [
        ([], "native cuda is not in the results"),
        ([{"model": "cuda", "platform": "a", **zero("wrong", "off")}], "native cuda: wrong: off"),
        ([{"model": "cuda", "platform": "a", **undefined()}], "native cuda: not_attempted"),
    ],
)
def test_without_a_verified_native_result_efficiency_is_undefined(native_cell, why):
    got = efficiency(rows(*native_cell, *on("a", kokkos=1.0)), "native", NVIDIA)
    assert math.isnan(by_model(got)["kokkos"])
    assert why in by_model(got, "efficiency_reason")["kokkos"]


def test_no_model_declared_native_is_told():
    got = efficiency(rows(*on("a", kokkos=1.0)), "native", {})
    assert np.isnan(got["efficiency"]).all()
    assert got["efficiency_reason"].tolist() == ["no model is declared native on a"]


def test_what_does_not_work_is_zero_even_without_a_baseline():
    got = efficiency(rows({"model": "hip", "platform": "a", **zero()}), "native", NVIDIA)
    assert got["efficiency"].tolist() == [0.0]


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_a_verified_value_that_is_no_positive_number_is_named(value):
    frame = rows(*on("a", cuda=1.0, kokkos=value))
    with pytest.raises(InputError, match=r"no positive number.*kokkos on a"):
        efficiency(frame, "best")


def test_text_where_a_number_belongs_is_refused():
    frame = rows(*on("a", cuda=1.0)).astype({"value": object})
    frame.loc[0, "value"] = "fast"
    with pytest.raises(InputError, match="value must be a number"):
        efficiency(frame, "best")


def test_the_same_result_twice_is_refused():
    cell = on("a", cuda=1.0)
    with pytest.raises(InputError, match="given more than once: stream small cuda on a"):
        efficiency(rows(*cell, *cell), "best")


def test_a_platform_name_with_a_trailing_blank_is_refused():
    with pytest.raises(InputError, match="'a ' has blanks"):
        efficiency(rows(*on("a ", cuda=1.0)), "best")


def test_two_problems_in_one_frame_do_not_share_a_baseline():
    frame = rows(*on("a", cuda=1.0), *on("a", cuda=8.0, kokkos=8.0))
    frame.loc[1:, "problem"] = "large"
    assert efficiency(frame, "best")["efficiency"].tolist() == [1.0, 1.0, 1.0]


def test_an_unknown_baseline_and_a_native_one_without_its_mapping_are_refused():
    frame = rows(*on("a", cuda=1.0))
    with pytest.raises(InputError, match="'fastest'"):
        efficiency(frame, "fastest")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="native where"):
        efficiency(frame, "native")


def test_an_empty_frame_stays_empty():
    empty = rows(*on("a", cuda=1.0)).iloc[:0]
    for baseline in ("native", "best"):
        assert efficiency(empty, baseline, {})["efficiency"].empty


def test_the_input_is_not_changed():
    frame = rows(*on("a", cuda=1.0, kokkos=2.0))
    before = frame.copy(deep=True)
    efficiency(frame, "best")
    pd.testing.assert_frame_equal(frame, before)


def test_composite_native_follows_the_native_model():
    frame = rows(*on("a", cuda=2.0, kokkos=1.0), *on("b", hip=3.0, kokkos=4.0))
    native = {"a": "cuda", "b": "hip"}
    got = with_native(efficiency(frame, "best"), native)
    composite = got[got["model"] == "native"]
    assert composite["efficiency"].tolist() == [0.5, 1.0]
    with pytest.raises(InputError, match="'native'"):
        with_native(got, native)


def test_published_efficiencies_are_reproduced(oracles):
    times = rows(
        *({"model": "base", "platform": p, "value": v}
          for p, v in zip("abcde", (25, 10, 12.5, 5, 1), strict=True)),
        *({"model": "latest", "platform": p, **({"value": v} if v else zero())}
          for p, v in zip("abcde", (25, 12.5, 25, None, 5), strict=True)),
    )  # fmt: skip
    got = efficiency(times, "best").query("model == 'latest'")["efficiency"]
    assert got.tolist() == pytest.approx(oracles["app_eff(lower)"][1]["value"], abs=1e-12)
    rates = rows(*on("a100", cuda=1370221.139, kokkos=1342707.65, openmp=1160713.298))
    got = efficiency(rates.assign(direction="higher", unit="MB/s"), "best")["efficiency"]
    assert got.tolist() == pytest.approx(oracles["app_eff(higher)"][0]["value"], abs=1e-12)
    p100 = rows(*on("p100", CUDA=138.1668529510498, Kokkos=162.028, OpenACC=133.4245479106903))
    for baseline, case in zip(("native", "best"), oracles["native_eff"], strict=False):
        got = efficiency(p100, baseline, {"p100": "CUDA"})
        assert by_model(got) == pytest.approx(case["value"], abs=1e-12)
