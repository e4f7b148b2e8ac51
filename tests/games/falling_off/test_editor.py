"""Position editor of falling_off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import edge_envs
from edge_envs import Game
from edge_envs.core.interactive.editor import Document, Editor
from tests.contract.play import walk

Click = tuple[str, str | None, str | None]


def the_editor() -> Editor:
    editor = edge_envs.GAMES["falling_off"].editor
    assert editor is not None
    return editor


EDITOR = the_editor()


def click(tool: str, place: str | None = None, text: str | None = None) -> Click:
    return tool, None if place is None else f"space-{place}", text


def after(document: Document, *clicks: Click) -> Document:
    for tool, key, text in clicks:
        document = EDITOR.edit(document, tool, key, text)
    return document


def clicks_to(wanted: dict[str, Any]) -> Iterator[Click]:
    """Yield the clicks that create a position from the start of its game."""
    standing = [player for player in range(len(wanted["pawns"])) if player not in wanted["fallen"]]
    for player in [*standing, *wanted["fallen"]]:
        for place in wanted["pawns"][player]:
            if place:
                yield click("put", f"{player}-{'off' if place == 14 else place}")
    if wanted["phase"] != "over":
        yield click(f"turn-{wanted['turn_player']}")
        yield click("owed", text=str(wanted["turns_owed"]))
        yield click(f"phase-{wanted['phase']}")
        yield from (click(f"die-{die}") for die in wanted["dice"])


CASES = [{}, {"num_players": 3, "play_on": True}, {"num_players": 6, "play_on": True}, {"num_players": 6}]


@pytest.mark.parametrize("game", [edge_envs.load_game("falling_off", **params) for params in CASES], ids=str)
def test_every_position_of_a_game_can_be_created(game: Game) -> None:
    for state in walk(game, 60):
        wanted = state.to_dict()
        made = after(EDITOR.begin(wanted["params"]), *clicks_to(wanted))
        assert (made, EDITOR.problems(made)) == (wanted, [])


def fallen(*players: int, **params: Any) -> Document:
    """Return the start of a game in which these players have fallen in this order."""
    document = EDITOR.begin(params)
    return after(document, *(click("put", f"{player}-off") for player in players for _ in range(4)))


def test_pawns_come_from_the_start_and_go_back_there() -> None:
    document = after(EDITOR.begin(), click("put", "1-9"), click("put", "1-4"), click("put", "1-9"))
    assert document["pawns"] == [[0, 0, 0, 0], [0, 4, 9, 9]]
    document = after(document, click("take", "1-9"))
    assert document["pawns"][1] == [0, 0, 4, 9]
    with pytest.raises(ValueError, match=r"^no pawn of player 0 is on 9$"):
        after(document, click("take", "0-9"))
    with pytest.raises(ValueError, match=r"^no pawn of player 1 is at the start$"):
        after(document, *[click("put", "1-5")] * 3)
    with pytest.raises(
        ValueError, match=r"^pawns come from the start; click another place to put a pawn there or to take one back$"
    ):
        after(document, click("put", "0-start"))


def test_the_game_is_over_when_enough_players_have_fallen_and_resumes_when_a_pawn_is_taken_back() -> None:
    over = fallen(1)
    assert (over["phase"], over["turn_player"], over["turns_owed"], over["fallen"]) == ("over", 1, 0, [1])
    assert EDITOR.problems(over) == []
    with pytest.raises(ValueError, match=r"^turns owed: the game is over; take a fallen pawn back first$"):
        after(over, click("owed", text="2"))
    again = after(over, click("take", "1-off"))
    assert (again["phase"], again["turns_owed"], again["fallen"]) == ("roll", 1, [])
    assert EDITOR.problems(again) == []


def test_players_fall_in_the_order_in_which_they_are_put_over_the_edge() -> None:
    assert fallen(2, 0, num_players=4, play_on=True)["fallen"] == [2, 0]
    assert fallen(2, 0, 3, num_players=4, play_on=True)["phase"] == "over"


def test_a_fallen_turn_player_is_marked_as_the_problem() -> None:
    document = fallen(0, num_players=3, play_on=True)
    (problem,) = EDITOR.problems(document)
    assert (problem.line, problem.place) == ("turn_player: player 0 has fallen and gets no turns", "space-0-off")
    with pytest.raises(ValueError, match=r"^player 0 has fallen and gets no turns$"):
        after(document, click("turn-0"))
    assert EDITOR.problems(after(document, click("turn-2"))) == []


def test_too_many_fallen_players_are_a_problem_marked_at_the_last_one() -> None:
    (problem,) = EDITOR.problems(fallen(1, 0, num_players=3))
    assert (problem.line, problem.place) == ("fallen: the game ended before that", "space-0-off")


def test_dice_are_added_one_by_one() -> None:
    document = after(EDITOR.begin(), click("phase-move"), click("die-5"), click("die-1"))
    assert (document["dice"], len(EDITOR.problems(document))) == ([1, 5], 1)
    document = after(document, click("die-3"))
    assert (document["dice"], EDITOR.problems(document)) == ([1, 3, 5], [])
    with pytest.raises(ValueError, match=r"^there are already 3 dice; remove them first$"):
        after(document, click("die-3"))
    assert after(document, click("no-dice"))["dice"] == []
    with pytest.raises(ValueError, match=r"^there are no dice before the roll; choose another next step first$"):
        after(document, click("phase-roll"), click("die-3"))


def test_players_are_added_and_removed_with_the_parameters() -> None:
    document = after(EDITOR.begin({"num_players": 3}), click("put", "1-9"), click("put", "2-9"), click("turn-2"))
    two = EDITOR.answer(document, {"num_players": 2})["document"]
    assert (two["pawns"], two["turn_player"]) == ([[0, 0, 0, 0], [0, 0, 0, 9]], 1)
    assert EDITOR.answer(two, {"num_players": 4})["document"]["pawns"][2:] == [[0, 0, 0, 0]] * 2
