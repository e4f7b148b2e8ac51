"""Reading positions for tests: by the game that they name or by another, from observations, and refusals of them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

import edge_envs
from edge_envs import State


def names(message: str, *keys: str) -> bool:
    """Whether the message begins with one of these keys, the one at fault (it may well list others later)."""
    return re.split(r"\W", message)[0] in keys


def refused_values(*entries: tuple[str, Any]) -> pytest.MarkDecorator:
    """A test for each (key, value): a position with that one entry is refused."""
    return pytest.mark.parametrize(("key", "value"), entries, ids=[f"{key}={value!r}" for key, value in entries])


def turn_number(state: State) -> int:
    """The number by which searches tell turns apart."""
    turn_of = state.game.compiled.kernels.turn_of
    assert turn_of is not None
    return int(turn_of(state._records.copy()[0]))


def position_seen(state: State, viewer: int) -> tuple[int, dict[str, Any]]:
    """The viewer's seat and the position, as they are read from what a player of this state observes."""
    read_observation = state.game.compiled.kernels.read_observation
    assert read_observation is not None
    records = state.game.new_records(1)
    seat = int(read_observation(state.observation_tensor(viewer), records[0]))
    return seat, state.game.position(records[0])


@dataclass(frozen=True)
class Reader:
    """Reads positions by one game, with these parameters where a test says nothing else."""

    game: str
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def read(self, d: Any, **params: Any) -> Any:
        """The state at a position, read by a game with these parameters."""
        return edge_envs.load_game(self.game, **{**self.defaults, **params}).state_from_dict(d)

    def read_own(self, d: dict[str, Any]) -> Any:
        """The state at a position, read by the game that it names."""
        return self.read(d, **d["params"])

    def assert_kept(self, d: dict[str, Any]) -> None:
        """A position comes back unchanged through JSON, and reading leaves it as it was."""
        before = copy.deepcopy(d)
        there = self.read_own(json.loads(json.dumps(d))).to_dict()
        assert json.loads(json.dumps(there)) == before
        self.read_own(d)
        assert d == before

    def refusal(self, d: Any, **params: Any) -> str:
        """The message with which a position is refused."""
        with pytest.raises(edge_envs.InvalidPositionError) as refused:
            self.read(d, **params)
        return str(refused.value)

    def refused(self, d: dict[str, Any], *keys: str) -> bool:
        """Whether a position is refused by the game it names, with one of these keys in front (or any, if none)."""
        return names(self.refusal(d, **d["params"]), *(keys or d))
