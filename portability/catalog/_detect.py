"""Which toolchains a machine has: toolchain files against a machine.

Programs are asked for their versions in parallel, then the checks (a few lines that must compile)
run in parallel in a temporary folder.  Nothing is kept on disk.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portability.catalog._find import (
    Found,
    Scope,
    fill,
    find_programs,
    parallel,
    targets_of,
    with_roots,
)
from portability.catalog._machine import Machine
from portability.catalog._toolchains import Ability, Test, ToolchainFile
from portability.words import Prologue, Recipe, Toolchain

__all__ = ["Gap", "detect"]


@dataclass(frozen=True)
class Gap:
    """An ability that this machine lacks, why, and how to get it.

    ``near`` is True where the programs are there and only a library or a test is not.
    """

    toolchain: str
    ability: Ability
    why: str
    get: str
    near: bool


def detect(
    files: Iterable[ToolchainFile], machine: Machine
) -> tuple[tuple[Toolchain, ...], tuple[Gap, ...]]:
    """The toolchains of ``machine`` in their declared order, and what is not there."""
    ordered = sorted(files, key=lambda file: (file.order, file.name))
    scopes = find_programs(ordered, machine)
    rooted = {file.name: with_roots(file, scopes[file.name], machine) for file in ordered}
    tests = _run_tests(ordered, rooted, machine)
    toolchains: list[Toolchain] = []
    gaps: list[Gap] = []
    for file in ordered:
        variants = rooted[file.name]
        failed = next((found.why for found in variants[0].values() if found.why), "")
        if failed:
            near = not any(found.why for found in scopes[file.name].values())
            gaps.extend(Gap(file.name, each, failed, file.get, near) for each in file.abilities)
            continue
        recipes: list[Recipe] = []
        for ability in file.abilities:
            made, why = _recipes(ability, variants, tests)
            recipes.extend(made)
            if why:
                gaps.append(Gap(file.name, ability, why, ability.get or file.get, near=True))
        if recipes:
            toolchains.append(_toolchain(file, variants[0], recipes))
    return tuple(toolchains), tuple(gaps)


_Command = tuple[str, ...]


def _commands(ability: Ability, scope: Scope) -> dict[str, _Command]:
    """Target to the command of its test (the source text last); empty without a test."""
    test = ability.check
    if test is None:
        return {}
    return {target: _command(test, scope, target) for target in targets_of(ability, scope)}


def _command(test: Test, scope: Scope, target: str) -> _Command:
    arch = target.rpartition("/")[2]
    before = [fill(each, scope, arch) for each in test.arguments]
    after = [fill(each, scope, arch) for each in test.libraries]
    program = scope[test.program].path
    return (program, *before, "test.cpp", "-o", "test", *after, test.source)


def _run_tests(
    files: Sequence[ToolchainFile], rooted: Mapping[str, list[dict[str, Found]]], machine: Machine
) -> dict[_Command, str]:
    """Each distinct test's command to why it failed (empty: it passed)."""
    commands: dict[_Command, None] = {}
    for file in files:
        for scope in rooted[file.name]:
            if not any(found.why for found in scope.values()):
                for ability in file.abilities:
                    commands.update(dict.fromkeys(_commands(ability, scope).values()))
    with tempfile.TemporaryDirectory(prefix="portability-probe-") as folder:

        def work(numbered: tuple[int, _Command]) -> str:
            place = Path(folder) / str(numbered[0])
            place.mkdir()
            *command, source = numbered[1]
            (place / "test.cpp").write_text(source, encoding="utf-8")
            return machine.run(command, cwd=place).failure

        return dict(zip(commands, parallel(work, [*enumerate(commands)]), strict=True))


def _recipes(
    ability: Ability, scopes: Sequence[Scope], tests: Mapping[_Command, str]
) -> tuple[list[Recipe], str]:
    """The recipes that ``ability`` makes here, and why it makes none for some target."""
    recipes: list[Recipe] = []
    why = ""
    for scope in scopes:
        commands = _commands(ability, scope)
        targets = targets_of(ability, scope)
        failed = {t: tests[commands[t]] for t in targets if t in commands and tests[commands[t]]}
        for target, failure in failed.items():
            program = commands[target][0]
            why = why or f"{program} does not compile a test of {ability.model}: {failure}"
        left = tuple(target for target in targets if target not in failed)
        if left:
            cmake = {key: fill(value, scope) for key, value in ability.cmake.items()}
            recipes.append(Recipe(ability.model, left, cmake, fill(ability.note, scope)))
        elif not targets:
            why = why or f"the installation states no architecture ({', '.join(ability.targets)})"
    return recipes, why


def _toolchain(file: ToolchainFile, scope: Scope, recipes: Sequence[Recipe]) -> Toolchain:
    compiler = next(each for each in file.programs if each.id == file.compiler)
    environment = {key: fill(value, scope) for key, value in file.environment.items()}
    prepend = {
        key: tuple(fill(folder, scope) for folder in folders)
        for key, folders in file.prepend.items()
    }
    return Toolchain(
        name=file.name,
        compiler=compiler.title,
        version=scope[file.compiler].version,
        recipes=tuple(recipes),
        cmake={key: fill(value, scope) for key, value in file.cmake.items()},
        prologue=Prologue(environment=environment, prepend=prepend),
    )
