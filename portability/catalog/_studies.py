"""Studies: ``experiments/studies/<study>.yaml`` to words, with every name in them checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portability.catalog._schema import check
from portability.catalog._yaml import Document, read
from portability.errors import InputError, UnknownNameError
from portability.words import Exclusion, Study

if TYPE_CHECKING:
    from portability.catalog._catalog import Catalog

__all__ = ["load_study"]

_OPTIONAL = ("baseline", "blocks", "repeats", "track", "seed")


def load_study(file: Path, catalog: Catalog) -> Study:
    """The study of ``file``; names in it must be known to ``catalog``.

    An app that does not exist yet is allowed where the study also lists it under ``planned``.
    """
    document = read(file)
    check(document, "study")
    data = document.data
    if data["name"] != file.stem:
        raise InputError(
            f"{document.where('name')}: the study is called {data['name']!r} and its file "
            f"{file.name!r}, expected the same name; rename one"
        )
    apps = _apps(document, catalog)
    models = _names(document, "models", "model", catalog.models)
    _check_problems(document, apps, catalog)
    _check_platforms(document, catalog)
    for model in data.get("toolchains", {}):
        _check(document, ("toolchains", model), "model", model, catalog.models)
    return Study(
        name=data["name"],
        title=data["title"],
        apps=apps,
        models=models,
        problems=tuple(data["problems"]),
        platforms=tuple(data.get("platforms", ())),
        timeout=float(data.get("timeout", Study.timeout)),
        exclusions=_exclusions(document, (*apps, *catalog.apps), catalog),
        toolchains=data.get("toolchains", {}),
        **{key: data[key] for key in _OPTIONAL if key in data},
    )


def _apps(document: Document, catalog: Catalog) -> tuple[str, ...]:
    data = document.data
    planned = data.get("planned", [])
    if data["apps"] == "all":
        if planned:
            where = document.where("planned")
            raise InputError(f"{where}: 'planned' with 'apps: all', expected a list of apps there")
        return tuple(catalog.apps)
    for index, name in enumerate(planned):
        if name not in data["apps"]:
            _check(document, ("planned", index), "app of this study", name, data["apps"])
    return _names(document, "apps", "app", (*catalog.apps, *planned))


def _names(document: Document, key: str, kind: str, known: Iterable[str]) -> tuple[str, ...]:
    """The list at ``key`` with every name checked; ``all`` stands for every known one."""
    known = tuple(known)
    if document.data[key] == "all":
        return known
    for index, name in enumerate(document.data[key]):
        _check(document, (key, index), kind, name, known)
    return tuple(document.data[key])


def _check(
    document: Document, key: tuple[str | int, ...], kind: str, name: str, known: Iterable[str]
) -> None:
    known = tuple(known)
    if name not in known:
        raise UnknownNameError(kind, name, known, document.where(*key))


def _check_problems(document: Document, apps: Iterable[str], catalog: Catalog) -> None:
    """Each problem must be one that at least one app of the study has."""
    known = {
        problem for app in apps if app in catalog.apps for problem in catalog.app(app).problems
    }
    for index, name in enumerate(document.data["problems"] if known else ()):
        _check(document, ("problems", index), "problem", name, known)


def _check_platforms(document: Document, catalog: Catalog) -> None:
    """Each platform must exist; those of this machine are only known once it is probed."""
    for index, name in enumerate(document.data.get("platforms", ())):
        system = name.partition("/")[0]
        _check(document, ("platforms", index), "system", system, catalog.systems)
        if system != "localhost":
            known = [platform.name for platform in catalog.system(system).platforms]
            _check(document, ("platforms", index), "platform", name, known)


def _exclusions(document: Document, apps: Iterable[str], catalog: Catalog) -> tuple[Exclusion, ...]:
    rules: list[Mapping[str, Any]] = document.data.get("exclude", [])
    apps = tuple(apps)
    for index, rule in enumerate(rules):
        for place, model in enumerate(rule["models"]):
            _check(document, ("exclude", index, "models", place), "model", model, catalog.models)
        for place, app in enumerate(rule.get("apps", ())):
            _check(document, ("exclude", index, "apps", place), "app", app, apps)
    return tuple(
        Exclusion(
            models=tuple(rule["models"]),
            vendors=tuple(rule["vendors"]),
            reason=rule["reason"],
            apps=tuple(rule.get("apps", ())),
        )
        for rule in rules
    )
