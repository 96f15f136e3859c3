"""NVIDIA's GPUs, by nvidia-smi or by the driver's files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from portability.catalog._devices import MEMORY, Gpu, pairs
from portability.catalog._machine import Machine

__all__ = ["find_nvidia"]

# Architectures by a word of the device's name, where nvidia-smi is not there to ask.
_ARCHITECTURES = {
    "p100": 60, "v100": 70, "t4": 75, "a100": 80, "a30": 80, "a10": 86, "a40": 86, "l4": 89,
    "l40": 89, "l40s": 89, "h100": 90, "h200": 90, "gh200": 90, "b200": 100,
}  # fmt: skip
_QUERY = ("name", "uuid", "pci.bus_id", "memory.total", "driver_version", "compute_cap",
          "mig.mode.current")  # fmt: skip


def find_nvidia(machine: Machine) -> tuple[list[Gpu], list[str]]:
    """NVIDIA's devices by nvidia-smi, else what the driver's files say; and what went wrong."""
    seen = [pairs(machine.read(f)) for f in machine.glob("/proc/driver/nvidia/gpus/*/information")]
    program = machine.which("nvidia-smi")
    if not program:
        return _by_driver(seen)
    query = f"--query-gpu={','.join(_QUERY)}"
    output = machine.run([program, query, "--format=csv,noheader,nounits"])
    if "No devices were found" in output.text:
        return [], []
    if output.failure:
        listed = ", ".join(block.get("Model", "a device") for block in seen)
        advice = "check NVIDIA's driver" + (f" (it has {listed})" if seen else "")
        return [], [f"nvidia-smi {output.failure}; {advice}"]
    gpus: list[Gpu] = []
    problems: list[str] = []
    for line in output.text.splitlines():
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != len(_QUERY) or not re.fullmatch(r"\d+\.\d+", fields[5]):
            if line.strip():
                problems.append(f"nvidia-smi printed what cannot be read: {line.strip()[:120]}")
            continue
        gpus.extend(_devices(machine, program, fields))
    return gpus, problems


def _by_driver(seen: Sequence[Mapping[str, str]]) -> tuple[list[Gpu], list[str]]:
    """Devices by the driver's own files, as in a container without nvidia-smi."""
    gpus: list[Gpu] = []
    problems = []
    for block in seen:
        name, pci = block.get("Model", ""), block.get("Bus Location", "")
        words = re.findall(r"[a-z0-9]+", name.lower())
        architecture = next((_ARCHITECTURES[w] for w in words if w in _ARCHITECTURES), 0)
        if not architecture:
            problems.append(f"{name or 'a device'} at {pci}: put nvidia-smi on PATH to use it")
            continue
        size = MEMORY.search(name)
        uuid = block.get("GPU UUID", "")
        gpus.append(
            Gpu(
                vendor="nvidia",
                name=name,
                target=f"nvidia/sm_{architecture}",
                memory_bytes=int(size[1]) * 1024**3 if size else 0,
                id=uuid if uuid and "?" not in uuid else pci,
                pci=pci,
            )
        )
    return gpus, problems


def _devices(machine: Machine, program: str, fields: list[str]) -> Iterator[Gpu]:
    """The device of one line, or, where it is cut into MIG instances, those."""
    name, uuid, pci, memory, driver, capability, mig = fields
    size = int(memory) * 1024**2 if memory.isdigit() else 0
    target = f"nvidia/sm_{capability.replace('.', '')}"
    pci = re.sub(r"^0000(?=[0-9A-Fa-f]{4}:)", "", pci).lower()
    if mig != "Enabled":
        yield Gpu("nvidia", name, target, size, uuid, pci, driver)
        return
    text = machine.run([program, "-L"]).text
    block = next((b for b in re.split(r"(?m)^(?=GPU \d)", text) if f"UUID: {uuid})" in b), "")
    for profile, gigabytes, instance in re.findall(
        r"MIG (\S+?\.(\d+)gb\S*) .*?UUID: ([^)\s]+)\)", block
    ):
        yield Gpu(
            "nvidia",
            name,
            target,
            int(gigabytes) * 1024**3,
            instance,
            pci,
            driver,
            f"mig-{profile}",
        )
