"""Narration: the result, events that follow from actions and chance, and full disclosure at the end."""

from __future__ import annotations

import html
import importlib
import importlib.util
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from edge_envs import CHANCE, Game, State
from tests.contract.play import after, chance_nodes, decisions, playthrough, settle, walk

Plain = Callable[[dict[str, Any], str, str], dict[str, Any]]


def ends(game: Game) -> list[State]:
    return [state for state in walk(game) if state.is_terminal()]


def viewers(game: Game) -> list[int | None]:
    return [None, *range(game.num_players)]


def actor_and_text(line: str) -> tuple[str, str]:
    who, _, text = line.partition(": ")
    return who, text


# The result


def test_result_names_the_players_with_the_highest_return(narrated_game: Game) -> None:
    for state in ends(narrated_game):
        returns = state.returns()
        best = {player for player, value in enumerate(returns) if value == max(returns)}
        named = re.match(r"Players? (\d+(?:(?:, | and )\d+)*) wins? ?", state.result())
        if len(set(returns)) == 1:
            assert named is None, state.result()
            assert re.match("A draw|Nobody wins", state.result())
        else:
            assert named is not None, state.result()
            assert {int(number) for number in re.findall(r"\d+", named[1])} == best


def test_result_is_one_or_two_sentences(game: Game) -> None:
    for state in ends(game):
        assert re.fullmatch(r"[A-Z][^.!]*[.!]( [A-Z][^.!]*[.!])?", state.result()), state.result()


def test_result_before_the_end_raises(plain_game: Game) -> None:
    for state in walk(plain_game):
        if not state.is_terminal():
            with pytest.raises(ValueError, match="the game is not over"):
                state.result()


def test_terminal_pictures_show_the_result(narrated_game: Game) -> None:
    for state in ends(narrated_game)[:3]:
        assert f"over: {state.result()}" in str(state)
        assert f"over: {state.result()}" in html.unescape(state.svg())


# Histories and events


def steps(game: Game, seed: int, heuristic: bool = False) -> Iterator[tuple[State, int, State]]:
    """Yield each transition of a game: the state before it, the action, and the state after it."""
    before: State | None = None
    for state in playthrough(game, seed, heuristic):
        if before is not None:
            yield before, state.history()[-1][1], state
        before = state.clone()


def test_history_strings_name_the_actor(game: Game) -> None:
    for state in walk(game, 10):
        for viewer in viewers(game):
            lines = state.history_strings(viewer)
            assert len(lines) == len(state.history())
            for (player, _), line in zip(state.history(), lines, strict=True):
                named = re.match(r"(?:player (\d+)|chance): \S", line)
                assert named is not None, line
                assert player == CHANCE or int(named[1]) == player
                assert named[1] is None or int(named[1]) < game.num_players


def test_events_are_sentences_after_the_action_string(game: Game) -> None:
    for seed in range(2):
        for before, action, state in steps(game, seed, heuristic=seed == 1):
            events = game.events(before._record, action, state._record)
            assert all(re.fullmatch(r"[A-Z].*[.!]", event) for event in events), events
            if not state.is_terminal():
                text = game.action_as_seen(before._record, action, None)
                expected = ". ".join([text, " ".join(events)] if events else [text])
                assert actor_and_text(state.history_strings()[-1])[1] == expected


def test_events_do_not_modify_states(game: Game) -> None:
    for before, action, state in steps(game, 0):
        records = before._records.tobytes(), state._records.tobytes()
        game.events(before._record, action, state._record)
        assert (before._records.tobytes(), state._records.tobytes()) == records


def rows(state: State) -> dict[str, str]:
    """Return the lines of the public picture that describe one player each, by player."""
    found = (re.match(r"(player \d+) .*", line) for line in str(state).splitlines()[:-1])
    return {match[1]: " ".join(match[0].split()) for match in found if match}


def test_changes_to_other_players_have_an_event(narrated_game: Game) -> None:
    for seed in range(4):
        for before, action, state in steps(narrated_game, seed, heuristic=seed % 2 == 1):
            actor = narrated_game.actor(before._record, before.current_player())
            old, new = rows(before), rows(state)
            if any(old[player] != new[player] for player in old.keys() & new.keys() - {actor}):
                assert narrated_game.events(before._record, action, state._record), state.history_strings()[-1]


def plain_of(game: Game) -> Plain | None:
    """Return the function `plain` of a game's own tests, if they have it."""
    name = f"tests.games.{game.name}.plain"
    if importlib.util.find_spec(f"tests.games.{game.name}") is None or importlib.util.find_spec(name) is None:
        return None
    plain: Plain = importlib.import_module(name).plain
    return plain


