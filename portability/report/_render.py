"""The Jinja2 environments of the formats."""

from __future__ import annotations

import re
from typing import Any

import jinja2
from markupsafe import Markup

from portability.catalog import data_folder

__all__ = ["escape_markdown", "html", "markdown"]

_BLANKS = re.compile(r"[ \t\r\n\f\v\x85\u2028\u2029]+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]#~|])")


def html() -> jinja2.Environment:
    """Everything is escaped; what a template does not know is an error."""
    return jinja2.Environment(
        loader=_loader(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def markdown() -> jinja2.Environment:
    """Every expression is escaped for Markdown, unless it says ``|safe``."""
    return jinja2.Environment(
        loader=_loader(),
        autoescape=False,  # noqa: S701  (finalize escapes, for Markdown)
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def escape_markdown(text: str) -> str:
    """``text`` as itself in Markdown, in one line: no markup, no table cell's end, no HTML."""
    plain = (
        _BLANKS.sub(" ", text.strip())
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
    )
    return _SPECIAL.sub(r"\\\1", plain)


def _finalize(value: Any) -> str:
    return str(value) if isinstance(value, Markup) else escape_markdown(str(value))


def _loader() -> jinja2.BaseLoader:
    return jinja2.FileSystemLoader(data_folder("analysis") / "templates")
