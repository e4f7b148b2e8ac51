"""Actions and outcomes: ids, strings, and errors for illegal ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs import Game, IllegalActionError, State
from tests.contract.play import chance_nodes, decisions, facts, future, walk

NOT_IDS: list[Any] = [-7, 2**31, 2**63, 2**80, 1.0, "0", None, [0], np.float64(0)]


def snapshot(state: State) -> tuple[Any, ...]:
    return facts(state), state.rewards(), state.returns(), state.history(), future(state, transitions=8)


def illegal_ids(state: State) -> list[int]:
    """Return up to twelve illegal ids, including the lowest and the highest."""
    size = max(state.game.num_distinct_actions, state.game.max_chance_outcomes)
    ids = sorted(set(range(size + 1)) - set(state.legal_actions()))
    return [-1, *ids[:: max(len(ids) // 10, 1)], size]


def a_dozen(actions: list[int]) -> list[int]:
    """Return up to twelve actions, evenly spread."""
    return actions[:: max(len(actions) // 12, 1)]


def test_legal_ids_are_within_the_action_space(game: Game) -> None:
    for state in walk(game):
        size = game.max_chance_outcomes if state.is_chance_node() else game.num_distinct_actions
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert all(0 <= action < size for action in legal)


def test_action_strings_round_trip(game: Game) -> None:
    for state in [*walk(game, 60), *decisions(game, 60), *chance_nodes(game, 30)]:
        for action in a_dozen(state.legal_actions()):
            assert state.string_to_action(state.action_to_string(action)) == action


def test_action_strings_of_a_node_are_distinct_and_plain(game: Game) -> None:
    for state in walk(game, 30):
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        assert len(set(texts)) == len(texts)
        assert all(text and text == " ".join(text.split()) and text.isascii() for text in texts)


def test_strings_of_illegal_actions_are_rejected(game: Game) -> None:
    for state in walk(game, 60):
        for text in ("", "no such text", *({"roll 0"} - {state.action_to_string(a) for a in state.legal_actions()})):
            with pytest.raises(IllegalActionError):
                state.string_to_action(text)


def test_illegal_ids_have_no_string(plain_game: Game) -> None:
    for state in walk(plain_game, 20):
        for action in illegal_ids(state):
            with pytest.raises(IllegalActionError):
                state.action_to_string(action)


def test_illegal_action_raises_and_leaves_state_unchanged(game: Game) -> None:
    for state in walk(game, 12):
        before = snapshot(state)
        for action in [*illegal_ids(state), *NOT_IDS]:
            with pytest.raises(IllegalActionError):
                state.apply_action(action)
        assert snapshot(state) == before


def test_illegal_action_error_lists_legal_actions(plain_game: Game) -> None:
    state = next(state for state in walk(plain_game) if not state.is_terminal())
    action = state.legal_actions()[0]
    with pytest.raises(IllegalActionError, match=rf"\b{action} \({state.action_to_string(action)}\)"):
        state.apply_action(-1)


def test_all_integer_types_are_accepted_as_actions(plain_game: Game) -> None:
    first = plain_game.new_initial_state(seed=0).legal_actions()[0]
    for kind in (int, np.int32, np.int64, np.uint16, *([np.int8] if first < 128 else [])):
        state = plain_game.new_initial_state(seed=0)
        action: Any = kind(first)
        state.apply_action(action)
        assert [type(number) for number in state.history()[0]] == [int, int]


def test_history_strings_contain_actor_and_action_string(open_game: Game) -> None:
    state, rng = open_game.new_initial_state(seed=0), np.random.default_rng(0)
    texts: list[str] = []
    while not state.is_terminal() and len(texts) < 60:
        action = int(rng.choice(state.legal_actions()))
        texts.append(f"{open_game.actor(state._record, state.current_player())}: {state.action_to_string(action)}")
        state.apply_action(action)
    for player in (None, *range(open_game.num_players)):
        lines = state.history_strings(player)
        assert len(lines) == len(texts)
        assert all(line == text or line.startswith(f"{text}. ") for line, text in zip(lines, texts, strict=True))


def test_unchecked_action_strings_are_distinct(game: Game) -> None:
    for state in [*walk(game, 6), *decisions(game, 6), *chance_nodes(game, 3)]:
        size = game.max_chance_outcomes if state.is_chance_node() else game.num_distinct_actions
        legal = set(state.legal_actions())
        texts = [state.action_to_string(action, check=False) for action in range(size)]
        assert len(set(texts)) == size
        for action in a_dozen(list(range(size))):
            if action in legal:
                assert texts[action] == state.action_to_string(action)
            else:
                assert texts[action] == f"{'outcome' if state.is_chance_node() else 'action'} {action}"
                with pytest.raises(IllegalActionError):
                    state.action_to_string(action)


def test_unchecked_action_string_requires_an_id_of_the_game(plain_game: Game) -> None:
    state = next(decisions(plain_game))
    for action in (-1, plain_game.num_distinct_actions, None, "a", 0.5):
        with pytest.raises(ValueError, match=f"expected an integer from 0 to {plain_game.num_distinct_actions - 1}"):
            state.action_to_string(action, check=False)  # type: ignore[arg-type]
