"""Systems from their files."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portability.catalog._systems import load_system
from portability.errors import InputError

from .conftest import SYSTEM, write

MODELS = ("cuda", "openmp")


def test_system_is_what_its_file_says(top: Path) -> None:
    system = load_system(top / "spack_envs/systems/big/system.yaml", MODELS)
    assert (system.name, system.title, system.scheduler) == ("big", "Big machine", "slurm")
    assert system.launcher == ("srun", "-n1")
    assert (system.nodes, system.retired) == (3, True)
    assert system.source == ("https://example.org",)
    assert system.facts == {"devices_per_node": 4, "notes": ["hot"]}
    (platform,) = system.platforms
    assert (platform.name, platform.vendor, platform.target) == (
        "big/a100", "nvidia", "nvidia/sm_80",
    )  # fmt: skip
    assert platform.ceilings["memory_bandwidth"]["value"] == 1e12
    (toolchain,) = system.toolchains
    assert toolchain.prologue.modules == ("gcc/12",)
    assert toolchain.prologue.environment == {"A": "1"}
    assert toolchain.cmake == {"X": "y"}
    recipe = toolchain.recipe("cuda", "nvidia/sm_80")
    assert recipe is not None
    assert recipe.note == "n"
    assert toolchain.recipe("cuda", "cpu") is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda s: s.update(name="small"), "called 'small' and its folder 'big'"),
        (lambda s: s.update(source=[]), "source is an empty list, expected at least 1"),
        (lambda s: s.update(scheduler="slrm"), "did you mean 'slurm'"),
        (lambda s: s["platforms"].append(s["platforms"][0]), "'a100' again in platforms"),
        (lambda s: s["toolchains"].append(s["toolchains"][0]), "'gcc' again in toolchains"),
        (lambda s: s["platforms"][0].update(vendor="amd"), "of vendor 'amd', expected the same"),
        (lambda s: s["platforms"][0].update(target="sm_80"), "target is \"sm_80\", expected What"),
        (lambda s: s["platforms"][0].update(name="../x"), "platforms\\[0\\].name is"),
        (
            lambda s: s["platforms"][0]["ceilings"]["memory_bandwidth"].update(unit="GB/s"),
            "unit is \"GB/s\", expected The unit, B/s",
        ),
        (
            lambda s: s["platforms"][0]["ceilings"]["memory_bandwidth"].pop("source"),
            "has no 'source'",
        ),
        (
            lambda s: s["toolchains"][0]["recipes"][0].update(model="cda"),
            "unknown model 'cda'; did you mean 'cuda'",
        ),
    ],
)  # fmt: skip
def test_faulty_system_is_refused_with_its_line(
    top: Path, change: Callable[[dict[str, Any]], Any], expected: str
) -> None:
    data = copy.deepcopy(SYSTEM)
    change(data)
    file = write(top / "spack_envs/systems/big/system.json", data).rename(
        top / "spack_envs/systems/big/system.yaml"
    )
    with pytest.raises(InputError, match=expected) as caught:
        load_system(file, MODELS)
    assert "system.yaml:" in str(caught.value)
