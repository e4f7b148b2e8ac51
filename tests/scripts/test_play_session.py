"""A person's game in the terminal: what is asked, what is said, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from agents.adviser import Adviser
from agents.agent import make_opponents
from agents.session import LEFT, Session
from edge_envs import Game, State, record_of, replay
from tests.contract.cases import case_name, games

OPENING = {
    "game": "falling_off", "params": {"num_players": 2, "play_on": False}, "phase": "move", "dice": [1, 1, 4],
    "turn_player": 0, "turns_owed": 1, "pawns": [[0, 0, 5, 9], [0, 0, 6, 9]], "fallen": [],
}  # fmt: skip


class Terminal:
    """Types lines one after another and keeps what is said."""

    def __init__(self, lines: list[str] | Iterator[str]) -> None:
        self._lines = iter(lines)
        self.said: list[str] = []
        self.prompts = 0

    def ask(self, prompt: str) -> str:
        self.prompts += 1
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None

    def say(self, text: str) -> None:
        self.said.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def session(state: State, terminal: Terminal, adviser: Adviser | None = None, seat: int = 0) -> Session:
    opponents = make_opponents(["heuristic"], seat, state.game)
    return Session(state, seat, opponents, np.random.default_rng(0), adviser, terminal.ask, terminal.say)


def always(line: str) -> Iterator[str]:
    while True:
        yield line


@pytest.fixture
def position(falling_off: Game) -> State:
    return falling_off.state_from_dict(OPENING, seed=0)


@pytest.mark.parametrize("game", games(), ids=case_name)
def test_every_game_is_played_to_its_end_from_every_seat(game: Game) -> None:
    for seat in range(game.num_players):
        state = game.new_initial_state(seed=seat)
        terminal = Terminal(always("1"))
        assert session(state, terminal, seat=seat).play()
        assert state.is_terminal()
        assert f"you {state.returns()[seat]:+g}" in terminal.said[-1]
        assert replay(json.loads(json.dumps(record_of(state)))).returns() == state.returns()


def test_the_person_decides_in_its_seat_only(falling_off: Game) -> None:
    state = falling_off.new_initial_state(seed=0)
    terminal = Terminal(always("1"))
    session(state, terminal, seat=1).play()
    assert terminal.prompts == sum(player == 1 for player, _ in state.history())


def test_actions_are_numbered_and_may_be_typed(position: State) -> None:
    texts = [position.action_to_string(action) for action in position.legal_actions()]
    for line in ("2", " 2 ", texts[1], texts[1].replace(" ", "   ")):
        terminal, state = Terminal([line]), position.clone()
        session(state, terminal).play()
        assert all(f"{number:>4}  {text}" in terminal.said[1] for number, text in enumerate(texts, start=1))
        assert state.history_strings()[0] == texts[1]


@pytest.mark.parametrize(
    "line", ["0", "-1", "99", "1.0", "one", "keep", "move 4 start", "²", "٣", "9" * 5000, "MOVE START 4", "save", "["]
)
def test_bad_input_is_told_and_asked_again(position: State, line: str) -> None:
    terminal = Terminal([line, "1"])
    session(position, terminal).play()
    assert "is none of the " in terminal.said[2]
    assert "Type the number of an action or its text" in terminal.said[2]
    assert position.history()


@pytest.mark.parametrize("line", ["", "  ", "?", "help"])
def test_who_asks_is_told_what_to_type(position: State, line: str) -> None:
    terminal = Terminal([line, "1"])
    session(position, terminal).play()
    assert terminal.said[2].startswith("Type the number of an action")


@pytest.mark.parametrize("lines", [[], ["q"], ["quit"]])
def test_leaving_is_polite(position: State, lines: list[str]) -> None:
    terminal = Terminal(lines)
    assert not session(position, terminal).play()
    assert terminal.said[-1] == f"\n{LEFT}"
    assert not position.history()


def test_an_interruption_leaves_too(position: State) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    said: list[str] = []
    opponents = make_opponents(["random"], 0, position.game)
    assert not Session(position, 0, opponents, np.random.default_rng(0), None, interrupt, said.append).play()
    assert LEFT in said[-1]


def test_a_position_is_kept(position: State, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    terminal = Terminal(["1", f"save {path}", "q"])
    session(position, terminal).play()
    assert f"{path}: the position is kept." in terminal.said
    assert position.game.state_from_dict(json.loads(path.read_text(encoding="utf-8"))).to_dict() == position.to_dict()


def test_a_position_that_cannot_be_kept_ends_nothing(position: State, tmp_path: Path) -> None:
    terminal = Terminal([f"save {tmp_path}", "1"])
    session(position, terminal).play()
    assert f"{tmp_path}: Is a directory" in terminal.said
    assert position.history()


def test_the_person_is_told_what_the_others_and_chance_did(position: State) -> None:
    terminal = Terminal(["1"])
    session(position, terminal).play()
    history, texts = position.history(), position.history_strings()
    news = [text for text in terminal.said if text.startswith("\n  ")]
    names = {-1: "chance", 1: "player 1 (heuristic)"}
    told = [f"  {names[player]}: {text}" for (player, _), text in zip(history[1:], texts[1:], strict=True)]
    assert news == ["\n" + "\n".join(told)]
    assert len(told) > 3


def test_the_person_sees_the_position_from_its_seat() -> None:
    state = edge_envs.load_game("kuhn").new_initial_state(seed=0)
    terminal = Terminal([])
    session(state, terminal).play()
    assert any(text.startswith(f"\n{state.observation_string(0)}\n") for text in terminal.said)


# Advice


def advised(position: State, line: str) -> Terminal:
    terminal = Terminal([line])
    session(position.clone(), terminal, Adviser(position.game)).play()
    return terminal


def values(state: State) -> dict[str, float]:
    """What each action leaves, by its text."""
    out = np.empty((1, 74))
    adviser: Any = Adviser(state.game)
    adviser._meter.solution.decision_values(state.game.records_from_dict(state.to_dict()), out)
    return {state.action_to_string(action): float(out[0, action]) for action in state.legal_actions()}


def test_a_decision_is_judged_by_the_exact_solution(position: State) -> None:
    worth = values(position)
    best = max(worth, key=lambda text: worth[text])
    worst = min(worth, key=lambda text: worth[text])
    assert "That was best." in advised(position, best).said
    regret = f"{worth[best] - worth[worst]:.3f}"
    terminal = advised(position, worst)
    assert f"That gives away {regret} of winning probability; best was {best}." in terminal.said
    assert f"Your one decision gave away {regret} of winning probability in all." in terminal.said


def test_what_is_given_away_adds_up(falling_off: Game) -> None:
    state = falling_off.new_initial_state(seed=5)
    adviser = Adviser(falling_off)
    terminal = Terminal(always("1"))
    session(state, terminal, adviser).play()
    decisions = sum(player == 0 for player, _ in state.history())
    assert adviser.decisions == decisions
    assert adviser.given_away > 0.3
    total = f"{adviser.given_away:.3f}"
    assert terminal.said[-1] == f"Your {decisions} decisions gave away {total} of winning probability in all."


def test_the_perfect_player_gives_nothing_away(falling_off: Game) -> None:
    state = falling_off.new_initial_state(seed=1)
    adviser = Adviser(falling_off)

    def perfect(prompt: str) -> str:
        return max(values(state), key=lambda text: values(state)[text])

    opponents = make_opponents(["perfect"], 0, falling_off)
    Session(state, 0, opponents, np.random.default_rng(0), adviser, perfect, lambda text: None).play()
    assert adviser.decisions > 20
    assert adviser.given_away == 0.0


def test_there_is_no_advice_in_unsolved_games() -> None:
    with pytest.raises(ValueError, match="no perfect player"):
        Adviser(edge_envs.load_game("kuhn"))


def test_many_actions_are_set_in_columns_that_hold_them_all() -> None:
    state = edge_envs.load_game("beyond_maps", size=8).new_initial_state(seed=0)
    terminal = Terminal(["64", "q"])
    session(state, terminal).play()
    options = terminal.said[1].split("You can:\n")[1].splitlines()
    assert len(options) == 11
    assert max(map(len, options)) <= 100
    assert sorted(int(word) for word in " ".join(options).split() if word.isdecimal()) == list(range(1, 65))
    assert state.history_strings()[0] == "sea b4 w"
