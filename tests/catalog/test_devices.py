"""Short names of devices."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portability.catalog._devices import slug


@pytest.mark.parametrize(
    ("name", "mode", "expected"),
    [
        ("NVIDIA A100-SXM4-40GB", "", "a100-40"),
        ("NVIDIA A100-SXM4-80GB", "", "a100-80"),
        ("NVIDIA H100 80GB HBM3", "", "h100-80"),
        ("NVIDIA H100 PCIe", "", "h100"),
        ("Tesla V100-SXM2-16GB", "", "v100-16"),
        ("NVIDIA GeForce RTX 4090", "", "rtx-4090"),
        ("NVIDIA A100-SXM4-40GB", "mig-1g.5gb", "a100-40-mig-1g.5gb"),
        ("AMD MI250X GCD", "", "mi250x-gcd"),
        ("AMD Instinct MI300X", "cpx", "mi300x-cpx"),
        ("Intel Arc A770", "", "arc-a770"),
        ("Intel(R) Data Center GPU Max 1550", "", "data-center-gpu-max-1550"),
        ("NVIDIA", "", "device"),
    ],
)
def test_short_name_of_a_device(name: str, mode: str, expected: str) -> None:
    assert slug(name, mode) == expected


@given(st.text(), st.text(max_size=9))
def test_every_short_name_may_be_a_platform(name: str, mode: str) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*", slug(name, mode))
