"""One HTML file that needs nothing else: style and figures are inside, and there is no script."""

from __future__ import annotations

from pathlib import Path

from portability.report import _render
from portability.report._page import Format, Page

__all__ = ["FORMAT", "write"]


def write(page: Page, out: Path) -> Path:
    """``out/index.html``."""
    file = out / "index.html"
    text = _render.html().get_template("report.html.j2").render(page=page)
    file.write_text(text, "utf-8")
    return file


FORMAT = Format("html", "a web page in one file", write)
