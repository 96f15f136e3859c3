"""Programs and folders of libraries on a machine, and what their placeholders stand for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from portability.catalog._machine import Machine, version_key
from portability.catalog._toolchains import PLACEHOLDER, Ability, Fact, Program, Root, ToolchainFile

__all__ = ["Found", "Scope", "fill", "find_programs", "parallel", "targets_of", "with_roots"]

A = TypeVar("A")
B = TypeVar("B")

_WORKERS = 4
_ARCH = re.compile("[a-z0-9_]+")


@dataclass(frozen=True)
class Found:
    """A program or root: what its placeholders stand for; ``why`` says why there is none."""

    path: str = ""
    folder: str = ""
    prefix: str = ""
    version: str = ""
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    why: str = ""

    def values(self, fact: str | None) -> tuple[str, ...]:
        if fact is None:
            return (self.path,)
        if fact in self.facts:
            return self.facts[fact]
        return ({"version": self.version, "folder": self.folder, "prefix": self.prefix}[fact],)


Scope = Mapping[str, Found]


def parallel(work: Callable[[A], B], items: Sequence[A]) -> list[B]:
    if not items:
        return []
    with ThreadPoolExecutor(min(_WORKERS, len(items))) as pool:
        return list(pool.map(work, items))


def find_programs(files: Sequence[ToolchainFile], machine: Machine) -> dict[str, dict[str, Found]]:
    """Every file's programs; the same one asked for by two files is looked for once."""
    wanted = {repr(program): program for file in files for program in file.programs}
    found = dict(
        zip(wanted, parallel(lambda each: _program(each, machine), [*wanted.values()]), strict=True)
    )
    return {file.name: {each.id: found[repr(each)] for each in file.programs} for file in files}


def _program(program: Program, machine: Machine) -> Found:
    why = f"no {program.title} on PATH ({', '.join(program.names[:4])})"
    for name in program.names:
        path = machine.which(name, program.folders)
        if not path:
            continue
        output = machine.run([path, *program.version.arguments])
        match = re.search(program.version.pattern, output.text, re.MULTILINE)
        if match is None or not match[1]:
            said = f": {output.failure}" if output.failure else ""
            why = f"{path} is not {program.title} or does not work{said}"
            continue
        version = match[1]
        if program.minimum and version_key(version) < version_key(program.minimum):
            why = f"{path} is version {version}, {program.minimum} or newer is needed"
            continue
        if program.below and version_key(version) >= version_key(program.below):
            why = f"{path} is version {version}, one before {program.below} is needed"
            continue
        facts = {
            fact: _all(question.pattern, machine.run([path, *question.arguments]).text)
            for fact, question in (program.facts or {}).items()
        }
        folder = Path(os.path.realpath(path)).parent
        return Found(path, str(folder), str(folder.parent), version, facts)
    return Found(why=why)


def _all(pattern: str, text: str) -> tuple[str, ...]:
    """Every distinct value of the group of ``pattern`` in ``text``, in order."""
    found = re.findall(pattern, text, re.MULTILINE)
    return tuple(dict.fromkeys(value for value in found if value))


def with_roots(
    file: ToolchainFile, programs: dict[str, Found], machine: Machine
) -> list[dict[str, Found]]:
    """One scope per way to fill the roots: two installations of a library make two scopes."""
    scopes = [programs]
    if any(found.why for found in programs.values()):
        return scopes
    for root in file.roots:
        found = _root(root, programs, machine)
        scopes = [{**scope, root.id: each} for scope in scopes for each in found]
    return scopes


def _root(root: Root, programs: Scope, machine: Machine) -> list[Found]:
    named = [machine.environ[name] for name in root.variables if machine.environ.get(name)]
    prefixes = machine.environ.get("CMAKE_PREFIX_PATH", "").replace(";", ":").split(":")
    folders = [Path(folder) for folder in [*named, *prefixes] if folder.startswith("/")]
    for pattern in root.folders:
        filled = fill(pattern, programs)
        folders += [Path(filled)] if filled != pattern else machine.glob(pattern)
    whys = [f"{name} names {machine.environ[name]}" for name in root.variables[:1] if named]
    found = []
    for folder in dict.fromkeys(folders):
        why = _unmet(root, folder, machine)
        if not why:
            facts = {
                name: _all(fact.pattern, _fact_text(folder, fact, machine))
                for name, fact in (root.facts or {}).items()
            }
            version = next(iter(facts.get("version", ())), "")
            found.append(Found(str(folder), str(folder), str(folder.parent), version, facts))
        elif folder.is_dir() and (str(folder) in named or "no " not in why):
            whys.append(f"{folder} {why}")
    looked = [*(f"${name}" for name in root.variables[:1]), *root.folders[:2]]
    return found or [Found(why="; ".join([f"no {root.title} in {', '.join(looked)}", *whys[:2]]))]


def _unmet(root: Root, folder: Path, machine: Machine) -> str:
    """The first need of ``root`` that ``folder`` does not meet; empty if it meets all."""
    for need in root.needs:
        name = " or ".join(need.files)
        files = _inside(folder, need.files)
        if not files:
            return f"has no {name}"
        text = machine.read(files[0]) if need.has or need.lacks else ""
        if need.has and not re.search(need.has, text, re.MULTILINE):
            return f"is built without what is needed ({name} does not hold {need.has})"
        if need.lacks and re.search(need.lacks, text, re.MULTILINE):
            return f"is built for something else ({name} holds {need.lacks})"
    return ""


def _inside(folder: Path, patterns: Sequence[str]) -> list[Path]:
    try:
        return [file for each in patterns for file in sorted(folder.glob(each.lstrip("/")))]
    except (OSError, ValueError, NotImplementedError):
        return []


def _fact_text(folder: Path, fact: Fact, machine: Machine) -> str:
    if fact.files:
        return "\n".join(machine.read(each) for each in _inside(folder, fact.files)[:1])
    listed = [f"{each}/*" for each in fact.folders]
    return "\n".join(each.name for each in _inside(folder, listed))


def fill(text: str, scope: Scope, arch: str = "") -> str:
    """``text`` with its placeholders filled in; of a fact with several values the first."""

    def value(found: re.Match[str]) -> str:
        if found[0] == "{arch}" and "arch" not in scope:
            return arch
        return next(iter(scope[found[1]].values(found[2])), "")

    return PLACEHOLDER.sub(value, text)


def targets_of(ability: Ability, scope: Scope) -> list[str]:
    """The targets of ``ability``, a fact with several values making several."""
    done: list[str] = []
    for template in ability.targets:
        expanded = [template]
        while found := PLACEHOLDER.search(expanded[0]) if expanded else None:
            values = [value.lower() for value in scope[found[1]].values(found[2])]
            values = [value for value in values if _ARCH.fullmatch(value)]
            expanded = [t.replace(found[0], value) for t in expanded for value in values]
        done += expanded
    return list(dict.fromkeys(done))
