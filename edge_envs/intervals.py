"""Format rates and intervals, the same way in everything that programs print.

In running text and log lines a rate is `0.594 (0.563 to 0.624)`. A table has a column `0.594` for the rate and a column
`0.563 to 0.624` for the interval.
"""

from __future__ import annotations


def format_interval(low: float, high: float, digits: int = 3) -> str:
    """Return the bounds of an interval with this number of decimals, such as `0.563 to 0.624`."""
    return f"{low:.{digits}f} to {high:.{digits}f}"


def format_rate(rate: float, low: float, high: float) -> str:
    """Return a rate and its interval, such as `0.594 (0.563 to 0.624)`."""
    return f"{rate:.3f} ({format_interval(low, high)})"
