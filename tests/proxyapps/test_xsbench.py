"""XSBench's own behaviour: the published hashes, all its grids and methods, what it refuses."""

from __future__ import annotations

import bisect
import itertools
import os
import re
import statistics

import pytest

APP = "xsbench"
GRIDS = ("unionized", "hash", "nuclide")
METHODS = ("event", "history")


def only_xsbench(app):
    if app != APP:
        pytest.skip("another app's")


@pytest.fixture
def lookups(run_app):
    """Runs the gcc OpenMP program, one round of tiny with the given parameters changed."""

    def run_it(**parameters):
        return run_app("openmp-gcc", APP, *arguments(**parameters))

    return run_it


def arguments(problem="tiny", **parameters):
    """The command line for a problem with some parameters changed, one round of it."""
    line = ["--problem", problem]
    for name, value in {"iterations": 1, "warmup": 0, **parameters}.items():
        line += [f"--{name.replace('_', '-')}", str(value)]
    return line


def check(result, name):
    (found,) = [c for c in result["verdict"]["checks"] if c["name"] == name]
    return found


# The definition once more, in Python.
A, M = 2806196910506780709, 2**63
SHARES = (0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013)
FUEL = (58, 59, 60, 61, 40, 42, 43, 44, 45, 46, 1, 2, 3, 7, 8, 9, 10, 29, 57, 47, 48, 0, 62, 15)
FUEL = (*FUEL, 33, 34, 52, 53, 54, 55, 56, 18, 23, 41)
VESSEL = (19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 27, 28, 29, 30, 31, 32, 26, 49, 50, 51)
VESSEL = (*VESSEL, 11, 12, 13, 14, 6, 16, 17)
CLADDING, WATER = (63, 64, 65, 66, 67), (24, 41, 4, 5)
STEEL = (*WATER, 19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 49, 50, 51, 11, 12, 13, 14)
MATERIALS = (FUEL, CLADDING, WATER, WATER, VESSEL, *[STEEL] * 5, *[(*WATER, *CLADDING)] * 2)


