"""Which toolchains a machine has, with programs that are shell scripts."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portability.catalog._detect import Gap, detect
from portability.catalog._machine import Machine
from portability.catalog._toolchains import load_toolchain
from portability.words import Toolchain

from .conftest import write

Make = Callable[..., Path]

BASE: dict[str, Any] = {
    "title": "C",
    "order": 5,
    "get": "apt-get install cc",
    "compiler": "cxx",
    "programs": {
        "cxx": {
            "title": "fake",
            "names": ["fake++", "fake++-2"],
            "version": {"arguments": ["--version"], "pattern": "^fake (\\S+)"},
            "facts": {"arch": {"arguments": ["--archs"], "pattern": "^arch (\\S+)"}},
        }
    },
    "cmake": {"CMAKE_CXX_COMPILER": "{cxx}"},
    "recipes": [{"model": "openmp", "targets": ["cpu"]}],
}
FAKE = """case "$1" in
--version) echo 'fake 12.2.0' ;;
--archs) echo 'arch 80'; echo 'arch 90'; echo 'arch 80' ;;
*) exit 0 ;;
esac"""


def _detect(
    tmp_path: Path, *changes: dict[str, Any], **environ: str
) -> tuple[tuple[Toolchain, ...], tuple[Gap, ...]]:
    files = []
    for number, change in enumerate(changes or ({},)):
        data = {"name": f"cc{number}", **BASE, **change}
        file = write(tmp_path / "toolchains" / f"{data['name']}.yaml", data)
        files.append(load_toolchain(file, ("openmp", "kokkos", "cuda")))
    environment = {"PATH": str(tmp_path / "bin"), **environ}
    return detect(files, Machine(tmp_path / "root", environment, timeout=2))


def _root(**more: Any) -> dict[str, Any]:
    lib = {
        "title": "Lib",
        "variables": ["LIB_ROOT"],
        "folders": ["/opt/lib", "/opt/lib-*"],
        "needs": [
            {"file": "include/config.h", "has": "^#define OMP$"},
            {"file": ["lib/lib.a", "lib64/lib.a"]},
            {"file": "include/config.h", "lacks": "^#define CUDA$"},
        ],
        "facts": {"version": {"file": "include/config.h", "pattern": "VERSION (\\S+)"}},
    }
    recipe = {
        "model": "kokkos",
        "targets": ["cpu"],
        "cmake": {"Lib_ROOT": "{lib}"},
        "note": "Lib {lib.version}",
    }
    return {"roots": {"lib": lib | more}, "recipes": [recipe]}


def _install(tmp_path: Path, where: str, config: str, library: str = "lib") -> Path:
    folder = tmp_path / where
    (folder / "include").mkdir(parents=True)
    (folder / library).mkdir()
    (folder / library / "lib.a").write_text("")
    (folder / "include/config.h").write_text(config)
    return folder


def test_program_on_path_makes_a_toolchain(tmp_path: Path, program: Make) -> None:
    folder = program("fake++", FAKE)
    (toolchain,), gaps = _detect(tmp_path)
    assert (toolchain.name, toolchain.compiler, toolchain.version) == ("cc0", "fake", "12.2.0")
    assert toolchain.cmake == {"CMAKE_CXX_COMPILER": f"{folder}/fake++"}
    assert toolchain.recipe("openmp", "cpu") is not None
    assert gaps == ()


def test_nothing_on_path_is_a_gap_that_says_how_to_get_it(tmp_path: Path) -> None:
    found, (gap,) = _detect(tmp_path)
    assert found == ()
    assert gap.why == "no fake on PATH (fake++, fake++-2)"
    assert gap.get == "apt-get install cc"


@pytest.mark.parametrize(
    ("limits", "version", "taken", "why"),
    [
        ({"minimum": "12"}, "12.2.0", True, ""),
        ({"minimum": "12.3"}, "12.2.0", False, "is version 12.2.0, 12.3 or newer is needed"),
        ({"minimum": "9"}, "12.2.0", True, ""),
        ({"below": "12.2"}, "12.2.0", False, "one before 12.2 is needed"),
        ({"below": "13"}, "12.2.0", True, ""),
    ],
)
def test_version_must_fit(
    tmp_path: Path, program: Make, limits: dict[str, str], version: str, taken: bool, why: str
) -> None:
    program("fake++", f"echo fake {version}")
    programs = {"cxx": {**BASE["programs"]["cxx"], **limits}}
    found, gaps = _detect(tmp_path, {"programs": programs})
    assert bool(found) is taken
    assert taken or why in gaps[0].why


def test_next_name_is_taken_where_the_first_is_too_old(tmp_path: Path, program: Make) -> None:
    program("fake++", "echo fake 8.5")
    folder = program("fake++-2", "echo fake 12.1")
    programs = {"cxx": {**BASE["programs"]["cxx"], "minimum": "9"}}
    (toolchain,), _ = _detect(tmp_path, {"programs": programs})
    assert toolchain.cmake["CMAKE_CXX_COMPILER"] == f"{folder}/fake++-2"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("echo other 3", "is not fake or does not work"),
        ("echo broken; exit 3", "exit status 3: broken"),
        ("kill -9 $$", "exit status -9"),
        ("exec /bin/sleep 60", "gave no answer within 2 s"),
        ("printf 'fake \\377\\376'", ""),
    ],
)
def test_program_that_is_another_or_broken_is_a_gap(
    tmp_path: Path, program: Make, body: str, why: str
) -> None:
    program("fake++", body)
    found, gaps = _detect(tmp_path)
    assert (found == ()) is bool(why)
    assert not why or why in gaps[0].why


def test_usual_folders_and_those_of_variables_are_searched_after_path(
    tmp_path: Path, program: Make
) -> None:
    for release in ("9", "10"):
        program("fake++", f"echo fake {release}").rename(tmp_path / "moved")
        (tmp_path / "root/opt" / f"cc-{release}").mkdir(parents=True)
        (tmp_path / "moved").rename(tmp_path / "root/opt" / f"cc-{release}" / "bin")
    programs = {"cxx": {**BASE["programs"]["cxx"], "folders": ["$CC_ROOT/bin", "/opt/cc-*/bin"]}}
    (toolchain,), _ = _detect(tmp_path, {"programs": programs})
    assert toolchain.version == "10"
    own = tmp_path / "root/opt/cc-9"
    (toolchain,), _ = _detect(tmp_path, {"programs": programs}, CC_ROOT=str(own))
    assert toolchain.version == "9"


def test_declared_order_decides_which_is_the_default(tmp_path: Path, program: Make) -> None:
    program("fake++", FAKE)
    later, first = {"name": "a", "order": 20}, {"name": "b", "order": 10}
    found, _ = _detect(tmp_path, later, first, {"name": "c", "order": 20})
    assert [toolchain.name for toolchain in found] == ["b", "a", "c"]


def test_fact_with_several_values_makes_several_targets(tmp_path: Path, program: Make) -> None:
    program("fake++", FAKE)
    recipe = {"model": "cuda", "targets": ["nvidia/sm_{cxx.arch}"], "note": "first {cxx.arch}"}
    (toolchain,), _ = _detect(tmp_path, {"recipes": [recipe]})
    assert toolchain.recipes[0].targets == ("nvidia/sm_80", "nvidia/sm_90")
    assert toolchain.recipes[0].note == "first 80"


def test_fact_without_a_value_is_a_gap(tmp_path: Path, program: Make) -> None:
    program("fake++", 'test "$1" = --version && echo fake 1')
    recipe = {"model": "cuda", "targets": ["nvidia/sm_{cxx.arch}"]}
    found, (gap,) = _detect(tmp_path, {"recipes": [recipe]})
    assert found == ()
    assert "states no architecture" in gap.why


def test_library_is_found_in_its_usual_folder(tmp_path: Path, program: Make) -> None:
    program("fake++", FAKE)
    folder = _install(tmp_path, "root/opt/lib", "#define OMP\nVERSION 4.6\n", "lib64")
    (toolchain,), _ = _detect(tmp_path, _root())
    assert toolchain.recipes[0].cmake == {"Lib_ROOT": str(folder)}
    assert toolchain.recipes[0].note == "Lib 4.6"


def test_variable_comes_before_prefix_path_before_usual_folder(
    tmp_path: Path, program: Make
) -> None:
    program("fake++", FAKE)
    usual = _install(tmp_path, "root/opt/lib", "#define OMP\n")
    prefix = _install(tmp_path, "prefix", "#define OMP\n")
    own = _install(tmp_path, "own", "#define OMP\n")
    for environ, first in (
        ({}, usual),
        ({"CMAKE_PREFIX_PATH": f"/nothing:{prefix}"}, prefix),
        ({"CMAKE_PREFIX_PATH": f"{prefix}", "LIB_ROOT": str(own)}, own),
        ({"LIB_ROOT": "/nothing"}, usual),
    ):
        (toolchain,), _ = _detect(tmp_path, _root(), **environ)
        recipe = toolchain.recipe("kokkos", "cpu")
        assert recipe is not None
        assert recipe.cmake == {"Lib_ROOT": str(first)}


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ("#define SERIAL\n", "does not hold ^#define OMP$"),
        ("#define OMP\n#define CUDA\n", "is built for something else"),
        (None, "no Lib in $LIB_ROOT, /opt/lib, /opt/lib-*"),
    ],
)
def test_library_of_another_kind_is_a_gap_that_says_why(
    tmp_path: Path, program: Make, config: str | None, why: str
) -> None:
    program("fake++", FAKE)
    if config is not None:
        _install(tmp_path, "root/opt/lib", config)
    found, (gap,) = _detect(tmp_path, _root())
    assert found == ()
    assert why in gap.why


def test_missing_library_is_got_by_the_files_advice_and_not_by_the_recipes(
    tmp_path: Path, program: Make
) -> None:
    program("fake++", FAKE)
    change = _root()
    change["recipes"][0]["get"] = "something for the test alone"
    _, (gap,) = _detect(tmp_path, change)
    assert gap.get == "apt-get install cc"
    assert gap.near


def test_two_installations_make_two_recipes(tmp_path: Path, program: Make) -> None:
    program("fake++", FAKE)
    for arch in ("AMPERE80", "HOPPER90"):
        _install(tmp_path, f"root/opt/lib-{arch}", f"#define OMP\n#define ARCH_{arch}\n")
    change = _root()
    fact = {"file": "include/config.h", "pattern": "^#define ARCH_[A-Z]+(\\d+)$"}
    change["roots"]["lib"]["facts"]["arch"] = fact
    change["recipes"][0]["targets"] = ["nvidia/sm_{lib.arch}"]
    (toolchain,), _ = _detect(tmp_path, change)
    ampere, hopper = (toolchain.recipe("kokkos", f"nvidia/sm_{arch}") for arch in (80, 90))
    assert ampere is not None
    assert hopper is not None
    assert ampere.cmake["Lib_ROOT"].endswith("lib-AMPERE80")
    assert hopper.cmake["Lib_ROOT"].endswith("lib-HOPPER90")


def test_architecture_is_written_in_small_letters(tmp_path: Path, program: Make) -> None:
    program("fake++", 'case "$1" in --version) echo fake 1;; *) echo arch 90A;; esac')
    recipe = {"model": "kokkos", "targets": ["amd/gfx{cxx.arch}"]}
    (toolchain,), _ = _detect(tmp_path, {"recipes": [recipe]})
    assert toolchain.recipes[0].targets == ("amd/gfx90a",)


def test_names_of_files_can_be_facts(tmp_path: Path, program: Make) -> None:
    program("fake++", FAKE)
    folder = _install(tmp_path, "root/opt/lib", "#define OMP\n")
    for arch in ("80", "90"):
        (folder / "lib" / f"device-sm_{arch}.bc").write_text("")
    change = _root()
    fact = {"folder": ["lib64", "lib"], "pattern": "^device-sm_(\\d+)\\.bc$"}
    change["roots"]["lib"]["facts"]["arch"] = fact
    change["recipes"][0]["targets"] = ["nvidia/sm_{lib.arch}"]
    (toolchain,), _ = _detect(tmp_path, change)
    assert toolchain.recipes[0].targets == ("nvidia/sm_80", "nvidia/sm_90")


CHECK = {
    "program": "cxx",
    "arguments": ["-m{arch}"],
    "source": "int main() {}",
    "libraries": ["-l"],
}
COMPILES = """case "$1" in
--version) echo 'fake 1' ;;
-m80|-mcpu)
  /bin/grep -q 'int main' test.cpp || exit 1
  test "$2 $3 $4 $5" = 'test.cpp -o test -l' ;;
