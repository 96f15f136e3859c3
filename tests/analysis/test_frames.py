from __future__ import annotations

import math

import pytest

from portability.analysis import blocks_frame, cells_frame, efficiency
from portability.errors import InputError
from portability.words import Cell, Effect, Experiment, Fom, Status

FOMS = {"stream": (Fom("triad", "B/s", "higher"), Fom("total", "s", "lower", headline=True))}


def cell(model: str = "cuda", app: str = "stream", **fields) -> Cell:
    experiment = Experiment(
        f"id-{model}", app, model, "small", "here/gpu", "default", "nvidia/sm_90"
    )
    common = {"status": Status.OK, "reason": "", "effect": Effect.COUNTS}
    return Cell(experiment, **(common | fields))


def test_a_cell_has_one_row_per_figure_and_the_geometric_mean_over_blocks():
    measured = cell(values={"triad": (1.0, 4.0), "total": (3.0, 3.0)}, blocks=(0, 1), complete=True)
    frame = cells_frame([measured], FOMS)
    assert frame["fom"].tolist() == ["triad", "total"]
    assert frame["value"].tolist() == pytest.approx([2.0, 3.0])
    assert frame["direction"].tolist() == ["higher", "lower"]
    assert frame["headline"].tolist() == [False, True]
    assert frame["complete"].tolist() == [True, True]
    blocks = blocks_frame([measured], FOMS)
    assert blocks["block"].tolist() == [0, 1, 0, 1]
    assert blocks["value"].tolist() == [1.0, 4.0, 3.0, 3.0]


def test_a_wrong_answer_has_no_value_even_where_times_were_recorded():
    wrong = cell(
        status=Status.WRONG, effect=Effect.ZERO, reason="sum", values={"total": (1.0,)}, blocks=(0,)
    )
    frame = cells_frame([wrong], FOMS)
    assert all(math.isnan(v) for v in frame["value"])
    assert set(frame["status"]) == {"wrong"}
    assert blocks_frame([wrong], FOMS).empty


def test_an_app_without_figures_of_merit_has_no_rows():
    unknown = cell(app="later", status=Status.UNSUPPORTED, effect=Effect.ZERO, reason="not yet")
    frame = cells_frame([unknown], FOMS)
    assert frame.empty
    assert efficiency(frame, "native", {}).empty


def test_a_figure_that_a_verified_cell_lacks_is_an_error_and_named():
    frame = cells_frame([cell(values={"total": (1.0,)}, blocks=(0,))], FOMS)
    with pytest.raises(InputError, match=r"cuda on here/gpu .default, triad"):
        efficiency(frame, "best")


@pytest.mark.parametrize("value", [0.0, -2.0, math.inf])
def test_an_impossible_value_reaches_the_error_as_it_was(value):
    frame = cells_frame([cell(values={"total": (1.0, value), "triad": (1.0,)})], FOMS)
    with pytest.raises(InputError, match=str(value)):
        efficiency(frame, "best")
