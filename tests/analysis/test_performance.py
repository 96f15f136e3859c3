from __future__ import annotations

import json
import math
import time
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from portability.analysis import efficiency, metrics, performance_portability, with_native
from portability.errors import InputError, UnknownNameError

from .conftest import rows, undefined, zero

efficiencies = st.lists(st.floats(1e-6, 8.0), min_size=1, max_size=12)


def study(values: list[float | None], model: str = "kokkos") -> pd.DataFrame:
    """An efficiency frame with these efficiencies on p0, p1, ...; 0 is zero, None undefined."""
    cells = []
    for i, e in enumerate(values):
        cells.append({"model": "native", "platform": f"p{i}", "value": 1.0})
        what = undefined() if e is None else zero() if e == 0 else {"value": 1.0 / e}
        cells.append({"model": model, "platform": f"p{i}", **what})
    frame = efficiency(rows(*cells), "native", {f"p{i}": "native" for i in range(len(values))})
    return frame[frame["model"] == model]


def measured(values: list[float | None], h: int | None = None) -> pd.Series:
    names = [f"p{i}" for i in range(h or len(values))]
    return performance_portability(study(values), names).iloc[0]


def test_zero_on_one_platform_makes_p_zero_and_says_why():
    got = measured([0.9, 0.9, 0])
    assert got["P"] == 0.0
    assert got["coverage"] == pytest.approx(2 / 3)
    assert got["P_supported"] == pytest.approx(0.9, abs=1e-12)
    assert got["mean_all"] == pytest.approx(0.6, abs=1e-12)
    assert got["missing"] == {"p2": "unsupported: no such port"}
    assert got["undefined"] == 0


def test_undefined_on_one_platform_leaves_p_undefined_not_zero():
    got = measured([0.9, None])
    assert math.isnan(got["P"])
    assert math.isnan(got["mean_all"])
    assert got["P_supported"] == pytest.approx(0.9, abs=1e-12)
    assert got["missing"] == {"p1": "not_attempted: queue was full"}
    assert got["undefined"] == 1


def test_zero_decides_p_whatever_is_undefined_elsewhere():
    got = measured([0.9, None, 0])
    assert got["P"] == 0.0
    assert got["undefined"] == 1


def test_a_platform_of_h_that_the_data_lack_is_undefined_and_stays_in_h():
    got = measured([1.0, 0.5], h=3)
    assert got["H"] == 3
    assert math.isnan(got["P"])
    assert got["coverage"] == pytest.approx(2 / 3)
    assert got["missing"] == {"p2": "not_attempted: not in the results"}


def test_a_platform_on_which_nothing_ran_does_not_vanish_from_h():
    cells = [{"model": m, "platform": "a", "value": 1.0} for m in ("cuda", "kokkos")]
    cells += [
        {"model": m, "platform": "b", **zero("run_failed", "oom")} for m in ("cuda", "kokkos")
    ]
    got = performance_portability(efficiency(rows(*cells), "best"), ["a", "b"])
    assert got["P"].tolist() == [0.0, 0.0]
    assert got["coverage"].tolist() == [0.5, 0.5]


def test_platforms_outside_h_are_left_out():
    frame = study([0.5, 0.1, 0])
    assert performance_portability(frame, ["p0"])["P"].tolist() == [0.5]


def test_an_application_seen_only_outside_h_is_undefined():
    got = performance_portability(study([0.5]), ["elsewhere"]).iloc[0]
    assert math.isnan(got["P"])
    assert got["coverage"] == 0.0
    assert math.isnan(got["P_supported"])
    assert math.isnan(got["mean_supported"])


@pytest.mark.parametrize(
    ("platforms", "message"),
    [([], "H is empty"), (["p0", "p0"], "p0 more than once"), ("p0", "list")],
)
def test_h_must_be_declared_properly(platforms, message):
    with pytest.raises(InputError, match=message):
        performance_portability(study([1.0]), platforms)


def test_equal_rows_are_refused_not_counted_twice():
    frame = study([1.0, 0.5])
    with pytest.raises(InputError, match=r"more than one result.*kokkos on p0"):
        performance_portability(pd.concat([frame, frame.head(1)]), ["p0", "p1"])


def test_an_unknown_metric_is_named():
    with pytest.raises(UnknownNameError, match="did you mean 'P_supported'"):
        performance_portability(study([1.0]), ["p0"], ["P_suported"])


