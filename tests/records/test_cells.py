from __future__ import annotations

import pytest

from portability.records import cells
from portability.records.cells import decided
from portability.words import Cell, Effect, Plan
from tests import _words as w

PLAN = w.plan()


def cell(records: list, model: str = "kokkos", plan: Plan = PLAN) -> Cell:
    return next(
        c
        for c in cells(plan, records)
        if (c.experiment.model, c.experiment.platform) == (model, "site/a100")
    )


def test_every_experiment_has_a_cell_with_a_status_and_every_empty_one_a_reason():
    found = cells(PLAN, [])
    assert len(found) == len(PLAN.experiments)
    assert all(c.reason for c in found)
    assert {str(c.status) for c in found} == {"not_attempted", "excluded"}


def test_verified_runs_count_with_the_median_of_repeats_per_block():
    plan = w.plan(repeats=3)
    records = [
        w.record(plan, "kokkos", block=block, repeat=repeat, value=value)
        for block, values in enumerate([(1.0, 2.0, 9.0), (4.0, 4.0, 5.0)])
        for repeat, value in enumerate(values)
    ]
    found = cell(records, plan=plan)
    assert (found.status, found.effect, found.complete) == ("ok", Effect.COUNTS, True)
    assert found.values["rate"] == (2.0, 4.0)
    assert found.blocks == (0, 1)


def test_one_wrong_repeat_makes_the_cell_wrong_and_keeps_no_value():
    records = [
        w.record(PLAN, "kokkos", block=0),
        w.record(PLAN, "kokkos", block=1, status="wrong"),
    ]
    found = cell(records)
    assert (found.status, found.effect, found.values) == ("wrong", Effect.ZERO, {})
    assert found.reason == "because of wrong"


@pytest.mark.parametrize("status", ["run_failed", "timeout", "build_failed"])
def test_a_failure_is_zero_only_when_two_attempts_agree(status: str):
    once = [w.record(PLAN, "kokkos", status=status)]
    assert (cell(once).status, cell(once).effect) == (status, Effect.UNDEFINED)
    twice = [*once, w.record(PLAN, "kokkos", status=status, attempt=2)]
    assert (cell(twice).status, cell(twice).effect) == (status, Effect.ZERO)


def test_two_different_failures_do_not_confirm_each_other():
    records = [
        w.record(PLAN, "kokkos", status="run_failed"),
        w.record(PLAN, "kokkos", status="timeout", attempt=2),
    ]
    assert cell(records).effect is Effect.UNDEFINED


def test_a_failed_attempt_followed_by_a_verified_one_counts():
    records = [
        w.record(PLAN, "kokkos", status="run_failed"),
        w.record(PLAN, "kokkos", attempt=2),
        w.record(PLAN, "kokkos", block=1),
    ]
    assert (cell(records).status, cell(records).complete) == ("ok", True)


def test_a_run_that_fails_twice_in_one_block_decides_the_cell_although_others_were_verified():
    records = [
        w.record(PLAN, "kokkos", block=0),
        w.record(PLAN, "kokkos", block=1, status="run_failed"),
        w.record(PLAN, "kokkos", block=1, status="run_failed", attempt=2),
    ]
    assert (cell(records).status, cell(records).effect) == ("run_failed", Effect.ZERO)


@pytest.mark.parametrize("status", ["interrupted", "node_failed", "wrong_device", "unverified"])
def test_what_says_nothing_about_the_model_is_undefined(status: str):
    found = cell([w.record(PLAN, "kokkos", status=status)])
    assert (found.status, found.effect) == (status, Effect.UNDEFINED)


def test_a_half_finished_cell_counts_and_says_so():
    found = cell([w.record(PLAN, "kokkos")])
    assert (found.status, found.complete, found.reason) == ("ok", False, "1 of 2 runs")


def test_records_of_another_build_answer_another_question():
    stale = {**w.record(PLAN, "kokkos", status="wrong"), "build": "another"}
    assert cell([stale]).status == "not_attempted"


def test_an_impossible_experiment_keeps_the_plan_s_reason():
    found = cell([], model="hip")
    assert (found.status, found.reason) == ("excluded", "HIP on NVIDIA is CUDA")


def test_decided_after_an_answer_or_two_equal_failures():
    def tries(*statuses: str) -> list:
        return [{"status": status} for status in statuses]

    assert not decided([])
    assert not decided(tries("run_failed"))
    assert not decided(tries("run_failed", "timeout"))
    assert not decided(tries("interrupted", "interrupted", "interrupted"))
    assert decided(tries("run_failed", "run_failed"))
    assert decided(tries("interrupted", "ok"))
    assert decided(tries("wrong"))
