"""Helpers of tests that read positions: by the game that they name or another, and from observations."""

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
    """Return whether an error message starts with one of these keys; it may list other keys later."""
    return re.split(r"\W", message)[0] in keys


def refused_values(*entries: tuple[str, Any]) -> pytest.MarkDecorator:
    """Parametrise a test over (key, value): a position with this entry is invalid."""
    return pytest.mark.parametrize(("key", "value"), entries, ids=[f"{key}={value!r}" for key, value in entries])


def turn_number(state: State) -> int:
    """Return the number by which searches distinguish turns."""
    turn_of = state.game.compiled.kernels.turn_of
    assert turn_of is not None
    return int(turn_of(state._records.copy()[0]))


def position_seen(state: State, viewer: int) -> tuple[int, dict[str, Any]]:
    """Read the viewer's seat and the position from a player's observation."""
    read_observation = state.game.compiled.kernels.read_observation
    assert read_observation is not None
    records = state.game.new_records(1)
    seat = int(read_observation(state.observation_tensor(viewer), records[0]))
    return seat, state.game.position(records[0])


@dataclass(frozen=True)
class Reader:
    """Reads positions by one game, with default parameters."""

    game: str
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def read(self, d: Any, **params: Any) -> Any:
        """Read a position by a game with these parameters."""
        return edge_envs.load_game(self.game, **{**self.defaults, **params}).state_from_dict(d)

    def read_own(self, d: dict[str, Any]) -> Any:
        """Read a position by the game that it names."""
        return self.read(d, **d["params"])

    def assert_kept(self, d: dict[str, Any]) -> None:
        """Assert that a position survives JSON, and that reading does not modify it."""
        before = copy.deepcopy(d)
        there = self.read_own(json.loads(json.dumps(d))).to_dict()
        assert json.loads(json.dumps(there)) == before
        self.read_own(d)
        assert d == before

    def refusal(self, d: Any, **params: Any) -> str:
        """Return the error message for an invalid position."""
        with pytest.raises(edge_envs.InvalidPositionError) as refused:
            self.read(d, **params)
        return str(refused.value)

    def refused(self, d: dict[str, Any], *keys: str) -> bool:
        """Return whether the error for a position starts with one of these keys, by default with any key."""
        return names(self.refusal(d, **d["params"]), *(keys or d))
