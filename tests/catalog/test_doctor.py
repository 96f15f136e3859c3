"""The rows of ``portability doctor``."""

from __future__ import annotations

from portability.catalog import Catalog, doctor
from portability.words import Platform, Recipe, System, Toolchain


def _system() -> System:
    return System(
        name="localhost",
        title="this machine",
        scheduler="none",
        platforms=(Platform("localhost/cpu", "CPU", "cpu", "cpu", 1),),
        toolchains=(
            Toolchain("first", "gcc", "12", (Recipe("openmp", ("cpu",), note="fast"),)),
            Toolchain("second", "nvcc", "13", (Recipe("cuda", ("nvidia/sm_80", "nvidia/sm_121")),)),
            Toolchain("third", "clang", "19", (Recipe("openmp", ("cpu",)),)),
        ),
        missing={"kokkos on cpu": "install Kokkos"},
    )


def test_a_row_per_model_and_platform_with_the_default_toolchain(catalog: Catalog) -> None:
    rows = [row for row in doctor(catalog, _system()) if row["platform"]]
    assert [row["model"] for row in rows] == ["cuda", "hip", "kokkos", "openmp"]
    assert rows[3] == {
        "model": "openmp",
        "target": "cpu",
        "platform": "localhost/cpu",
        "can_build": True,
        "can_run": True,
        "toolchain": "first",
        "compiler": "gcc",
        "version": "12",
        "note": "fast",
        "get": "",
    }
    assert rows[2]["can_build"] is False
    assert rows[2]["get"] == "install Kokkos"


def test_what_compiles_without_a_device_is_listed_for_the_catalogs_targets(
    catalog: Catalog,
) -> None:
    rows = [row for row in doctor(catalog, _system()) if not row["platform"]]
    assert [(row["model"], row["target"]) for row in rows] == [("cuda", "nvidia/sm_80")]
    assert rows[0]["can_build"] is True
    assert rows[0]["can_run"] is False
