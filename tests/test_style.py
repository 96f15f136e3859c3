from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
CLANG_FORMAT = shutil.which("clang-format-19")


@pytest.mark.skipif(CLANG_FORMAT is None, reason="clang-format-19: not found")
def test_the_applications_are_formatted():
    assert CLANG_FORMAT
    files = [
        str(path)
        for suffix in ("hpp", "cpp", "cu")
        for path in sorted((TOP / "proxyapps").rglob(f"*.{suffix}"))
    ]
    assert files
    done = subprocess.run(
        [CLANG_FORMAT, "--dry-run", "-Werror", *files], capture_output=True, text=True, cwd=TOP
    )
    assert done.returncode == 0, done.stderr
