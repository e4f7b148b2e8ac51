"""The compiled rules and a slow twin side by side: in games, and from positions that are thrown together.

A twin has `current_player()`, `legal_actions()`, `chance_outcomes()`, `apply(action)`, `rewards()`,
`action_to_string(action)` and `to_dict()`, with the meanings of `State`, and for set-ups `from_dict(d)`. A twin that
hides something has `action_as_seen(action, viewer)` besides.
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


def any_action(rng: random.Random, twin: Any) -> int:
    """A uniform choice."""
    return rng.choice(twin.legal_actions())


def as_seen(twin: Any, action: int) -> dict[int | None, str]:
    """The text of a transition as the public and each player see it, if the twin tells them apart."""
    if not hasattr(twin, "action_as_seen"):
        return {}
    return {viewer: twin.action_as_seen(action, viewer) for viewer in [None, *range(twin.num_players)]}


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
    choose: Callable[[random.Random, Any], int] = any_action
    """Plays a game of the twin, nature included."""
    check: Callable[[Any], None] = lambda twin: None
    """Looks at every position of the twin."""
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
            self._apply_both(state, twin, self.choose(rng, twin))

    def _apply_both(self, state: Any, twin: Any, action: int) -> None:
        """One transition of both; a failure shows where it came from."""
        before, text, seen = twin.to_dict(), twin.action_to_string(action), as_seen(twin, action)
        state.apply_action(action)
        twin.apply(action)
        try:
            assert_same(state, twin)
            for viewer, expected in seen.items():  # the text of the action, who acted before it, and events behind it
                told = state.history_strings(viewer)[-1].partition(": ")[2]
                expected = text if state.is_terminal() else expected
                assert told == expected or told.startswith(f"{expected}. "), (told, expected)
            self.check(twin)
            if len(state.history()) % 5 == 1:
                assert_seen_again(state)
        except AssertionError as error:
            raise AssertionError(f"after {text} from {self._shown(before)}\n{error}") from None

    def _shown(self, d: Position) -> str:
        return f"{d}\n{self.picture(d)}"
