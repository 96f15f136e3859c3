"""Builds the proxy apps with every toolchain that this machine has, each once per test session.

A toolchain is looked for in its environment variable (Kokkos_ROOT, RAJA_ROOT, ACPP_ROOT,
HIP_CPU_ROOT, CUDA12_ROOT, ROCM_PATH), then below /opt. One that is missing skips its tests, with
its name as the reason. PROXY_TEST_APPS, a list of names with commas, leaves the other apps out.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

SOURCES = Path(__file__).resolve().parents[2] / "proxyapps"
APPS = sorted(
    name
    for name in (file.parent.name for file in SOURCES.glob("*/app.yaml"))
    if name in os.environ.get("PROXY_TEST_APPS", name).split(",")
)


@dataclass(frozen=True)
class Toolchain:
    """What a build tree is configured with; `missing` names what this machine lacks."""

    name: str
    model: str
    target: str
    options: tuple[str, ...] = ()
    missing: str = ""
    link: bool = True


@dataclass(frozen=True)
class Run:
    """One finished run of a program."""

    returncode: int
    stdout: str
    stderr: str
    result: dict[str, Any] | None


def _folder(variable: str, *places: str) -> str:
    """The first of the variable's value and the places that is a folder, or ''."""
    for place in (os.environ.get(variable, ""), *places):
        if place and Path(place).is_dir():
            return place
    return ""


def _tool(*names: str) -> str:
    return next((found for name in names if (found := shutil.which(name))), "")


def _gcc_offloads_to(compiler: str, target: str) -> bool:
    if not compiler:
        return False
    text = subprocess.run([compiler, "-v"], capture_output=True, text=True).stderr
    return bool(re.search(rf"OFFLOAD_TARGET_NAMES=\S*{target}", text))


def _library_of(compiler: str, name: str) -> bool:
    if not compiler:
        return False
    found = subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True
    ).stdout.strip()
    return Path(found).is_absolute() and Path(found).exists()


