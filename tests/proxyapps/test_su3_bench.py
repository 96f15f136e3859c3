"""SU3_Bench's own behaviour: what it checks, what it counts, what it refuses."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

APP = "su3_bench"
ELEMENTS = 36
SITE = {"f64": 640, "f32": 320}
MATRIX = {"f64": 144, "f32": 72}


@pytest.fixture
def su3(run_app):
    """Runs the gcc OpenMP program with the given arguments."""
    return lambda *arguments: run_app("openmp-gcc", APP, *arguments)


@pytest.fixture(params=["f64", "f32"])
def precision(request):
    return request.param


@pytest.fixture
def grouped(trees: Path, proxy, tmp_path: Path) -> Callable[..., object]:
    """(toolchain, fault, *arguments) -> a run on the host of what a device would run."""
    from filelock import FileLock

    def run(name: str, fault: str, *arguments: str) -> object:
        toolchain = proxy.toolchains()[name]
        if toolchain.missing:
            pytest.skip(toolchain.missing)
        tree = trees / f"{name}-work-groups-{fault}"
        with FileLock(f"{tree}.lock"):
            options = [f"-DPROXY_APPS={APP}", f"-DPROXY_FAULT={fault}"]
            options += ["-DCMAKE_CXX_FLAGS=-DPROXY_WORK_GROUPS"]
            done = proxy.configure(tree, toolchain, *options)
            assert done.returncode == 0, done.stdout + done.stderr
            done = proxy.compile_tree(tree)
            assert done.returncode == 0, done.stdout + done.stderr
        binary = tree / "bin" / f"{APP}-{toolchain.model}"
        return proxy.run(binary, *arguments, json_file=tmp_path / "result.json")

    return run


def only_su3_bench(app):
    if app != APP:
        pytest.skip("another app's")


def checks_of(done):
    return {check["name"]: check for check in done.result["verdict"]["checks"]}


def test_constant_input_gives_the_public_checksum_36(host, app, precision, run_app):
    only_su3_bench(app)
    checks = checks_of(run_app(host, app, "--problem", "tiny", "--precision", precision))
    assert checks["checksum"]["expected"] == 36
    assert checks["checksum"]["actual"] == pytest.approx(36, abs=1e-6)


def test_both_parts_of_every_element_are_compared(host, app, precision, run_app):
    only_su3_bench(app)
    checks = checks_of(run_app(host, app, "--problem", "tiny", "--precision", precision))
    tolerance = {"f64": 1e-13, "f32": 3e-5}[precision]
    for name in ("elements.real", "elements.imaginary"):
        check = checks[name]
        assert f"of {8**4 * ELEMENTS}" in check["what"]
        assert check["tolerance"] == tolerance
        assert abs(check["actual"] - check["expected"]) <= tolerance
        assert check["expected"] not in (0, 1)


def test_lattices_that_fit_no_block_are_verified(host, app, precision, run_app):
    only_su3_bench(app)
    for lattice in ("1", "2", "3", "5"):
        for block in ("1", "100", "256", "1024"):
            arguments = ["--lattice", lattice, "--precision", precision, "--block", block]
            done = run_app(host, app, "--problem", "tiny", *arguments)
            assert done.returncode == 0, (arguments, done.stdout, done.stderr)
            assert done.result["problem"]["name"] == ""


@pytest.mark.parametrize(("block", "sites"), [(1, 1), (71, 1), (128, 3), (256, 7), (1024, 16)])
def test_work_groups_are_whole_sites_and_recorded(host, app, block, sites, run_app, proxy):
    only_su3_bench(app)
    if proxy.toolchains()[host].model not in ("cuda", "hip"):
        pytest.skip("no work-groups on a host")
    result = run_app(host, app, "--problem", "tiny", "--block", str(block)).result
    grid = (8**4 + sites - 1) // sites
    assert result["kernels"][0]["launch"] == {"block": ELEMENTS * sites, "grid": grid}


@pytest.mark.parametrize("name", ["kokkos", "sycl-acpp"])
@pytest.mark.parametrize("lattice", ["1", "3", "8"])
def test_a_device_s_work_groups_are_verified_on_a_host(name, lattice, grouped):
    done = grouped(name, "", "--problem", "tiny", "--lattice", lattice)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["kokkos", "sycl-acpp"])
@pytest.mark.parametrize("mistake", ["dropped_tail", "off_by_one", "wrong_direction"])
def test_a_mistake_in_a_device_s_work_groups_is_found(name, mistake, grouped):
    done = grouped(name, mistake, "--problem", "tiny")
    assert done.returncode == 1, done.stdout + done.stderr


def test_constant_input_alone_would_hide_a_wrong_index(run_app):
    for fault in ("off_by_one", "wrong_direction"):
        checks = checks_of(run_app("openmp-gcc", APP, "--problem", "tiny", fault=fault))
        assert checks["checksum"]["passed"]
        assert not checks["elements.real"]["passed"]
        assert not checks["elements.imaginary"]["passed"]


def test_an_element_that_is_never_written_is_not_a_number_and_fails(run_app):
    done = run_app("openmp-gcc", APP, "--problem", "tiny", fault="dropped_tail")
    check = checks_of(done)["elements.real"]
    assert check["passed"] is False
    assert check["actual"] is None
    assert f"{ELEMENTS} of {8**4 * ELEMENTS} wrong" in check["what"]
    assert checks_of(done)["checksum"]["passed"] is False


def test_counted_bytes_and_flops_follow_the_definition(su3, precision):
    result = su3("--problem", "tiny", "--lattice", "3", "--precision", precision).result
    (kernel,) = result["kernels"]
    matrices = 4 * MATRIX[precision]
    assert kernel["flops"] == 81 * 864
    assert kernel["bytes"] == 81 * 2 * 4 * MATRIX[precision] + matrices
    assert result["problem"]["working_set_bytes"] == 81 * 2 * SITE[precision] + matrices


def test_figures_follow_from_the_samples(su3):
    arguments = ["--calls-per-sample", "3", "--iterations", "7", "--warmup", "4"]
    result = su3("--problem", "tiny", *arguments).result
    (kernel,) = result["kernels"]
    assert (len(kernel["samples"]), len(kernel["warmup_samples"])) == (7, 4)
    assert kernel["calls_per_sample"] == 3
    times = {"value": statistics.median(kernel["samples"]) / 3, "best": min(kernel["samples"]) / 3}
    for fom in result["foms"]:
        for key, time in times.items():
            expected = {
                "time": time,
                "flop_rate": kernel["flops"] / time,
                "bandwidth": kernel["bytes"] / time,
                "bw_upstream": result["problem"]["working_set_bytes"] / time,
            }[fom["name"]]
            assert fom[key] == pytest.approx(expected)


def test_the_public_bandwidth_is_a_ninth_larger(su3):
    foms = {fom["name"]: fom["value"] for fom in su3("--problem", "tiny").result["foms"]}
    assert foms["bw_upstream"] / foms["bandwidth"] == pytest.approx(10 / 9, rel=1e-3)


def test_a_lattice_that_does_not_fit_says_what_it_needs(host, app, binary_of, proxy):
    only_su3_bench(app)
    done = proxy.run(binary_of(host, app), "--problem", "tiny", "--lattice", "2000")
    assert done.returncode == 2
    assert f"need {2 * 640 * 2000**4 + 576} bytes" in done.stderr
    assert "limit" in done.stderr
    assert not done.stdout


def test_problems_say_how_much_memory_they_need(proxy):
    for problem in proxy.problems_of(APP).values():
        length, precision = (problem["parameters"][name] for name in ("lattice", "precision"))
        needed = 2 * SITE[precision] * length**4 + 4 * MATRIX[precision]
        assert problem["memory_bytes"] == needed
