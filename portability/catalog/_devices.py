"""The processors of a machine: the CPU, and the GPUs of AMD and Intel by what the kernel says.

Every value is one that does not change from one probe to the next (no load, no free memory).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from portability.catalog._machine import Machine

__all__ = [
    "MEMORY",
    "Cpu",
    "Gpu",
    "find_amd",
    "find_cpu",
    "find_intel",
    "pairs",
    "pci_name",
    "slug",
]

# What the kernel calls a GPU is not always its name; these are the ids of AMD's compute cards.
_AMD = {
    0x66A1: "MI50", 0x738C: "MI100", 0x738E: "MI100", 0x7408: "MI250X GCD", 0x740C: "MI250X GCD",
    0x740F: "MI210", 0x74A0: "MI300A", 0x74A1: "MI300X", 0x74A5: "MI325X", 0x75A0: "MI350X",
    0x75A3: "MI355X",
}  # fmt: skip
# What Intel's compiler calls the architecture of a PCI device, by ranges of ids.
_INTEL = (
    (0x0BD0, 0x0BDB, "pvc"), (0x56A0, 0x56A3, "acm_g10"), (0x56C0, 0x56C0, "acm_g10"),
    (0x5690, 0x5692, "acm_g10"), (0x56A5, 0x56A6, "acm_g11"), (0x56C1, 0x56C1, "acm_g11"),
    (0x5693, 0x5695, "acm_g11"), (0xE200, 0xE223, "bmg_g21"),
)  # fmt: skip
_VENDOR_WORDS = re.compile(
    r"\b(nvidia|amd|intel|tesla|geforce|instinct|radeon|corporation|graphics)\b|\((r|tm)\)", re.I
)
_FORM_WORDS = re.compile(r"\b(sxm\d*|pcie?|hbm\d*e?|nvl|oam|mcm|ac|mba)\b", re.I)
MEMORY = re.compile(r"\b(\d+) ?gi?b\b", re.I)


@dataclass(frozen=True)
class Cpu:
    """The host's processor; ``memory_bytes`` is all that this process may use."""

    model: str
    sockets: int
    cores: int
    threads: int
    memory_bytes: int


@dataclass(frozen=True)
class Gpu:
    """One device; ``id`` is its uuid, or its PCI address where it has none."""

    vendor: str
    name: str
    target: str
    memory_bytes: int
    id: str
    pci: str = ""
    driver: str = ""
    mode: str = ""


def slug(name: str, mode: str = "") -> str:
    """A device's short name: ``a100-40`` for ``NVIDIA A100-SXM4-40GB``."""
    text = _FORM_WORDS.sub(" ", _VENDOR_WORDS.sub(" ", name.replace("-", " ")))
    text = MEMORY.sub(r"\1", text)
    words = re.findall(r"[a-z0-9.]+", f"{text} {mode}".lower())
    return "-".join(word.strip(".") for word in words if word.strip("."))[:60] or "device"


def find_cpu(machine: Machine) -> Cpu:
    """The CPU by /proc/cpuinfo; memory by /proc/meminfo and the limit of the control group."""
    blocks = [pairs(block) for block in machine.read("/proc/cpuinfo").split("\n\n")]
    cpus = [block for block in blocks if "processor" in block]
    names = [
        block[key] for key in ("model name", "cpu", "Model", "Hardware") for block in blocks
        if block.get(key)
    ]  # fmt: skip
    sockets = {block.get("physical id", "0") for block in cpus}
    cores = {(b.get("physical id", "0"), b["core id"]) for b in cpus if "core id" in b}
    return Cpu(
        model=re.sub(r"\s+", " ", names[0]) if names else "unknown CPU",
        sockets=max(1, len(sockets)),
        cores=len(cores) or max(1, len(cpus)),
        threads=max(1, len(cpus)),
        memory_bytes=_memory(machine),
    )


def _memory(machine: Machine) -> int:
    total = re.search(r"^MemTotal:\s+(\d+) kB", machine.read("/proc/meminfo"), re.MULTILINE)
    limit = re.match(r"\d{1,18}\b", machine.read("/sys/fs/cgroup/memory.max"))
    known = [int(total[1]) * 1024] if total else []
    if limit:
        known.append(int(limit[0]))
    return min(known, default=0)


def pairs(text: str, separator: str = ":") -> dict[str, str]:
    """Lines ``key: value`` as a mapping; other lines are skipped."""
    found = {}
    for line in text.splitlines():
        key, colon, value = line.partition(separator)
        if colon:
            found[key.strip()] = value.strip()
    return found


