"""What a page is made of, whatever it is written as."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from portability.report._facts import Facts

__all__ = [
    "Bullets", "Drawing", "FigureKind", "Format", "Item", "Note", "Page", "Part", "Section",
    "SectionKind", "Table",
]  # fmt: skip


@dataclass(frozen=True)
class Item:
    """The content of a table cell.

    ``link`` is a URL relative to the report's folder; ``note`` is smaller text below; ``kind`` is
    how it counts (``counts``, ``zero``, ``undefined`` or nothing); ``more`` are further links.
    """

    text: str
    link: str = ""
    note: str = ""
    kind: str = ""
    more: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Table:
    """``heads`` of each row's items are row headers."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Item, ...], ...]
    heads: int = 1
    folded: bool = False
    part: ClassVar[str] = "table"


@dataclass(frozen=True)
class Note:
    """A paragraph."""

    text: str
    part: ClassVar[str] = "note"


@dataclass(frozen=True)
class Bullets:
    """A list, with a title."""

    title: str
    items: tuple[str, ...]
    part: ClassVar[str] = "bullets"


@dataclass(frozen=True)
class Drawing:
    """A figure that was drawn: ``files`` maps suffix to file, ``svg`` can stand in a page."""

    name: str
    caption: str
    svg: str = field(repr=False)
    files: dict[str, Path]
    part: ClassVar[str] = "drawing"


Part: TypeAlias = Table | Note | Bullets | Drawing


@dataclass(frozen=True)
class Section:
    id: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Page:
    title: str
    subtitle: str
    language: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class SectionKind:
    """A section of the report: ``parts`` makes its content (none: it is left out)."""

    name: str
    title: str
    order: int
    parts: Callable[[Facts], tuple[Part, ...]]


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure: ``draw`` gives (what it is of, caption, figure) for each that it draws."""

    name: str
    draw: Callable[[Facts], list[tuple[str, str, Figure]]]


@dataclass(frozen=True)
class Format:
    """A file format: ``write`` puts the page into the folder and returns the file."""

    name: str
    title: str
    write: Callable[[Page, Path], Path]