@functools.cache
def toolchains() -> dict[str, Toolchain]:
    """All toolchains by name, those that are missing too."""
    gxx, clang, nvcc = _tool("g++"), _tool("clang++-19", "clang++"), _tool("nvcc")
    cuda12 = _folder("CUDA12_ROOT", "/opt/cuda-12.9")
    rocm = _folder("ROCM_PATH", "/opt/rocm", "/opt/hip-root")
    kokkos, raja = _folder("Kokkos_ROOT", "/opt/kokkos"), _folder("RAJA_ROOT", "/opt/raja")
    acpp, hip_cpu = _folder("ACPP_ROOT", "/opt/acpp"), _folder("HIP_CPU_ROOT", "/opt/hip-cpu")
    table: dict[str, Toolchain] = {}

    def add(
        name: str,
        model: str,
        target: str,
        needs: dict[str, object],
        *options: str,
        link: bool = True,
    ) -> None:
        missing = ", ".join(what for what, there in needs.items() if not there)
        table[name] = Toolchain(name, model, target, options, missing, link)

    def cxx(compiler: str) -> str:
        return f"-DCMAKE_CXX_COMPILER={compiler}"

    add("openmp-gcc", "openmp", "cpu", {"g++": gxx}, cxx(gxx))
    add(
        "openmp-clang",
        "openmp",
        "cpu",
        {"clang++ with libomp": _library_of(clang, "libomp.so")},
        cxx(clang),
    )
    add(
        "openmp-target-on-host", "openmp", "cpu", {"g++": gxx}, cxx(gxx), "-DPROXY_OPENMP_TARGET=ON"
    )
    add("openacc-gcc", "openacc", "cpu", {"g++": gxx}, cxx(gxx))
    add("kokkos", "kokkos", "cpu", {"Kokkos": kokkos}, f"-DKokkos_ROOT={kokkos}")
    add("raja", "raja", "cpu", {"RAJA": raja}, f"-DRAJA_ROOT={raja}")
    add("sycl-acpp", "sycl", "cpu", {"AdaptiveCpp": acpp}, f"-DACPP_ROOT={acpp}")
    for model in ("cuda", "hip"):
        add(f"{model}-hip-cpu", model, "cpu", {"HIP-CPU": hip_cpu}, f"-DHIP_CPU_ROOT={hip_cpu}")

    clang_cuda = (cxx(clang), f"-DCUDAToolkit_ROOT={cuda12}")
    overlay = (
        [f"-DCMAKE_CXX_FLAGS=-isystem {rocm}/overlay"]
        if rocm and Path(rocm, "overlay").is_dir()
        else []
    )
    for arch in ("sm_80", "sm_90"):
        needs: dict[str, object] = {"clang++": clang, "CUDA 12": cuda12}
        add(
            f"cuda-nvcc-{arch}",
            "cuda",
            f"nvidia/{arch}",
            {"nvcc": nvcc},
            f"-DCMAKE_CUDA_COMPILER={nvcc}",
            link=False,
        )
        add(f"openmp-clang-{arch}", "openmp", f"nvidia/{arch}", needs, *clang_cuda, link=False)
    clang_as_nvcc = (*clang_cuda, f"-DCMAKE_CUDA_COMPILER={clang}")
    add("cuda-clang-sm_80", "cuda", "nvidia/sm_80", needs, *clang_as_nvcc, link=False)
    # gcc writes the device's code when it links
    nvptx = {"g++ with nvptx offloading": _gcc_offloads_to(gxx, "nvptx-none")}
    add("openmp-gcc-sm_80", "openmp", "nvidia/sm_80", nvptx, cxx(gxx))
    add("openacc-gcc-sm_80", "openacc", "nvidia/sm_80", nvptx, cxx(gxx))
    for target in ("nvidia/sm_80", "nvidia/sm_90", "amd/gfx90a"):
        name = f"sycl-acpp-{target.split('/')[1]}"
        needs = {"AdaptiveCpp": acpp}
        add(name, "sycl", target, needs, f"-DACPP_ROOT={acpp}", link=False)
    bitcode = {
        "clang++": clang,
        "ROCm device libraries": next(Path("/").glob("usr/lib/*/amdgcn/bitcode"), rocm),
    }
    headers = {**bitcode, "HIP headers": Path("/usr/include/hip").is_dir() or rocm}
    add("openmp-clang-gfx90a", "openmp", "amd/gfx90a", bitcode, cxx(clang), link=False)
    add("hip-clang-gfx90a", "hip", "amd/gfx90a", headers, cxx(clang), link=False)
    for model, target, backend in (
        ("kokkos", "nvidia/sm_80", "cuda"),
        ("kokkos", "nvidia/sm_90", "cuda"),
        ("kokkos", "amd/gfx90a", "hip"),
    ):
        arch = target.split("/")[1]
        root = _folder("", f"/opt/kokkos-{backend}-{arch}")
        needs = {f"Kokkos for {target}": root}
        add(f"{model}-{arch}", model, target, needs, f"-DKokkos_ROOT={root}", link=False)
    for arch in ("sm_80", "sm_90"):
        root = _folder("", f"/opt/raja-cuda-{arch}")
        needs = {"clang++": clang, "CUDA 12": cuda12, f"RAJA for nvidia/{arch}": root}
        options = (f"-DRAJA_ROOT={root}", *clang_as_nvcc)
        add(f"raja-{arch}", "raja", f"nvidia/{arch}", needs, *options, link=False)
    raja_hip = _folder("", "/opt/raja-hip-gfx90a")
    needs = {**headers, "RAJA for amd/gfx90a": raja_hip}
    options = (f"-DRAJA_ROOT={raja_hip}", cxx(clang), f"-DROCM_PATH={rocm}", *overlay)
    add("raja-gfx90a", "raja", "amd/gfx90a", needs, *options, link=False)
    return table


def on_host() -> list[str]:
    return [name for name, toolchain in toolchains().items() if toolchain.target == "cpu"]


def on_device() -> list[str]:
    return [name for name, toolchain in toolchains().items() if toolchain.target != "cpu"]


def on_linked_device() -> list[str]:
    return [name for name in on_device() if toolchains()[name].link]


def model_source(app: str, model: str) -> Path | None:
    files = [file for file in (SOURCES / app).iterdir() if file.suffix in (".cpp", ".cu")]
    return next((file for file in files if model in file.stem.split("_")), None)


def faults_of(app: str, model: str) -> list[str]:
    source = model_source(app, model)
    return sorted(set(re.findall(r"fault::([a-z_]+)", source.read_text()))) if source else []


def problems_of(app: str) -> dict[str, Any]:
    return json.loads((SOURCES / app / "problems.json").read_text())["problems"]