# ------------------------------------------------------------------------------------------- AMD


def find_amd(machine: Machine) -> tuple[list[Gpu], list[str]]:
    """AMD's devices by the kernel's topology of compute nodes (a GCD is a device)."""
    cards = _cards(machine)
    driver = machine.read("/sys/module/amdgpu/version").strip()
    gpus = []
    for file in machine.glob("/sys/class/kfd/kfd/topology/nodes/*/properties"):
        node = _numbers(machine.read(file))
        version = node.get("gfx_target_version", 0)
        if not version or not node.get("simd_count"):
            continue  # a CPU, a device of another container, or a file that ends early
        place = node.get("location_id", 0)
        pci = (
            f"{node.get('domain', 0):04x}:{place >> 8 & 255:02x}:{place >> 3 & 31:02x}.{place & 7}"
        )
        card = cards.get(pci)
        device = node.get("device_id", 0)
        architecture = f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"
        name = _AMD.get(device, "") or _product(machine, card)
        name = name or pci_name(machine, 0x1002, device) or architecture
        unique = node.get("unique_id", 0)
        mode = machine.read(card / "current_compute_partition").strip().lower() if card else ""
        gpus.append(
            Gpu(
                vendor="amd",
                name=name if name.upper().startswith("AMD") else f"AMD {name}",
                target=f"amd/{architecture}",
                memory_bytes=_amd_memory(machine, file.parent),
                id=f"GPU-{unique:016x}" if unique else pci,
                pci=pci,
                driver=driver,
                mode="" if mode == "spx" else mode,
            )
        )
    return gpus, []


def _numbers(text: str) -> dict[str, int]:
    found = {}
    for key, value in re.findall(r"^(\w+) (\d{1,20})$", text, re.MULTILINE):
        found[key] = int(value)
    return found


def _amd_memory(machine: Machine, node: Path) -> int:
    """Bytes of the frame buffer: the banks whose heap is visible (1) or private (2)."""
    try:
        files = sorted(node.glob("mem_banks/*/properties"))
    except OSError:
        return 0
    banks = [_numbers(machine.read(file)) for file in files]
    return sum(bank.get("size_in_bytes", 0) for bank in banks if bank.get("heap_type") in (1, 2))


def _cards(machine: Machine) -> dict[str, Path]:
    """PCI address to the sysfs folder of each graphics card."""
    found = {}
    for file in machine.glob("/sys/class/drm/card*/device/uevent"):
        address = pairs(machine.read(file), "=").get("PCI_SLOT_NAME")
        if address and re.fullmatch(r"card\d+", file.parent.parent.name):
            found[address.lower()] = file.parent
    return found


def _product(machine: Machine, card: Path | None) -> str:
    return machine.read(card / "product_name").strip() if card else ""


# ----------------------------------------------------------------------------------------- Intel


def find_intel(machine: Machine) -> tuple[list[Gpu], list[str]]:
    """Intel's discrete GPUs by their PCI ids; one on bus 0 is part of the CPU and left out."""
    gpus = []
    problems = []
    for pci, card in sorted(_cards(machine).items()):
        kind = machine.read(card / "class").strip()
        if machine.read(card / "vendor").strip() != "0x8086" or not kind.startswith("0x03"):
            continue
        if pci.split(":")[1:2] == ["00"]:
            continue
        device = machine.read(card / "device").strip()
        number = int(device, 16) if re.fullmatch(r"0x[0-9a-f]{1,8}", device) else 0
        name = f"Intel {pci_name(machine, 0x8086, number) or f'GPU {number:04x}'}"
        target = next((t for first, last, t in _INTEL if first <= number <= last), "")
        if target:
            gpus.append(Gpu("intel", name, f"intel/{target}", 0, pci, pci))
        else:
            problems.append(f"{name} at {pci}: its architecture is not known (PCI id {device})")
    return gpus, problems


def pci_name(machine: Machine, vendor: int, device: int) -> str:
    """The marketing name of a PCI device by the system's list of ids; empty if it has none."""
    for place in ("/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"):
        text = machine.read(place)
        block = re.search(rf"^{vendor:04x}  .*\n((?:\t.*\n|#.*\n)*)", text, re.MULTILINE)
        line = re.search(rf"^\t{device:04x}  (.*)$", block[1], re.MULTILINE) if block else None
        if line:
            inner = re.search(r"\[([^]]+)\]", line[1])
            return (inner[1] if inner else line[1]).split("/")[0].strip()
    return ""
