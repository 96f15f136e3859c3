"""The page in a real browser."""

from __future__ import annotations

import html
import re
import subprocess
from pathlib import Path

import pytest

from .conftest import HOSTILE

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
    "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom",
)  # fmt: skip
WIDTH = """<!doctype html><body style="margin:0"><p id="out">none</p>
<iframe id="page" width="390" height="800" style="border:0" srcdoc="{}"></iframe>
<script>page.onload = () => {{
  const root = page.contentDocument.documentElement;
  out.textContent = "width " + root.scrollWidth + " of " + root.clientWidth;
}};</script>"""


def browse(chromium: str, file: Path, profile: Path) -> tuple[str, list[str]]:
    """The document as the browser has it, and what it wrote to the console."""
    done = subprocess.run(
        [chromium, *FLAGS, f"--user-data-dir={profile}", file.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def test_the_console_is_listened_to(chromium, tmp_path):
    file = tmp_path / "loud.html"
    file.write_text("<script>console.error('heard')</script>")
    _, console = browse(chromium, file, tmp_path / "profile")
    assert any("heard" in line for line in console)


@pytest.mark.parametrize("name", ["wide", "hostile"])
def test_the_page_opens_without_a_word_on_the_console(chromium, tmp_path, campaign, wide, name):
    made = wide
    if name == "hostile":
        made = campaign(models=("cuda", HOSTILE))
        made.write()
    document, console = browse(chromium, made.report / "index.html", tmp_path / "profile")
    assert console == []
    assert document.count("<svg") == len(made.apps)
    assert "<h2" in document


def test_nothing_scrolls_sideways_on_a_phone_but_the_boxes_of_wide_tables(chromium, tmp_path, wide):
    page = (wide.report / "index.html").read_text("utf-8")
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    file = tmp_path / "phone.html"
    file.write_text(WIDTH.format(html.escape(page)), "utf-8")
    document, _ = browse(chromium, file, tmp_path / "profile")
    width, room = map(int, re.search(r"width (\d+) of (\d+)", document).groups())
    assert 300 < room <= 390
    assert width <= room
