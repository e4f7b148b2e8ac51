"""Test the plot of the learning curves of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from agents.evaluation.report import equal_share
from agents.training.curves import draw_curves
from edge_envs import load_game


def row(step: int, opponent: str, rate: float, **more: float) -> dict[str, Any]:
    return {"step": step, "opponent": opponent, "win_rate": rate, "low": rate - 0.05, "high": rate + 0.05, **more}


ROWS = [
    row(0, "random", 0.5), row(0, "perfect", 0.1, estimate=0.12, half_width=0.01),
    row(1_500_000, "random", 0.95), row(1_500_000, "perfect", 0.4, estimate=0.41, half_width=0.01),
]  # fmt: skip


@pytest.fixture
def figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Figure:
    """Draw the curves of a four-player game."""
    drawn: list[Figure] = []
    save = Figure.savefig

    def savefig(self: Figure, *arguments: Any, **options: Any) -> None:
        drawn.append(self)
        save(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", savefig)
    draw_curves(ROWS, "chess: long", 0.25, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["curves.png"]
    return drawn[0]


def test_each_curve_is_a_line_from_step_0(figure: Figure) -> None:
    (axes,) = figure.axes
    lines: dict[str, Any] = {str(line.get_label()): line for line in axes.lines}
    assert list(lines) == [
        "wins against random",
        "wins against perfect",
        "estimate against perfect",
        "equal agents: 25%",
    ]
    assert list(lines["wins against random"].get_xdata()) == [0, 1_500_000]
    assert list(lines["estimate against perfect"].get_ydata()) == [0.12, 0.41]
    assert lines["estimate against perfect"].get_linestyle() == "--"
    assert lines["estimate against perfect"].get_color() == lines["wins against perfect"].get_color()
    assert lines["wins against random"].get_color() != lines["wins against perfect"].get_color()
    assert list(lines["equal agents: 25%"].get_ydata()) == [0.25, 0.25]
    assert len(axes.collections) == 3  # one band per line, except for equal agents


def test_title_and_axes_are_labelled(figure: Figure) -> None:
    (axes,) = figure.axes
    assert axes.get_title() == "chess: long"
    assert axes.get_xlabel() == "decisions of the learner"
    assert axes.get_ylabel() == "games won (bands: 95 % intervals)"
    assert axes.get_xlim()[0] == 0.0
    figure.canvas.draw()
    assert [label.get_text() for label in axes.get_yticklabels()][1:3] == ["0%", "20%"]
    assert "1M" in [label.get_text() for label in axes.get_xticklabels()]


def test_legend_is_below_the_axes(figure: Figure) -> None:
    (axes,), (legend,) = figure.axes, figure.legends
    figure.canvas.draw()
    assert legend.get_window_extent().y1 < axes.get_window_extent().y0


def test_opponent_names_are_not_parsed_as_mathtext(tmp_path: Path) -> None:
    draw_curves([row(0, "program:./bot $^_$", 0.5)], r"$a\q$", 0.5, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").exists()


@pytest.mark.parametrize(
    ("board", "share"),
    [("falling_off", 1 / 2), ("falling_off_3p", 2 / 3), ("falling_off_4p", 3 / 4), ("over_the_edge_4p", 1 / 4),
     ("ghost_ship_3p", 1 / 3), ("beyond_maps", 1 / 2)],
)  # fmt: skip
def test_equal_agents_share_the_wins(board: str, share: float) -> None:
    assert equal_share(load_game(board)) == share
