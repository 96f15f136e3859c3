from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    line = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    subprocess.run(line, cwd=TOP, check=True, capture_output=True)
    return out


def test_the_wheel_carries_the_four_data_folders(dist, tmp_path):
    wheel = next(dist.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    script = (
        "from portability.catalog import Catalog, data_folder\n"
        "for name in ('proxyapps', 'spack_envs', 'experiments', 'analysis'):\n"
        "    print(data_folder(name))\n"
        "catalog = Catalog.load()\n"
        "print(len(catalog.apps), len(catalog.studies), len(catalog.systems))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *folders, numbers = done.stdout.splitlines()
    assert all(Path(folder).is_relative_to(tmp_path / "portability/_data") for folder in folders)
    assert all(int(number) > 0 for number in numbers.split())


def test_the_sdist_holds_what_git_holds(dist):
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    git = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True)
    if git.returncode != 0 or not git.stdout:
        pytest.skip("git: not a clone")
    missing = {f for f in git.stdout.splitlines() if (TOP / f).exists()} - names
    assert not missing
