"""What the tests of the catalog share: a small catalog of their own, and machines to probe."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from portability.catalog import Catalog
from portability.errors import InputError

APP: dict[str, Any] = {
    "name": "demo",
    "title": "Demo",
    "version": "1.0",
    "summary": "A demonstration.",
    "source": "none",
    "kernels": [{"name": "go", "formula": "a = b"}],
    "foms": [{"name": "go", "unit": "B/s", "direction": "higher", "headline": True}],
    "models": {"cuda": "shared with hip"},
}
PROBLEMS: dict[str, Any] = {
    "problems": {
        "tiny": {"description": "small", "parameters": {"size": 4}, "memory_bytes": 64},
        "paper": {"description": "large", "parameters": {"size": 1e-8}, "memory_bytes": 1024},
    }
}
STUDY: dict[str, Any] = {
    "name": "first",
    "title": "A study",
    "apps": "all",
    "models": ["cuda", "openmp"],
    "problems": ["tiny"],
}
SYSTEM: dict[str, Any] = {
    "name": "big",
    "title": "Big machine",
    "source": ["https://example.org"],
    "scheduler": "slurm",
    "launcher": ["srun", "-n1"],
    "nodes": 3,
    "devices_per_node": 4,
    "retired": True,
    "notes": ["hot"],
    "platforms": [
        {
            "name": "a100",
            "title": "A100",
            "vendor": "nvidia",
            "target": "nvidia/sm_80",
            "memory_bytes": 42949672960,
            "ceilings": {"memory_bandwidth": {"value": 1e12, "unit": "B/s", "source": "sheet"}},
        }
    ],
    "toolchains": [
        {
            "name": "gcc",
            "compiler": "gcc",
            "version": "12.2.0",
            "modules": ["gcc/12"],
            "environment": {"A": "1"},
            "cmake": {"X": "y"},
            "recipes": [{"model": "cuda", "targets": ["nvidia/sm_80"], "note": "n"}],
        }
    ],
}
TOOLCHAIN: dict[str, Any] = {
    "name": "cc",
    "title": "C",
    "order": 5,
    "get": "apt-get install cc",
    "compiler": "cxx",
    "programs": {
        "cxx": {
            "title": "fake",
            "names": ["fake++-2", "fake++"],
            "version": {"arguments": ["--version"], "pattern": "fake (\\S+)"},
        }
    },
    "cmake": {"CMAKE_CXX_COMPILER": "{cxx}"},
    "recipes": [{"model": "openmp", "targets": ["cpu"]}],
}


def attempt(work: Callable[[], Any]) -> Any:
    """What ``work`` returns, or the InputError that it raises; anything else is not caught."""
    try:
        return work()
    except InputError as error:
        return error


def write(file: Path, data: dict[str, Any]) -> Path:
    """``data`` as JSON or YAML at ``file``, with its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1) if file.suffix == ".json" else yaml.safe_dump(data)
    file.write_text(text, encoding="utf-8")
    return file


def write_model(top: Path, name: str, title: str = "", native: str = "") -> None:
    file = top / "proxyapps/cmake/models" / f"{name}.cmake"
    file.parent.mkdir(parents=True, exist_ok=True)
    more = f"# native-on: {native}\n" if native else ""
    file.write_text(f"# {title or name}: a model\n{more}macro(x)\nendmacro()\n")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A folder of the catalog's shape with one of each kind."""
    folder = tmp_path / "catalog"
    app = folder / "proxyapps/demo"
    write(app / "app.yaml", APP)
    write(app / "problems.json", PROBLEMS)
    for source in ("cuda_hip.cu", "openmp.cpp", "main.cpp", "demo.hpp"):
        (app / source).write_text("// source\n")
    for model, native in (("cuda", "nvidia"), ("hip", "amd"), ("openmp", "cpu"), ("kokkos", "")):
        write_model(folder, model, native=native)
    write(folder / "experiments/studies/first.yaml", STUDY)
    write(folder / "spack_envs/systems/big/system.yaml", SYSTEM)
    write(folder / "spack_envs/toolchains/cc.yaml", TOOLCHAIN)
    return folder


@pytest.fixture
def catalog(top: Path) -> Catalog:
    return Catalog([top])


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Path]:
    """Makes a shell script in a folder that is to be PATH; returns that folder."""

    def make(name: str, body: str, folder: str = "bin") -> Path:
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        file = place / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
        return place

    return make
