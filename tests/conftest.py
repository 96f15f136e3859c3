"""What every test may use, and the summary of the toolchains that were exercised."""

from __future__ import annotations

import os
from collections import Counter

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("PORTABILITY_SOAK"):
        return
    soak = pytest.mark.skip(reason="soak: `make soak` runs it")
    for item in items:
        if "soak" in item.keywords:
            item.add_marker(soak)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which toolchains were exercised; tests name theirs with ``record_property``."""
    used: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        used.update(str(value) for key, value in report.user_properties if key == "toolchain")
    terminalreporter.section("toolchains exercised")
    for name, times in sorted(used.items()):
        terminalreporter.write_line(f"{name}: {times} tests")
    if not used:
        terminalreporter.write_line("none")