def test_every_metric_says_what_it_is_and_gives_one_number_per_application():
    e = np.array([[1.0, 0.5], [0.0, 0.5], [np.nan, 0.5], [np.nan, np.nan]])
    for name, metric in metrics().items():
        assert name == metric.name
        assert metric.title
        assert metric.formula
        assert metric.source
        assert metric.compute(e).shape == (4,)


def test_composite_native_has_a_row_of_its_own():
    cells = [
        {"model": m, "platform": p, "value": v}
        for m, p, v in [("cuda", "a", 2.0), ("kokkos", "a", 1.0), ("hip", "b", 1.0)]
    ]
    eff = with_native(efficiency(rows(*cells), "best"), {"a": "cuda", "b": "hip"})
    got = performance_portability(eff, ["a", "b"]).set_index("model")
    assert got.loc["native", "P"] == pytest.approx(2 / 3)
    assert math.isnan(got.loc["cuda", "P"])


@given(efficiencies)
def test_p_lies_between_the_least_efficiency_and_the_means(e):
    p = measured(e)["P"]
    assert min(e) * (1 - 1e-12) <= p
    assert p <= stats.gmean(e) * (1 + 1e-12)
    assert stats.gmean(e) <= np.mean(e) * (1 + 1e-12)


@given(efficiencies, st.randoms())
def test_p_does_not_depend_on_the_order_of_platforms(e, random):
    names = [f"p{i}" for i in range(len(e))]
    frame = study(e)
    before = performance_portability(frame, names)["P"].iloc[0]
    random.shuffle(names)
    shuffled = frame.sample(frac=1, random_state=1)
    assert performance_portability(shuffled, names)["P"].iloc[0] == pytest.approx(before, rel=1e-12)


@given(st.lists(st.floats(1e-3, 1.0), min_size=1, max_size=12), st.floats(0.01, 5.0))
def test_p_scales_with_its_efficiencies(e, factor):
    assert measured([factor * x for x in e])["P"] == pytest.approx(factor * measured(e)["P"])


@given(st.lists(st.floats(1e-3, 1.0), min_size=1, max_size=12), st.data())
def test_p_grows_with_each_efficiency(e, data):
    i = data.draw(st.integers(0, len(e) - 1))
    better = [*e[:i], e[i] * 1.5, *e[i + 1 :]]
    assert measured(better)["P"] > measured(e)["P"]


@given(st.floats(1e-6, 8.0))
def test_p_over_one_platform_is_its_efficiency(e):
    frame = study([e])
    assert performance_portability(frame, ["p0"])["P"].iloc[0] == frame["efficiency"].iloc[0]


@given(st.lists(st.floats(0.1, 100.0), min_size=2, max_size=6), st.floats(1e-6, 1e6))
def test_p_does_not_depend_on_the_unit_or_on_times_against_rates(times, scale):
    def p(values: list[float], direction: str) -> float:
        cells = [{"model": f"m{i}", "platform": "a", "value": v} for i, v in enumerate(values)]
        frame = rows(*cells).assign(direction=direction)
        return performance_portability(efficiency(frame, "best"), ["a"])["P"].tolist()

    plain = p(times, "lower")
    assert p([t * scale for t in times], "lower") == pytest.approx(plain, rel=1e-12)
    assert p([1 / t for t in times], "higher") == pytest.approx(plain, rel=1e-12)


def test_worked_numbers_are_reproduced(oracles):
    columns = {
        "P_pennycook": "P", "coverage": "coverage", "P_supported": "P_supported",
        "Pbar_marowka(S)": "mean_supported", "mean_over_H": "mean_all",
    }  # fmt: skip
    sets = [
        [1, 0.5], [1, 0.8, 0.5, 1, 0.2], [i / 10 for i in range(1, 11)], [1, 0.1] * 5,
        [1] + [0.1] * 9, [0.3] * 10, [1] + [0] * 9, [0.9, 0.9, 0], [0.25],
    ]  # fmt: skip
    for key, column in columns.items():
        assert len(oracles[key]) == len(sets)
        for e, case in zip(sets, oracles[key], strict=True):
            assert measured(e)[column] == pytest.approx(case["value"], abs=1e-12), case["example"]


