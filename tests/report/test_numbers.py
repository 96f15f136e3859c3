from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.report import _numbers as numbers


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (3.277e12, "B/s", "3.277 TB/s"),
        (205365, "MB/s", "205.4 GB/s"),
        (0.0012345, "s", "1.234 ms"),
        (25e-6, "s", "25 µs"),
        (138.1668, "s", "138.2 s"),
        (5400.0, "s", "5400 s"),
        (1.2345e7, "lookups/s", "12.35 M lookups/s"),
        (999.99, "lookups/s", "1 k lookups/s"),
        (0.5, "1/s", "500 m 1/s"),
        (1500, "ms", "1.5 s"),
        (7, "", "7"),
        (math.nan, "s", "undefined"),
        (math.inf, "s", "undefined"),
    ],
)
def test_quantities_have_four_digits_and_an_si_prefix(value, unit, text):
    assert numbers.quantity(value, unit).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (0.0, "0"), (0.5, "0.500"), (1.0355, "1.036"), (0.00042, "0.00042"),
     (math.nan, "undefined")],
)  # fmt: skip
def test_efficiencies(value, text):
    assert numbers.efficiency(value) == text


@given(st.floats(1e-300, 100))
def test_an_efficiency_above_zero_never_reads_as_zero(value):
    assert float(numbers.efficiency(value)) > 0


@given(st.floats(1e-30, 1e30), st.sampled_from(["s", "B/s", "lookups/s", "MB/s"]))
def test_a_quantity_reads_back_as_itself(value, unit):
    powers = {"p": -12, "n": -9, "µ": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
    digits, _, rest = numbers.quantity(value, unit).partition("\N{NO-BREAK SPACE}")
    base = {"MB/s": "B/s"}.get(unit, unit)
    prefix = rest.removesuffix(base).strip("\N{NO-BREAK SPACE}")
    factor = 1e6 if unit == "MB/s" else 1.0
    assert float(digits) * 10.0 ** powers[prefix] == pytest.approx(value * factor, rel=1e-3)


def test_no_interval_is_no_text():
    assert numbers.interval(math.nan, math.nan) == ""
    assert numbers.interval(0.94, 0.96) == "[0.940, 0.960]"


def test_what_a_record_holds_keeps_its_digits():
    assert numbers.plain(0.1 + 0.2) == "0.30000000000000004"
    assert numbers.plain(None) == "-"
    assert numbers.plain({"a": 1, "b": None}) == "a 1, b -"
