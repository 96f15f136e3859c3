from __future__ import annotations

import json
import os

import pytest

from portability.errors import InputError
from portability.records import Store, check_record
from tests import _words as w

PLAN = w.plan()


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path)


def test_what_is_appended_is_read_back_once(store: Store):
    record = w.record(PLAN, "kokkos")
    store.append(record)
    store.append(record)
    store.append(w.record(PLAN, "kokkos", block=1))
    assert [r["block"] for r in store.read()] == [0, 1]


def test_every_writer_has_a_file_of_its_own(store: Store, tmp_path):
    store.append(w.record(PLAN, "kokkos"))
    if os.fork() == 0:
        store.append(w.record(PLAN, "kokkos", block=1))
        os._exit(0)
    os.wait()
    assert len(list(tmp_path.glob("*.jsonl"))) == 2
    assert len(store.read()) == 2


def test_a_torn_last_line_is_set_aside_and_the_next_record_stands_on_its_own(store, tmp_path):
    store.append(w.record(PLAN, "kokkos"))
    path = next(tmp_path.glob("*.jsonl"))
    with path.open("a") as stream:
        stream.write('{"run": "torn", "sta')
    store.append(w.record(PLAN, "kokkos", block=1))
    assert [r["block"] for r in store.read()] == [0, 1]
    assert store.torn == [f"{path}:2"]


def test_a_record_that_breaks_the_schema_is_not_written(store: Store, tmp_path):
    record = w.record(PLAN, "kokkos")
    record["foms"][0]["direction"] = "sideways"
    with pytest.raises(InputError, match="direction"):
        store.append(record)
    assert not list(tmp_path.glob("*.jsonl"))


def test_an_ok_record_needs_an_ok_verdict_and_a_figure_of_merit():
    record = w.record(PLAN, "kokkos")
    check_record(record)
    with pytest.raises(InputError):
        check_record({**record, "verdict": {"status": "wrong"}})
    with pytest.raises(InputError):
        check_record({**record, "foms": []})


def test_a_failure_needs_a_reason():
    with pytest.raises(InputError):
        check_record({**w.record(PLAN, "kokkos", status="timeout"), "reason": ""})


def test_the_merged_view_holds_every_record(store: Store, tmp_path):
    for block in range(3):
        store.append(w.record(PLAN, "kokkos", block=block))
    out = tmp_path / "merged" / "runs.jsonl"
    out.parent.mkdir()
    assert store.merge(out) == 3
    assert [json.loads(line)["block"] for line in out.read_text().splitlines()] == [0, 1, 2]
