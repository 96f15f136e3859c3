"""The probe on recorded machines: one folder of ``recorded/`` per case.

``machine.txt`` holds files as ``head`` prints several of them::

    head -c 100000 /proc/cpuinfo /proc/meminfo /etc/os-release \\
        /sys/class/kfd/kfd/topology/nodes/*/properties > machine.txt

``nvidia-smi.csv`` is what its query printed, ``nvidia-smi.list`` what ``nvidia-smi -L`` printed,
and ``nvidia-smi.exit`` its exit status (or ``hang``).  ``expected.json`` is what the probe must
find; the message of the failing test of a new case is a draft of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portability.catalog import Catalog, probe
from portability.words import System

from .conftest import TOOLCHAIN, write

RECORDED = Path(__file__).parent / "recorded"
CASES = sorted(folder.name for folder in RECORDED.iterdir())


def _machine(case: Path, tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    text = (case / "machine.txt").read_text()
    for path, content in re.findall(r"(?ms)^==> (\S+) <==\n(.*?)(?=\n==> |\Z)", text):
        file = root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return root


def _probe(case: str, tmp_path: Path, program: Callable[..., Path]) -> System:
    folder = RECORDED / case
    root = tmp_path / "root"
    if not root.exists():
        _machine(folder, tmp_path)
    if list(folder.glob("nvidia-smi.*")):
        status = folder / "nvidia-smi.exit"
        end = status.read_text().strip() if status.exists() else "0"
        body = (
            "exec /bin/sleep 60"
            if end == "hang"
            else f'case "$1" in -L) f=list;; *) f=csv;; esac\n'
            f'/bin/cat "{folder}/nvidia-smi.$f"; exit {end}'
        )
        program("nvidia-smi", body)
    return probe((), root, {"PATH": str(tmp_path / "bin")}, timeout=1)


def _summary(system: System) -> dict[str, Any]:
    return {
        "cpu": system.facts["cpu"],
        "os": system.facts["os"],
        "platforms": [
            {
                "name": platform.name,
                "title": platform.title,
                "vendor": platform.vendor,
                "target": platform.target,
                "memory_bytes": platform.memory_bytes,
                "devices": list(platform.devices),
            }
            for platform in system.platforms
        ],
        "pci": {device["id"]: device["pci"] for device in system.facts["devices"]},
        "problems": system.facts["problems"],
    }


@pytest.mark.parametrize("case", CASES)
def test_recorded_machine_is_seen_as_expected(
    case: str, tmp_path: Path, program: Callable[..., Path]
) -> None:
    found = _summary(_probe(case, tmp_path, program))
    file = RECORDED / case / "expected.json"
    expected = json.loads(file.read_text()) if file.exists() else None
    assert found == expected, json.dumps(found, indent=2)


@pytest.mark.parametrize("case", ["nvidia-mig", "amd-mi250x-two-gcds", "no-gpu"])
def test_two_probes_of_one_machine_are_equal(
    case: str, tmp_path: Path, program: Callable[..., Path]
) -> None:
    assert _probe(case, tmp_path, program) == _probe(case, tmp_path, program)


def test_load_of_the_machine_does_not_matter(tmp_path: Path, program: Callable[..., Path]) -> None:
    before = _probe("no-gpu", tmp_path, program)
    for name, pattern in (("meminfo", r"(MemFree:\s+)\d+"), ("cpuinfo", r"(cpu MHz\t\t: )\d+")):
        file = tmp_path / "root/proc" / name
        text, changes = re.subn(pattern, r"\g<1>7", file.read_text())
        assert changes
        file.write_text(text)
    assert _probe("no-gpu", tmp_path, program) == before


def test_localhost_has_the_cpu_first_and_no_scheduler(
    tmp_path: Path, program: Callable[..., Path]
) -> None:
    system = _probe("nvidia-four-a100-and-a-t400", tmp_path, program)
    assert (system.name, system.scheduler, system.launcher) == ("localhost", "none", ())
    assert system.platforms[0].name == "localhost/cpu"
    assert system.platforms[0].target == "cpu"


def test_missing_says_per_model_and_target_how_to_get_it(
    top: Path, tmp_path: Path, program: Callable[..., Path]
) -> None:
    toolchains = Catalog([top]).toolchains.values()
    _machine(RECORDED / "nvidia-two-sizes-of-one-name", tmp_path)
    environ = {"PATH": str(tmp_path / "bin")}
    system = probe(toolchains, tmp_path / "root", environ)
    assert system.missing == {
        "openmp on cpu": "no fake on PATH (fake++-2, fake++); to get cc: apt-get install cc"
    }
    program("fake++", "echo fake 1")
    assert probe(toolchains, tmp_path / "root", environ).missing == {}


def test_advice_prefers_what_lacks_least_and_names_a_second_way(
    top: Path, tmp_path: Path, program: Callable[..., Path]
) -> None:
    program("fake++", "echo fake 1")
    lib = {"title": "Lib", "folders": ["/opt/lib"], "needs": [{"file": "a.h"}]}
    near = {**TOOLCHAIN, "name": "near", "order": 9, "get": "install lib", "roots": {"lib": lib}}
    far_program = {**TOOLCHAIN["programs"]["cxx"], "names": ["other++"]}
    far = {**TOOLCHAIN, "name": "cc", "get": "buy it", "programs": {"cxx": far_program}}
    for data in (near, far):
        write(top / "spack_envs/toolchains" / f"{data['name']}.yaml", data)
    environ = {"PATH": str(tmp_path / "bin")}
    system = probe(Catalog([top]).toolchains.values(), tmp_path / "root", environ)
    assert system.missing["openmp on cpu"] == (
        "no Lib in /opt/lib; to get near: install lib; or cc: buy it"
    )


def test_model_that_nothing_can_build_for_a_target_is_said_so(
    top: Path, tmp_path: Path, program: Callable[..., Path]
) -> None:
    program("fake++", "echo fake 1")
    csv = RECORDED / "nvidia-two-sizes-of-one-name/nvidia-smi.csv"
    program("nvidia-smi", f'/bin/cat "{csv}"')
    system = probe(Catalog([top]).toolchains.values(), tmp_path, {"PATH": str(tmp_path / "bin")})
    assert system.missing == {
        "openmp on nvidia/sm_90": "no toolchain that is known or found here builds openmp for "
        "nvidia/sm_90"
    }
