"""Every app, model, study, system and toolchain of the shipped and the user's folders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from portability.catalog._apps import load_app, load_model
from portability.catalog._data import data_folder, tree_digest
from portability.catalog._probe import probe
from portability.catalog._studies import load_study
from portability.catalog._systems import load_system
from portability.catalog._toolchains import ToolchainFile, load_toolchain
from portability.catalog._yaml import read, shown
from portability.errors import InputError, UnknownNameError
from portability.words import App, Model, Study, System

__all__ = ["LOCALHOST", "Catalog"]

LOCALHOST = "localhost"

T = TypeVar("T")

_PLACES = {
    "app": ("proxyapps", "*/app.yaml"),
    "model": ("proxyapps", "cmake/models/*.cmake"),
    "study": ("experiments", "studies/*.yaml"),
    "system": ("spack_envs", "systems/*/system.yaml"),
    "toolchain": ("spack_envs", "toolchains/*.yaml"),
}
_NAMED_BY_FOLDER = ("app", "system")


class _Lazy(Mapping[str, T], Generic[T]):
    """Names known at once; each value loaded and checked when it is first asked for."""

    def __init__(self, names: Iterable[str], load: Callable[[str], T]) -> None:
        self._names, self._load = tuple(names), load
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Catalog:
    """What can be asked for, by name.

    ``apps``, ``models``, ``studies``, ``systems`` (``localhost``, this machine, among them) and
    ``toolchains`` are read-only mappings; what a name stands for is loaded on first use.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = tuple(folders)
        files = {kind: _files(kind, self.folders) for kind in _PLACES}
        if LOCALHOST in files["system"]:
            where = shown(files["system"][LOCALHOST])
            raise InputError(f"{where}: localhost is what this machine is called; rename it")
        self._files = files
        self.models: Mapping[str, Model] = _Lazy(
            files["model"], lambda name: load_model(files["model"][name])
        )
        self.apps: Mapping[str, App] = _Lazy(
            files["app"], lambda name: load_app(files["app"][name].parent, self.models)
        )
        self.toolchains: Mapping[str, ToolchainFile] = _Lazy(
            files["toolchain"],
            lambda name: load_toolchain(files["toolchain"][name], self.models),
        )
        self.studies: Mapping[str, Study] = _Lazy(
            files["study"], lambda name: load_study(files["study"][name], self)
        )
        self.systems: Mapping[str, System] = _Lazy((*files["system"], LOCALHOST), self._system)

    @classmethod
    def load(cls, paths: Iterable[Path] = ()) -> Catalog:
        """The shipped catalog with the folders ``paths`` of the same shape, searched first."""
        user = [Path(path).expanduser().absolute() for path in paths]
        for folder in user:
            if not any((folder / top).is_dir() for top, _ in _PLACES.values()):
                raise InputError(
                    f"{folder}: no catalog, expected a folder with proxyapps/, spack_envs/ or "
                    "experiments/ in it; check --path and PORTABILITY_PATH"
                )
        return cls([*user, *dict.fromkeys(data_folder(top).parent for top, _ in _PLACES.values())])

    def app(self, name: str) -> App:
        """The app ``name``; raises ``UnknownNameError`` with the nearest name."""
        return _get("app", self.apps, name)

    def model(self, name: str) -> Model:
        """The programming model ``name``; raises ``UnknownNameError``."""
        return _get("model", self.models, name)

    def study(self, name: str) -> Study:
        """The study ``name``; raises ``UnknownNameError``."""
        return _get("study", self.studies, name)

    def system(self, name: str) -> System:
        """The system ``name``, ``localhost`` being this machine; raises ``UnknownNameError``."""
        return _get("system", self.systems, name)

    def toolchain(self, name: str) -> ToolchainFile:
        """The toolchain file ``name``; raises ``UnknownNameError``."""
        return _get("toolchain", self.toolchains, name)

    def source(self, app: str | None = None) -> Path:
        """The ``proxyapps`` folder with ``app``; without one, the first that CMake can build."""
        if app is not None:
            return self.app(app).folder.parent
        folders = self.sources()
        return next((each for each in folders if (each / "CMakeLists.txt").is_file()), folders[0])

    def sources(self) -> tuple[Path, ...]:
        """Every ``proxyapps`` folder, the user's first."""
        found = tuple(f / "proxyapps" for f in self.folders if (f / "proxyapps").is_dir())
        return found or (data_folder("proxyapps"),)

    def source_digest(self) -> str:
        """SHA-256 (hexadecimal) over every file of the ``proxyapps`` folders."""
        return tree_digest(self.sources())

    def _system(self, name: str) -> System:
        if name == LOCALHOST:
            return probe(self.toolchains.values())
        return load_system(self._files["system"][name], self.models)


def _get(kind: str, known: Mapping[str, T], name: str) -> T:
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return known[name]


def _files(kind: str, folders: Iterable[Path]) -> dict[str, Path]:
    """Name to file for one kind, sorted; of two of one name the one that says ``replaces``."""
    top, pattern = _PLACES[kind]
    found: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((folder / top).glob(pattern)):
            name = file.parent.name if kind in _NAMED_BY_FOLDER else file.stem
            if name.startswith("."):
                continue
            if name in found:
                _check_replaces(kind, name, found[name], file)
            else:
                found[name] = file
    return dict(sorted(found.items()))


def _check_replaces(kind: str, name: str, first: Path, second: Path) -> None:
    if first.suffix == ".cmake":
        says = f"# replaces: {name}" in first.read_text("utf-8", "replace").splitlines()[:9]
    else:
        says = read(first).data.get("replaces") == name
    if not says:
        raise InputError(
            f"{shown(first)}: {kind} {name!r} exists already in {shown(second)}; rename it, or "
            f"write 'replaces: {name}' in it to take the other's place"
        )
