"""Every program on CPUs: it verifies its answer, keeps the contract, and refuses nonsense."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import jsonschema

NUMBER_OR_NULL = {"type": ["number", "null"]}
TEXT_OR_NULL = {"type": ["string", "null"]}
SECONDS = {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}}
RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "schema_version",
        "app",
        "model",
        "target",
        "app_version",
        "problem",
        "iterations",
        "warmup",
        "device",
        "compiler",
        "verdict",
        "kernels",
        "foms",
        "transfers",
        "initialisation_seconds",
    ],
    "properties": {
        "schema_version": {"const": 1},
        "app": {"type": "string"},
        "model": {"type": "string"},
        "target": {"type": "string"},
        "app_version": {"type": "string", "minLength": 1},
        "problem": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "parameters", "precision", "working_set_bytes"],
            "properties": {
                "name": {"type": "string"},
                "parameters": {"type": "object", "minProperties": 1},
                "precision": {"enum": ["f64", "f32", None]},
                "working_set_bytes": {"type": "integer", "minimum": 1},
            },
        },
        "iterations": {"type": "integer", "minimum": 1},
        "warmup": {"type": "integer", "minimum": 0},
        "device": {
            "type": "object",
            "additionalProperties": False,
            "required": [
                "index",
                "vendor",
                "name",
                "architecture",
                "uuid",
                "pci",
                "driver",
                "runtime",
                "memory_bytes",
                "multiprocessors",
                "threads",
            ],
            "properties": {
                "index": {"type": "integer"},
                "vendor": {"enum": ["nvidia", "amd", "intel", "cpu"]},
                "name": {"type": "string", "minLength": 1},
                "architecture": TEXT_OR_NULL,
                "uuid": TEXT_OR_NULL,
                "pci": TEXT_OR_NULL,
                "driver": TEXT_OR_NULL,
                "runtime": TEXT_OR_NULL,
                "memory_bytes": NUMBER_OR_NULL,
                "multiprocessors": NUMBER_OR_NULL,
                "threads": NUMBER_OR_NULL,
            },
        },
        "compiler": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "version", "flags"],
            "properties": {
                key: {"type": "string", "minLength": 1} for key in ("name", "version", "flags")
            },
        },
        "verdict": {
            "type": "object",
            "additionalProperties": False,
            "required": ["status", "checks"],
            "properties": {
                "status": {"enum": ["ok", "wrong", "not_checked"]},
                "checks": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["name", "what", "expected", "actual", "tolerance", "passed"],
                        "properties": {
                            "name": {"type": "string"},
                            "what": {"type": "string"},
                            "expected": NUMBER_OR_NULL,
                            "actual": NUMBER_OR_NULL,
                            "tolerance": NUMBER_OR_NULL,
                            "passed": {"type": ["boolean", "null"]},
                        },
                    },
                },
            },
        },
        "kernels": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": [
                    "name",
                    "samples",
                    "warmup_samples",
                    "bytes",
                    "flops",
                    "calls_per_sample",
                    "launch",
                ],
                "properties": {
                    "name": {"type": "string"},
                    "samples": SECONDS,
                    "warmup_samples": SECONDS,
                    "bytes": {"type": "integer", "minimum": 0},
                    "flops": {"type": "integer", "minimum": 0},
                    "calls_per_sample": {"type": "integer", "minimum": 1},
                    "launch": {"type": "object"},
                },
            },
        },
        "foms": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "value", "best", "unit", "direction"],
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": "number"},
                    "best": {"type": "number"},
                    "unit": {"type": "string"},
                    "direction": {"enum": ["higher", "lower"]},
                },
            },
        },
        "transfers": {
            "type": "object",
            "additionalProperties": False,
            "required": ["host_to_device_seconds", "device_to_host_seconds"],
            "properties": {
                "host_to_device_seconds": NUMBER_OR_NULL,
                "device_to_host_seconds": NUMBER_OR_NULL,
            },
        },
        "initialisation_seconds": {"type": "number", "minimum": 0},
    },
}


def test_tiny_is_verified_and_its_result_keeps_the_contract(host, app, run_app, proxy):
    done = run_app(host, app, "--problem", "tiny")
    assert done.returncode == 0, done.stdout + done.stderr
    jsonschema.validate(done.result, RESULT)
    result, toolchain = done.result, proxy.toolchains()[host]
    assert result["verdict"]["status"] == "ok"
    assert all(check["passed"] for check in result["verdict"]["checks"])
    assert (result["app"], result["model"], result["target"]) == (app, toolchain.model, "cpu")
    assert result["app_version"] == proxy.facts_of(app)["version"]
    assert result["problem"]["name"] == "tiny"
    planned = dict(proxy.problems_of(app)["tiny"]["parameters"])
    assert result["iterations"] == planned.pop("iterations", result["iterations"])
    assert result["warmup"] == planned.pop("warmup", result["warmup"])
    assert result["problem"]["precision"] == planned.pop(
        "precision", result["problem"]["precision"]
    )
    assert result["problem"]["parameters"] == planned
    assert result["device"]["vendor"] == "cpu"


def test_figures_of_merit_are_those_that_app_yaml_declares(host, app, run_app, proxy):
    result = run_app(host, app, "--problem", "tiny").result
    declared = {fom["name"]: (fom["unit"], fom["direction"]) for fom in proxy.facts_of(app)["foms"]}
    assert {fom["name"]: (fom["unit"], fom["direction"]) for fom in result["foms"]} == declared
    for fom in result["foms"]:
        better = fom["best"] - fom["value"]
        assert better >= 0 if fom["direction"] == "higher" else better <= 0, fom


def test_profile_reports_every_kernel_that_app_yaml_declares(host, app, run_app, proxy):
    result = run_app(host, app, "--problem", "tiny", "--profile").result
    assert [kernel["name"] for kernel in result["kernels"]] == [
        k["name"] for k in proxy.facts_of(app)["kernels"]
    ]


def test_every_precision_of_an_app_is_verified(host, app, run_app, proxy):
    if "precision" not in proxy.problems_of(app)["tiny"]["parameters"]:
        return
    for precision in ("f64", "f32"):
        done = run_app(host, app, "--problem", "tiny", "--precision", precision)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.result["problem"]["precision"] == precision


def test_bad_usage_is_refused_with_one_line_and_status_2(host, app, binary_of, proxy):
    """No input, however odd, may crash a program or let it start."""
    counts = [
        name
        for name, value in proxy.problems_of(app)["tiny"]["parameters"].items()
        if isinstance(value, int)
    ]
    bad = [
        ["--no-such-option"],
        ["--problem", "no-such-problem"],
        ["--problem"],
        ["stray"],
        ["-"],
        ["--"],
        [""],
        ["--device", "1"],
        ["--device", "-1"],
        ["--device", "2147483648"],
        ["--device", "99999999999999999999"],
        ["--json", "/no/such/folder/result.json"],
        ["--json", "/tmp"],
        ["--list-devices=yes"],
    ]
    nonsense = (
        "-1",
        "nan",
        "inf",
        "1e30",
        "9223372036854775808",
        "18446744073709551616",
        "0x10",
        "1.5",
        "",
        " 1",
        "1 ",
    )
    for name in counts:
        bad += [[f"--{name.replace('_', '-')}", value] for value in nonsense]
    binary, faults = binary_of(host, app), []
    for arguments in bad:
        done = proxy.run(binary, "--problem", "tiny", *arguments)
        lines = [line for line in done.stderr.splitlines() if line.startswith(f"{binary.name}: ")]
        if done.returncode != 2 or len(lines) != 1 or done.stdout:
            faults.append((arguments, done.returncode, done.stderr))
    assert not faults


def test_unknown_names_are_answered_with_the_nearest_known_one(host, app, binary_of, proxy):
    assert (
        "did you mean --iterations?" in proxy.run(binary_of(host, app), "--itertions", "3").stderr
    )
    assert "did you mean tiny?" in proxy.run(binary_of(host, app), "--problem", "tinny").stderr


def test_devices_are_listed_as_json_on_standard_output(host, app, binary_of, proxy):
    done = proxy.run(binary_of(host, app), "--list-devices", "--json", "-")
    assert done.returncode == 0
    (device,) = json.loads(done.stdout)["devices"]
    jsonschema.validate(device, RESULT["properties"]["device"])
    assert (device["index"], device["vendor"]) == (0, "cpu")
    assert device["threads"] == len(os.sched_getaffinity(0))
    assert device["memory_bytes"] > 0


def test_json_on_standard_output_is_one_document_and_nothing_else(host, app, binary_of, proxy):
    done = proxy.run(binary_of(host, app), "--problem", "tiny", "--json", "-")
    assert done.returncode == 0
    jsonschema.validate(json.loads(done.stdout), RESULT)


def test_a_result_that_cannot_be_written_is_refused_before_the_run(
    host, app, binary_of, proxy, tmp_path: Path
):
    if os.geteuid() == 0:
        target = tmp_path / "missing" / "result.json"  # nothing is closed to root
    else:
        tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
        target = tmp_path / "result.json"
    done = proxy.run(binary_of(host, app), "--problem", "tiny", "--json", str(target))
    assert done.returncode == 2
    assert "--json" in done.stderr


def test_the_result_appears_in_one_step_and_leaves_no_other_file(
    host, app, binary_of, proxy, tmp_path: Path
):
    proxy.run(binary_of(host, app), "--problem", "tiny", json_file=tmp_path / "result.json")
    assert [file.name for file in tmp_path.iterdir()] == ["result.json"]


def test_help_names_every_problem_and_starts_nothing(host, app, binary_of, proxy):
    done = proxy.run(binary_of(host, app), "--help")
    assert done.returncode == 0
    for name in proxy.problems_of(app):
        assert name in done.stdout


def test_an_option_that_changes_the_problem_takes_its_name_away(host, app, run_app):
    assert (
        run_app(host, app, "--problem", "tiny", "--iterations", "1", "--warmup", "0").result[
            "problem"
        ]["name"]
        == "tiny"
    )


def test_math_flags_allow_contraction_and_nothing_more(host, app, run_app):
    flags = run_app(host, app, "--problem", "tiny").result["compiler"]["flags"]
    assert "-ffp-contract=fast" in flags
    assert "-O3" in flags
    assert not [
        flag
        for flag in flags.split()
        if flag in ("-ffast-math", "-Ofast", "-funsafe-math-optimizations")
    ]


def test_a_deliberate_mistake_is_found(host, app, fault, run_app):
    done = run_app(host, app, "--problem", "tiny", fault=fault)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.result["verdict"]["status"] == "wrong"
    assert any(check["passed"] is False for check in done.result["verdict"]["checks"])
    assert f"PROXY_FAULT={fault}" in done.result["compiler"]["flags"]


def test_files_of_an_app_agree_with_each_other(app, proxy):
    facts, problems = proxy.facts_of(app), proxy.problems_of(app)
    required = {"name", "title", "version", "summary", "source", "kernels", "foms", "models"}
    assert set(facts) == required
    assert facts["name"] == app
    assert sum(fom.get("headline", False) for fom in facts["foms"]) == 1
    assert all(fom["statistic"] == "median" and fom["description"] for fom in facts["foms"])
    assert {"tiny", "small", "paper", "default"} <= set(problems)
    for problem in problems.values():
        assert set(problem) == {"description", "parameters", "memory_bytes"}
        assert set(problem["parameters"]) == set(problems["default"]["parameters"])
    models = {file.stem for file in (proxy.SOURCES / "cmake" / "models").glob("*.cmake")}
    assert set(facts["models"]) <= models
