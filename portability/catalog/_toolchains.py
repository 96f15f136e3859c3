"""What to look for on a machine: ``spack_envs/toolchains/<toolchain>.yaml`` as dataclasses.

A file names programs (found on PATH, with their version and further facts), roots (folders of
libraries, found through variables, CMAKE_PREFIX_PATH and usual places) and recipes (which model
they then build for which targets).  Values may hold ``{id}``, ``{id.version}``, ``{id.folder}``,
``{id.prefix}`` and ``{id.FACT}``, which the probe fills in.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portability.catalog._schema import check
from portability.catalog._yaml import Document, Key, read
from portability.errors import InputError, UnknownNameError

__all__ = [
    "PLACEHOLDER", "Ability", "Fact", "Need", "Program", "Question", "Root", "Test",
    "ToolchainFile", "load_toolchain",
]  # fmt: skip

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?\}")
_BUILT_IN = ("version", "folder", "prefix")


@dataclass(frozen=True)
class Question:
    """Arguments for a program, and what to find in its output."""

    arguments: tuple[str, ...]
    pattern: str


@dataclass(frozen=True)
class Program:
    """A program to look for; the first of ``names`` whose version fits is taken."""

    id: str
    title: str
    names: tuple[str, ...]
    version: Question
    folders: tuple[str, ...] = ()
    minimum: str = ""
    below: str = ""
    facts: Mapping[str, Question] | None = None


@dataclass(frozen=True)
class Need:
    """A file that must exist in a root (one of ``files``), what it must hold and must not hold."""

    files: tuple[str, ...]
    has: str = ""
    lacks: str = ""


@dataclass(frozen=True)
class Fact:
    """What to read in a root: matches in a file's text, or in the file names of a folder."""

    pattern: str
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Root:
    """A library's folder to look for."""

    id: str
    title: str
    needs: tuple[Need, ...]
    variables: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    facts: Mapping[str, Fact] | None = None


@dataclass(frozen=True)
class Test:
    """A few lines that must compile; ``{arch}`` in ``arguments`` makes it one test per target."""

    program: str
    source: str
    arguments: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    @property
    def per_target(self) -> bool:
        return any("{arch}" in argument for argument in self.arguments)


@dataclass(frozen=True)
class Ability:
    """One recipe before its placeholders are filled in."""

    model: str
    targets: tuple[str, ...]
    cmake: Mapping[str, str]
    note: str = ""
    get: str = ""
    check: Test | None = None

    def covers(self, target: str) -> bool:
        """Could this ability, on some machine, build for ``target``?"""
        fixed = [PLACEHOLDER.sub("\0", text).split("\0") for text in self.targets]
        patterns = ["[a-z0-9_]+".join(map(re.escape, parts)) for parts in fixed]
        return any(re.fullmatch(pattern, target) for pattern in patterns)


@dataclass(frozen=True)
class ToolchainFile:
    """A toolchain to look for.  ``order``: the lowest that fits is the default."""

    name: str
    title: str
    order: int
    get: str
    compiler: str
    programs: tuple[Program, ...]
    roots: tuple[Root, ...]
    abilities: tuple[Ability, ...]
    cmake: Mapping[str, str]
    environment: Mapping[str, str]
    prepend: Mapping[str, tuple[str, ...]]


def load_toolchain(file: Path, models: Collection[str]) -> ToolchainFile:
    """The toolchain file ``file``; raises ``InputError`` with the line of what is wrong."""
    document = read(file)
    check(document, "toolchain")
    data = document.data
    if data["name"] != file.stem:
        raise InputError(
            f"{document.where('name')}: the toolchain is called {data['name']!r} and its file "
            f"{file.name!r}, expected the same name; rename one"
        )
    _check_names(document, models)
    _check_patterns(document)
    return ToolchainFile(
        name=data["name"],
        title=data.get("title", data["name"]),
        order=data["order"],
        get=data["get"],
        compiler=data["compiler"],
        programs=tuple(_program(key, value) for key, value in data["programs"].items()),
        roots=tuple(_root(key, value) for key, value in data.get("roots", {}).items()),
        abilities=tuple(_ability(recipe) for recipe in data["recipes"]),
        cmake=data.get("cmake", {}),
        environment=data.get("environment", {}),
        prepend={key: tuple(value) for key, value in data.get("prepend", {}).items()},
    )


