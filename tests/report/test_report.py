from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from portability.errors import UnknownNameError, WorkError
from portability.records import cells
from portability.report import formats
from portability.words import Status

from .conftest import HOSTILE, SEVEN, fine


class Page(HTMLParser):
    """The tables (rows of cell texts), links, ids and text of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file, self.links, self.ids, self.tags = file, [], [], []
        self.rows: list[list[str]] = []
        self.text = ""
        self._hidden = self._cell = 0
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._hidden += tag in ("style", "title")
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href" and tag == "a"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self._cell += 1

    def handle_endtag(self, tag):
        self._hidden -= tag in ("style", "title")
        self._cell -= tag in ("td", "th")

    def handle_data(self, data):
        if not self._hidden:
            self.text += data
        if self._cell and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data

    def row(self, *starts: str) -> list[str]:
        """The first row whose cells begin with these texts, blanks folded."""
        for row in self.rows:
            cells = [" ".join(cell.split()) for cell in row]
            if all(a.startswith(b) for a, b in zip(cells, starts, strict=False)):
                return cells
        raise AssertionError(f"no row {starts}")

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def html(campaign, **options) -> Page:
    return Page(campaign.write(**options) / "index.html")


def gpu(status: str, reason: str, model: str = "openmp"):
    """An outcome: this for ``model``, verified for the others."""

    def outcome(e, block):
        return (status, reason, 1.0) if e.model == model else fine(e, block)

    return outcome


def test_the_files_that_were_written_are_returned(campaign):
    made = campaign()
    out = made.write()
    assert [file.name for file in made.files[:2]] == ["index.html", "report.md"]
    assert set(made.files) == {file for file in out.rglob("*") if file.is_file()}
    assert {file.suffix for file in made.files} == {".html", ".md", ".svg", ".png"}


def test_only_the_formats_asked_for_are_written(campaign):
    out = campaign().write(formats=("md",))
    assert (out / "report.md").is_file()
    assert not (out / "index.html").exists()


def test_an_unknown_format_is_named_before_anything_is_written(campaign):
    with pytest.raises(UnknownNameError, match="did you mean 'html'"):
        campaign().write(formats=("htm",))
    assert set(formats()) >= {"html", "md"}


def test_a_folder_that_cannot_be_written_is_an_error_that_names_it(campaign, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkError, match="file/report: the report cannot be written"):
        campaign().write(out=tmp_path / "file" / "report")


def test_one_platform_is_said_not_to_be_portability(campaign):
    words = html(campaign()).words
    assert "(|H| = 1)" in words
    assert "it says nothing about portability" in words
    assert "P over H:" not in words


def test_the_leader_is_named_with_its_lead_and_interval(campaign):
    slow = {"cuda": 1.0, "kokkos": 1.25, "openmp": 2.0}

    def outcome(e, block):
        return "ok", "", slow[e.model] * (1 + 0.001 * block * (e.model == "kokkos"))

    words = html(campaign(outcome=outcome)).words
    assert "On here/h200 cuda is ahead with 12.3 ms. Next is kokkos, 25.1 % behind (2" in words
    assert "3 blocks)" in words


def test_models_within_the_uncertainty_are_not_ranked(campaign):
    shaky = {"cuda": (1.0, 1.02, 0.97), "kokkos": (1.01, 0.99, 1.0), "openmp": (2, 2.1, 2.2)}

    def outcome(e, block):
        return "ok", "", shaky[e.model][block]

    words = html(campaign(outcome=outcome)).words
    assert "no leader can be told: cuda has the best value" in words
    assert "does not resolve it from kokkos" in words
    assert "Next is openmp" in words
    assert "is ahead" not in words


def test_one_block_ranks_nothing(campaign):
    page = html(campaign(blocks=1))
    assert "so the order may be noise" in page.words
    assert "is ahead" not in page.words
    assert page.row("babelstream", "small", "kokkos")[4] == "none one block: no interval"


def test_counts_of_every_status_are_told(campaign):
    words = html(campaign(outcome=gpu("wrong", "sum is off"))).words
    assert "3 cells" in words
    assert "2 ok (the answer was verified); 1 wrong (ran, and the answer failed" in words


def test_a_zero_and_an_undefined_p_are_shown_apart_with_their_reason(campaign):
    def planned(e):
        return {
            "kokkos": ("excluded", "by its own rule"),
            "openmp": ("unsupported", "no port"),
        }.get(e.model, ("", ""))

    page = html(campaign(planned=planned))
    zero, unknown = (page.row("babelstream", "small", m)[3] for m in ("openmp", "kokkos"))
    assert zero == "0 here/h200: unsupported: no port"
    assert unknown == "undefined here/h200: excluded: by its own rule"
    kinds = [attrs.get("class") for tag, attrs in page.tags if tag == "td"]
    assert {"zero", "undefined", "counts"} <= set(kinds)


def test_a_failure_seen_once_is_undefined_and_seen_twice_is_zero(campaign):
    made = campaign(blocks=1, outcome=gpu("run_failed", "exit code 3"))
    plan = made.plan()
    for keep, shown in ((1, "undefined"), (2, "0")):
        records = [r for r in made.records(plan) if r["attempt"] <= keep]
        made.records = lambda _, kept=records: kept
        assert html(made).row("babelstream", "small", "openmp")[3].startswith(shown)
        del made.records


def test_every_empty_cell_has_its_status_and_reason(campaign):
    made = campaign(outcome=gpu("timeout", "over its limit of 600 s"))
    cell = html(made).row("babelstream", "openmp")[2]
    assert cell == "timeout over its limit of 600 s (x2)"


def test_a_missing_baseline_leaves_the_value_and_says_why(campaign):
    page = html(campaign(outcome=gpu("wrong", "sum is off", "cuda")))
    cell = page.row("babelstream", "kokkos")[2]
    assert "ms efficiency undefined: native cuda: wrong: sum is off" in cell
    assert page.row("babelstream", "small", "kokkos")[3].startswith("undefined")


def test_a_study_without_a_verified_cell_claims_nothing(campaign):
    made = campaign(planned=lambda e: ("not_attempted", "no toolchain found here: install it"))
    page = html(made)
    assert "No cell has a verified answer" in page.words
    assert "No run got as far as an answer." in page.words
    assert "no toolchain found here" in page.row("babelstream", "kokkos")[2]
    assert not re.search(r"\d (s|ms|TB/s)\b", page.words.replace("600 s a run", ""))


def test_a_study_of_apps_that_do_not_exist_yet_still_has_a_report(campaign):
    made = campaign(apps=("later",), planned=lambda e: ("unsupported", "not implemented yet"))
    page = html(made)
    assert "No result: not implemented yet." in page.words
    assert page.row("later", "cuda")[2] == "unsupported not implemented yet"


def test_a_study_of_wrong_answers_shows_what_was_expected_and_no_value(campaign):
    made = campaign(outcome=lambda e, block: ("wrong", "array a is off", 1.0))
    page = html(made)
    row = page.row("babelstream", "small", "cuda", "here/h200", "block 0, wrong")
    assert row[5:] == [
        "array a largest relative error of a",
        "0.0",
        "0.12345678901234566",
        "2.2e-14",
    ]
    assert "sum of a * b" not in page.words  # a check that passed
    assert "TB/s" not in page.words


def test_an_answer_that_could_not_be_checked_is_listed_with_the_wrong_ones(campaign):
    page = html(campaign(outcome=gpu("unverified", "too many terms")))
    row = page.row("babelstream", "small", "openmp", "here/h200", "block 0, unverified")
    assert "no check recorded too many terms" in row[5]


def test_every_figure_of_merit_is_shown_with_blocks_spread_and_best(campaign):
    page = html(campaign())
    header = page.row("platform", "model", "triad")
    assert header[2:] == ["triad (higher is better)", "dot (higher is better)",
                          "total (lower is better)", "blocks", "runs"]  # fmt: skip
    row = page.row("here/h200", "kokkos")
    assert re.fullmatch(r"[\d.]+ TB/s spread 0\.\d+ %; best [\d.]+ TB/s", row[2])
    assert row[5:] == ["3", "0.0 1.0 2.0"]


def test_links_lead_to_files_that_exist(campaign, tmp_path):
    made = campaign(
        outcome=lambda e, b: {
            "kokkos": ("build_failed", "no such header", 1.0), "openmp": ("wrong", "off", 1.0)
        }.get(e.model, fine(e, b))
    )  # fmt: skip
    for out in (made.workspace / "report", tmp_path / "else where" / "report"):
        page = html(made, out=out)
        local = [link for link in page.links if not link.startswith("#")]
        assert any("/runs/" in link and link.endswith("/stdout") for link in local)
        assert any(link.endswith("/stderr") for link in local)
        assert any("/build/" in link for link in local)
        for link in local:
            assert (out / unquote(link)).is_file(), link
        for link in (link for link in page.links if link.startswith("#")):
            assert link[1:] in page.ids
        text = (out / "report.md").read_text()
        in_markdown = re.findall(r"\]\(([^)]+)\)", text)
        assert len(in_markdown) > 5
        for link in in_markdown:
            assert (out / unquote(link)).is_file(), link


def test_a_log_that_is_gone_is_not_linked(campaign):
    made = campaign()
    made.write()
    plan = made.plan()
    records = made.records(plan)
    for file in (made.workspace / "runs").rglob("std*"):
        file.unlink()
    made.records = lambda _: records
    page = html(made)
    assert not [link for link in page.links if "/runs/" in link]
    assert "ms" in page.row("babelstream", "kokkos")[2]


def test_numbers_on_the_page_are_those_of_the_records(campaign):
    made = campaign(outcome=lambda e, b: ("ok", "", {"cuda": 1, "kokkos": 2, "openmp": 4}[e.model]))
    page = html(made)
    assert page.row("babelstream", "kokkos")[2].startswith("0.500 24.6 ms")
    assert page.row("here/h200", "openmp")[2].startswith("819.2 GB/s")
    assert page.row("babelstream", "small", "openmp")[3:7] == [
        "0.250", "[0.250, 0.250] no spread between blocks", "1", "1/1"
    ]  # fmt: skip


def test_best_observed_names_its_baseline_and_has_no_interval(campaign):
    def outcome(e, block):
        return "ok", "", 2.0 if e.model == "cuda" else 1.0

    page = html(campaign(baseline="best", models=("cuda", "hip"), outcome=outcome))
    row = page.row("babelstream", "small", "cuda")
    assert row[3] == "0.500"
    assert row[4].startswith("none best observed: no interval")
    assert row[-1] == "best observed"
    assert page.row("babelstream", "small", "native")[3] == "0.500"


def test_provenance_holds_what_the_records_say(campaign):
    words = html(campaign()).words
    for fact in ("EPYC 9454", "GPU-0a", "nvcc", "12.9.86", "-O3 -arch=sm_90", "0123abcd", "ab" * 32,
                 "cuda-tools", "seed of the run order", "2025-12-01T10:00:00.000+00:00", "0.25",
                 "1.50", "150.8 GB"):  # fmt: skip
        assert fact in words, fact


def test_records_that_lack_almost_everything_are_no_obstacle(campaign):
    made = campaign(outcome=gpu("run_failed", "exit code 3"))
    plan = made.plan()
    keep = ("run", "experiment", "build", "app", "problem", "model", "platform", "status", "reason",
            "block", "repeat", "attempt", "foms")  # fmt: skip
    bare = [{k: r[k] for k in keep} for r in made.records(plan)]
    nulls = [{"device": None, "noise": None, "times": None, "provenance": None, "compiler": None,
              "verdict": None, "folder": None, "build_log": None} | r for r in bare]  # fmt: skip
    for records in (bare, nulls):
        made.records = lambda _, kept=records: kept
        assert "run failed exit code 3" in html(made).row("babelstream", "openmp")[2]


def test_many_platforms_keep_every_cell(wide):
    page = Page(wide.report / "index.html")
    assert len([t for t in page.tags if t[0] == "svg"]) == 2
    header = page.row("app", "model", "site0/mi250x-gcd")
    assert len(header) == 10
    for model in SEVEN:
        assert all(page.row("babelstream", model)[2:])
    holes = " ".join(page.row("babelstream", "openacc"))
    assert "wrong largest relative error" in holes
    assert "P over H: 0 for cuda, raja, openmp, openacc and sycl" in page.words
    assert "undefined for hip and kokkos, which lack results" in page.words
    assert page.row("babelstream", "small", "cuda")[5:7] == ["8", "4/8"]
    assert "native (hip, cuda)" in page.row("babelstream", "small", "cuda")[-1]
    assert len(page.ids) == len(set(page.ids))


def test_bars_that_are_missing_carry_their_status(wide):
    text = (wide.report / "figures" / "efficiency-babelstream-small.svg").read_text()
    for status in ("wrong", "run failed", "build failed", "timeout", "not attempted", "excluded",
                   "unsupported"):  # fmt: skip
        assert f">{status}</text>" in text, status


def test_names_from_data_are_never_markup(campaign):
    made = campaign(
        models=("cuda", HOSTILE, "a|b `c` $d$ *e* [f](g)"),
        platforms=('p"><img src=x onerror=alert(2)>',),
        problems=("q'\"&</style><script>",),
        title="</title><script>alert(3)</script>",
        outcome=gpu("wrong", "<script>alert(4)</script> | `x`\n# title", HOSTILE),
    )
    out = made.write()
    page = Page(out / "index.html")
    assert not [tag for tag, _ in page.tags if tag in ("script", "img", "iframe")]
    assert not [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert HOSTILE in page.words
    assert "a|b `c` $d$ *e* [f](g)" in page.words
    for file in (out / "figures").glob("*.svg"):
        tags = {e.tag.rpartition("}")[2] for e in ElementTree.parse(file).iter()}
        assert "text" in tags
        assert not tags & {"script", "img", "image"}
    text = (out / "report.md").read_text()
    assert "<script" not in text
    assert "<img" not in text
    assert r"a\|b \`c\` $d$ \*e\* \[f\](g)" in text
    assert "\n# title" not in text


def test_a_markdown_table_has_as_many_cells_in_every_row(campaign):
    made = campaign(models=("cuda", "pipe|in|name", "openmp"), outcome=gpu("wrong", "a|b\nc"))
    tables = re.findall(r"(?:^\|.*\n)+", (made.write() / "report.md").read_text(), re.MULTILINE)
    assert len(tables) >= 7
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, table[:300]


def test_the_page_needs_nothing_from_elsewhere(campaign):
    out = campaign().write()
    page = Page(out / "index.html")
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "img", "iframe", "object", "embed"}
    loads = [a.get("href") for tag, a in page.tags if tag == "link"]
    assert all(link.startswith("data:") for link in loads)
    assert not re.search(r"url\((?!#)|@import", (out / "index.html").read_text())
    assert "prefers-color-scheme: dark" in (out / "index.html").read_text()


def test_tables_have_captions_and_headers_with_scope(campaign):
    page = html(campaign())
    tables = [tag for tag, _ in page.tags if tag == "table"]
    assert len(tables) == len([tag for tag, _ in page.tags if tag == "caption"]) > 4
    heads = [attrs.get("scope") for tag, attrs in page.tags if tag == "th"]
    assert set(heads) == {"col", "row"}


def test_the_same_study_gives_the_same_files(campaign):
    made = campaign()
    out = made.write()
    first = {f: f.read_bytes() for f in made.files}
    made.write()
    assert {f: f.read_bytes() for f in out.rglob("*") if f.is_file()} == first


def test_what_is_not_verified_is_never_counted_as_ok(wide):
    plan = wide.plan()
    found = cells(plan, wide.records(plan))
    ok = sum(cell.status is Status.OK for cell in found)
    assert 0 < ok < len(found)
    words = Page(wide.report / "index.html").words
    assert f"{len(found)} cells" in words
    assert f"{ok} ok (the answer was verified)" in words
