"""The builder that needs nothing but CMake and the compilers that the machine has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from portability._convert import to_plain
from portability.build._outcome import AppOutcome, BuildOutcome, error_line, file_hash
from portability.build._prologue import environment, program_path, under_prologue
from portability.errors import WorkError
from portability.plan import recipe_of
from portability.words import Build, Prologue, System
from portability.workspace import Workspace, write_json

__all__ = ["CMakeBuilder"]


@dataclass(frozen=True)
class CMakeBuilder:
    """Configures and builds one CMake tree per (model, target, toolchain), all apps in one go.

    ``source`` is the tree with ``CMakeLists.txt``; ``folders`` has the apps that stand elsewhere.
    """

    source: Path
    folders: Mapping[str, Path] = field(default_factory=dict)
    name: str = "cmake"

    def build(self, build: Build, system: System, workspace: Workspace, jobs: int) -> BuildOutcome:
        """Build every app of ``build`` with ``jobs`` parallel compilations.

        A compiler that fails is an outcome, not an exception; a missing CMake is a
        :class:`WorkError`.
        """
        cmake = program_path("cmake")
        if cmake is None:
            raise WorkError("cmake: not found; install it (or `pip install cmake ninja`)")
        toolchain, _ = recipe_of(system, build)
        folder = workspace.builds / build.id
        folder.mkdir(parents=True, exist_ok=True)
        tree = _Tree(cmake, folder, workspace.root, toolchain.prologue, jobs)
        started = _now()
        configure = self._configure_line(cmake, build, system, folder / "tree")
        commands = [configure]
        text, code = tree.call(configure, folder / "configure.log")
        if code != 0:
            # once more, so that the failure is one of two attempts
            text, code = tree.call(configure, folder / "configure.log")
        if code != 0:
            failed = AppOutcome(
                app="", reason=error_line(text), log=tree.name("configure.log"), attempts=2
            )
            apps = {app: replace(failed, app=app) for app in build.apps}
        else:
            everything = [cmake, "--build", str(folder / "tree"), "-j", str(jobs)]
            everything += ["--", "-k0" if program_path("ninja") else "-k"]
            commands.append(everything)
            tree.call(everything, folder / "build.log")
            apps = {app: tree.app(app, build.model) for app in build.apps}
        outcome = BuildOutcome(
            id=build.id,
            apps=apps,
            commands=tuple(tuple(line) for line in commands),
            tools={"cmake": _version(cmake)},
            started=started,
            ended=_now(),
        )
        write_json(folder / "build.json", to_plain(outcome))
        return outcome

    def _configure_line(self, cmake: str, build: Build, system: System, tree: Path) -> list[str]:
        toolchain, recipe = recipe_of(system, build)
        variables = {
            "PROXY_MODEL": build.model,
            "PROXY_TARGET": build.target,
            "PROXY_APPS": ";".join(str(self.folders.get(app, app)) for app in build.apps),
            "CMAKE_BUILD_TYPE": "Release",
            **toolchain.cmake,
            **recipe.cmake,
        }
        ninja = program_path("ninja")
        if ninja is not None:
            variables.setdefault("CMAKE_MAKE_PROGRAM", ninja)
        if shutil.which("ccache"):
            for language in ("CXX", "CUDA"):
                variables.setdefault(f"CMAKE_{language}_COMPILER_LAUNCHER", "ccache")
        generator = "Ninja" if ninja is not None else "Unix Makefiles"
        line = [cmake, "-S", str(self.source), "-B", str(tree), "-G", generator]
        return line + [f"-D{name}={value}" for name, value in variables.items()]


@dataclass(frozen=True)
class _Tree:
    """One build tree: runs commands under the prologue and looks at what they left."""

    cmake: str
    folder: Path
    root: Path
    prologue: Prologue
    jobs: int

    def name(self, file: str) -> str:
        return str((self.folder / file).relative_to(self.root))

    def call(self, argv: Sequence[str], log: Path) -> tuple[str, int]:
        env = {**os.environ, **environment(self.prologue), "CLICOLOR_FORCE": "0"}
        done = subprocess.run(
            under_prologue(argv, self.prologue),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        text = done.stdout.decode("utf-8", "replace")
        log.write_text(text, "utf-8")
        return text, done.returncode

    def app(self, app: str, model: str) -> AppOutcome:
        """Ask for one app by itself: nothing to do when it is built, a second attempt when not."""
        program = f"{app}-{model}"
        log = self.folder / f"{app}.log"
        text, code = self.call(
            [self.cmake, "--build", str(self.folder / "tree"), "--target", program], log
        )
        binary = self.folder / "tree" / "bin" / program
        if code != 0 or not binary.is_file():
            reason = error_line(text) if code != 0 else f"{program} was not made"
            return AppOutcome(app, reason=reason, log=self.name(log.name), attempts=2)
        return AppOutcome(
            app,
            binary=str(binary.relative_to(self.root)),
            sha256=file_hash(binary),
            log=self.name("build.log"),
            libraries=self._libraries(binary),
        )

    def _libraries(self, binary: Path) -> tuple[str, ...]:
        """The shared libraries that the loader finds under the prologue (``ldd``)."""
        if not shutil.which("ldd"):
            return ()
        done = subprocess.run(
            under_prologue(["ldd", str(binary)], self.prologue),
            env={**os.environ, **environment(self.prologue)},
            capture_output=True,
            text=True,
            check=False,
        )
        return tuple(_paths(done.stdout))


def _paths(listing: str) -> list[str]:
    """``name => path`` lines of ldd as paths; a library that was not found keeps its name."""
    found = re.findall(r"^\s*(\S+) => (not found|\S+)", listing, re.MULTILINE)
    return [f"{name} (not found)" if path == "not found" else path for name, path in found]


def _version(program: str) -> str:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout else ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
