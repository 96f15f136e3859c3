"""BabelStream's own behaviour: what it checks, what it counts, what it refuses."""

from __future__ import annotations

import re
import shutil
import statistics

import pytest

APP = "babelstream"


@pytest.fixture
def stream(run_app):
    """Runs the gcc OpenMP program with the given arguments."""
    return lambda *arguments: run_app("openmp-gcc", APP, *arguments)


@pytest.fixture(params=["f64", "f32"])
def precision(request):
    return request.param


def only_babelstream(app):
    if app != APP:
        pytest.skip("another app's")


def test_sizes_that_fit_no_block_are_verified(host, app, precision, run_app):
    only_babelstream(app)
    for size in (1, 7, 1023, 65537):
        done = run_app(
            host, app, "--problem", "tiny", "--size", str(size), "--precision", precision
        )
        assert done.returncode == 0, (size, done.stdout, done.stderr)
        assert done.result["problem"]["parameters"]["size"] == size
        assert done.result["problem"]["name"] == ""


def test_work_groups_of_an_odd_size_are_verified(host, app, run_app, proxy):
    only_babelstream(app)
    if proxy.toolchains()[host].model not in ("cuda", "hip", "sycl"):
        pytest.skip("no free choice of the work-group size")
    done = run_app(host, app, "--problem", "tiny", "--size", "1001", "--block", "96")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.result["kernels"][0]["launch"] == {"block": 96, "grid": 11}


def test_later_options_override_the_problem_and_earlier_ones_do_not(stream):
    assert (
        stream("--problem", "tiny", "--size", "100").result["problem"]["parameters"]["size"] == 100
    )
    result = stream("--size", "100", "--problem", "tiny").result
    assert (result["problem"]["parameters"]["size"], result["problem"]["name"]) == (65536, "tiny")


def test_counted_bytes_and_flops_follow_the_definition(stream, precision):
    result = stream("--problem", "tiny", "--size", "1000", "--precision", precision).result
    word = 8 if precision == "f64" else 4
    words_and_flops = {
        "copy": (2, 0),
        "mul": (2, 1),
        "add": (3, 1),
        "triad": (3, 2),
        "dot": (2, 2),
        "nstream": (4, 3),
    }
    counted = {kernel["name"]: (kernel["bytes"], kernel["flops"]) for kernel in result["kernels"]}
    assert counted == {
        name: (words * 1000 * word, flops * 1000)
        for name, (words, flops) in words_and_flops.items()
    }
    assert result["problem"]["working_set_bytes"] == 3 * 1000 * word


def test_figures_follow_from_the_samples(stream):
    result = stream(
        "--problem", "tiny", "--calls-per-sample", "3", "--iterations", "7", "--warmup", "4"
    ).result
    foms = {fom["name"]: fom for fom in result["foms"]}
    total = best_total = 0.0
    for kernel in result["kernels"]:
        assert (len(kernel["samples"]), len(kernel["warmup_samples"])) == (7, 4)
        assert kernel["calls_per_sample"] == 3
        median, best = statistics.median(kernel["samples"]) / 3, min(kernel["samples"]) / 3
        assert foms[kernel["name"]]["value"] == pytest.approx(kernel["bytes"] / median)
        assert foms[kernel["name"]]["best"] == pytest.approx(kernel["bytes"] / best)
        if kernel["name"] != "nstream":
            total, best_total = total + median, best_total + best
    assert foms["total"]["value"] == pytest.approx(total)
    assert foms["total"]["best"] == pytest.approx(best_total)


def test_every_array_and_every_sum_is_checked(stream):
    checks = stream("--problem", "tiny").result["verdict"]["checks"]
    loops = [f"{loop}.{array}" for loop in ("classic", "nstream") for array in "abc"]
    assert sorted(check["name"] for check in checks) == sorted([*loops, "classic.dot"])
    counted = {
        check["name"]: re.search(r"the worst of (\d+)", check["what"]).group(1) for check in checks
    }
    assert {counted.pop("classic.dot")} == {str(22 * 4)}
    assert set(counted.values()) == {"65536"}


