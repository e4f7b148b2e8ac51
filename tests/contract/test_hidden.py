"""Hidden information: it is never shown to the player, and can be resampled."""

from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from edge_envs import Game, State
from tests.contract.play import after, chance_nodes, decisions, facts, future, walk

SAMPLES = 500


def views(state: State, player: int) -> dict[str, Any]:
    """Return everything that `player` is shown."""
    return {
        "observation": state.observation_tensor(player).tolist(),
        "string": state.observation_string(player),
        "picture": str(state),
        "player": state.current_player(),
        "legal": state.legal_actions() if state.current_player() == player else None,
    }


def indistinguishable_states(game: Game, player: int) -> Iterator[list[State]]:
    """Yield groups of states after outcomes of one chance node that `player` cannot distinguish by their strings."""
    for state in chance_nodes(game, 40):
        start = game.state_from_dict(state.to_dict())
        groups = defaultdict(list)
        for action in start.legal_actions():
            following = after(start, action)
            groups[following.history_strings(player)[0]].append(following)
        yield from (group for group in groups.values() if len(group) > 1)


def test_indistinguishable_outcomes_give_equal_observations(hidden_game: Game) -> None:
    for player in range(hidden_game.num_players):
        for first, *others in indistinguishable_states(hidden_game, player):
            for other in others:
                assert views(other, player) == views(first, player)
                assert other.information_state_string(player) == first.information_state_string(player)


def test_perfect_information_flag_is_correct(plain_game: Game) -> None:
    hides = any(True for player in range(plain_game.num_players) for _ in indistinguishable_states(plain_game, player))
    assert hides != plain_game.perfect_information


def test_public_history_reveals_no_more_than_a_players_history(game: Game) -> None:
    for state in walk(game, 20):
        public = state.history_strings()
        for player in range(game.num_players):
            pairs = zip(state.history_strings(player), public, strict=True)
            assert all(own == shown or "?" in shown for own, shown in pairs)


def matching_action(state: State, other: State, action: int, player: int) -> int | None:
    """Return the action in `other` that looks to `player` like `action` in `state`, or None."""
    text = after(state, action).history_strings(player)[-1]
    texts = {after(other, a).history_strings(player)[-1]: a for a in other.legal_actions()}
    return texts.get(text)


def test_equal_information_states_imply_equal_past_observations(hidden_game: Game) -> None:
    """If a player has equal information states in two histories, all earlier observations were equal."""
    rng = random.Random(0)
    for player in range(hidden_game.num_players):
        for state, other, *_ in itertools.islice(indistinguishable_states(hidden_game, player), 8):
            seen: list[tuple[str, str]] = []
            for _ in range(12):
                seen.append((state.observation_string(player), other.observation_string(player)))
                if state.information_state_string(player) == other.information_state_string(player):
                    assert all(own == others for own, others in seen)
                if state.is_terminal() or other.is_terminal():
                    break
                action = rng.choice(state.legal_actions())
                alike = matching_action(state, other, action, player)
                if alike is None:
                    break
                state, other = after(state, action), after(other, alike)


def test_resampling_keeps_the_players_view(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 40):
        for player in range(game.num_players):
            assert views(state.resample(player, rng), player) == views(state, player)


def test_resampling_keeps_rewards_and_returns(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game):
        other = state.resample(0, rng)
        assert (other.rewards(), other.returns()) == (state.rewards(), state.returns())


def test_resampling_does_not_modify_the_state(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 10):
        before = facts(state), state.history(), future(state, transitions=8)
        for player in range(game.num_players):
            future(state.resample(player, rng))
        assert (facts(state), state.history(), future(state, transitions=8)) == before