*) echo "note"; echo "fatal error: no $1"; exit 1 ;;
esac"""


def test_check_is_compiled_for_each_target_and_the_failing_one_left_out(
    tmp_path: Path, program: Make
) -> None:
    program("fake++", COMPILES)
    recipe = {"model": "openmp", "targets": ["nvidia/80", "nvidia/70", "cpu"], "check": CHECK}
    (toolchain,), (gap,) = _detect(tmp_path, {"recipes": [recipe]})
    assert toolchain.recipes[0].targets == ("nvidia/80", "cpu")
    assert gap.why.endswith(
        "fake++ does not compile a test of openmp: exit status 1: fatal error: no -m70"
    )


def test_check_that_fails_leaves_nothing_and_says_how_to_get_it(
    tmp_path: Path, program: Make
) -> None:
    program("fake++", COMPILES)
    recipe = {"model": "openmp", "targets": ["nvidia/70"], "check": CHECK, "get": "install 70"}
    found, (gap,) = _detect(tmp_path, {"recipes": [recipe]})
    assert found == ()
    assert gap.get == "install 70"


def test_same_check_of_two_files_is_compiled_once(tmp_path: Path, program: Make) -> None:
    log = tmp_path / "log"
    program("fake++", f'echo "$*" >> {log}\n{COMPILES}')
    recipe = {"model": "openmp", "targets": ["cpu"], "check": CHECK}
    found, _ = _detect(tmp_path, {"recipes": [recipe]}, {"recipes": [recipe]})
    assert len(found) == 2
    lines = log.read_text().splitlines()
    assert sum(line.startswith("-mcpu") for line in lines) == 1
    assert sum(line.startswith("--version") for line in lines) == 1


def test_checks_leave_nothing_behind(
    tmp_path: Path, program: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("fake++", COMPILES)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    recipe = {"model": "openmp", "targets": ["cpu"], "check": CHECK}
    _detect(tmp_path, {"recipes": [recipe]})
    assert list((tmp_path / "tmp").iterdir()) == []


def test_environment_is_filled_in_and_the_user_s_own_paths_stay_out_of_it(
    tmp_path: Path, program: Make
) -> None:
    program("fake++", FAKE)
    change = {
        "environment": {"MODE": "v{cxx.version}"},
        "prepend": {"LD_LIBRARY_PATH": ["{cxx.prefix}/lib", "/mine"]},
    }
    (toolchain,), _ = _detect(tmp_path, change, LD_LIBRARY_PATH="/mine:/theirs")
    assert toolchain.prologue.environment == {"MODE": "v12.2.0"}
    assert toolchain.prologue.prepend == {"LD_LIBRARY_PATH": (f"{tmp_path}/lib", "/mine")}


def test_programs_are_asked_at_the_same_time(tmp_path: Path, program: Make) -> None:
    for number in range(4):
        program(f"slow{number}", "/bin/sleep 0.5; echo fake 1")
    changes = [
        {"programs": {"cxx": {**BASE["programs"]["cxx"], "names": [f"slow{n}"], "facts": {}}}}
        for n in range(4)
    ]
    start = time.monotonic()
    found, _ = _detect(tmp_path, *changes)
    assert len(found) == 4
    assert time.monotonic() - start < 1.9
