"""Compare the compiled rules with a twin, the reference implementation: in games, and from random positions.

A twin has the methods `current_player()`, `legal_actions()`, `chance_outcomes()`, `apply(action)`, `rewards()`,
`action_to_string(action)` and `to_dict()` of `State`, and `from_dict(d)` for random positions. With hidden information
it also has `action_as_seen(action, viewer)`.
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
    """Assert that state and twin have the same position, player, actions, action strings, rewards and probabilities."""
    assert state.to_dict() == twin.to_dict()
    assert state.current_player() == twin.current_player()
    actions = list(twin.legal_actions())
    assert state.legal_actions() == actions
    assert [state.action_to_string(a) for a in actions] == [twin.action_to_string(a) for a in actions]
    assert state.rewards() == pytest.approx([float(reward) for reward in twin.rewards()], rel=0, abs=1e-15)
    if state.is_chance_node():
        assert state.chance_outcomes() == [(a, pytest.approx(float(p))) for a, p in twin.chance_outcomes()]


def assert_seen_again(state: Any) -> None:
    """Assert that observations do not change when the position is written and read again."""
    again = state.game.state_from_dict(state.to_dict())
    for viewer in range(state.game.num_players):
        assert state.observation_tensor(viewer).tolist() == again.observation_tensor(viewer).tolist()


def any_action(rng: random.Random, twin: Any) -> int:
    """Choose a legal action uniformly."""
    return rng.choice(twin.legal_actions())


def last_transition(state: Any, viewer: int | None, text: str) -> str:
    """Return the last transition as a viewer sees it, without the sentences that follow `text`."""
    line = str(state.history_strings(viewer)[-1].partition(": ")[2])
    return text if line.startswith(f"{text}. ") else line


def as_seen(twin: Any, action: int) -> dict[int | None, str]:
    """Return the string of a transition by viewer, if the twin distinguishes viewers."""
    if not hasattr(twin, "action_as_seen"):
        return {}
    return {viewer: twin.action_as_seen(action, viewer) for viewer in [None, *range(twin.num_players)]}


@dataclass(frozen=True)
class Lockstep:
    """Compares the rules of a game with its twin, from random parameters and positions, some of them invalid.

    From each valid position, it tries `followed` actions and plays `steps`; games from the start have `game_steps`.
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
    """Chooses actions and chance outcomes of the twin."""
    check: Callable[[Any], None] = lambda twin: None
    """Checks every position of the twin."""
    picture: Callable[[Position], str] = lambda d: ""

    def twin_at(self, d: Position) -> Any:
        """Return the twin at a position, or None if the position is invalid."""
        try:
            return self.twin.from_dict(d)
        except ValueError:
            return None

    def state_at(self, d: Position) -> Any:
        """Return the state at a position, or None if the position is invalid."""
        try:
            return edge_envs.load_game(self.game, **d["params"]).state_from_dict(d)
        except edge_envs.InvalidPositionError:
            return None

    def compare_set_ups(self, seed: int) -> None:
        """Compare random positions until enough of them were valid."""
        rng = random.Random(seed)
        read = 0
        while read < self.set_ups:
            read += self._compare_from(rng, self.some_position(rng))

    def compare_games(self, seed: int) -> None:
        """Compare a random game with random parameters from its start."""
        rng = random.Random(seed)
        params = self.some_params(rng)
        state, twin = edge_envs.load_game(self.game, **params).new_initial_state(seed=seed), self.twin(**params)
        assert_same(state, twin)
        self._play_both(rng, state, twin, self.game_steps)

    def compare(self, seeds: int, first: int = 0) -> None:
        """Compare many seeds; print a line for every hundred."""
        for seed in range(first, first + seeds):
            self.compare_set_ups(seed)
            self.compare_games(seed)
            if seed % 100 == 99:
                print(f"{seed + 1 - first} of {seeds} seeds agree", flush=True)

    def _compare_from(self, rng: random.Random, d: Position) -> bool:
        """Compare a position, some of its actions and a game from there; return whether the position was valid."""
        twin, state = self.twin_at(d), self.state_at(d)
        verdict = "accepted" if state else "rejected"
        assert (twin is None) == (state is None), f"{verdict} only by the kernels: {self._shown(d)}"
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
        """Compare up to `steps` random transitions."""
        for _ in range(steps):
            if state.is_terminal():
                return
            self._apply_both(state, twin, self.choose(rng, twin))

    def _apply_both(self, state: Any, twin: Any, action: int) -> None:
        """Compare one transition; a failure shows the position before it."""
        before, text, seen = twin.to_dict(), twin.action_to_string(action), as_seen(twin, action)
        state.apply_action(action)
        twin.apply(action)
        try:
            assert_same(state, twin)
            if state.is_terminal():  # then nothing is hidden
                seen = dict.fromkeys(seen, text)
            assert {viewer: last_transition(state, viewer, own) for viewer, own in seen.items()} == seen
            self.check(twin)
            if len(state.history()) % 5 == 1:
                assert_seen_again(state)
        except AssertionError as error:
            raise AssertionError(f"after {text} from {self._shown(before)}\n{error}") from None

    def _shown(self, d: Position) -> str:
        return f"{d}\n{self.picture(d)}"
