"""Numbers as text.  Nothing here rounds a number above zero to zero."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["efficiency", "interval", "percent", "plain", "quantity", "span"]

_GAP = "\N{NO-BREAK SPACE}"  # between a number and its unit
_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_POWERS = {prefix: power for power, prefix in _PREFIXES.items()} | {"u": -6}
_BASES = ("B/s", "B", "FLOP/s", "flop/s", "Flop/s", "Hz", "J", "W", "s")


def efficiency(value: float) -> str:
    """Three decimals, or three digits where that would hide a small number."""
    if math.isnan(value):
        return "undefined"
    if value in (0, 1):
        return f"{value:.0f}"
    return f"{value:.3f}" if value >= 0.1 else f"{value:.3g}"


def interval(low: float, high: float) -> str:
    """``[low, high]``, or nothing where there is none."""
    return "" if math.isnan(low + high) else f"[{efficiency(low)}, {efficiency(high)}]"


def percent(fraction: float) -> str:
    """Of a fraction: ``2.3 %``; two digits where it is below one percent."""
    value = 100 * fraction
    if value == 0 or abs(value) >= 1:
        return f"{value:.1f}{_GAP}%"
    return f"{value:.2g}{_GAP}%"


def span(low: float, high: float) -> str:
    """``1.1 % to 3.5 %``."""
    return f"{percent(low)} to {percent(high)}"


def quantity(value: float, unit: str) -> str:
    """Four digits with an SI prefix: ``3.277 TB/s``, ``1.234 ms``, ``12.35 M lookups/s``.

    A unit that carries a prefix (``MB/s``) is read with it.
    """
    if not math.isfinite(value):
        return "undefined"
    base, power = _split(unit)
    value *= 10.0**power
    exponent = 0 if value == 0 else 3 * math.floor(math.log10(abs(value)) / 3)
    if base == "s" or base.startswith("s "):
        exponent = min(exponent, 0)  # 1234 s, not 1.234 ks
    exponent = max(min(_PREFIXES), min(max(_PREFIXES), exponent))
    scaled = value / 10.0**exponent
    if float(f"{abs(scaled):.4g}") >= 1000 and exponent + 3 in _PREFIXES and base != "s":
        exponent, scaled = exponent + 3, scaled / 1000
    digits = f"{scaled:.4g}" if 0.001 <= abs(scaled) < 10_000 else f"{scaled:.3e}"
    prefix = _PREFIXES[exponent]
    if base in _BASES:
        return f"{digits}{_GAP}{prefix}{base}"
    return _GAP.join(filter(None, (digits, prefix, base)))


def _split(unit: str) -> tuple[str, int]:
    """A unit without its prefix, and the power of ten of the prefix."""
    if unit in _BASES:
        return unit, 0
    for base in _BASES:
        prefix = unit.removesuffix(base)
        if prefix + base == unit and prefix in _POWERS:
            return base, _POWERS[prefix]
    return unit, 0


def plain(value: Any) -> str:
    """Whatever a record holds, all digits of a number kept; ``-`` for nothing."""
    if value is None or value == "":
        return "-"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {plain(item)}" for key, item in value.items()) or "-"
    if isinstance(value, list | tuple):
        return " ".join(plain(item) for item in value) or "-"
    return str(value)
