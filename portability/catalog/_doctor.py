"""What a machine can build and run, row by row, as ``portability doctor`` shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from portability.words import Platform, System, Toolchain

if TYPE_CHECKING:
    from portability.catalog._catalog import Catalog

__all__ = ["doctor"]


def doctor(catalog: Catalog, system: System) -> list[dict[str, Any]]:
    """A row per model and platform of ``system``, then per model and target without a device.

    Each row has ``model``, ``target``, ``platform`` (empty without a device), ``can_build``,
    ``can_run``, ``toolchain``, ``compiler``, ``version``, ``note`` and ``get`` (how to get what is
    missing).  Targets without a device are those of the catalog's systems, where they can be built.
    """
    rows = []
    here = {platform.target for platform in system.platforms}
    for platform in system.platforms:
        rows += [_row(model, platform.target, platform, system) for model in catalog.models]
    for target in _targets_elsewhere(catalog, here):
        more = [_row(model, target, None, system) for model in catalog.models]
        rows += [row for row in more if row["can_build"]]
    return rows


def _targets_elsewhere(catalog: Catalog, here: set[str]) -> list[str]:
    """Targets of the catalog's other systems, sorted."""
    names = [name for name in catalog.systems if name != "localhost"]
    platforms = [p for name in names for p in catalog.system(name).platforms]
    return sorted({platform.target for platform in platforms} - here)


def _row(model: str, target: str, platform: Platform | None, system: System) -> dict[str, Any]:
    toolchain = next((each for each in system.toolchains if each.recipe(model, target)), None)
    note = _note(toolchain, model, target)
    return {
        "model": model,
        "target": target,
        "platform": platform.name if platform else "",
        "can_build": toolchain is not None,
        "can_run": toolchain is not None and platform is not None,
        "toolchain": toolchain.name if toolchain else "",
        "compiler": toolchain.compiler if toolchain else "",
        "version": toolchain.version if toolchain else "",
        "note": note,
        "get": "" if toolchain else system.missing.get(f"{model} on {target}", ""),
    }


def _note(toolchain: Toolchain | None, model: str, target: str) -> str:
    recipe = toolchain.recipe(model, target) if toolchain else None
    return recipe.note if recipe else ""
