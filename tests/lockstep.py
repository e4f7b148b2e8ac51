"""The compiled rules and a slow twin side by side: in games, and from positions that are thrown together.

A twin has `current_player()`, `legal_actions()`, `chance_outcomes()`, `apply(action)`, `rewards()`,
`action_to_string(action)` and `to_dict()`, with the meanings of `State`, and for set-ups `from_dict(d)`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import edge_envs

Position = dict[str, Any]


def assert_same(state: Any, twin: Any) -> None:
    """Both show the same position, player, choices with their texts, rewards and chances."""
    assert state.to_dict() == twin.to_dict()
    assert state.current_player() == twin.current_player()
    actions = list(twin.legal_actions())
    assert state.legal_actions() == actions
    assert [state.action_to_string(a) for a in actions] == [twin.action_to_string(a) for a in actions]
    assert state.rewards() == pytest.approx([float(reward) for reward in twin.rewards()], rel=0, abs=1e-15)
    if state.is_chance_node():
        assert state.chance_outcomes() == [(a, pytest.approx(float(p))) for a, p in twin.chance_outcomes()]


def assert_seen_again(state: Any) -> None:
    """Every player sees the position as it is seen when it is read again."""
    again = state.game.state_from_dict(state.to_dict())
    for viewer in range(state.game.num_players):
        assert state.observation_tensor(viewer).tolist() == again.observation_tensor(viewer).tolist()


@dataclass(frozen=True)
class Lockstep:
    """How the rules of a game are compared with its twin from drawn parameters and positions; some may be refused.

    Of a set-up `followed` actions are tried, and `steps` are then played; from the start of a game `game_steps` are.
    """

    game: str
    twin: Any
    some_params: Callable[[random.Random], dict[str, Any]]
    some_position: Callable[[random.Random], Position]
    set_ups: int
    followed: int
    steps: int
    game_steps: int
    rather: Callable[[str], bool] = lambda text: True
    """Which actions, by their texts, are played where there are any."""
    picture: Callable[[Position], str] = lambda d: ""

    def twin_at(self, d: Position) -> Any:
        """The twin at a position, or nothing if the rules refuse it."""
        try:
            return self.twin.from_dict(d)
        except ValueError:
            return None

    def state_at(self, d: Position) -> Any:
        """The kernels at a position, or nothing if they refuse it."""
        try:
            return edge_envs.load_game(self.game, **d["params"]).state_from_dict(d)
        except edge_envs.InvalidPositionError:
            return None

    def compare_set_ups(self, seed: int) -> None:
        """Set-ups until enough of them were read."""
        rng = random.Random(seed)
        read = 0
        while read < self.set_ups:
            read += self._compare_from(rng, self.some_position(rng))

    def compare_games(self, seed: int) -> None:
        """A random game with random parameters from its beginning."""
        rng = random.Random(seed)
        params = self.some_params(rng)
        state, twin = edge_envs.load_game(self.game, **params).new_initial_state(seed=seed), self.twin(**params)
        assert_same(state, twin)
        self._play_both(rng, state, twin, self.game_steps)

    def compare(self, seeds: int, first: int = 0) -> None:
        """Many seeds, with a line for every hundred."""
        for seed in range(first, first + seeds):
            self.compare_set_ups(seed)
            self.compare_games(seed)
            if seed % 100 == 99:
                print(f"{seed + 1 - first} of {seeds} seeds agree", flush=True)

    def _compare_from(self, rng: random.Random, d: Position) -> bool:
        """Both read a position or neither; then some of its actions, and a game from there. Whether it was read."""
        twin, state = self.twin_at(d), self.state_at(d)
        by = "accepted" if state else "refused"
        assert (twin is None) == (state is None), f"{by} by the kernels alone: {self._shown(d)}"
        if twin is None:
            return False
        try:
            assert_same(state, twin)
        except AssertionError as error:
            raise AssertionError(f"at {self._shown(d)}\n{error}") from None
        actions = twin.legal_actions()
        for action in rng.sample(actions, min(self.followed, len(actions))):
            twin, state = self.twin.from_dict(d), self.state_at(d)
            self._apply_both(state, twin, action)
        self._play_both(rng, state, twin, self.steps)
        return True

    def _play_both(self, rng: random.Random, state: Any, twin: Any, steps: int) -> None:
        """At most this many random transitions."""
        for _ in range(steps):
            if state.is_terminal():
                return
            actions = twin.legal_actions()
            wanted = [action for action in actions if self.rather(twin.action_to_string(action))]
            self._apply_both(state, twin, rng.choice(wanted or actions))

    def _apply_both(self, state: Any, twin: Any, action: int) -> None:
        """One transition of both; a failure shows where it came from."""
        before, text = twin.to_dict(), twin.action_to_string(action)
        state.apply_action(action)
        twin.apply(action)
        try:
            assert_same(state, twin)
            if len(state.history()) % 5 == 1:
                assert_seen_again(state)
        except AssertionError as error:
            raise AssertionError(f"after {text} from {self._shown(before)}\n{error}") from None

    def _shown(self, d: Position) -> str:
        return f"{d}\n{self.picture(d)}"