def test_resampling_with_perfect_information_keeps_the_position(open_game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(open_game, 60):
        assert state.resample(0, rng).to_dict() == state.to_dict()


def test_resampling_is_deterministic_given_the_generator(game: Game) -> None:
    for state in walk(game, 10):
        one, other = (state.resample(0, np.random.default_rng(7)) for _ in range(2))
        assert facts(one) == facts(other)
        assert future(one) == future(other)


@pytest.mark.parametrize("rng", [5, None, np.random.RandomState(0)])
def test_a_generator_of_another_kind_is_rejected(chance_game: Game, rng: Any) -> None:
    state = chance_game.new_initial_state(1)
    with pytest.raises(TypeError, match=r"invalid rng=.*: expected a numpy\.random\.Generator"):
        state.resample(0, rng)
    if rng is not None:
        while not state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        with pytest.raises(TypeError, match=r"invalid rng="):
            state.sample_chance(rng)


def test_resampled_state_has_new_chance_outcomes(chance_game: Game) -> None:
    rng = np.random.default_rng(0)
    start = chance_game.new_initial_state(seed=0)
    assert any(future(start.resample(0, rng)) != future(start.resample(0, rng)) for _ in range(20))
    assert any(future(start.resample(0, rng)) != future(start) for _ in range(20))


def test_resampled_position_is_valid(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 30):
        other = state.resample(0, rng)
        assert facts(game.state_from_dict(other.to_dict())) == facts(other)


def test_resampling_is_independent_of_the_true_state(plain_game: Game) -> None:
    """Two states with the same information state are resampled from the same distribution (chi-square test)."""
    rng = np.random.default_rng(0)
    for state in [*walk(plain_game, 4), *decisions(plain_game, 4)]:
        other = state.resample(0, rng)
        draws = [Counter(str(s.resample(0, rng).to_dict()) for _ in range(SAMPLES)) for s in (state, other)]
        common = [key for key in draws[0] | draws[1] if draws[0][key] + draws[1][key] >= 20]
        table = [[draw[key] for key in common] + [SAMPLES - sum(draw[key] for key in common)] for draw in draws]
        filled = np.array(table)[:, np.any(np.array(table) > 0, axis=0)]
        if filled.shape[1] > 1:
            assert chi2_contingency(filled).pvalue > 1e-6


def test_resampling_changes_hidden_information(hidden_game: Game) -> None:
    """If a player cannot distinguish several states, resampling also draws other states than the true one."""
    rng = np.random.default_rng(0)
    for player in range(hidden_game.num_players):
        for state, *_ in indistinguishable_states(hidden_game, player):
            drawn = [state.resample(player, rng).to_dict() for _ in range(30)]
            assert any(position != state.to_dict() for position in drawn)


def test_heuristic_depends_only_on_the_players_information(game: Game) -> None:
    """The heuristic plays the same action in all states that the player to act cannot distinguish."""
    rng = np.random.default_rng(0)
    for state in decisions(game):
        others = [state.resample(state.current_player(), rng) for _ in range(5)]
        assert {other.heuristic_action() for other in others} == {state.heuristic_action()}


@pytest.mark.parametrize("player", [-1, 99])
def test_invalid_player_raises(plain_game: Game, player: int) -> None:
    state = plain_game.new_initial_state(seed=0)
    with pytest.raises(ValueError, match=str(player)):
        state.resample(player, np.random.default_rng(0))
    with pytest.raises(ValueError, match=str(player)):
        state.history_strings(player)


# Information states after resampling


def memory_of(state: State, player: int) -> dict[str, Any]:
    """Return the player's information state and history."""
    return {"state": state.information_state_string(player), "history": state.history_strings(player)}


def test_resampling_keeps_the_players_information_state(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 20):
        for player in range(game.num_players):
            once = state.resample(player, rng)
            assert memory_of(once, player) == memory_of(state, player)
            assert memory_of(once.resample(player, rng), player) == memory_of(state, player)


def test_resampled_game_continues_with_equal_information_states(game: Game) -> None:
    """After transitions that look the same to the player, the information states are still equal."""
    rng, choice = np.random.default_rng(0), random.Random(0)
    for state in walk(game, 15):
        player = state.current_player() if state.current_player() >= 0 else 0
        other = state.resample(player, rng)
        for _ in range(6):
            if state.is_terminal() or other.is_terminal():
                break
            action = choice.choice(state.legal_actions())
            alike = matching_action(state, other, action, player)
            if alike is None:
                break
            state, other = after(state, action), after(other, alike)
            if state.is_terminal() or other.is_terminal():
                break  # hidden information is revealed, and differs
            if other.observation_string(player) == state.observation_string(player):
                assert memory_of(other, player) == memory_of(state, player)
                again = other.clone().resample(player, rng)
                assert memory_of(again, player) == memory_of(state, player)


def test_resampling_leaves_others_with_the_public_history(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 30):
        for player in range(game.num_players):
            resampled = state.resample(player, rng)
            assert resampled.history() == []
            assert resampled.history_strings() == state.history_strings()
            for other in range(game.num_players):
                if other != player:
                    assert resampled.history_strings(other) == state.history_strings()
            if game.perfect_information:
                assert resampled.history_strings() == state.history_strings(player)


def test_information_states_of_others_do_not_reveal_the_true_state(plain_game: Game) -> None:
    """Among resampled states, another player's information state depends only on its observation."""
    rng = np.random.default_rng(0)
    for state in walk(plain_game, 20):
        for other in range(1, plain_game.num_players):
            resampled = [state.resample(0, rng) for _ in range(10)]
            secrets = {s.observation_string(other): s.information_state_string(other) for s in resampled}
            for s in resampled:
                assert s.information_state_string(other) == secrets[s.observation_string(other)]


def test_copies_of_a_resampled_state_keep_the_information_state(game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in walk(game, 10):
        resampled = state.resample(0, rng)
        for copied in (resampled.clone(), pickle.loads(pickle.dumps(resampled))):
            assert memory_of(copied, 0) == memory_of(state, 0)
