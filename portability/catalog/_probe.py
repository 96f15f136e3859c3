"""The probe: this machine as the system ``localhost``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from portability.catalog._detect import Gap, detect
from portability.catalog._devices import (
    Cpu,
    Gpu,
    find_amd,
    find_cpu,
    find_intel,
    slug,
)
from portability.catalog._machine import Machine
from portability.catalog._nvidia import find_nvidia
from portability.catalog._toolchains import ToolchainFile
from portability.words import Platform, System, Toolchain

__all__ = ["probe"]


def probe(
    toolchains: Iterable[ToolchainFile],
    root: Path = Path("/"),
    environ: Mapping[str, str] | None = None,
    timeout: float = 20.0,
) -> System:
    """This machine: its CPU and GPUs as platforms, and those of ``toolchains`` that it has.

    ``root`` holds /proc, /sys and the folders where libraries usually are; programs are found on
    PATH of ``environ`` (default: this process's) and get ``timeout`` seconds each.  Nothing in the
    result changes between two probes of one machine.  ``missing`` maps ``<model> on <target>`` to
    how to get it, for each target of a platform; ``facts`` has ``cpu``, ``devices`` (one mapping
    per GPU), ``os`` and ``problems`` (texts: what was found and cannot be used).
    """
    machine = Machine(root, dict(os.environ if environ is None else environ), timeout)
    files = tuple(toolchains)
    with ThreadPoolExecutor(1) as pool:  # nvidia-smi is slow to start: ask it meanwhile
        asked = pool.submit(find_nvidia, machine)
        found, gaps = detect(files, machine)
        gpus, problems = asked.result()
    for find in (find_amd, find_intel):
        more, troubles = find(machine)
        gpus, problems = [*gpus, *more], [*problems, *troubles]
    cpu = find_cpu(machine)
    names = _names(gpus)
    platforms = (_cpu_platform(cpu), *_gpu_platforms(gpus, names))
    return System(
        name="localhost",
        title="this machine",
        scheduler="none",
        platforms=platforms,
        toolchains=found,
        missing=_missing(files, platforms, found, gaps),
        facts={
            "cpu": asdict(cpu),
            "devices": [
                {**asdict(gpu), "platform": f"localhost/{name}"}
                for gpu, name in zip(gpus, names, strict=True)
            ],
            "os": _os(machine),
            "problems": problems,
        },
    )


def _names(gpus: Sequence[Gpu]) -> list[str]:
    """A short name per device; equal devices share one, devices that differ never do."""
    kinds: dict[tuple[Any, ...], str] = {}
    for gpu in gpus:
        kind = _kind(gpu)
        if kind in kinds:
            continue
        name = slug(gpu.name, gpu.mode)
        sized = f"{name}-{round(gpu.memory_bytes / 1024**3)}"
        choices = [name, sized, *(f"{sized}-{number}" for number in range(2, len(gpus) + 2))]
        taken = {*kinds.values(), "cpu"}
        kinds[kind] = next(choice for choice in choices if choice not in taken)
    return [kinds[_kind(gpu)] for gpu in gpus]


def _kind(gpu: Gpu) -> tuple[Any, ...]:
    return (gpu.vendor, gpu.name, gpu.target, gpu.memory_bytes, gpu.mode)


def _cpu_platform(cpu: Cpu) -> Platform:
    return Platform(
        name="localhost/cpu",
        title=cpu.model,
        vendor="cpu",
        target="cpu",
        memory_bytes=cpu.memory_bytes,
    )


def _gpu_platforms(gpus: Sequence[Gpu], names: Sequence[str]) -> list[Platform]:
    platforms = []
    for name in dict.fromkeys(names):
        same = [gpu for gpu, its in zip(gpus, names, strict=True) if its == name]
        mode = f" ({same[0].mode})" if same[0].mode else ""
        platforms.append(
            Platform(
                name=f"localhost/{name}",
                title=same[0].name + mode,
                vendor=same[0].vendor,
                target=same[0].target,
                memory_bytes=same[0].memory_bytes,
                devices=tuple(gpu.id for gpu in same),
            )
        )
    return platforms


def _missing(
    files: Sequence[ToolchainFile],
    platforms: Sequence[Platform],
    found: Sequence[Toolchain],
    gaps: Sequence[Gap],
) -> dict[str, str]:
    """``<model> on <target>`` to how to get it, for what nothing found here builds."""
    models = sorted({ability.model for file in files for ability in file.abilities})
    missing = {}
    for target in dict.fromkeys(platform.target for platform in platforms):
        for model in models:
            if any(toolchain.recipe(model, target) for toolchain in found):
                continue
            missing[f"{model} on {target}"] = _advice(model, target, gaps)
    return missing


def _advice(model: str, target: str, gaps: Sequence[Gap]) -> str:
    fitting = [g for g in gaps if g.ability.model == model and g.ability.covers(target)]
    if not fitting:
        return f"no toolchain that is known or found here builds {model} for {target}"
    first, *others = sorted(fitting, key=lambda gap: not gap.near)
    also = next((gap for gap in others if gap.toolchain != first.toolchain), None)
    more = f"; or {also.toolchain}: {also.get}" if also else ""
    return f"{first.why}; to get {first.toolchain}: {first.get}{more}"


def _os(machine: Machine) -> str:
    for line in machine.read("/etc/os-release").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip().strip('"')
    return ""
