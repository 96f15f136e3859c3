"""The answer in words, made from the numbers and saying no more than they do."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from portability.analysis import ratio_intervals
from portability.report import _numbers as numbers
from portability.report._facts import CONFIDENCE, Facts, rows_of
from portability.report._page import Bullets, Note, Part, SectionKind
from portability.words import STATUSES, Effect, Fom, Status

__all__ = ["SECTION"]

_FEW_DEVICES = 3


def parts(facts: Facts) -> tuple[Part, ...]:
    """What was asked, what came of it, and who is ahead where."""
    told: list[Part] = [Note(_asked(facts)), Note(_counts(facts))]
    if any(cell.effect is Effect.COUNTS for cell in facts.cells):
        told.append(Note(_reading(facts)))
    for app, problem in facts.questions:
        fom = facts.headline(app)
        if fom is None:
            reasons = sorted({c.reason or str(c.status) for c in facts.cells_of(app, problem)})
            told.append(Bullets(f"{app}, {problem}", (f"No result: {'; '.join(reasons)}.",)))
            continue
        lines = [*_standings(facts, app, problem, fom), *_portability(facts, app, problem)]
        better = f"{fom.name}, {fom.direction} is better"
        told.append(Bullets(f"{app}, {problem} ({better})", tuple(lines)))
    return tuple(told)


def _asked(facts: Facts) -> str:
    plan = facts.plan
    count = len(plan.platforms)
    names = ", ".join(plan.platforms)
    text = f"H, the declared set of platforms, is {names} (|H| = {count})."
    if count == 1:
        text += (
            " With one platform, P is just the efficiency there: it says nothing about "
            "portability to other platforms."
        )
    absent = [name for name in plan.platforms if name not in plan.here]
    if absent and plan.here:
        text += f" Runs of this workspace are on {', '.join(plan.here)}."
    return text


def _counts(facts: Facts) -> str:
    counts = Counter(cell.status for cell in facts.cells)
    total = len(facts.cells)
    if not total:
        return "The study has no cells: nothing was asked."
    listed = [f"{counts[s]} {_label(s)} ({STATUSES[s]})" for s in Status if counts[s]]
    text = f"{total} cell{'s' if total > 1 else ''} (app, problem, model, platform): "
    text += "; ".join(listed) + "."
    partial = sum(c.effect is Effect.COUNTS and not c.complete for c in facts.cells)
    if partial:
        text += f" {partial} of the verified cells lack some of their runs."
    if not counts[Status.OK]:
        text += " No cell has a verified answer, so nothing can be said about performance."
    return text


def _reading(facts: Facts) -> str:
    percent = f"{100 * CONFIDENCE:.0f} %"
    text = (
        f"Differences are between the same blocks, with {percent} intervals; models whose interval "
        "reaches the leader are not told apart. The intervals are not corrected for picking the "
        "leader among several models."
    )
    few = [p for p in facts.plan.platforms if 0 < len(facts.devices(p)) < _FEW_DEVICES]
    if few:
        where = "each platform" if len(few) == len(facts.plan.platforms) > 1 else ", ".join(few)
        text += (
            f" Fewer than three devices were measured on {where}: results are about this device, "
            "not about every device of its type."
        )
    return text


def _standings(facts: Facts, app: str, problem: str, fom: Fom) -> list[str]:
    """One sentence per platform of H."""
    rows = facts.on_headline(facts.eff, app, problem)
    lines = []
    for platform in facts.plan.platforms:
        here = rows[(rows["platform"] == platform) & (rows["effect"] == Effect.COUNTS)]
        here = here.sort_values("value", ascending=fom.direction == "lower", kind="stable")
        if here.empty:
            lines.append(f"On {platform} no model has a verified result.")
        else:
            lines.append(f"On {platform} {_standing(facts, here, fom)}")
    return lines


def _standing(facts: Facts, rows: pd.DataFrame, fom: Fom) -> str:
    """Who is ahead among ``rows`` (verified, best first), and by how much."""
    first = rows.iloc[0]
    leader, value = str(first["model"]), numbers.quantity(float(first["value"]), fom.unit)
    if len(rows) == 1:
        return f"only {leader} has a verified result: {value}."
    behind = ratio_intervals(facts.blocks, rows.iloc[1:], [leader] * (len(rows) - 1), CONFIDENCE)
    others = rows_of(behind)
    for other, number in zip(others, rows["value"].iloc[1:], strict=True):
        ratio = float(first["value"]) / float(number)
        other["lead"] = (ratio if fom.direction == "higher" else 1 / ratio) - 1
    if all(math.isnan(o["ci_low"]) for o in others):
        return (
            f"{leader} has the best value, {value}; next is {others[0]['model']}, "
            f"{_behind(others[0])} ({others[0]['ci_note']}, so the order may be noise)."
        )
    near = [o for o in others if not o["ci_high"] < 1]
    far = [o for o in others if o["ci_high"] < 1]
    after = f" Next is {far[0]['model']}, {_behind(far[0])}." if far else ""
    if near:
        names = _listed([f"{o['model']} ({_amount(o['lead'])} behind)" for o in near])
        return (
            f"no leader can be told: {leader} has the best value, {value}; the spread of "
            f"{int(near[0]['blocks'])} blocks does not resolve it from {names}.{after}"
        )
    return f"{leader} is ahead with {value}.{after}"


def _behind(other: dict[str, Any]) -> str:
    """By how much the leader's performance is above this one's, with its interval."""
    low, high, lead = other["ci_low"], other["ci_high"], other["lead"]
    if math.isnan(low):
        return f"{_amount(lead)} behind"
    if lead >= 1:
        bounds = f"{1 / high:.3g} to {1 / low:.3g}"
    else:
        bounds = numbers.span(1 / high - 1, 1 / low - 1)
    return f"{_amount(lead)} behind ({bounds}, {int(other['blocks'])} blocks)"


def _amount(lead: float) -> str:
    """A percentage, or a factor from 2 on."""
    return f"a factor of {1 + lead:.3g}" if lead >= 1 else numbers.percent(lead)


def _portability(facts: Facts, app: str, problem: str) -> list[str]:
    """P over H, when H has more than one platform."""
    if len(facts.plan.platforms) == 1:
        return []
    rows = facts.on_headline(facts.p, app, problem)
    value = rows["P"].to_numpy(np.float64)
    positive = rows[value > 0].sort_values("P", ascending=False, kind="stable")
    told = [
        " ".join(filter(None, (str(r["model"]), numbers.efficiency(r["P"]),
                               numbers.interval(r["ci_low"], r["ci_high"]))))
        for r in rows_of(positive)
    ]  # fmt: skip
    zero = [str(model) for model in rows["model"][value == 0]]
    unknown = [str(model) for model in rows["model"][np.isnan(value)]]
    if zero:
        told.append(
            f"0 for {_listed(zero)}, which {'do' if len(zero) > 1 else 'does'} not work on all of H"
        )
    if unknown:
        told.append(
            f"undefined for {_listed(unknown)}, which lack{'' if len(unknown) > 1 else 's'} results"
        )
    return [f"P over H: {'; '.join(told)}."] if told else []


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _label(status: Status) -> str:
    return str(status).replace("_", " ")


SECTION = SectionKind("answer", "The answer", 10, parts)