class Stream:
    """Random numbers; the n-th state by one modular power, not by the program's way."""

    def __init__(self, seed, skipped=0):
        self.x = seed
        self.skip(skipped)

    def skip(self, n):
        # (A^n - 1) / (A - 1) mod M, by the power modulo M (A - 1)
        power = pow(A, n, M * (A - 1))
        self.x = (power * self.x + (power - 1) // (A - 1)) % M

    def draw(self):
        self.x = (A * self.x + 1) % M
        return self.x / M


def values(gridpoints, items, chain=0):
    """Which cross section is the largest, of each lookup; `chain` lookups a particle, or event."""
    stream = Stream(42)
    nuclides = [
        sorted([stream.draw() for _ in range(6)] for _ in range(gridpoints)) for _ in range(68)
    ]
    energies = [[point[0] for point in nuclide] for nuclide in nuclides]
    stream = Stream(1144900)
    amounts = [[stream.draw() for _ in ids] for ids in MATERIALS]
    bounds = [sum(SHARES[m:0:-1]) for m in range(12)]
    for item in range(items):
        stream = Stream(1070, item * (10 * chain or 2))
        for _ in range(chain or 1):
            p, roll = stream.draw(), stream.draw()
            material = next((m for m in range(12) if roll < bounds[m]), 0)
            macro = [0.0] * 5
            for n, amount in zip(MATERIALS[material], amounts[material], strict=True):
                g = min(max(bisect.bisect_right(energies[n], p) - 1, 0), gridpoints - 2)
                low, high = nuclides[n][g : g + 2]
                f = (high[0] - p) / (high[0] - low[0])
                for k in range(5):
                    macro[k] += (high[k + 1] - f * (high[k + 1] - low[k + 1])) * amount
            yield 1 + macro.index(max(macro))
            if chain:
                stream.skip(sum(xs > 1.0 for xs in macro))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gridpoints", [2, 17])
def test_the_sum_is_that_of_the_definition_in_python(lookups, method, gridpoints):
    chain = 5 if method == "history" else 0
    expected = sum(values(gridpoints, 400 // (chain or 1), chain))
    for grid in GRIDS:
        result = lookups(
            method=method,
            grid=grid,
            gridpoints=gridpoints,
            hash_bins=50,
            lookups=400,
            lookups_per_particle=5,
        ).result
        assert check(result, "hash")["actual"] == expected, grid
        assert result["verdict"]["status"] == "ok"


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize(
    ("method", "size", "number", "expected"),
    [
        ("event", "small", 1_000, 3044),
        ("event", "small", 100_000, 299541),
        ("event", "large", 1_000, 3019),
        ("history", "small", 34_000, 101914),
    ],
)
def test_the_published_hashes_hold_on_every_grid(lookups, method, size, number, expected, grid):
    if size == "large" and grid == "unionized":
        pytest.skip("takes 6 GB; see the soak tests")
    done = lookups(problem="small", method=method, size=size, lookups=number, grid=grid)
    assert done.returncode == 0, done.stdout + done.stderr
    hashed = check(done.result, "hash")
    assert (hashed["expected"], hashed["actual"]) == (expected, expected)
    assert "the published one" in hashed["what"]


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("PORTABILITY_SOAK"), reason="set PORTABILITY_SOAK=1")
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize(
    ("method", "size", "number", "expected"),
    [
        ("event", "small", 1_000_000, 999388),
        ("event", "small", 2_000_000, 998920),
        ("event", "small", 17_000_000, 945990),
        ("event", "large", 100_000, 298914),
        ("event", "large", 17_000_000, 952131),
        ("history", "small", 340_000, 17910),
        ("history", "small", 17_000_000, 941535),
        ("history", "large", 17_000_000, 954318),
    ],
)
def test_the_published_hashes_hold_for_many_lookups(
    binary_of, proxy, tmp_path, method, size, number, expected, grid
):
    import json
    import subprocess

    line = arguments(problem="small", method=method, size=size, lookups=number, grid=grid)
    out = tmp_path / "result.json"
    subprocess.run([binary_of("openmp-gcc", APP), *line, "--json", out], check=True)
    assert check(json.loads(out.read_text()), "hash")["actual"] == expected


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("PORTABILITY_SOAK"), reason="set PORTABILITY_SOAK=1")
def test_more_than_2_to_the_31_lookups_are_made_and_verified(binary_of):
    import subprocess

    line = arguments(gridpoints=2, grid="nuclide", lookups=2**31 + 1001)
    subprocess.run([binary_of("openmp-gcc", APP), *line], check=True)


def test_every_grid_and_method_is_verified(host, app, run_app):
    only_xsbench(app)
    for method, grid in itertools.product(METHODS, GRIDS):
        line = arguments(method=method, grid=grid, lookups=9962)
        done = run_app(host, app, *line)
        assert done.returncode == 0, (method, grid, done.stdout, done.stderr)


def test_numbers_of_lookups_that_fit_no_block_are_verified(host, app, run_app):
    only_xsbench(app)
    for number in (1, 2, 3, 255, 257, 1001):
        done = run_app(host, app, *arguments(lookups=number))
        assert done.returncode == 0, (number, done.stdout, done.stderr)
        assert done.result["problem"]["name"] == ""


def test_the_least_tables_and_bins_are_verified(host, app, run_app):
    only_xsbench(app)
    for gridpoints, bins in ((2, 1), (2, 7), (3, 1), (501, 1), (5, 100_000)):
        line = arguments(grid="hash", gridpoints=gridpoints, hash_bins=bins, lookups=500)
        done = run_app(host, app, *line)
        assert done.returncode == 0, (gridpoints, bins, done.stdout, done.stderr)


def test_work_groups_of_an_odd_size_are_verified(host, app, run_app, proxy):
    only_xsbench(app)
    if proxy.toolchains()[host].model not in ("cuda", "hip", "sycl"):
        pytest.skip("no free choice of the work-group size")
    done = run_app(host, app, *arguments(lookups=1001, block=96))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.result["kernels"][0]["launch"] == {"block": 96, "grid": 11}


def test_all_values_are_checked_where_no_hash_is_published_and_a_spread_of_them_elsewhere(lookups):
    def compared(result, name):
        return int(re.search(r"the worst of (\d+)", check(result, name)["what"]).group(1))

    own = lookups(lookups=9973).result
    assert (compared(own, "values"), compared(own, "macros"), compared(own, "sum")) == (
        9973,
        5000,
        1,
    )
    published = lookups(problem="small", lookups=100_000, iterations=2, warmup=1).result
    assert (compared(published, "values"), compared(published, "sum")) == (10_001, 3)


def test_figures_follow_from_the_samples(lookups):
    for method in METHODS:
        result = lookups(method=method, lookups=9962, iterations=5, warmup=2).result
        foms = {fom["name"]: fom for fom in result["foms"]}
        lookup, reduce = result["kernels"]
        assert (len(lookup["samples"]), len(lookup["warmup_samples"])) == (5, 2)
        median = statistics.median(lookup["samples"])
        assert foms["lookups"]["value"] == pytest.approx(9962 / median)
        assert foms["lookups"]["best"] == pytest.approx(9962 / min(lookup["samples"]))
        assert foms["reduction"]["value"] == pytest.approx(statistics.median(reduce["samples"]))


def test_counted_bytes_and_flops_follow_the_definition(lookups):
    counts = (34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9)
    shares = [1 - sum(SHARES[1:]), *SHARES[1:]]
    visits = 1000 * sum(share * count for share, count in zip(shares, counts, strict=True))
    assert visits / 1000 == pytest.approx(15.49, abs=0.005)
    # the union of 68 x 501 energies is bisected in 16 steps, a nuclide's 501 in 9
    found = {"unionized": (8 * 16, 4), "hash": (0, 8 + 8 * 2), "nuclide": (0, 8 * 9)}
    for grid, (row, point) in found.items():
        lookup, reduce = lookups(grid=grid, lookups=1000, hash_bins=250).result["kernels"]
        expected = 1000 * row + visits * (2 * 48 + 12 + point) + 4000
        assert lookup["bytes"] == pytest.approx(expected, abs=1)
        assert lookup["flops"] == pytest.approx(28 * visits, abs=1)
        assert (reduce["bytes"], reduce["flops"]) == (4000, 0)


def test_memory_of_the_problems_is_what_the_program_reports(proxy, lookups):
    problems = proxy.problems_of(APP)
    for name in ("tiny", "small"):
        stated = problems[name]["memory_bytes"]
        assert lookups(problem=name).result["problem"]["working_set_bytes"] == stated


@pytest.mark.parametrize(("problem", "needed"), [("xxl", "262.9 GB"), ("xl", "125.3 GB")])
def test_a_problem_that_does_not_fit_says_what_it_needs_before_it_allocates(
    binary_of, proxy, problem, needed
):
    binary = binary_of("openmp-gcc", APP)
    (device,) = json_devices(proxy, binary)
    bytes_needed = proxy.problems_of(APP)[problem]["memory_bytes"]
    if device["memory_bytes"] > bytes_needed:
        pytest.skip("it fits")
    done = proxy.run(binary, "--problem", problem)
    assert done.returncode == 2
    assert f"needs {needed} of memory" in done.stderr
    assert str(bytes_needed) in done.stderr
    assert not done.stdout


def json_devices(proxy, binary):
    import json

    return json.loads(proxy.run(binary, "--list-devices", "--json", "-").stdout)["devices"]


def test_lookups_that_make_no_whole_particles_are_refused(lookups):
    done = lookups(method="history", lookups=100, lookups_per_particle=34)
    assert done.returncode == 2
    assert "a multiple of --lookups-per-particle 34" in done.stderr


def test_more_than_2_to_the_31_lookups_are_legal(lookups):
    """Their memory may be lacking, their number is no mistake."""
    done = lookups(lookups=2**38)
    assert done.returncode == 2
    assert f"{2**38 * 4 / 1e9:.0f}"[:4] in done.stderr
    assert "of memory" in done.stderr