def test_side_effects_of_actions_have_an_event(game: Game) -> None:
    """Side effects are found with `plain(position, actor, text)` of `tests/games/<game>/plain.py`.

    It returns entries of the position after an action without side effects. If the actual entries differ, an event
    must explain the difference.
    """
    plain = plain_of(game)
    if plain is None:
        return
    for seed in range(6):
        for before, action, state in steps(game, seed, heuristic=seed % 2 == 1):
            actor = game.actor(before._record, before.current_player())
            expected = plain(before.to_dict(), actor, before.action_to_string(action))
            actual = state.to_dict()
            if any(actual[key] != value for key, value in expected.items()):
                assert game.events(before._record, action, state._record), state.history_strings()[-1]


def test_scores_have_an_entry_for_each_player(game: Game) -> None:
    with pytest.raises(ValueError, match="not over"):
        game.new_initial_state(seed=0).scores()
    for state in ends(game):
        for entries in state.scores().values():
            assert len(entries) == game.num_players
            assert all(isinstance(entry, str) and entry for entry in entries)


def test_latest_events_are_those_since_the_last_decision(game: Game) -> None:
    for state in decisions(game, 20):
        following = after(state, state.legal_actions()[-1])
        events = game.events(state._record, state.legal_actions()[-1], following._record)
        while following.is_chance_node():
            before, action = following.clone(), following.sample_chance()
            following.apply_action(action)
            events += game.events(before._record, action, following._record)
        if not following.is_terminal():
            assert following.latest_events() == events


def test_pictures_show_the_latest_events(plain_narrated_game: Game) -> None:
    shown = 0
    for seed in range(2):
        for _, _, state in steps(plain_narrated_game, seed):
            events = state.latest_events()
            if events and shown < 8:
                shown += 1
                assert " ".join(events) in html.unescape(state.svg())
    assert shown


def test_indistinguishable_transitions_have_equal_events(hidden_game: Game) -> None:
    """If a viewer cannot distinguish two transitions, it is shown the same events."""
    rng, compared = np.random.default_rng(0), 0
    for state in [*decisions(hidden_game, 40), *chance_nodes(hidden_game, 40)]:
        for player in range(hidden_game.num_players):
            other = state.resample(player, rng)
            seen = {hidden_game.action_as_seen(other._record, a, player): a for a in other.legal_actions()}
            for action in state.legal_actions()[:6]:
                alike = seen.get(hidden_game.action_as_seen(state._record, action, player))
                if alike is None:
                    continue
                one, two = after(state, action), after(other, alike)
                if one.is_terminal() or two.is_terminal() or view_of(one, player) != view_of(two, player):
                    continue
                compared += 1
                for viewer in (None, player):
                    events = [
                        hidden_game.events(before._record, made, following._record, viewer)
                        for before, made, following in ((state, action, one), (other, alike, two))
                    ]
                    assert events[0] == events[1]
    assert compared


def view_of(state: State, player: int) -> tuple[Any, ...]:
    return state.current_player(), state.observation_string(player), state.observation_tensor(player).tolist()


# The end, where nothing is hidden any more


def test_at_the_end_all_views_are_equal(narrated_game: Game) -> None:
    for state in ends(narrated_game):
        for player in range(narrated_game.num_players):
            assert state.observation_string(player) == str(state)
            assert state.history_strings(player) == state.history_strings()
            assert state.information_state_string(player) == state.information_state_string(0)
        assert len({state.svg(viewer) for viewer in viewers(narrated_game)}) == 1


def test_at_the_end_the_history_hides_no_actions(narrated_game: Game) -> None:
    for state in ends(narrated_game):
        again = narrated_game.new_initial_state(seed=0)
        for (_, action), line in zip(state.history(), state.history_strings(), strict=True):
            assert actor_and_text(line)[1].startswith(again.action_to_string(action))
            again.apply_action(action)


def test_at_the_end_hidden_information_is_revealed(plain_narrated_hidden_game: Game) -> None:
    """States that differ in hidden information look different to all players once the game is over."""
    rng, differing = np.random.default_rng(0), 0
    for seed in range(12):
        nodes = [state.clone() for state in playthrough(plain_narrated_hidden_game, seed)]
        last, action = nodes[-2], nodes[-1].history()[-1][1]
        for player in range(plain_narrated_hidden_game.num_players):
            other = last.resample(player, rng)
            if action not in other.legal_actions():
                continue
            end = after(other, action)
            if not end.is_terminal() or str(end) == str(nodes[-1]):
                continue
            differing += 1
            for viewer in range(plain_narrated_hidden_game.num_players):
                one, other_tensor = (state.observation_tensor(viewer) for state in (nodes[-1], end))
                assert not np.array_equal(one, other_tensor)
    assert differing


def test_at_the_end_resampling_keeps_the_position(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in ends(game):
        for player in range(game.num_players):
            other = state.resample(player, rng)
            assert other.to_dict() == state.to_dict()
            assert other.result() == state.result()
            assert other.history_strings() == state.history_strings()


def test_before_the_end_hidden_information_is_not_revealed(plain_narrated_hidden_game: Game) -> None:
    state = settle(plain_narrated_hidden_game.new_initial_state(seed=0))
    assert len({state.observation_string(player) for player in range(plain_narrated_hidden_game.num_players)}) > 1
