"""What was measured, with what, on what, when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from portability.report import _numbers as numbers
from portability.report._facts import Facts
from portability.report._page import Item, Part, SectionKind, Table

__all__ = ["SECTION"]


def parts(facts: Facts) -> tuple[Part, ...]:
    """Study and machine, devices, toolchains, binaries, and every run."""
    records = facts.used()
    listed = [_devices(records), _compilers(records), _binaries(records), _runs(facts, records)]
    return (_study(facts, records), *(table for table in listed if table.rows))


def _study(facts: Facts, records: list[Mapping[str, Any]]) -> Table:
    study, system = facts.plan.study, facts.system
    started = sorted(filter(None, (_of(r, "times", "started") for r in records)))
    ended = sorted(filter(None, (_of(r, "times", "ended") for r in records)))
    commits = dict.fromkeys(
        f"{commit}{' (with uncommitted changes)' if _of(r, 'provenance', 'dirty') else ''}"
        for r in records
        if (commit := _of(r, "provenance", "commit"))
    )
    facts_of = [(name, numbers.plain(value)) for name, value in system.facts.items()]
    pairs = [
        ("study", study.name),
        ("baseline", study.baseline),
        ("blocks and repeats", f"{study.blocks} blocks of {study.repeats}"),
        ("track", study.track),
        ("time limit", f"{study.timeout:g} s a run"),
        ("seed of the run order", str(study.seed)),
        ("system", f"{system.title} ({system.name})" if system.title else system.name),
        ("scheduler", system.scheduler or "-"),
        *facts_of,
        ("commit", ", ".join(commits) or "not recorded"),
        ("first start", str(started[0]) if started else "no run"),
        ("last end", str(ended[-1]) if ended else "no run"),
    ]
    rows = tuple((Item(name), Item(value)) for name, value in pairs)
    return Table("The study and the machine", ("what", "value"), rows)


def _devices(records: list[Mapping[str, Any]]) -> Table:
    keys = ("name", "architecture", "vendor", "uuid", "pci", "driver", "runtime")
    rows = _distinct(
        (
            str(r.get("platform") or "-"),
            *(numbers.plain(device.get(key)) for key in keys),
            _bytes(device.get("memory_bytes")),
        )
        for r in records
        if (device := r.get("device"))
    )
    return Table("Devices that did the work", ("platform", *keys, "memory"), rows)


def _compilers(records: list[Mapping[str, Any]]) -> Table:
    rows = _distinct(
        (
            str(r.get("toolchain") or "-"),
            str(r.get("target") or "-"),
            str(r.get("model") or "-"),
            *(numbers.plain(compiler.get(k)) for k in ("name", "version", "flags")),
        )
        for r in records
        if (compiler := r.get("compiler"))
    )
    columns = ("toolchain", "target", "model", "compiler", "version", "flags")
    return Table("Compilers, as the binaries report them", columns, rows, heads=3)


def _binaries(records: list[Mapping[str, Any]]) -> Table:
    rows = _distinct(
        (*(str(r.get(key) or "-") for key in ("app", "model", "target")), str(digest))
        for r in records
        if (digest := _of(r, "provenance", "binary_sha256"))
    )
    return Table("Binaries", ("app", "model", "target", "SHA-256"), rows, heads=3)


def _runs(facts: Facts, records: list[Mapping[str, Any]]) -> Table:
    rows = tuple(_run(facts, record) for record in records)
    columns = ("run", "app", "problem", "model", "platform", "block", "repeat", "attempt", "place",
               "status", "started (UTC)", "wall time", "load before", "load after")  # fmt: skip
    return Table(f"Every run ({len(rows)}), in the order of time", columns, rows, folded=True)


def _run(facts: Facts, record: Mapping[str, Any]) -> tuple[Item, ...]:
    wall = _of(record, "times", "wall_s")
    noise = record.get("noise") or {}
    plain = [
        "app", "problem", "model", "platform", "block", "repeat", "attempt", "position", "status",
    ]  # fmt: skip
    return (
        Item(str(record.get("run") or "-"), facts.raw(record)),
        *(Item(numbers.plain(record.get(key))) for key in plain),
        Item(numbers.plain(_of(record, "times", "started"))),
        Item("-" if wall is None else numbers.quantity(float(wall), "s")),
        *(Item(_load(noise.get(when) or {})) for when in ("before", "after")),
    )


def _bytes(value: Any) -> str:
    return numbers.quantity(float(value), "B") if value else "-"


def _load(noise: Mapping[str, Any]) -> str:
    load = noise.get("load1")
    return "-" if load is None else f"{float(load):.2f}"


def _of(record: Mapping[str, Any], group: str, key: str) -> Any:
    return (record.get(group) or {}).get(key)


def _distinct(rows: Iterable[tuple[str, ...]]) -> tuple[tuple[Item, ...], ...]:
    return tuple(tuple(map(Item, row)) for row in sorted(set(rows)))


SECTION = SectionKind("provenance", "Provenance", 70, parts)
