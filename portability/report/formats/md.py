"""Markdown with pipe tables, as code hosting sites show it."""

from __future__ import annotations

from pathlib import Path

from portability.report import _render
from portability.report._page import Format, Page

__all__ = ["FORMAT", "write"]


def write(page: Page, out: Path) -> Path:
    """``out/report.md``."""
    file = out / "report.md"
    text = _render.markdown().get_template("report.md.j2").render(page=page)
    file.write_text(text, "utf-8")
    return file


FORMAT = Format("md", "Markdown", write)
