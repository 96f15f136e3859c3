"""Documents against schemas: messages, lines, and the schemas themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from portability.catalog._schema import SCHEMAS, check, problems, schema
from portability.catalog._yaml import parse
from portability.errors import InputError

NAMES = sorted(file.stem for file in SCHEMAS.glob("*.json"))
STUDY = "name: s\ntitle: t\napps: all\nmodels: all\nproblems: [tiny]\n"


def _study(more: str) -> list[str]:
    return problems(parse((STUDY + more).encode(), Path("s.yaml")), "study")


def _properties(node: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema below ``node`` that describes a value."""
    if isinstance(node, dict):
        for name, inner in node.get("properties", {}).items():
            yield f"{path}.{name}", inner
            yield from _properties(inner, f"{path}.{name}")
        for key in ("items", "additionalProperties", "propertyNames"):
            if isinstance(node.get(key), dict):
                yield f"{path}/{key}", node[key]
                yield from _properties(node[key], f"{path}/{key}")
        for index, inner in enumerate(node.get("anyOf", ())):
            yield f"{path}/{index}", inner
            yield from _properties(inner, f"{path}/{index}")


def test_there_is_a_schema_for_each_kind_of_file() -> None:
    assert NAMES == ["app", "problems", "study", "system", "toolchain"]


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_valid_strict_and_described(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"].endswith("2020-12/schema")
    found = [("", schema(name)), *_properties(schema(name), "")]
    assert len(found) > 5
    for path, inner in found:
        assert len(inner.get("description", "")) > 5, f"{name}{path} has no description"
        if "properties" in inner:
            assert inner["additionalProperties"] is False, f"{name}{path} allows unknown keys"


def test_valid_study_has_no_problems() -> None:
    assert _study("blocks: 3\n") == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("block: 3\n", "s.yaml:6: unknown key 'block' in the file; did you mean 'blocks'?"),
        ("zzz: 3\n", "s.yaml:6: unknown key 'zzz' in the file; expected one of name"),
        ("blocks: 0\n", "s.yaml:6: blocks is 0, expected at least 1"),
        ("blocks: many\n", 's.yaml:6: blocks is "many", expected a whole number'),
        ("blocks: true\n", "s.yaml:6: blocks is true, expected a whole number"),
        ("timeout: 0\n", "s.yaml:6: timeout is 0, expected more than 0"),
        ("baseline: nativ\n", "did you mean 'native'?"),
        ("planned: [A b]\n", 's.yaml:6: planned[0] is "A b", expected An app'),
        ("planned:\n  - a\n  - a\n", "planned is a list, expected no entry twice"),
        ("planned:\n", "s.yaml:6: planned is empty, expected a list"),
        ("platforms: [frontier]\n", "expected A platform as system/device"),
        ("exclude:\n  - models: [a]\n", "s.yaml:7: exclude[0] has no 'vendors': The vendors"),
        ("exclude:\n  - models: [a]\n", "s.yaml:7: exclude[0] has no 'reason': Why"),
        ("toolchains: {A: b}\n", 's.yaml:6: key "A" in toolchains, expected a model'),
    ],
)
def test_message_names_line_place_value_and_expectation(more: str, expected: str) -> None:
    assert any(expected in line for line in _study(more)), _study(more)


def test_number_where_text_belongs_is_told_to_be_quoted() -> None:
    document = parse(b"name: a\nversion: 1.10\n", Path("app.yaml"))
    assert any(
        line.startswith("app.yaml:2: version is 1.1, expected text; put it in quotes")
        for line in problems(document, "app")
    )


def test_wrong_choice_between_all_and_a_list_says_both() -> None:
    text = STUDY.replace("apps: all", "apps: some")
    found = problems(parse(text.encode(), Path("s.yaml")), "study")
    assert found == [
        "s.yaml:3: apps is \"some\", expected The apps: 'all', or a list of names, none twice"
    ]


def test_several_faults_are_reported_in_order_up_to_ten() -> None:
    text = STUDY + "".join(f"wrong{number}: 1\n" for number in range(13))
    with pytest.raises(InputError) as caught:
        check(parse(text.encode(), Path("s.yaml")), "study")
    lines = str(caught.value).splitlines()
    assert len(lines) == 11
    assert [line.split(":")[1] for line in lines[:10]] == [str(n) for n in range(6, 16)]
    assert lines[10] == "... and 3 more"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["name", "title", "apps", "models", "problems", "platforms", "toolchains", "programs",
     "recipes", "roots", "kernels", "foms", "exclude", "source", "launcher"]
)  # fmt: skip


@given(st.dictionaries(KEYS, JSON, max_size=6), st.sampled_from(NAMES))
def test_any_document_is_valid_or_explained_line_by_line(data: dict[str, Any], name: str) -> None:
    document = parse(json.dumps(data, indent=1).encode(), Path("f.json")) if data else None
    if document is not None:
        for line in problems(document, name):
            assert line.startswith("f.json:")
