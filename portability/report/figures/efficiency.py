"""Efficiency of every model: one figure per (app, problem), a panel per platform."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from portability.report import _numbers as numbers
from portability.report._draw import FOREGROUND, Look, looks
from portability.report._facts import rows_of
from portability.report._page import FigureKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from portability.report._facts import Facts

__all__ = ["FIGURE"]

_ACROSS = 3
_LONGEST = 36
_ROOM = 1.3  # of the longest bar: the numbers stand to the right of it


def draw(facts: Facts) -> list[tuple[str, str, Figure]]:
    """A figure for each (app, problem) that has a figure of merit."""
    drawn = []
    for app, problem in facts.questions:
        fom = facts.headline(app)
        if fom is None:
            continue
        baseline = "the native model" if facts.plan.study.baseline == "native" else "the best model"
        caption = (
            f"{app}, problem {problem}: application efficiency on {fom.name}, relative to "
            f"{baseline} on each platform. Longer is better; the dashed line is {baseline}."
        )
        figure = _figure(facts, facts.on_headline(facts.eff, app, problem), f"{app} {problem}")
        drawn.append((f"{app} {problem}", caption, figure))
    return drawn


def _figure(facts: Facts, rows: pd.DataFrame, title: str) -> Figure:
    from matplotlib.figure import Figure

    platforms, models = facts.plan.platforms, facts.plan.study.models
    across = min(_ACROSS, len(platforms))
    down = math.ceil(len(platforms) / across)
    size = (max(4.5, 1.4 + 3.1 * across), 0.75 + down * (0.95 + 0.3 * len(models)))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).ravel()
    look = looks(models)
    # an interval that is wider than twice the longest bar leaves the panel
    longest = max(1.0, float(rows["efficiency"].max()))
    highest = min(float(rows[["efficiency", "ci_high"]].max().max(skipna=True)), 2 * longest)
    for panel, platform in zip(panels, platforms, strict=False):
        _panel(panel, rows[rows["platform"] == platform], models, look)
        native = facts.plan.native.get(platform, "")
        panel.set_title(f"{_short(platform)}\nnative: {_short(native or 'none')}")
        panel.set_xlim(0, _ROOM * max(1.0, 0.0 if math.isnan(highest) else highest))
    for panel in panels[len(platforms) :]:
        panel.set_visible(False)
    for panel in panels[max(0, len(platforms) - across) : len(platforms)]:
        panel.set_xlabel("application efficiency")
        panel.xaxis.label.set_visible(True)
        panel.tick_params(labelbottom=True)
    figure.suptitle(title, x=0.01, ha="left")
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, models: tuple[str, ...], look: dict[str, Look]) -> None:
    import seaborn as sns

    by_model: dict[str, dict[str, Any]] = {str(r["model"]): r for r in rows_of(rows)}
    shown = [max(0.0, _number(by_model.get(m, {}).get("efficiency"))) for m in models]
    sns.barplot(
        x=shown, y=list(models), hue=list(models), order=list(models), hue_order=list(models),
        palette={m: look[m].colour for m in models}, saturation=1, width=0.62, legend=False,
        errorbar=None, ax=axes,
    )  # fmt: skip
    axes.axvline(1, color=FOREGROUND, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    axes.set(xlabel="", ylabel="")
    for place, (model, value) in enumerate(zip(models, shown, strict=True)):
        row = by_model.get(model)
        if row is None or not value:
            axes.annotate(_why(row), (0, place), xytext=(4, 0), textcoords="offset points",
                          va="center", style="italic")  # fmt: skip
            continue
        low, high = _number(row.get("ci_low")), _number(row.get("ci_high"))
        if 0 < low < high:
            axes.plot([low, high], [place, place], color=FOREGROUND, linewidth=1.2)
        axes.plot(value, place, look[model].marker, color=look[model].colour, markersize=6.5,
                  markeredgecolor=FOREGROUND, markeredgewidth=0.7)  # fmt: skip
        axes.annotate(numbers.efficiency(value), (1, place), xycoords=("axes fraction", "data"),
                      ha="right", va="center")  # fmt: skip


def _why(row: dict[str, Any] | None) -> str:
    """What stands where no bar can."""
    if row is None:
        return "not in the results"
    status = str(row["status"]).replace("_", " ")
    return "no baseline" if row["effect"] == "counts" else status


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _number(value: Any) -> float:
    """0 for nothing, so that it can be drawn."""
    return 0.0 if value is None or math.isnan(value) else float(value)


FIGURE = FigureKind("efficiency", draw)
