"""miniBUDE's own behaviour: the energy, decks, the public deck's energies, poses per work item."""

from __future__ import annotations

import math
import os
import re
import shutil
import statistics
from pathlib import Path

import numpy as np
import pytest

APP = "minibude"
ATOM = np.dtype([("xyz", "<f4", 3), ("type", "<i4")])
TYPE = np.dtype([("hbtype", "<i4"), ("radius", "<f4"), ("hphb", "<f4"), ("elsc", "<f4")])
ENERGIES = "ref_energies.out"


def public_deck():
    """The folder of the public deck bm1, from the environment."""
    folder = Path(os.environ.get("MINIBUDE_DECK", "/nonexistent"))
    if not (folder / "poses.in").is_file():
        pytest.skip("the public deck bm1: set MINIBUDE_DECK to its folder")
    return folder


def only_minibude(app):
    if app != APP:
        pytest.skip("another app's")


@pytest.fixture
def dock(run_app):
    """Runs the gcc OpenMP program, one call on tiny with the given options."""

    def run_it(*words, problem="tiny", toolchain="openmp-gcc", **options):
        line = ["--problem", problem, *words]
        for name, value in {"iterations": 1, "warmup": 0, **options}.items():
            line += [f"--{name.replace('_', '-')}", str(value)]
        return run_app(toolchain, APP, *line)

    return run_it


def check(result, name):
    (found,) = [c for c in result["verdict"]["checks"] if c["name"] == name]
    return found


def energies(protein, ligand, types, poses):
    """The energies of a deck once more, in double precision and straight from their definition."""
    rx, ry, rz = np.float64(poses[:3])
    sx, cx, sy, cy, sz, cz = (f(a) for a in (rx, ry, rz) for f in (np.sin, np.cos))
    rotation = np.array(
        [
            [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz],
            [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz],
            [-sy, sx * cy, cx * cy],
        ]
    )
    moved = np.einsum("ijp,lj->pli", rotation, np.float64(ligand["xyz"]))
    moved += np.float64(poses[3:]).T[:, None, :]
    distance = np.linalg.norm(moved[:, :, None, :] - np.float64(protein["xyz"]), axis=3)
    l = types[ligand["type"]][:, None]  # noqa: E741
    p = types[protein["type"]][None, :]

    contact = np.float64(l["radius"]) + p["radius"]
    gap = distance - contact
    inside = gap < 0
    energy = (1 - distance / contact) * np.where(inside, 76, 0)

    both = (l["hbtype"] == 70) & (p["hbtype"] == 70)
    reach, slope = np.where(both, 4, 2), np.where(both, 0.25, 0.5)
    charge = np.float64(l["elsc"]) * p["elsc"] * np.where(inside, 1, 1 - gap * slope)
    charge = charge * (gap < reach)
    donor = (l["hbtype"] == 69) | (p["hbtype"] == 69)
    energy += 45 * np.where(donor, -abs(charge), charge)

    lh, ph = np.float64(l["hphb"]) + 0 * p["hphb"], np.float64(p["hphb"]) + 0 * l["hphb"]
    reach = np.where(ph < 0, np.where(lh < 0, 5.5, 1), np.where(lh < 0, 1, -np.inf))
    summed = np.where((ph < 0) & (lh > 0), -ph, ph) + np.where((ph > 0) & (lh < 0), -lh, lh)
    ramp = np.where(inside, 1, 1 - gap / reach)
    energy += summed * ((gap < reach) & (ph != 0)) * ramp
    return energy.sum(axis=(1, 2)) / 2


