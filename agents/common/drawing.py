"""Figures in the default style of matplotlib, without a window, whatever the user's settings and environment say.

Figures are made as objects, without pyplot, so the backend and the style of a notebook stay as they are.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

GREY = "#7d7d7d"
"""The colour of text and axes: readable on white and on black, because backgrounds are transparent."""
_THEME = {
    "savefig.transparent": True,
    "legend.framealpha": 0.0,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), GREY),
}


@contextlib.contextmanager
def subplots(
    *grid: int, figsize: tuple[float, float], settings: Mapping[str, Any] | None = None, **how: Any
) -> Iterator[tuple[Figure, Any]]:
    """Make a figure with its axes, as `pyplot.subplots` does; draw and save it inside this context.

    The background is transparent, and text is grey, so that figures suit light and dark pages. `settings` are
    matplotlib's, in place of these and its defaults. Strings are shown as they are: a `$` in a name does not start
    a formula.
    """
    with _style({"text.parse_math": False, **_THEME, **(settings or {})}):
        figure = Figure(figsize, layout="constrained")
        FigureCanvasAgg(figure)  # the figure keeps it
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")  # of names in other scripts: it draws a box
            yield figure, figure.subplots(*grid, **how)


@contextlib.contextmanager
def _style(settings: Mapping[str, Any]) -> Iterator[None]:
    """Apply the defaults of matplotlib and some settings; afterwards all settings are as before."""
    with contextlib.ExitStack() as stack:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", matplotlib.MatplotlibDeprecationWarning)  # of defaults that will go
            whole: Any = {key: value for key, value in matplotlib.rcParamsDefault.items() if "backend" not in key}
            whole.update(settings)
            stack.enter_context(matplotlib.rc_context(whole))
        yield
