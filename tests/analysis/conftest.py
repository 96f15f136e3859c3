"""Small frames to compute with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import settings

settings.register_profile("calm", deadline=None)  # a machine may be busy
settings.load_profile("calm")

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def rows(*cells: dict[str, Any]) -> pd.DataFrame:
    """Cells of one app, with what a test does not care about filled in."""
    common = {
        "app": "stream", "problem": "small", "track": "default", "fom": "time", "unit": "s",
        "direction": "lower", "headline": True, "status": "ok", "reason": "", "effect": "counts",
        "complete": True, "value": float("nan"),
    }  # fmt: skip
    return pd.DataFrame([common | cell for cell in cells])


def zero(status: str = "unsupported", reason: str = "no such port") -> dict[str, Any]:
    return {"status": status, "reason": reason, "effect": "zero"}


def undefined(status: str = "not_attempted", reason: str = "queue was full") -> dict[str, Any]:
    return {"status": status, "reason": reason, "effect": "undefined"}


@pytest.fixture(scope="session")
def oracles() -> dict[str, Any]:
    path = SHARED / "oracles.json"
    if not path.is_file():
        pytest.skip("the oracles are not beside this checkout")
    return json.loads(path.read_text("utf-8"))


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the published results are not beside this checkout")
    return SHARED