def write_deck(folder, seed=7, poses=333, reference=True):
    """A small deck with atoms of every kind, far from and inside each other, and its energies."""
    random = np.random.default_rng(seed)
    types = np.zeros(12, TYPE)
    types["hbtype"] = [45, 68, 69, 70] * 3
    types["radius"] = random.uniform(1.4, 2.1, 12)
    types["hphb"] = [-0.7, 1.3, 0, -0.4, 0, 2.2, -0.9, 0.6, 0.2, -0.1, 1.7, 0]
    types["elsc"] = random.uniform(-1, 1, 12) * (types["hbtype"] != 45)
    atoms = []
    for count, size in ((70, 12), (11, 4)):
        atoms.append(np.zeros(count, ATOM))
        atoms[-1]["xyz"] = random.uniform(-size, size, (count, 3))
        atoms[-1]["type"] = random.integers(0, 12, count)
    numbers = np.vstack([random.uniform(-4, 4, (3, poses)), random.uniform(-9, 9, (3, poses))])
    numbers = numbers.astype("<f4")
    folder.mkdir()
    atoms[0].tofile(folder / "protein.in")
    atoms[1].tofile(folder / "ligand.in")
    types.tofile(folder / "forcefield.in")
    numbers.tofile(folder / "poses.in")
    expected = energies(*atoms, types, numbers)
    if reference:
        (folder / ENERGIES).write_text("\n".join(f"{e:.9g}" for e in expected))
    return {
        "deck": folder,
        "protein_atoms": 70,
        "ligand_atoms": 11,
        "atom_types": 12,
        "poses": poses,
    }


def test_energies_are_those_of_the_definition_in_python(host, app, run_app, tmp_path):
    only_minibude(app)
    deck = write_deck(tmp_path / "deck")
    line = [word for k, v in deck.items() for word in (f"--{k.replace('_', '-')}", str(v))]
    for rule in ("contract", "fast"):
        done = run_app(host, app, "--problem", "tiny", *line, "--math", rule)
        assert done.returncode == 0, (rule, done.stdout, done.stderr)
        assert "the deck's own energies" in check(done.result, "last_call")["what"]


def test_the_serial_reference_is_that_of_the_definition_in_python(dock, tmp_path):
    """Without energies in the deck the program computes them; both references accept one answer."""
    for seed in range(3):
        deck = write_deck(tmp_path / str(seed), seed, reference=False)
        done = dock(**deck)
        assert done.returncode == 0, done.stdout
        assert "double precision" in check(done.result, "last_call")["what"]
        (tmp_path / str(seed) / ENERGIES).write_text("0\n" * deck["poses"])
        assert dock(**deck).returncode == 1


@pytest.mark.parametrize("ppwi", [1, 2, 4, 8, 16, 32, 64, 128])
def test_every_number_of_poses_per_work_item_is_verified(host, app, run_app, ppwi):
    only_minibude(app)
    for rule in ("tiny", "tiny-fast"):
        done = run_app(host, app, "--problem", rule, "--ppwi", str(ppwi), "--iterations", "1")
        assert done.returncode == 0, (rule, done.stdout, done.stderr)
        assert done.result["kernels"][0]["launch"]["per_item"] == ppwi
        assert done.result["problem"]["name"] == rule  # how work is cut is no part of the problem


def test_numbers_of_poses_that_fit_no_work_group_are_verified(host, app, run_app):
    only_minibude(app)
    for poses in (1, 2, 63, 64, 65, 257, 1023):
        done = run_app(host, app, "--problem", "tiny", "--poses", str(poses), "--ppwi", "4")
        assert done.returncode == 0, (poses, done.stdout, done.stderr)


def test_fast_math_is_another_problem_whose_flags_are_recorded(host, app, run_app):
    only_minibude(app)
    strict, fast = (run_app(host, app, "--problem", p).result for p in ("tiny", "tiny-fast"))
    assert fast["verdict"]["status"] == "ok"
    assert fast["problem"]["parameters"]["math"] == "fast"
    assert fast["compiler"]["flags"] == strict["compiler"]["flags"] + " -ffast-math"
    assert fast["problem"]["precision"] == strict["problem"]["precision"] == "f32"


def test_work_groups_of_an_odd_size_are_verified(host, app, run_app, proxy):
    only_minibude(app)
    if proxy.toolchains()[host].model not in ("cuda", "hip", "sycl"):
        pytest.skip("no free choice of the work-group size")
    # fewer work items than atom types, and more
    for block, grid in ((7, 36), (96, 3)):
        done = run_app(host, app, "--problem", "tiny", "--block", str(block), "--ppwi", "4")
        assert done.returncode == 0, done.stdout + done.stderr
        launch = done.result["kernels"][0]["launch"]
        assert launch == {"block": block, "grid": grid, "per_item": 4}


