"""Pictures by matplotlib: without a window, and with texts as they stand, as a `$` in somebody's name is no formula."""

from __future__ import annotations

from typing import Any

import matplotlib

matplotlib.use("Agg")


def subplots(*grid: int, **how: Any) -> tuple[Any, Any]:
    """A new figure with its axes, as `pyplot.subplots` makes them."""
    from matplotlib import pyplot

    matplotlib.rcParams["text.parse_math"] = False
    return pyplot.subplots(*grid, layout="constrained", **how)
