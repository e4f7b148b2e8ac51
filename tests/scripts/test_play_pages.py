"""Test the output of `:rules` and `:legend` for every game."""

from __future__ import annotations

import pytest

from edge_envs import Game
from scripts.playing import pages
from tests.contract.cases import case_name, games

ONE_EACH = list({game.name: game for game in games()}.values())


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("game", ONE_EACH, ids=case_name)
def test_every_page_fits_in_the_window(game: Game, width: int) -> None:
    for heading in pages.sections(game):
        lines = pages.rules(game, heading, width).splitlines()
        prose = [line for line in lines if not line.startswith(("Other sections", "Unknown section"))]
        assert max(map(len, prose)) <= width, heading


@pytest.mark.parametrize("game", ONE_EACH, ids=case_name)
def test_every_game_has_a_legend_and_sections_found_by_prefix(game: Game) -> None:
    assert pages.legend(game) not in ("", "This game has no legend.")
    for heading, text in pages.sections(game).items():
        assert text
        assert pages.rules(game, heading.lower(), 80) == pages.rules(game, heading, 80)
    assert "Unknown section." in pages.rules(game, "no such thing", 80)


def test_code_keeps_its_layout_and_prose_is_wrapped() -> None:
    text = pages.rendered("One two\nthree *four*.\n\n```text\na   b\n  c\n```\n\n- five\n", 12)
    assert text.splitlines() == ["One two", "three four.", "", "a   b", "  c", "", "", " • five"]