def _question(data: Mapping[str, Any]) -> Question:
    return Question(tuple(data["arguments"]), data["pattern"])


def _program(key: str, data: Mapping[str, Any]) -> Program:
    facts = {name: _question(fact) for name, fact in data.get("facts", {}).items()}
    return Program(
        id=key,
        title=data["title"],
        names=tuple(data["names"]),
        version=_question(data["version"]),
        folders=tuple(data.get("folders", ())),
        minimum=data.get("minimum", ""),
        below=data.get("below", ""),
        facts=facts,
    )


def _root(key: str, data: Mapping[str, Any]) -> Root:
    return Root(
        id=key,
        title=data["title"],
        needs=tuple(
            Need(_several(need["file"]), need.get("has", ""), need.get("lacks", ""))
            for need in data["needs"]
        ),
        variables=tuple(data.get("variables", ())),
        folders=tuple(data.get("folders", ())),
        facts={
            name: Fact(fact["pattern"], _several(fact.get("file")), _several(fact.get("folder")))
            for name, fact in data.get("facts", {}).items()
        },
    )


def _several(value: str | list[str] | None) -> tuple[str, ...]:
    """A text or a list of texts as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value or ())


def _ability(data: Mapping[str, Any]) -> Ability:
    test = data.get("check")
    compiled = test and Test(
        program=test["program"],
        source=test["source"],
        arguments=tuple(test.get("arguments", ())),
        libraries=tuple(test.get("libraries", ())),
    )
    return Ability(
        model=data["model"],
        targets=tuple(data["targets"]),
        cmake=data.get("cmake", {}),
        note=data.get("note", ""),
        get=data.get("get", ""),
        check=compiled,
    )


def _strings(value: Any, key: Key) -> Iterator[tuple[Key, str]]:
    """Every text below ``value`` with the path of its node."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _strings(inner, (*key, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _strings(inner, (*key, index))


def _check_names(document: Document, models: Collection[str]) -> None:
    """Placeholders, programs and models must be ones that exist."""
    data = document.data
    entries = {**data["programs"], **data.get("roots", {})}
    both = set(data["programs"]) & set(data.get("roots", {}))
    if both:
        name = sorted(both)[0]
        raise InputError(f"{document.where('roots', name)}: {name!r} is a program too, rename one")
    if data["compiler"] not in data["programs"]:
        where = document.where("compiler")
        raise UnknownNameError("program", data["compiler"], data["programs"], where)
    for index, recipe in enumerate(data["recipes"]):
        at: Key = ("recipes", index)
        if recipe["model"] not in models:
            raise UnknownNameError("model", recipe["model"], models, document.where(*at, "model"))
        program = recipe.get("check", {}).get("program", data["compiler"])
        if program not in data["programs"]:
            where = document.where(*at, "check", "program")
            raise UnknownNameError("program", program, data["programs"], where)
    for key, text in _strings(data, ()):
        if key[-1] in ("pattern", "has", "lacks", "source"):
            continue
        # a library found twice makes two recipes, so only recipes may speak of libraries
        known = data["programs"] if key[0] in ("cmake", "environment", "prepend") else entries
        for found in PLACEHOLDER.finditer(text):
            _check_placeholder(document, key, found, known)


def _check_placeholder(
    document: Document, key: Key, found: re.Match[str], entries: Mapping[str, Any]
) -> None:
    name, fact = found[1], found[2]
    if "check" in key and found[0] == "{arch}":
        return
    if name not in entries:
        raise UnknownNameError("program or root", name, entries, document.where(*key))
    known = [*_BUILT_IN, *entries[name].get("facts", {})]
    if fact and fact not in known:
        raise UnknownNameError(f"fact of {name}", fact, known, document.where(*key))


def _check_patterns(document: Document) -> None:
    """Regular expressions must be ones, and with exactly one group where a fact is read."""
    for key, text in _strings(document.data, ()):
        if key[-1] not in ("pattern", "has", "lacks"):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", FutureWarning)  # ambiguous: [[ and the like
                groups = re.compile(text).groups
        except (re.error, RecursionError, OverflowError, FutureWarning) as error:
            where = document.where(*key)
            raise InputError(f"{where}: not a regular expression: {error}") from None
        if key[-1] == "pattern" and groups != 1:
            where = document.where(*key)
            raise InputError(f"{where}: {groups} groups, expected exactly one (...) to read")