def test_a_single_precision_sum_too_long_to_bound_is_not_checked_and_not_success(stream):
    done = stream("--problem", "tiny", "--precision", "f32", "--size", "200000")
    assert done.returncode == 1
    assert done.result["verdict"]["status"] == "not_checked"
    passed = {check["name"]: check["passed"] for check in done.result["verdict"]["checks"]}
    assert passed.pop("classic.dot") is None
    assert all(passed.values())


@pytest.mark.parametrize("size", ["0", "9000000000000", "144115188075855871", "144115188075855872"])
def test_sizes_that_cannot_work_are_refused_with_the_limit(stream, size):
    done = stream("--problem", "tiny", "--size", size)
    assert done.returncode == 2
    assert re.fullmatch(
        r'babelstream-openmp: --size: got "?\d+"?, expected .+, limit .+\n', _ours(done.stderr)
    )


@pytest.mark.parametrize(("chosen", "limit"), [("f64", 8000), ("f32", 900)])
def test_so_many_iterations_that_the_values_vanish_are_refused(stream, chosen, limit):
    small = (
        "--problem",
        "tiny",
        "--size",
        "10",
        "--warmup",
        "0",
        "--calls-per-sample",
        "1",
        "--precision",
        chosen,
    )
    assert stream(*small, "--iterations", str(limit)).returncode == 0
    done = stream(*small, "--iterations", str(limit + 1))
    assert done.returncode == 2
    assert f"limit {limit} together" in done.stderr


def _ours(text: str) -> str:
    return "".join(
        line for line in text.splitlines(keepends=True) if line.startswith("babelstream-")
    )


MUTATIONS = {
    "mul-and-add-swapped": (
        "main.cpp",
        r"(    sample<T>\(.*MUL.*\n)(    sample<T>\(.*ADD.*\n)",
        r"\2\1",
    ),
    "copy-left-out": ("main.cpp", r"    sample<T>\(.*COPY.*\n", ""),
    "triad-left-out-after-the-warmup": (
        "main.cpp",
        r"\{ model\.triad\(s\); \}",
        "{ if (!warm) model.triad(s); }",
    ),
    "one-nstream-too-few": (
        "main.cpp",
        r"call < rounds \* setup\.calls",
        "call + 1 < rounds * setup.calls",
    ),
    "copy-does-nothing": ("openmp.cpp", r"c\[i\] = copy\(.*\);", "(void)a, (void)c;"),
    "elements-from-the-next-block": (
        "openmp.cpp",
        r"= mul\(c\[i\], s\)",
        "= mul(c[(i + 256) % n], s)",
    ),
    "triad-with-the-wrong-sign": (
        "openmp.cpp",
        r"= triad\(b\[i\], c\[i\], s\)",
        "= triad(b[i], c[i], -s)",
    ),
    "nstream-forgets-what-was-there": ("openmp.cpp", r"= nstream\(a\[i\]", "= nstream(T(0)"),
    "dot-of-the-wrong-arrays": ("openmp.cpp", r"babelstream::dot\(a, b", "babelstream::dot(a, c"),
    "one-element-is-not-a-number": (
        "openmp.cpp",
        r"= add\(a\[i\], b\[i\]\)",
        "= add(a[i], b[i]) / (i == 5 ? T(0) : T(1))",
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_broken_program_is_found_out(mutation, proxy, tmp_path):
    toolchain = proxy.toolchains()["openmp-gcc"]
    if toolchain.missing:
        pytest.skip(toolchain.missing)
    sources, (name, pattern, replacement) = tmp_path / "proxyapps", MUTATIONS[mutation]
    shutil.copytree(proxy.SOURCES, sources)
    file = sources / APP / name
    text, count = re.subn(pattern, replacement, file.read_text())
    assert count == 1, f"{name} no longer has the line that this mutation changes"
    file.write_text(text)
    build = tmp_path / "build"
    assert proxy.configure(build, toolchain, f"-DPROXY_APPS={APP}", sources=sources).returncode == 0
    compiled = proxy.compile_tree(build)
    assert compiled.returncode == 0, compiled.stdout
    done = proxy.run(
        build / "bin" / "babelstream-openmp",
        "--problem",
        "tiny",
        json_file=tmp_path / "result.json",
    )
    assert done.returncode == 1
    assert done.result["verdict"]["status"] == "wrong"
