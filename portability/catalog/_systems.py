"""Systems: ``spack_envs/systems/<system>/system.yaml`` to words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from portability.catalog._schema import check
from portability.catalog._yaml import Document, read
from portability.errors import InputError, UnknownNameError
from portability.words import Platform, Prologue, Recipe, System, Toolchain

__all__ = ["load_system"]


def load_system(file: Path, models: Collection[str]) -> System:
    """The system of ``file``; its platforms are named ``system/device``."""
    document = read(file)
    check(document, "system")
    data = document.data
    name = data["name"]
    if name != file.parent.name:
        raise InputError(
            f"{document.where('name')}: the system is called {name!r} and its folder "
            f"{file.parent.name!r}, expected the same name; rename one"
        )
    _check_unique(document, "platforms")
    _check_unique(document, "toolchains")
    facts: dict[str, Any] = {key: data[key] for key in ("devices_per_node", "notes") if key in data}
    return System(
        name=name,
        title=data["title"],
        scheduler=data["scheduler"],
        platforms=tuple(_platform(document, index) for index in range(len(data["platforms"]))),
        toolchains=tuple(
            _toolchain(document, index, models) for index in range(len(data["toolchains"]))
        ),
        launcher=tuple(data.get("launcher", ())),
        nodes=data.get("nodes", 1),
        retired=data.get("retired", False),
        source=tuple(data["source"]),
        facts=facts,
    )


def _check_unique(document: Document, key: str) -> None:
    names = [entry["name"] for entry in document.data[key]]
    for index, name in enumerate(names):
        if name in names[:index]:
            where = document.where(key, index)
            raise InputError(f"{where}: {name!r} again in {key}, expected each name once")


def _platform(document: Document, index: int) -> Platform:
    data: Mapping[str, Any] = document.data["platforms"][index]
    vendor, target = data["vendor"], data["target"]
    if target.partition("/")[0] != vendor:
        where = document.where("platforms", index, "target")
        raise InputError(f"{where}: target {target!r} of vendor {vendor!r}, expected the same one")
    return Platform(
        name=f"{document.data['name']}/{data['name']}",
        title=data["title"],
        vendor=vendor,
        target=target,
        memory_bytes=data["memory_bytes"],
        ceilings=data.get("ceilings", {}),
    )


def _toolchain(document: Document, index: int, models: Collection[str]) -> Toolchain:
    data: Mapping[str, Any] = document.data["toolchains"][index]
    for place, recipe in enumerate(data["recipes"]):
        if recipe["model"] not in models:
            where = document.where("toolchains", index, "recipes", place, "model")
            raise UnknownNameError("model", recipe["model"], models, where)
    return Toolchain(
        name=data["name"],
        compiler=data["compiler"],
        version=data["version"],
        recipes=tuple(
            Recipe(
                model=recipe["model"],
                targets=tuple(recipe["targets"]),
                cmake=recipe.get("cmake", {}),
                note=recipe.get("note", ""),
            )
            for recipe in data["recipes"]
        ),
        cmake=data.get("cmake", {}),
        prologue=Prologue(
            modules=tuple(data.get("modules", ())), environment=data.get("environment", {})
        ),
    )
