"""The slow twin of `ghost_ship` with the face of `edge_envs.State`, as far as the tests of its rules use it.

`load` returns the game to test: that of the package as soon as it is enrolled there, and the slow twin until then.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import edge_envs
from tests.reference.ghost_ship import CHANCE, TERMINAL, TEXTS, GhostShip

ENROLLED = "ghost_ship" in edge_envs.GAMES


def load(**params: Any) -> Any:
    """The game with these parameters."""
    return edge_envs.load_game("ghost_ship", **params) if ENROLLED else TwinGame(params)


class TwinGame:
    """What the tests ask of a game."""

    name = "ghost_ship"
    perfect_information = False
    num_distinct_actions = len(TEXTS)

    def __init__(self, params: Mapping[str, Any]) -> None:
        try:
            self.params: dict[str, Any] = GhostShip(**params).params
        except TypeError as error:
            raise ValueError(str(error)) from None
        self.num_players = self.params["num_players"]

    def new_initial_state(self, seed: int | None = None) -> TwinState:
        """The start; there is no generator to seed."""
        return TwinState(GhostShip(**self.params))

    def state_from_dict(self, d: Any) -> TwinState:
        """A position set up from JSON."""
        if not isinstance(d, Mapping):
            raise edge_envs.InvalidPositionError("a position is a dict")
        if isinstance(d.get("params"), Mapping) and d["params"] != self.params:
            raise edge_envs.InvalidPositionError("params: those of another game")
        try:
            return TwinState(GhostShip.from_dict(dict(copy.deepcopy(d))))
        except ValueError as error:
            raise edge_envs.InvalidPositionError(str(error)) from None


class TwinState:
    """What the tests ask of a state."""

    def __init__(self, twin: GhostShip) -> None:
        self.twin = twin
        self._seen: list[dict[int | None, str]] = []

    def current_player(self) -> int:
        """The seat to act, `CHANCE` or `TERMINAL`."""
        return self.twin.current_player()

    def is_chance_node(self) -> bool:
        """Whether nature is to act."""
        return self.current_player() == CHANCE

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player() == TERMINAL

    def legal_actions(self) -> list[int]:
        """Sorted ids."""
        return self.twin.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes with their probabilities."""
        return [(outcome, float(p)) for outcome, p in self.twin.chance_outcomes()]

    def action_to_string(self, action: int) -> str:
        """The text of a legal id."""
        return self.twin.action_to_string(action)

    def string_to_action(self, text: str) -> int:
        """The id of a legal text."""
        for action in self.legal_actions():
            if self.action_to_string(action) == text:
                return action
        raise edge_envs.IllegalActionError(f"{text!r} is not legal here")

    def apply_action(self, action: int) -> None:
        """A decision or an outcome."""
        if action not in self.legal_actions():
            raise edge_envs.IllegalActionError(f"{action!r} is not legal here")
        viewers: list[int | None] = [None, *range(self.twin.num_players)]
        self._seen.append({viewer: self.twin.action_as_seen(action, viewer) for viewer in viewers})
        self.twin.apply(action)

    def history_strings(self, player: int | None = None) -> list[str]:
        """What has been done, as a player may see it."""
        return [texts[player] for texts in self._seen]

    def rewards(self) -> list[float]:
        """Of the last transition."""
        return [float(reward) for reward in self.twin.rewards()]

    def to_dict(self) -> dict[str, Any]:
        """The full position."""
        return self.twin.to_dict()
