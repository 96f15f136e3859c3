from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from portability.analysis import (
    efficiency,
    efficiency_intervals,
    intervals,
    performance_portability,
    ratio_intervals,
)
from portability.errors import InputError

PLATFORMS = [f"p{i}" for i in range(5)]
TRUE = {"p0": 1.1, "p1": 0.95, "p2": 0.8, "p3": 0.5, "p4": 0.9}


def campaign(
    experiments: int, blocks: int, seed: int, noise: str = "normal", platforms=PLATFORMS
) -> pd.DataFrame:
    """Blocks of ``experiments`` repetitions of one study, each a problem of its own.

    Both models share what their block does to them (5 %), and each has noise of its own (3 %).
    """
    rng = np.random.default_rng(seed)

    def spread(*shape: int) -> np.ndarray:
        if noise == "skewed":
            return np.exp(0.03 * (rng.exponential(size=shape) - 1))
        return np.exp(rng.normal(0, 0.03, shape))

    rows = []
    for platform in platforms:
        shared = np.exp(rng.normal(0, 0.05, (experiments, blocks)))
        for model, time in (("cuda", 1.0), ("kokkos", 1 / TRUE[platform])):
            value = time * shared * spread(experiments, blocks)
            e, b = np.indices(value.shape)
            rows.append(
                pd.DataFrame({
                    "app": "stream", "problem": np.char.add("e", e.ravel().astype(str)),
                    "model": model, "platform": platform, "track": "default", "fom": "time",
                    "block": b.ravel(), "value": value.ravel(),
                })
            )  # fmt: skip
    return pd.concat(rows, ignore_index=True)


def cells_of(blocks: pd.DataFrame) -> pd.DataFrame:
    keys = ["app", "problem", "model", "platform", "track", "fom"]
    value = blocks.groupby(keys, sort=False)["value"].agg(lambda v: math.exp(np.log(v).mean()))
    return value.reset_index().assign(
        unit="s", direction="lower", status="ok", reason="", effect="counts"
    )


def native(blocks: pd.DataFrame) -> pd.DataFrame:
    return efficiency(cells_of(blocks), "native", dict.fromkeys(PLATFORMS, "cuda"))


@pytest.mark.parametrize("noise", ["normal", "skewed"])
@pytest.mark.parametrize("blocks", [5, 12])
def test_the_interval_of_p_covers_the_true_p_about_as_often_as_it_says(noise, blocks):
    data = campaign(400, blocks, seed=20240208, noise=noise)
    eff = native(data)
    got = intervals(data, eff, PLATFORMS).query("model == 'kokkos'")
    truth = len(TRUE) / sum(1 / e for e in TRUE.values())
    covered = ((got["ci_low"] <= truth) & (truth <= got["ci_high"])).mean()
    assert 0.92 <= covered <= 0.98
    assert (got["dof"] >= blocks - 1).all()
    assert (got["dof"] <= 5 * (blocks - 1) + 1e-9).all()


def test_the_interval_of_one_efficiency_covers_it_about_as_often_as_it_says():
    data = campaign(600, 4, seed=7, platforms=["p2"])
    got = efficiency_intervals(data, native(data)).query("model == 'kokkos'")
    covered = ((got["ci_low"] <= TRUE["p2"]) & (TRUE["p2"] <= got["ci_high"])).mean()
    assert 0.92 <= covered <= 0.98


def test_what_a_block_does_to_both_models_does_not_widen_the_interval():
    data = campaign(1, 8, seed=3, platforms=["p0"])
    shaken = data.copy()
    shaken["value"] *= 1 + 0.5 * shaken["block"]
    before, after = (efficiency_intervals(d, native(d)) for d in (data, shaken))
    assert after["ci_low"].tolist() == pytest.approx(before["ci_low"].tolist())


def test_the_interval_is_that_of_a_paired_t_test():
    data = campaign(1, 6, seed=5, platforms=["p3"])
    got = efficiency_intervals(data, native(data)).query("model == 'kokkos'").iloc[0]
    wide = data.pivot(index="block", columns="model", values="value")
    test = stats.ttest_1samp(np.log(wide["cuda"] / wide["kokkos"]), 0)
    low, high = np.exp(test.confidence_interval(0.95))
    assert (got["ci_low"], got["ci_high"]) == pytest.approx((low, high), rel=1e-12)
    assert got["ci_low"] < got["efficiency"] < got["ci_high"]


def test_the_interval_of_p_over_one_platform_is_that_of_its_efficiency():
    data = campaign(1, 6, seed=5, platforms=["p3"])
    eff = native(data)
    one = efficiency_intervals(data, eff).set_index("model").loc["kokkos"]
    p = intervals(data, eff, ["p3"]).set_index("model").loc["kokkos"]
    assert (p["ci_low"], p["ci_high"]) == pytest.approx((one["ci_low"], one["ci_high"]))


