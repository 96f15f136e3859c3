"""Plan + records -> cells.  Only this decides what became of a cell."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from portability.words import Cell, Effect, Experiment, Plan, Status

__all__ = ["CONFIRMED_AFTER", "cells", "decided", "effect_of"]

Record = Mapping[str, Any]

# How often a failure must repeat before it says something about the model.
CONFIRMED_AFTER = 2

_FAILURES = (Status.BUILD_FAILED, Status.RUN_FAILED, Status.TIMEOUT)
_EFFECTS = {
    Status.OK: Effect.COUNTS,
    Status.WRONG: Effect.ZERO,
    Status.UNSUPPORTED: Effect.ZERO,
}


def effect_of(status: Status, attempts: int = CONFIRMED_AFTER) -> Effect:
    """What ``status``, seen in ``attempts`` attempts, does to efficiency and P."""
    if status in _FAILURES:
        return Effect.ZERO if attempts >= CONFIRMED_AFTER else Effect.UNDEFINED
    return _EFFECTS.get(status, Effect.UNDEFINED)


def decided(attempts: Sequence[Record]) -> bool:
    """Whether more attempts at one run are of no use: it is verified, wrong, or failed twice."""
    counts: dict[str, int] = defaultdict(int)
    for record in attempts:
        counts[record["status"]] += 1
    if any(counts[s] for s in (Status.OK, Status.WRONG, Status.UNVERIFIED, Status.WRONG_DEVICE)):
        return True
    return any(counts[s] >= CONFIRMED_AFTER for s in _FAILURES)


def cells(plan: Plan, records: Iterable[Record]) -> list[Cell]:
    """One cell per experiment of the plan, in the plan's order.

    Records of other experiments, and of other builds than the plan asks for, are left out: they
    answer another question.
    """
    found: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        found[record["experiment"], record["build"]].append(record)
    return [_cell(plan, e, found.get((e.id, e.build), [])) for e in plan.experiments]


def _cell(plan: Plan, experiment: Experiment, records: list[Record]) -> Cell:
    if not experiment.possible:
        status = Status(experiment.status)
        return Cell(experiment, status, experiment.reason, effect_of(status))
    if not records:
        where = "" if experiment.platform in plan.here else f" (runs on {experiment.platform})"
        return Cell(experiment, Status.NOT_ATTEMPTED, f"no run recorded{where}", Effect.UNDEFINED)
    ids = tuple(record["run"] for record in records)
    wrong = [r for r in records if r["status"] == Status.WRONG]
    if wrong:
        return Cell(experiment, Status.WRONG, _told(wrong), Effect.ZERO, runs=ids)
    slots: dict[tuple[int, int], list[Record]] = defaultdict(list)
    for record in sorted(records, key=lambda r: (r["block"], r["repeat"], r["attempt"])):
        slots[record["block"], record["repeat"]].append(record)
    good = {
        slot: next(r for r in tries if r["status"] == Status.OK)
        for slot, tries in slots.items()
        if any(r["status"] == Status.OK for r in tries)
    }
    bad = [slots[slot] for slot in slots if slot not in good]
    failure = _failure(bad, only=not good)
    if failure is not None:
        status, reason, effect = failure
        return Cell(experiment, status, reason, effect, runs=ids)
    blocks, values = _values(good)
    planned = plan.study.blocks * plan.study.repeats
    missing = planned - len(good)
    reason = f"{len(good)} of {planned} runs" if missing else ""
    return Cell(
        experiment, Status.OK, reason, Effect.COUNTS, values, blocks, ids, complete=missing <= 0
    )


def _failure(bad: list[list[Record]], *, only: bool) -> tuple[Status, str, Effect] | None:
    """The failure that decides the cell: a confirmed one, or any where nothing was verified."""
    confirmed: list[tuple[Status, str, Effect]] = []
    single: list[tuple[Status, str, Effect]] = []
    for tries in bad:
        last = tries[-1]
        status = Status(last["status"])
        same = [r for r in tries if r["status"] == status]
        effect = effect_of(status, len(same))
        told = (status, _told(same), effect)
        (confirmed if effect is Effect.ZERO else single).append(told)
    if confirmed:
        return confirmed[0]
    return single[0] if single and only else None


def _told(records: Sequence[Record]) -> str:
    reason = str(records[-1].get("reason", ""))
    return f"{reason} (x{len(records)})" if len(records) > 1 else reason


def _values(
    good: Mapping[tuple[int, int], Record],
) -> tuple[tuple[int, ...], dict[str, tuple[float, ...]]]:
    """Per figure of merit one value a block: the median over the block's repeats."""
    by_block: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for (block, _), record in sorted(good.items()):
        for fom in record["foms"]:
            by_block[block][fom["name"]].append(float(fom["value"]))
    blocks = tuple(sorted(by_block))
    names = sorted({name for values in by_block.values() for name in values})
    return blocks, {
        name: tuple(statistics.median(by_block[block][name]) for block in blocks) for name in names
    }
