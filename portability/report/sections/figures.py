"""The figures; what is drawn is in ``portability.report.figures``."""

from __future__ import annotations

from portability.report._facts import Facts
from portability.report._page import Note, Part, SectionKind

__all__ = ["SECTION"]


def parts(facts: Facts) -> tuple[Part, ...]:
    """How to read them; the drawings follow."""
    if not facts.plan.foms:
        return ()
    return (
        Note(
            "A model has the same colour and marker everywhere. Where a bar is missing, the reason "
            "stands in its place. Lines through a bar's end are intervals."
        ),
    )


SECTION = SectionKind("figures", "Figures", 30, parts)
