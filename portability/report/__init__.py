"""The report of a study: the answer in words, tables, figures, pages.

``sections/``, ``figures/`` and ``formats/`` hold one file each per section of the page, per figure
and per file format; a new one is a new file.  Every number on a page comes from the cells or the
records that it is given, and links to the raw output of its run.
"""

from __future__ import annotations

from portability.report._write import formats, write_report

__all__ = ["formats", "write_report"]
