"""Where the shipped data folders are, in an install and in a clone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from portability.errors import UnknownNameError, WorkError

__all__ = ["DATA_FOLDERS", "data_folder", "tree_digest"]

DATA_FOLDERS = ("proxyapps", "spack_envs", "experiments", "analysis")

_PACKAGE = Path(__file__).resolve().parent.parent
_IGNORED_SUFFIXES = ("~", ".swp", ".swo", ".orig", ".rej", ".pyc", ".bak")


def data_folder(name: str) -> Path:
    """The shipped folder ``name`` (one of ``DATA_FOLDERS``).

    An install carries it beside the package's modules (``portability/_data``); in a clone, editable
    installs included, it stands at the top of the repository.  Raises ``UnknownNameError`` for
    another name and ``WorkError`` where the install is incomplete.
    """
    if name not in DATA_FOLDERS:
        raise UnknownNameError("data folder", name, DATA_FOLDERS)
    installed = _PACKAGE / "_data"
    top = installed if installed.is_dir() else _PACKAGE.parent
    if top is not installed and not (top / "pyproject.toml").is_file():
        raise WorkError(f"{installed}: the data folders are missing, reinstall the package")
    if not (top / name).is_dir():
        raise WorkError(f"{top / name}: this data folder is missing, reinstall the package")
    return top / name


def tree_digest(folders: Iterable[Path]) -> str:
    """SHA-256 (hexadecimal) of every file below ``folders``: sorted relative paths and contents.

    Hidden files, editors' leftovers and ``__pycache__`` do not count, so opening a file in an
    editor or importing a module changes nothing.
    """
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(_files(folder), key=lambda file: file.relative_to(folder).as_posix()):
            content = file.read_bytes()
            name = file.relative_to(folder).as_posix()
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def _files(folder: Path) -> Iterable[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith((".", "#")) or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _files(entry)
        elif not entry.name.endswith(_IGNORED_SUFFIXES):
            yield entry
