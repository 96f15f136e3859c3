"""Devices that this machine lacks: the apps compile for them, and their code is really there."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

FAT_BINARY, ELF = 0xBA55ED50, 2


def section(file: Path, name: str, tmp_path: Path) -> bytes:
    """The bytes of a section of an object file; empty if it has none."""
    out = tmp_path / "section"
    out.write_bytes(b"")
    subprocess.run(
        [
            "objcopy",
            "-O",
            "binary",
            f"--only-section={name}",
            "--set-section-flags",
            f"{name}=alloc",
            str(file),
            str(out),
        ]
    )
    return out.read_bytes()


def machine_code_in_fat_binary(content: bytes) -> set[str]:
    """Architectures for which NVIDIA's fat binary holds machine code (not just PTX)."""
    found, at = set(), 0
    while at + 16 <= len(content):
        magic, _, header, size = struct.unpack_from("<IHHQ", content, at)
        if magic != FAT_BINARY:
            at += 8
            continue
        entry, end = at + header, at + header + size
        while entry + 32 <= end:
            kind, _, entry_header, payload = struct.unpack_from("<HHIQ", content, entry)
            (arch,) = struct.unpack_from("<I", content, entry + 28)
            if kind == ELF and payload:
                found.add(f"sm_{arch}")
            entry += entry_header + payload
        at = end
    return found


def device_code_for(file: Path, arch: str, model: str, tmp_path: Path) -> bool:
    if machine_code_in_fat_binary(section(file, ".nv_fatbin", tmp_path)) == {arch}:
        return True
    if arch.encode() in section(file, ".hip_fatbin", tmp_path):
        return True
    if arch.encode() in section(file, ".llvm.offloading", tmp_path):
        return True
    # gcc's PTX is text in the linked program
    return f".target {arch}\n".encode() in file.read_bytes()


def test_the_apps_compile_with_code_for_the_device(device, app, build_tree, proxy, tmp_path):
    toolchain = proxy.toolchains()[device]
    tree = build_tree(device)
    arch = toolchain.target.split("/")[1]
    files = [tree / "bin" / f"{app}-{toolchain.model}"] if toolchain.link else []
    files = files or list((tree / "CMakeFiles" / f"{app}_model.dir").rglob("*.o"))
    assert files
    for file in files:
        assert device_code_for(file, arch, toolchain.model, tmp_path), (
            f"{file} has no code for {arch}"
        )


def test_without_a_device_a_program_says_so_with_status_3(linked, app, build_tree, proxy):
    toolchain = proxy.toolchains()[linked]
    done = proxy.run(build_tree(linked) / "bin" / f"{app}-{toolchain.model}", "--problem", "tiny")
    if done.returncode == 0:
        pytest.skip("there is a device")
    assert done.returncode == 3
    assert f"no device found for target {toolchain.target}" in done.stderr