def facts_of(app: str) -> dict[str, Any]:
    return yaml.safe_load((SOURCES / app / "app.yaml").read_text())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`host`, `device` or `linked` (a toolchain) with `app`; `fault`: one that the model has."""
    names = metafunc.fixturenames
    kinds = {"host": on_host(), "device": on_device(), "linked": on_linked_device()}
    kind = next((kind for kind in kinds if kind in names), "")
    cases = [
        (toolchain, app)
        for toolchain in kinds.get(kind, [])
        for app in APPS
        if model_source(app, toolchains()[toolchain].model)
    ]
    if "fault" in names:
        # clang's OpenMP has gcc's source and hip has cuda's: their faults are the same
        with_fault = [
            (toolchain, app, fault)
            for toolchain, app in cases
            if toolchain not in ("openmp-clang", "hip-hip-cpu")
            for fault in faults_of(app, toolchains()[toolchain].model)
        ]
        ids = ["-".join(case) for case in with_fault]
        metafunc.parametrize("host, app, fault", with_fault, ids=ids)
    elif kind:
        metafunc.parametrize(f"{kind}, app", cases, ids=["-".join(case) for case in cases])
    elif "app" in names:
        metafunc.parametrize("app", APPS)


def configure(
    build: Path, toolchain: Toolchain, *options: str, sources: Path = SOURCES
) -> subprocess.CompletedProcess[str]:
    """Runs CMake for one tree."""
    launcher = _tool("ccache")
    launchers = [
        f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}"
        for language in ("CXX", "CUDA")
        if launcher
    ]
    return subprocess.run(
        [
            "cmake",
            "-S",
            str(sources),
            "-B",
            str(build),
            "-G",
            "Ninja",
            f"-DPROXY_MODEL={toolchain.model}",
            f"-DPROXY_TARGET={toolchain.target}",
            *launchers,
            *toolchain.options,
            *options,
        ],
        capture_output=True,
        text=True,
    )


def compile_tree(build: Path) -> subprocess.CompletedProcess[str]:
    """Builds one tree; to ccache its paths are relative, so that the next session finds them."""
    return subprocess.run(
        ["ninja", "-k0", "-j2", "-C", str(build)],
        capture_output=True,
        text=True,
        env={**os.environ, "CCACHE_BASEDIR": str(build.parent), "CCACHE_NOHASHDIR": "1"},
    )


@pytest.fixture(autouse=True)
def exercised(request: pytest.FixtureRequest, record_property: Callable[..., None]) -> None:
    """Name the toolchain of a test for the summary at the end of the session."""
    callspec = getattr(request.node, "callspec", None)
    for name in ("host", "device", "linked"):
        if callspec and name in callspec.params:
            record_property("toolchain", callspec.params[name])


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that all workers of this session share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def build_tree(trees: Path) -> Callable[..., Path]:
    """(toolchain's name, fault, app) -> the build tree, built by whichever worker comes first."""

    def build(name: str, fault: str = "", app: str = "") -> Path:
        toolchain = toolchains()[name]
        if toolchain.missing:
            pytest.skip(toolchain.missing)
        folder = trees / "-".join(part for part in (name, fault, app) if part)
        with FileLock(f"{folder}.lock"):
            log = Path(f"{folder}.log")
            if not log.exists():
                options = [
                    f"-DPROXY_FAULT={fault}",
                    f"-DPROXY_APPS={app or ';'.join(APPS)}",
                    f"-DPROXY_OBJECTS_ONLY={'OFF' if toolchain.link else 'ON'}",
                ]
                done = configure(folder, toolchain, *options)
                if done.returncode == 0:
                    done = compile_tree(folder)
                log.write_text(f"{done.returncode}\n{done.stdout}\n{done.stderr}")
            status, _, output = log.read_text().partition("\n")
        assert status == "0", f"{name}: the build failed:\n{output[-6000:]}"
        return folder

    return build


def run(binary: Path, *arguments: str, json_file: Path | None = None) -> Run:
    """Runs a program; threads that wait must not spin, or a busy machine makes a tiny run long."""
    if json_file:
        arguments = (*arguments, "--json", str(json_file))
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_PROC_BIND": "false"}
    done = subprocess.run(
        [str(binary), *arguments], capture_output=True, text=True, timeout=300, env=environment
    )
    result = json.loads(json_file.read_text()) if json_file and json_file.exists() else None
    return Run(done.returncode, done.stdout, done.stderr, result)


@pytest.fixture
def run_app(build_tree: Callable[..., Path], tmp_path: Path) -> Callable[..., Run]:
    """(toolchain, app, *arguments) -> the run with its result."""

    def run_it(toolchain: str, app: str, *arguments: str, fault: str = "") -> Run:
        tree = build_tree(toolchain, fault, app if fault else "")
        binary = tree / "bin" / f"{app}-{toolchains()[toolchain].model}"
        return run(binary, *arguments, json_file=tmp_path / "result.json")

    return run_it


@pytest.fixture
def binary_of(build_tree: Callable[..., Path]) -> Callable[..., Path]:
    """(toolchain, app) -> the program's path."""
    return lambda toolchain, app: (
        build_tree(toolchain) / "bin" / f"{app}-{toolchains()[toolchain].model}"
    )


@pytest.fixture
def proxy() -> Any:
    """This module, for tests that cannot import a sibling under every import mode."""
    import sys

    return sys.modules[__name__]