@pytest.mark.parametrize("rule", ["contract", "fast"])
def test_the_public_decks_energies_hold_for_all_poses(dock, rule):
    done = dock(problem="paper", deck=public_deck(), math=rule)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "of 65373" in check(done.result, "last_call")["what"]
    assert "of the 163 below 1" in check(done.result, "last_call.near_zero")["what"]


def test_the_public_deck_and_the_serial_reference_agree(dock, tmp_path):
    for name in ("protein.in", "ligand.in", "forcefield.in", "poses.in"):
        (tmp_path / name).symlink_to(public_deck() / name)
    done = dock(problem="small", deck=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "double precision" in check(done.result, "last_call")["what"]


@pytest.mark.parametrize("wrong", ["huge", "factor", "sign"])
def test_one_wrong_energy_is_found_whatever_its_sign(dock, tmp_path, wrong):
    deck = write_deck(tmp_path / "deck")
    file = tmp_path / "deck" / ENERGIES
    good = [float(word) for word in file.read_text().split()]
    for negative in (True, False):
        at = next(i for i, e in enumerate(good) if abs(e) > 1 and (e < 0) == negative)
        bad = list(good)
        bad[at] *= {"huge": 1e30, "factor": 1.0006, "sign": -1}[wrong]
        file.write_text("\n".join(map(repr, bad)))
        done = dock(**deck)
        assert done.returncode == 1
        failed = check(done.result, "last_call")
        assert failed["passed"] is False
        assert f"at {sum(abs(e) >= 1 for e in good[:at])}" in failed["what"]
        assert failed["actual"] == pytest.approx(good[at], rel=1e-4)


def test_a_small_energy_is_compared_absolutely(dock, tmp_path):
    deck = write_deck(tmp_path / "deck", poses=3000)
    file = tmp_path / "deck" / ENERGIES
    good = [float(word) for word in file.read_text().split()]
    at = next(i for i, e in enumerate(good) if 0 < abs(e) < 0.5)
    for change, status in ((1e-5, 0), (1e-3, 1)):
        file.write_text("\n".join(map(repr, [*good[:at], good[at] + change, *good[at + 1 :]])))
        done = dock(**deck)
        assert done.returncode == status
        assert check(done.result, "last_call.near_zero")["passed"] is (status == 0)


def test_another_seed_is_another_deck(dock):
    answers = {check(dock(seed=s).result, "last_call")["actual"] for s in (0, 1, 2, 1)}
    assert len(answers) == 3


def test_counts_follow_the_definition(dock):
    for ppwi in (1, 4, 64):
        result = dock(ppwi=ppwi, iterations=5, warmup=2).result
        (kernel,) = result["kernels"]
        item = 28 * ppwi + 9 * (2 + 18 * ppwi + 120 * (10 + 30 * ppwi))
        assert kernel["flops"] == math.floor(item * 1000 / ppwi)
        assert kernel["bytes"] == 16 * (120 + 9 + 34) + 28 * 1000
        assert (len(kernel["samples"]), len(kernel["warmup_samples"])) == (5, 2)
        (fom,) = result["foms"]
        pairs = 1000 * 120 * 9
        assert fom["value"] == pytest.approx(pairs / statistics.median(kernel["samples"]))
        assert fom["best"] == pytest.approx(pairs / min(kernel["samples"]))


def test_flops_of_the_public_decks_size_are_the_published_ones(dock):
    for ppwi, per_pose in ((1, 976_068), (64, 735_947)):
        (kernel,) = dock(problem="paper", poses=64, ppwi=ppwi).result["kernels"]
        assert kernel["flops"] / 64 == pytest.approx(per_pose, abs=1)


def test_memory_of_the_problems_is_what_the_program_counts(dock, proxy):
    for name, problem in proxy.problems_of(APP).items():
        p = problem["parameters"]
        atoms = p["protein_atoms"] + p["ligand_atoms"] + p["atom_types"]
        assert problem["memory_bytes"] == 16 * atoms + 28 * p["poses"], name
    assert dock().result["problem"]["working_set_bytes"] == 30_608


def test_every_problem_has_a_twin_with_fast_math_and_nothing_else_changed(proxy):
    problems = proxy.problems_of(APP)
    assert {"tiny", "small", "paper", "large", "default"} <= set(problems)
    for name in ("tiny", "small", "paper", "large"):
        strict, fast = (dict(problems[n]["parameters"]) for n in (name, f"{name}-fast"))
        assert (strict.pop("math"), fast.pop("math")) == ("contract", "fast")
        assert strict == fast


def test_a_problem_that_does_not_fit_says_what_it_needs_before_it_allocates(dock):
    done = dock(poses=2**50)
    assert done.returncode == 2
    assert f"this one needs {28 * 2**50 + 16 * 163} bytes" in done.stderr
    assert not done.stdout


def test_a_deck_is_refused_with_the_file_and_the_reason(dock, tmp_path):
    deck = write_deck(tmp_path / "deck")
    folder = tmp_path / "deck"

    def refusal(**changed):
        done = dock(**{**deck, **changed})
        assert done.returncode == 2, done.stdout + done.stderr
        return done.stderr

    assert "a folder with protein.in" in refusal(deck=tmp_path / "none")
    assert "--protein-atoms: got 71, expected 70" in refusal(protein_atoms=71)
    assert "--ligand-atoms: got 1, expected 11" in refusal(ligand_atoms=1)
    assert "--atom-types: got 13, expected 12" in refusal(atom_types=13)
    assert "--poses: got 334" in refusal(poses=334)

    good = {file.name: file.read_bytes() for file in folder.iterdir()}

    def spoiled(name, content):
        (folder / name).write_bytes(content)
        text = refusal()
        (folder / name).write_bytes(good[name])
        return text

    assert "protein.in: got 1119 bytes" in spoiled("protein.in", good["protein.in"][:-1])
    assert "poses.in" in spoiled("poses.in", good["poses.in"][:-4])
    assert "poses.in: got 0 bytes" in spoiled("poses.in", b"")
    assert "ref_energies.out: got 2 energies" in spoiled(ENERGIES, b"1\n2\n")
    assert "ref_energies.out" in spoiled(ENERGIES, b"1\nnonsense\n")
    for number in (12, -1, 2**31 - 1):
        atoms = np.frombuffer(good["ligand.in"], ATOM).copy()
        atoms["type"][3] = number
        assert f"an atom's type: got {number}" in spoiled("ligand.in", atoms.tobytes())
    for at in (0, 4 * 333):
        numbers = np.frombuffer(good["poses.in"], "<f4").copy()
        numbers[at] = math.nan
        assert "a number in it is not finite" in spoiled("poses.in", numbers.tobytes())
    (folder / "forcefield.in").unlink()
    assert "forcefield.in: cannot be read" in refusal()


MUTATIONS = {
    "one-energy-is-not-a-number": (
        "openmp.cpp",
        r"= energy\[w\];",
        "= pose == 5 ? std::numeric_limits<float>::quiet_NaN() : energy[w];",
    ),
    "the-last-atom-of-the-protein-is-left-out": (
        "minibude.hpp",
        r"j < deck\.protein_count",
        "j < deck.protein_count - 1",
    ),
    "the-charge-of-type-E-keeps-its-sign": ("minibude.hpp", r"-fabsf\(charge\)", "charge"),
    "the-second-call-does-nothing": (
        "openmp.cpp",
        r"dock_all<W>\(deck, energies, block\);",
        "if (block > 0) dock_all<W>(deck, energies, block); block = 0;",
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
    for problem in ("tiny", "tiny-fast"):
        out = tmp_path / "result.json"
        done = proxy.run(build / "bin" / "minibude-openmp", "--problem", problem, json_file=out)
        assert done.returncode == 1
        assert done.result["verdict"]["status"] == "wrong"


def test_poses_per_work_item_that_are_not_compiled_are_refused(dock):
    for ppwi in (0, 3, 256, "many"):
        done = dock(ppwi=ppwi)
        assert done.returncode == 2
        assert "expected one of auto, 1, 2, 4, 8, 16, 32, 64, 128" in done.stderr
