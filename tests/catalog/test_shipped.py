"""Every file that is shipped loads, and this machine can be probed quickly."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from portability.catalog import Catalog, data_folder, doctor
from portability.catalog._yaml import read
from portability.words import System

CATALOG = Catalog.load()
GPU_MODELS = {"hip", "kokkos", "openacc", "openmp", "raja", "sycl"}


@pytest.fixture(scope="module")
def localhost() -> System:
    return CATALOG.system("localhost")


def test_the_seven_models_are_there_with_their_vendors() -> None:
    native = {name: model.native_on for name, model in CATALOG.models.items()}
    assert native == {
        "cuda": ("nvidia",),
        "hip": ("amd",),
        "kokkos": (),
        "openacc": (),
        "openmp": ("cpu",),
        "raja": (),
        "sycl": ("intel",),
    }


@pytest.mark.parametrize("name", list(CATALOG.apps))
def test_shipped_app_loads(name: str) -> None:
    app = CATALOG.app(name)
    assert app.headline.unit
    assert {"tiny", "small", "paper"} <= set(app.problems)
    assert set(app.models) <= set(CATALOG.models)


@pytest.mark.parametrize("name", list(CATALOG.studies))
def test_shipped_study_loads(name: str) -> None:
    assert CATALOG.study(name).name == name


def test_the_studies_that_the_documents_speak_of_are_there() -> None:
    assert {"quickstart", "conformance", "paper"} <= set(CATALOG.studies)
    paper = CATALOG.study("paper")
    assert len(paper.models) == 7
    assert paper.platforms == (
        "summit/v100", "perlmutter/a100-40", "zaratan/h100", "corona/mi50", "frontier/mi250x-gcd",
    )  # fmt: skip
    assert paper.blocks == 5
    assert CATALOG.study("conformance").exclusions == ()
    assert CATALOG.study("quickstart").platforms == ()


@pytest.mark.parametrize("name", [name for name in CATALOG.systems if name != "localhost"])
def test_shipped_system_loads_with_a_source_for_every_number(name: str) -> None:
    system = CATALOG.system(name)
    assert all(source.startswith("https://") for source in system.source)
    assert system.launcher
    for platform in system.platforms:
        assert set(platform.ceilings) == {"memory_bandwidth", "flops_f64", "flops_f32"}
        assert all(peak["source"].startswith("https://") for peak in platform.ceilings.values())
        assert 1e11 < platform.ceilings["memory_bandwidth"]["value"] < 1e14
        assert 1e12 < platform.ceilings["flops_f64"]["value"] < 1e15
        assert platform.memory_bytes >= 16 * 1024**3
        built = {
            r.model for t in system.toolchains for r in t.recipes if platform.target in r.targets
        }
        native = "cuda" if platform.vendor == "nvidia" else "hip"
        assert built == GPU_MODELS - {"hip"} | {native}


def test_summit_is_retired_and_no_other() -> None:
    names = [name for name in CATALOG.systems if name != "localhost"]
    assert [name for name in names if CATALOG.system(name).retired] == ["summit"]


@pytest.mark.parametrize("name", list(CATALOG.toolchains))
def test_shipped_toolchain_loads(name: str) -> None:
    assert CATALOG.toolchain(name).get


def test_each_model_has_a_toolchain_for_the_cpu_nvidia_and_amd() -> None:
    abilities = [a for file in CATALOG.toolchains.values() for a in file.abilities]
    for model in CATALOG.models:
        for target in ("cpu", "nvidia/sm_80", "amd/gfx90a"):
            covered = any(a.model == model and a.covers(target) for a in abilities)
            assert covered is not ((model, target[:3]) in {("cuda", "amd"), ("hip", "nvi")})


@pytest.mark.parametrize(
    "file",
    [
        *data_folder("spack_envs").glob("toolchains/*.yaml"),
        *data_folder("spack_envs").glob("systems/*/system.yaml"),
        *data_folder("experiments").glob("studies/*.yaml"),
    ],
    ids=lambda file: f"{file.parent.name}/{file.name}",
)
def test_shipped_file_starts_with_a_comment_that_says_what_it_is(file: Path) -> None:
    first = file.read_text().splitlines()[0]
    assert re.fullmatch(r"# [A-Z].{20,}[.]", first)
    assert read(file).where("name").endswith(":2")


def test_this_machine_is_probed_with_its_cpu(localhost: System) -> None:
    assert localhost.platforms[0].name == "localhost/cpu"
    assert localhost.platforms[0].memory_bytes > 2**28
    for platform in localhost.platforms:
        for model in CATALOG.models:
            built = any(t.recipe(model, platform.target) for t in localhost.toolchains)
            assert built is not (f"{model} on {platform.target}" in localhost.missing)


def test_placeholders_are_all_filled_in(localhost: System) -> None:
    for toolchain in localhost.toolchains:
        texts = [*toolchain.cmake.values(), *toolchain.prologue.environment.values()]
        for recipe in toolchain.recipes:
            texts += [*recipe.targets, *recipe.cmake.values(), recipe.note]
        assert not [text for text in texts if re.search(r"\{[a-z]", text)], toolchain.name


def test_doctor_has_a_row_for_each_model_here(localhost: System) -> None:
    rows = doctor(CATALOG, localhost)
    here = [row for row in rows if row["platform"] == "localhost/cpu"]
    assert [row["model"] for row in here] == list(CATALOG.models)
    assert all(row["can_build"] or row["get"] for row in here)


def test_catalog_study_and_probe_take_little_processor_time() -> None:
    code = (
        "from portability.catalog import Catalog;"
        "c = Catalog.load(); c.study('quickstart'); c.system('localhost')"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used < 6  # about 1.3 s with every toolchain of this catalog installed
