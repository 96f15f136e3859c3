from __future__ import annotations

import importlib
import sys

import pytest

from portability.analysis import Metric, found
from portability.errors import PortabilityError


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes modules of a package of its own and imports it."""

    def make(**modules: str):
        name = f"plugins_{tmp_path.name}".replace("-", "_")
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        made.append(name)
        return importlib.import_module(name)

    made: list[str] = []
    yield make
    for name in [m for m in sys.modules if m.split(".")[0] in made]:
        del sys.modules[name]


GOOD = (
    "from portability.analysis import Metric\n"
    "METRICS = (Metric({!r}, 't', 'f', 's', lambda e: e[:, 0]),)\n"
)


def test_a_new_file_is_a_new_metric(package):
    plugins = package(one=GOOD.format("first"), two=GOOD.format("second"), _helper="x = 1")
    assert list(found(plugins, "METRICS", Metric)) == ["first", "second"]


def test_one_name_in_two_files_is_an_error_that_names_both(package):
    plugins = package(one=GOOD.format("same"), two=GOOD.format("same"))
    with pytest.raises(PortabilityError, match=r"two: METRICS is called 'same'.*one"):
        found(plugins, "METRICS", Metric)


@pytest.mark.parametrize(("text", "told"), [("", "nothing"), ("METRICS = 3", "3")])
def test_a_file_that_declares_no_metric_is_an_error(package, text, told):
    with pytest.raises(PortabilityError, match=f"one: METRICS must be a Metric.*found {told}"):
        found(package(one=text), "METRICS", Metric)
