"""What cannot be built is refused when configuring, with one line that says what to do."""

from __future__ import annotations

import re

import pytest


def error_of(text: str) -> str:
    """CMake's first error, its lines joined."""
    match = re.search(r"CMake Error at [^\n]*\n(.*?)(?=\n\S|\nCall Stack|\Z)", text, re.S)
    return " ".join(match.group(1).split()) if match else ""


def refusal(proxy, tmp_path, name, model="openmp", target="cpu", *options):
    base = proxy.toolchains()[name]
    if base.missing:
        pytest.skip(base.missing)
    wanted = proxy.Toolchain(name, model, target, options or base.options)
    done = proxy.configure(tmp_path / "build", wanted)
    assert done.returncode != 0
    return error_of(done.stderr)


def test_an_unknown_model_is_answered_with_the_known_ones(proxy, tmp_path):
    error = refusal(proxy, tmp_path, "openmp-gcc", "opnmp")
    assert "PROXY_MODEL=opnmp: unknown model" in error
    assert "cuda, hip, kokkos, openacc, openmp, raja, sycl" in error


def test_an_unknown_target_is_refused(proxy, tmp_path):
    assert "expected cpu, nvidia/sm_80, amd/gfx90a" in refusal(
        proxy, tmp_path, "openmp-gcc", target="nvidia"
    )


def test_cuda_for_amd_points_to_hip(proxy, tmp_path):
    assert "use the model hip for amd" in refusal(
        proxy, tmp_path, "openmp-gcc", "cuda", "amd/gfx90a"
    )


def test_openacc_with_a_compiler_that_has_none_is_refused(proxy, tmp_path):
    options = proxy.toolchains()["openmp-clang"].options
    error = refusal(proxy, tmp_path, "openmp-clang", "openacc", "cpu", *options)
    assert "has no OpenACC; set CMAKE_CXX_COMPILER to nvc++ or g++" in error


def test_an_architecture_that_gcc_lacks_is_refused_with_those_it_has(proxy, tmp_path):
    error = refusal(proxy, tmp_path, "openacc-gcc-sm_80", "openacc", "amd/gfx1201")
    assert "gfx906" in error
    assert "set CMAKE_CXX_COMPILER" in error


def test_a_kokkos_without_the_backend_is_refused(proxy, tmp_path):
    options = proxy.toolchains()["kokkos"].options
    error = refusal(proxy, tmp_path, "kokkos", "kokkos", "nvidia/sm_80", *options)
    assert "set Kokkos_ROOT to one with CUDA" in error


def test_a_kokkos_for_another_architecture_is_refused(proxy, tmp_path):
    options = proxy.toolchains()["kokkos-sm_80"].options
    error = refusal(proxy, tmp_path, "kokkos-sm_80", "kokkos", "nvidia/sm_90", *options)
    assert "was built for sm_80; set Kokkos_ROOT to one for sm_90" in error


@pytest.mark.parametrize(
    ("model", "variable"),
    [("kokkos", "Kokkos_ROOT"), ("raja", "RAJA_ROOT"), ("hip", "HIP_CPU_ROOT")],
)
def test_a_missing_library_is_named_with_the_variable_that_helps(
    model, variable, proxy, tmp_path, monkeypatch
):
    monkeypatch.delenv(variable, raising=False)
    error = refusal(proxy, tmp_path, "openmp-gcc", model, "cpu", f"-D{variable}=/nonexistent")
    assert "was not found" in error
    assert f"set {variable}" in error


def test_a_fault_that_the_model_does_not_have_is_refused(proxy, tmp_path):
    options = (*proxy.toolchains()["openmp-gcc"].options, "-DPROXY_FAULT=missing_barrier")
    error = refusal(proxy, tmp_path, "openmp-gcc", "openmp", "cpu", *options)
    assert "PROXY_FAULT=missing_barrier" in error
    assert "has no such fault" in error


def test_an_unknown_app_is_refused(proxy, tmp_path):
    options = (*proxy.toolchains()["openmp-gcc"].options, "-DPROXY_APPS=bablestream")
    assert "bablestream: no such app" in refusal(
        proxy, tmp_path, "openmp-gcc", "openmp", "cpu", *options
    )


def test_every_model_file_says_what_it_is_in_its_first_line(proxy):
    files = sorted((proxy.SOURCES / "cmake" / "models").glob("*.cmake"))
    assert [file.stem for file in files] == [
        "cuda",
        "hip",
        "kokkos",
        "openacc",
        "openmp",
        "raja",
        "sycl",
    ]
    for file in files:
        assert re.fullmatch(r"# [A-Za-z]+: \S.*", file.read_text().splitlines()[0]), file