def test_times_and_rates_give_the_same_interval():
    data = campaign(1, 6, seed=5)
    eff = native(data)
    rates = data.assign(value=1 / data["value"])
    flipped = efficiency(
        cells_of(rates).assign(direction="higher", unit="1/s"),
        "native",
        dict.fromkeys(PLATFORMS, "cuda"),
    )
    one, two = intervals(data, eff, PLATFORMS), intervals(rates, flipped, PLATFORMS)
    assert one["ci_low"].tolist() == pytest.approx(two["ci_low"].tolist())


def test_more_confidence_makes_a_wider_interval():
    data = campaign(1, 6, seed=5)
    eff = native(data)
    wide, narrow = (intervals(data, eff, PLATFORMS, c).iloc[1] for c in (0.99, 0.8))
    assert wide["ci_low"] < narrow["ci_low"] < narrow["ci_high"] < wide["ci_high"]
    with pytest.raises(InputError, match="confidence"):
        intervals(data, eff, PLATFORMS, 95)


def test_native_is_one_by_definition():
    data = campaign(1, 6, seed=5)
    got = intervals(data, native(data), PLATFORMS).set_index("model").loc["cuda"]
    assert (got["ci_low"], got["P"], got["ci_high"]) == (1.0, 1.0, 1.0)
    assert "by definition" in got["ci_note"]


def test_one_block_gives_no_interval_and_says_so():
    data = campaign(1, 1, seed=5)
    eff = native(data)
    got = intervals(data, eff, PLATFORMS).set_index("model").loc["kokkos"]
    assert got["P"] > 0
    assert math.isnan(got["ci_low"])
    assert got["ci_note"] == "one block: no interval"
    cell = efficiency_intervals(data, eff).set_index("model").loc["kokkos"]
    assert set(cell["ci_note"]) == {"one block: no interval"}


def test_blocks_that_are_not_shared_with_the_reference_do_not_count():
    data = campaign(1, 4, seed=5, platforms=["p0"])
    apart = data[(data["model"] == "kokkos") == (data["block"] < 2)]
    got = efficiency_intervals(apart, native(apart)).set_index("model").loc["kokkos"]
    assert math.isnan(got["ci_low"])
    assert "no block in common" in got["ci_note"]
    partly = data[(data["model"] == "cuda") | (data["block"] > 0)]
    got = efficiency_intervals(partly, native(partly)).set_index("model").loc["kokkos"]
    assert got["ci_blocks"] == 3


def test_the_best_observed_baseline_has_no_interval_and_says_why():
    data = campaign(1, 6, seed=5)
    eff = efficiency(cells_of(data), "best")
    got = intervals(data, eff, PLATFORMS)
    assert got["ci_low"].isna().all()
    assert got["ci_note"].str.startswith("best observed").all()
    assert efficiency_intervals(data, eff)["ci_low"].isna().all()


def test_zero_and_undefined_p_have_no_interval():
    data = campaign(1, 6, seed=5)
    cells = cells_of(data)
    hit = (cells["model"] == "kokkos") & (cells["platform"] == "p1")
    for effect, note in (("zero", "P is 0"), ("undefined", "P is undefined")):
        changed = cells.assign(effect=np.where(hit, effect, cells["effect"]))
        eff = efficiency(changed, "native", dict.fromkeys(PLATFORMS, "cuda"))
        got = intervals(data, eff, PLATFORMS).set_index("model").loc["kokkos"]
        assert math.isnan(got["ci_low"])
        assert note in got["ci_note"]


def test_rows_of_p_and_of_its_interval_are_in_the_same_order():
    data = campaign(3, 4, seed=5)
    eff = native(data)
    keys = ["app", "problem", "model", "track", "fom"]
    p = performance_portability(eff, PLATFORMS)
    ci = intervals(data, eff, PLATFORMS)
    pd.testing.assert_frame_equal(p[keys], ci[keys])
    assert ci["P"].tolist() == p["P"].tolist()


def test_a_ratio_to_any_other_model_is_above_one_where_the_row_is_better():
    data = campaign(1, 6, seed=5, platforms=["p3"])
    frame = cells_of(data)
    got = ratio_intervals(data, frame, ["kokkos", "cuda"]).set_index("model")
    assert got.loc["cuda", "ratio"] == pytest.approx(1 / got.loc["kokkos", "ratio"])
    assert got.loc["cuda", "ci_low"] > 1 > got.loc["kokkos", "ci_high"]
    assert got["blocks"].tolist() == [6, 6]


def test_equal_blocks_have_no_spread_and_say_so():
    data = campaign(1, 3, seed=5, platforms=["p0"])
    data["value"] = 1.0
    got = intervals(data, native(data), ["p0"]).set_index("model").loc["kokkos"]
    assert (got["ci_low"], got["ci_high"]) == (1.0, 1.0)
    assert got["ci_note"] == "no spread between blocks"
