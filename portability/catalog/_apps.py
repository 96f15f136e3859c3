"""Apps and programming models: the files of ``proxyapps/`` to words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from portability.catalog._schema import check
from portability.catalog._yaml import Document, read, shown
from portability.errors import InputError, UnknownNameError
from portability.words import App, Fom, Kernel, Model, Problem

__all__ = ["load_app", "load_model"]

_SOURCES = (".cpp", ".cu", ".cc", ".cxx", ".hip")
_TITLE = re.compile(r"#+ *([^:]{1,40}): +(\S.*)")
_NATIVE = re.compile(r"#+ *native-on: +([a-z]+(?:[ ,]+[a-z]+)*) *")
_VENDORS = ("nvidia", "amd", "intel", "cpu")


def load_app(folder: Path, models: Collection[str]) -> App:
    """The app of ``folder`` (``app.yaml``, ``problems.json``, one source file per model)."""
    document = read(folder / "app.yaml")
    check(document, "app")
    data = document.data
    if data["name"] != folder.name:
        raise InputError(
            f"{document.where('name')}: the app is called {data['name']!r} and its folder "
            f"{folder.name!r}, expected the same name; rename one"
        )
    _check_unique(document, "kernels")
    _check_unique(document, "foms")
    _check_headline(document)
    kernels = tuple(Kernel(**kernel) for kernel in data["kernels"])
    return App(
        name=data["name"],
        title=data["title"],
        version=data["version"],
        summary=data["summary"],
        kernels=kernels,
        foms=tuple(Fom(**fom) for fom in data["foms"]),
        models=_models(document, folder, models),
        problems=_problems(folder),
        folder=folder,
    )


def _check_unique(document: Document, key: str) -> None:
    seen: dict[str, int] = {}
    for index, entry in enumerate(document.data[key]):
        if entry["name"] in seen:
            where = document.where(key, index)
            raise InputError(f"{where}: {entry['name']!r} again in {key}, expected each name once")
        seen[entry["name"]] = index


def _check_headline(document: Document) -> None:
    headlines = [i for i, fom in enumerate(document.data["foms"]) if fom.get("headline")]
    if len(headlines) != 1:
        where = document.where("foms", *headlines[1:2])
        raise InputError(
            f"{where}: {len(headlines)} foms with 'headline: true', expected exactly one"
        )


def _models(document: Document, folder: Path, models: Collection[str]) -> Mapping[str, str]:
    """Each model with a source file in ``folder``, with the note that ``app.yaml`` has on it."""
    stems = [file.stem.split("_") for file in folder.iterdir() if file.suffix in _SOURCES]
    present = {word for stem in stems for word in stem}
    notes: dict[str, str] = document.data.get("models", {})
    for model in notes:
        where = document.where("models", model)
        if model not in models:
            raise UnknownNameError("model", model, models, where)
        if model not in present:
            raise InputError(
                f"{where}: a note on {model}, but no source file of {shown(folder)} is named "
                f"after it; add {model}.cpp or remove the note"
            )
    return {model: notes.get(model, "") for model in models if model in present}


def _problems(folder: Path) -> Mapping[str, Problem]:
    document = read(folder / "problems.json")
    check(document, "problems")
    problems: dict[str, dict[str, Any]] = document.data["problems"]
    return {
        name: Problem(app=folder.name, name=name, **problem) for name, problem in problems.items()
    }


def load_model(file: Path) -> Model:
    """The model of ``proxyapps/cmake/models/<model>.cmake``.

    Its first line is ``# <Title>: <one sentence>``; one of the comment lines right below may be
    ``# native-on: <vendors>``.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{shown(file)}: cannot be read as text ({error})") from None
    title = _TITLE.fullmatch(lines[0].rstrip()) if lines else None
    if title is None:
        raise InputError(f"{shown(file)}:1: expected '# <Title>: <one sentence>' as the first line")
    native: tuple[str, ...] = ()
    for number, line in enumerate(lines[1:], start=2):
        if not line.startswith("#"):
            break
        if found := _NATIVE.fullmatch(line):
            native = tuple(re.split(r"[ ,]+", found[1]))
            for vendor in native:
                if vendor not in _VENDORS:
                    where = f"{shown(file)}:{number}"
                    raise UnknownNameError("vendor", vendor, _VENDORS, where)
    return Model(name=file.stem, title=title[1].strip(), summary=title[2], native_on=native)