def test_native_and_best_observed_p_of_published_times(oracles):
    cells = [
        {"model": m, "platform": p, "value": v}
        for m, p, v in [
            ("CUDA", "P100", 138.1668529510498), ("Kokkos", "P100", 162.028),
            ("OpenACC", "P100", 133.4245479106903),
            ("CUDA", "V100", 88.882636070251465), ("Kokkos", "V100", 107.074),
        ]
    ]  # fmt: skip
    native = {"P100": "CUDA", "V100": "CUDA"}
    for baseline, case in zip(("native", "best"), oracles["native_eff"][2:], strict=True):
        eff = efficiency(rows(*cells), baseline, native)
        got = performance_portability(eff, ["P100", "V100"]).set_index("model")
        assert got.loc["Kokkos", "P"] == pytest.approx(case["value"], abs=1e-12)


def published(path) -> pd.DataFrame:
    """The published results as cells: the best compiler of each, unsupported ones as zero."""
    raw = pd.read_csv(path)
    raw["direction"] = np.where(raw["lower_is_better"], "lower", "higher")
    raw["score"] = np.where(raw["lower_is_better"], 1 / raw["fom"], raw["fom"])
    raw = raw.sort_values("score", ascending=False, na_position="last")
    raw = raw.drop_duplicates(["app", "problem", "model", "platform"])
    ok = raw["status"] == "ok"
    return raw.assign(
        track="default", value=raw["fom"], fom="published", unit=raw["fom_unit"],
        effect=np.where(ok, "counts", "zero"), reason="",
    ).drop(columns="score")  # fmt: skip


def test_published_study_of_2019_is_reproduced(shared):
    frame = published(shared / "uob2019.csv")
    expected = json.loads((shared / "uob2019.expected.json").read_text("utf-8"))
    assert len(expected["cases"]) == 15
    for case in expected["cases"]:
        ours = frame[(frame["app"] == case["app"]) & (frame["problem"] == case["problem"])]
        eff = efficiency(ours[ours["platform"].isin(case["platforms"])], "best")
        got = performance_portability(eff, case["platforms"]).set_index("model")
        cells = eff.set_index(["model", "platform"])["efficiency"]
        for model, want in case["models"].items():
            for name in ("P", "coverage", "P_supported", "mean_supported"):
                if want[name] is not None:
                    assert got.loc[model, name] == pytest.approx(want[name], abs=1e-12)
            for platform, e in want["cascade"]:
                assert cells[model, platform] == pytest.approx(e, abs=1e-12)


@settings(max_examples=20)
@given(st.data())
def test_a_hole_is_never_mistaken_for_another_kind_of_hole(data):
    kinds = data.draw(st.lists(st.sampled_from([0.7, 0, None]), min_size=1, max_size=8))
    got = measured(kinds)
    assert (got["P"] == 0) == (0 in kinds)
    assert math.isnan(got["P"]) == (None in kinds and 0 not in kinds)
    assert got["undefined"] == kinds.count(None)
    assert set(got["missing"]) == {f"p{i}" for i, k in enumerate(kinds) if k in (0, None)}
    assert got["coverage"] == pytest.approx(kinds.count(0.7) / len(kinds))


def test_large_frames_take_time_in_proportion():
    """A plain loop or a quadratic join would take minutes at this size."""
    names = list(product(range(100), range(50), range(20)))
    app, platform, model = (np.array(column) for column in zip(*names, strict=True))
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({
        "app": np.char.add("a", app.astype(str)), "problem": "p", "track": "default", "fom": "f",
        "model": np.char.add("m", model.astype(str)),
        "platform": np.char.add("p", platform.astype(str)), "unit": "s", "direction": "lower",
        "status": "ok", "reason": "", "effect": "counts", "value": rng.uniform(1, 2, len(names)),
    })  # fmt: skip
    start = time.process_time()
    eff = efficiency(frame, "best")
    got = performance_portability(eff, [f"p{i}" for i in range(50)])
    assert time.process_time() - start < 5
    assert len(got) == 2000
    one = eff[(eff["app"] == "a7") & (eff["model"] == "m3")]["efficiency"]
    row = got[(got["app"] == "a7") & (got["model"] == "m3")].iloc[0]
    assert row["P"] == pytest.approx(50 / (1 / one).sum(), rel=1e-12)
