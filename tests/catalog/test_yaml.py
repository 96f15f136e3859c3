"""The strict YAML reader: positions, and an InputError for whatever is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.catalog._yaml import Document, parse, read
from portability.errors import InputError

from .conftest import attempt

FILE = Path("f.yaml")


def test_lines_are_those_of_keys_and_entries() -> None:
    document = parse(b"# c\na: 1\nb:\n  - x\n  - y: 2\n    z: 3\n", FILE)
    assert document.data == {"a": 1, "b": ["x", {"y": 2, "z": 3}]}
    assert document.where("a") == "f.yaml:2"
    assert document.where("b") == "f.yaml:3"
    assert document.where("b", 0) == "f.yaml:4"
    assert document.where("b", 1, "z") == "f.yaml:6"
    assert document.where("b", 1, "nothing", 7) == "f.yaml:5"
    assert document.where("nothing") == "f.yaml:2"


def test_scalars_are_those_of_yaml_1_2() -> None:
    text = b"a: no\nb: on\nc: 1e-8\nd: '7'\ne: 2026-01-02\nf: ~\ng: 0x10\nh: .5\ni: -3\nj: 1_000\n"
    assert parse(text, FILE).data == {
        "a": "no", "b": "on", "c": 1e-8, "d": "7", "e": "2026-01-02", "f": None, "g": "0x10",
        "h": 0.5, "i": -3, "j": "1_000",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", "f.yaml:1: the file is empty"),
        (b"# only a comment\n", "f.yaml:1: the file is empty"),
        (b"- a\n", "f.yaml:1: a list, expected a mapping"),
        (b"just text\n", "f.yaml:1: a single value, expected a mapping"),
        (b"a: 1\nb: 2\na: 3\n", r"f.yaml:3: key 'a' again \(first on line 1\)"),
        (b"a:\n\tb: 1\n", "f.yaml:2: a tab"),
        (b"a: \xff\n", "f.yaml:1: byte 3 is not UTF-8"),
        (b"a: 1\n---\nb: 2\n", "f.yaml:2: a second document"),
        (b"a: !!python/object/apply:os.system [ls]\n", "f.yaml:1: the tag"),
        (b"a: !!str 5\n", "f.yaml:1: the tag"),
        (b"a: ! x\n", "f.yaml:1: the tag"),
        (b"a: &x 1\nb: *x\n", "f.yaml:1: an anchor"),
        (b"&x\na: *x\n", "a tag or anchor"),
        (b"a: *x\n", "f.yaml:1: an anchor or alias"),
        (b"1: a\n", "f.yaml:1: key '1' is not text"),
        (b"? [a]\n: b\n", "f.yaml:1: a list, mapping or alias as a key"),
        (b"a: .inf\n", "f.yaml:1: .inf is not finite"),
        (b"a: .nan\n", "f.yaml:1: .nan is not finite"),
        (b"a: 1e999\n", "f.yaml:1: 1e999 is not finite"),
        (b"a: b: c\n", "f.yaml:1: .*expected quotes"),
        (b"a: 'open\n", "f.yaml:.*not YAML"),
        (b"a: \x00\n", "f.yaml:1: .*remove that character"),
        (b"a: " + b"[" * 60 + b"]" * 60, "nested over 40 levels"),
        (b"a: " + b"[" * 100000, "f.yaml:1"),
        (b"a:\n" + b"- " * 300000, "f.yaml"),
        (b"a" * (1 << 20) + b"a", "over 1 MiB"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: bytes, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        parse(text, FILE)


def test_byte_order_mark_is_no_error() -> None:
    assert parse(b"\xef\xbb\xbfa: 1\n", FILE).data == {"a": 1}


def test_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "nothing.yaml")
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path)


def test_json_has_lines_too_and_may_hold_tabs() -> None:
    text = rb'{%s"a": {"b": 1e-3,%s"c": "\u00e9\ud83d\ude00\\ud83d\/"}}' % (b"\n\t", b"\n\t")
    document = parse(text, Path("f.json"))
    assert document.data == json.loads(text)
    assert document.data == {"a": {"b": 1e-3, "c": "é\U0001f600\\ud83d/"}}
    assert document.where("a", "c") == "f.json:3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"{a: 1}", "f.json:1: not JSON"),
        (b'{"a": 1,\n "b": 2,}', "f.json:2: not JSON"),
        (b'{"a": 1,\n"a": 2}', "f.json:2: key 'a' again"),
        (b"[1]", "f.json:1: a list"),
        (b'{"a": NaN}', "f.json"),
        (b'{"a": ' + b"9" * 5000 + b"}", "f.json:1"),
        (b"[" * 100000, "f.json:1"),
    ],
)
def test_json_faults_are_said_with_their_line(text: bytes, expected: str) -> None:
    if b"NaN" in text:  # text to YAML: the schema refuses it where a number is wanted
        assert parse(text, Path("f.json")).data == {"a": "NaN"}
        return
    with pytest.raises(InputError, match=expected):
        parse(text, Path("f.json"))


YAMLISH = st.text(alphabet=st.sampled_from("ab1:-[]{},&*!|>%#'\"\n\t ?~.e"), max_size=60)


@given(st.one_of(st.binary(max_size=60), YAMLISH.map(str.encode), st.text().map(str.encode)))
def test_no_text_makes_anything_but_a_document_or_an_input_error(text: bytes) -> None:
    for file in (FILE, Path("f.json")):
        outcome = attempt(lambda file=file: parse(text, file))
        if isinstance(outcome, Document):
            assert isinstance(outcome.data, dict)
        else:
            assert str(outcome).startswith(f"{file}:")
