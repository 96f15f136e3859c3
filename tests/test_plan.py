from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest

from portability.errors import InputError, UnknownNameError
from portability.plan import Request, make_plan, plan_from_plain, runs, selected
from tests import _words as w


def test_every_model_on_every_platform_is_in_the_plan():
    plan = w.plan()
    asked = {(e.model, e.platform) for e in plan.experiments}
    assert asked == {(m, p.name) for m in w.MODELS for p in (w.NVIDIA, w.AMD)}
    assert plan.native == {"site/a100": "cuda", "site/mi250x": "hip"}


def test_the_study_s_own_rule_excludes_with_its_reason():
    plan = w.plan()
    cuda = next(e for e in plan.experiments if (e.model, e.platform) == ("cuda", "site/mi250x"))
    assert (cuda.status, cuda.reason, cuda.build) == ("excluded", "CUDA is NVIDIA's", "")


def test_an_app_that_does_not_exist_yet_is_unsupported_and_stays_in_the_plan():
    plan = make_plan(
        Request(
            study=w.study(apps=("stream", "later")),
            apps={"stream": w.app()},
            models=w.MODELS,
            systems={},
            system=w.system(),
            source="0",
        )
    )
    later = [e for e in plan.experiments if e.app == "later"]
    assert len(later) == len(w.plan().experiments)
    reasons = {(e.status, e.reason) for e in later if e.status != "excluded"}
    assert reasons == {("unsupported", "not implemented yet")}


def test_a_model_without_a_source_file_is_unsupported():
    plan = w.plan(apps=(w.app(models=("cuda", "openmp")),))
    kokkos = [e for e in plan.experiments if e.model == "kokkos"]
    assert {(e.status, e.reason) for e in kokkos} == {
        ("unsupported", "stream has no kokkos variant")
    }


def test_a_problem_that_does_not_fit_says_what_it_needs():
    plan = w.plan(problems=("huge",))
    kokkos = next(e for e in plan.experiments if e.model == "kokkos")
    assert kokkos.status == "unsupported"
    assert kokkos.reason == "needs 2400.0 GB, site/a100 has 40.0 GB"


def test_a_platform_of_unknown_memory_is_asked_anyway():
    site = w.system()
    unknown = replace(site, platforms=tuple(replace(p, memory_bytes=0) for p in site.platforms))
    plan = w.plan(unknown, problems=("huge",))
    assert next(e for e in plan.experiments if e.model == "kokkos").possible


def test_no_toolchain_on_a_described_system_is_a_finding():
    site = w.system()
    bare = replace(site, toolchains=site.toolchains[1:])
    cuda = next(
        e for e in w.plan(bare).experiments if e.model == "cuda" and e.target != "amd/gfx90a"
    )
    assert cuda.status == "unsupported"
    assert "no toolchain of site builds it for nvidia/sm_80" in cuda.reason


def test_no_toolchain_on_a_probed_machine_says_nothing_about_the_model():
    bare = replace(w.system({"cuda on nvidia/sm_80": "install the CUDA toolkit"}), toolchains=())
    cuda = next(e for e in w.plan(bare).experiments if e.model == "cuda" and e.status != "excluded")
    assert cuda.status == "not_attempted"
    assert "install the CUDA toolkit" in cuda.reason


def test_the_first_toolchain_that_can_is_taken_unless_the_study_names_one():
    both = w.system()
    other = replace(both.toolchains[0], name="other")
    both = replace(both, toolchains=(*both.toolchains, other))
    assert "other" not in {b.toolchain for b in w.plan(both).builds}
    chosen = w.plan(both, toolchains={"kokkos": "other"})
    assert {b.toolchain for b in chosen.builds if b.model == "kokkos"} == {"other"}


def test_ids_are_the_same_for_the_same_question_and_differ_for_another():
    first, second = w.plan(), w.plan()
    assert [e.id for e in first.experiments] == [e.id for e in second.experiments]
    assert len({e.id for e in first.experiments}) == len(first.experiments)
    assert {e.id for e in first.experiments}.isdisjoint(
        e.id for e in w.plan(track="tuned").experiments
    )


def test_another_source_tree_or_compiler_version_is_another_build_of_the_same_experiment():
    plan = w.plan()
    site = w.system()
    newer = replace(site, toolchains=tuple(replace(t, version="99") for t in site.toolchains))
    again = w.plan(newer)
    assert [e.id for e in plan.experiments] == [e.id for e in again.experiments]
    assert {b.id for b in plan.builds}.isdisjoint(b.id for b in again.builds)


def test_a_plan_survives_its_file():
    plan = w.plan()
    assert plan_from_plain(json.loads(json.dumps(plan.as_dict()))) == plan


def test_each_block_holds_every_model_once_in_an_order_of_its_own():
    plan = w.plan(blocks=20)
    ordered = runs(plan, selected(plan))
    possible = [e for e in plan.experiments if e.possible and e.platform == "site/a100"]
    orders = set()
    for block in range(20):
        of_block = [
            r.experiment
            for r in ordered
            if r.block == block and r.experiment in {e.id for e in possible}
        ]
        assert sorted(of_block) == sorted(e.id for e in possible)
        orders.add(tuple(of_block))
    assert len(orders) > 1
    assert ordered == runs(plan, selected(plan))


def test_models_of_one_app_and_problem_are_neighbours_in_time():
    plan = w.plan(apps=(w.app("a"), w.app("b")), platforms=("site/a100",))
    names = {e.id: e.app for e in plan.experiments}
    order = [names[r.experiment] for r in runs(plan, selected(plan)) if r.block == 0]
    changes = sum(a != b for a, b in itertools.pairwise(order))
    assert changes == 1


def test_a_platform_that_does_not_exist_gets_the_nearest_name():
    with pytest.raises(UnknownNameError, match="did you mean 'site/a100'"):
        w.plan(platforms=("site/a10",))


def test_a_system_outside_of_h_is_an_error_that_names_the_systems_of_h():
    elsewhere = replace(
        w.system(), name="elsewhere", platforms=(replace(w.AMD, name="elsewhere/x"),)
    )
    request = Request(
        study=w.study(platforms=("site/a100",)),
        apps={"stream": w.app()},
        models=w.MODELS,
        systems={"site": w.system()},
        system=elsewhere,
        source="0",
    )
    with pytest.raises(InputError, match=r"no platform on system elsewhere.*its H is on site"):
        make_plan(request)


def test_selecting_an_app_that_the_study_does_not_hold_is_an_error():
    with pytest.raises(UnknownNameError, match="did you mean 'stream'"):
        selected(w.plan(), apps=["straem"])
