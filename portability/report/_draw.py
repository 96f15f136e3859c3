"""Figures -> SVG and PNG files, and SVG that can stand inside a page."""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from portability.catalog import data_folder
from portability.report._page import Drawing, FigureKind

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from portability.report._facts import Facts

__all__ = ["Look", "draw_all", "embeddable", "looks"]

# Text and axes have this colour in style.mplstyle; inside a page it becomes the page's own.
FOREGROUND = "#1b1f24"
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"


@dataclass(frozen=True)
class Look:
    """A model's colour and marker, the same in every figure."""

    colour: str
    marker: str


def looks(models: Sequence[str]) -> dict[str, Look]:
    """The look of each model: from ``models.json``, else one of the spare ones by its name."""
    data = json.loads((data_folder("analysis") / "models.json").read_text("utf-8"))
    spare = [Look(**look) for look in data["spare"]]
    return {
        model: Look(**data["models"][model])
        if model in data["models"]
        else spare[zlib.crc32(model.encode()) % len(spare)]
        for model in models
    }


def draw_all(facts: Facts, kinds: Sequence[FigureKind], folder: Path) -> tuple[Drawing, ...]:
    """Draw every figure of every kind into ``folder``, each as SVG and PNG."""
    import matplotlib as mpl

    drawings: dict[str, Drawing] = {}
    style = data_folder("analysis") / "style.mplstyle"
    with mpl.rc_context(fname=style):
        for kind in kinds:
            for of, caption, figure in kind.draw(facts):
                name = _free(f"{kind.name}-{_slug(of)}".strip("-"), drawings)
                drawings[name] = _save(figure, name, caption, folder)
    return tuple(drawings.values())


def _save(figure: Figure, name: str, caption: str, folder: Path) -> Drawing:
    folder.mkdir(parents=True, exist_ok=True)
    files = {suffix: folder / f"{name}.{suffix}" for suffix in ("svg", "png")}
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Title": caption})
    svg = buffer.getvalue()
    files["svg"].write_text(svg, "utf-8")
    figure.savefig(files["png"], format="png", facecolor="white", metadata={"Software": None})
    return Drawing(name, caption, embeddable(svg, name, caption), files)


def embeddable(svg: str, name: str, caption: str) -> str:
    """SVG to stand inside a page: ids made unique by ``name``, text in the page's colour, a label.

    ``svg`` is what matplotlib wrote; nothing of it but elements, attributes and text is kept.
    """
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    root = ElementTree.fromstring(svg)  # noqa: S314  (our own)
    width = root.get("width", "").removesuffix("pt")
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, f"{name}-{value}")
            elif key == f"{{{_XLINK}}}href":
                element.set(key, value.replace("#", f"#{name}-", 1))
            else:
                value = re.sub(r"url\(#", f"url(#{name}-", value)
                element.set(key, value.replace(FOREGROUND, "currentColor"))
    for key in ("width", "height"):
        root.attrib.pop(key, None)
    if width:  # as drawn, a little smaller where there is no room, never too small to read
        root.set("style", f"width: {width}pt; min-width: {0.78 * float(width):.0f}pt")
    root.set("role", "img")
    root.set("aria-label", caption)
    return ElementTree.tostring(root, encoding="unicode")


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:80]


def _free(name: str, taken: dict[str, Drawing]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free
