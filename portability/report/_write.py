"""Facts -> page -> files."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from portability.analysis import found
from portability.errors import UnknownNameError, WorkError
from portability.report import figures as figure_files
from portability.report import formats as format_files
from portability.report import sections as section_files
from portability.report._draw import draw_all
from portability.report._facts import Facts
from portability.report._page import Drawing, FigureKind, Format, Page, Section, SectionKind
from portability.words import Cell, Plan, System

__all__ = ["formats", "write_report"]


@functools.cache
def formats() -> dict[str, Format]:
    """Every file format, by name."""
    return found(format_files, "FORMAT", Format)


def write_report(
    workspace: Path,
    plan: Plan,
    cells: Sequence[Cell],
    records: Sequence[Mapping[str, Any]],
    system: System,
    out: Path,
    formats: Sequence[str] = ("html", "md"),
) -> list[Path]:
    """Write the report of ``plan`` into ``out`` and return the files, pages first.

    ``records`` and the logs that they name are those of ``workspace``; links to them are relative
    to ``out``.  Figures go to ``out/figures`` as SVG and PNG.  Raises :class:`UnknownNameError` for
    an unknown format and :class:`WorkError` when ``out`` cannot be written.
    """
    known = _formats()
    for name in formats:
        if name not in known:
            raise UnknownNameError("report format", name, known)
    facts = Facts.of(plan, system, cells, records, (workspace, out))
    try:
        out.mkdir(parents=True, exist_ok=True)
        kinds = found(figure_files, "FIGURE", FigureKind)
        drawings = draw_all(facts, tuple(kinds.values()), out / "figures")
        page = _page(facts, drawings)
        pages = [known[name].write(page, out) for name in dict.fromkeys(formats)]
    except OSError as error:
        where = error.filename or out
        raise WorkError(f"{where}: the report cannot be written: {error.strerror}") from error
    return pages + [file for drawing in drawings for file in drawing.files.values()]


_formats = formats


def _page(facts: Facts, drawings: tuple[Drawing, ...]) -> Page:
    kinds = sorted(
        found(section_files, "SECTION", SectionKind).values(), key=lambda k: (k.order, k.name)
    )
    sections: list[Section] = []
    for kind in kinds:
        parts = kind.parts(facts)
        if kind.name == "figures":
            parts = (*parts, *drawings)
        if parts:
            sections.append(Section(kind.name, kind.title, parts))
    study = facts.plan.study
    where = facts.system.title or facts.system.name
    return Page(
        title=study.title or study.name,
        subtitle=f"Study {study.name} on {where}",
        language="en",
        sections=tuple(sections),
    )
