"""`ghost_ship` for a perceptron: numbers of the observation, the planes in short, the heuristic's view, and its hints.

Whole planes would be six times as many numbers. Of treasure, ghost, pawns and boats only the rows and columns are told
where they are; of tiles only those on which pawns are. How far everything is on the map is what the heuristic finds
out; hints give that to the network, which learns where to trust them.
"""

from __future__ import annotations

import torch

from agents.features.appraisals import Appraisals
from agents.features.hints import hints_from
from agents.features.plain import Features, VectorView
from edge_envs import Game
from edge_envs.core.game import Array
from edge_envs.games.ghost_ship.actions import (
    DECLARE,
    END,
    FIRST_CENTRE,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    FIRST_STACK,
    GO,
    NUM_ACTIONS,
    SAVE_PLUS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.heuristic import appraise_observations
from edge_envs.games.ghost_ship.record import (
    DRIFT,
    GOLD_PLANE,
    NUM_BOARD_PLANES,
    PLANE,
    PLANE_COLUMNS,
    PLANE_ROWS,
    SALVAGE,
    SEARCH,
    STEAL,
    SWIM,
)

WORST = 4.0  # turns; hints tell no greater losses apart
FAR = 10.0  # turns
MOST = 3.0  # of any scaled number

# What is seldom more, where the greatest value would be far too great.
USUAL = {
    "hand": 4, "discards": 8, "own_chits": 4, "own_lost": 4, "num_chits": 4, "num_lost": 4, "gold_held": 4, "shown": 4,
    "skip": 2,
}  # fmt: skip

# Where groups of actions begin that share the weight of their hints.
GROUPS = (
    0, FIRST_STACK, FIRST_CENTRE, DECLARE, *(DECLARE + act for act in (SWIM, SEARCH, STEAL, SALVAGE, DRIFT)), SAVE_PLUS,
    GO, TAKE_CHIT, TAKE_GOLD, END, FIRST_NUMBER, FIRST_GHOST_WAY, FIRST_CHIT,
)  # fmt: skip


class GhostShipFeatures(Features):
    """The observation, scaled and in short; with hints also the worth of each player's way and the best promise."""

    name = "ghost_ship"
    can_hint = True

    def __init__(self, game: Game, hints: bool) -> None:
        if game.name != "ghost_ship":
            raise ValueError(f"the features ghost_ship do not fit the game {game.name}")
        super().__init__(game, hints)
        self._players = game.num_players
        self._appraise = Appraisals(game, appraise, more=game.num_players) if hints else None
        layout = game.observation_slices()
        self._numbers = layout["boats"].stop
        high = torch.from_numpy(game.observation_bounds[1].copy()).float()
        for name, usual in USUAL.items():
            high[layout[name]] = usual
        self.register_buffer("scale", 1.0 / high[self._numbers :], persistent=False)
        moving = self._numbers // PLANE - GOLD_PLANE
        size = moving * (PLANE_ROWS + PLANE_COLUMNS) + self._players * NUM_BOARD_PLANES
        self.size = size + len(high) - self._numbers + hints * (self._players + 1)
        self.action_groups = action_groups()

    def forward(self, observations: torch.Tensor) -> VectorView:
        """Scale observations (B, C) int8, shorten their planes, and ask the heuristic."""
        planes = observations[:, : self._numbers].reshape(len(observations), -1, PLANE_ROWS, PLANE_COLUMNS)
        moving = planes[:, GOLD_PLANE:].float()
        numbers = (observations[:, self._numbers :].float() * self.get_buffer("scale")).clamp(-MOST, MOST)
        parts = [numbers, moving.sum(3).flatten(1), moving.sum(2).flatten(1), self._tiles_of_pawns(planes)]
        if self._appraise is None:
            return VectorView(torch.cat(parts, dim=1))
        rows = torch.from_numpy(self._appraise(observations.numpy()))
        promises, worths = rows[:, : -self._players], rows[:, -self._players :]
        hints, best = hints_from(promises, WORST)
        thoughts = torch.cat([worths, best], dim=1) / FAR
        return VectorView(torch.cat([*parts, thoughts.clamp(-MOST, MOST)], dim=1), hints)

    def _tiles_of_pawns(self, planes: torch.Tensor) -> torch.Tensor:
        """What the planes of the board hold (B, players x planes) where each active pawn is; 0 on the rim."""
        cells = planes[:, NUM_BOARD_PLANES : NUM_BOARD_PLANES + self._players].flatten(2).argmax(2)
        board = planes[:, :NUM_BOARD_PLANES].flatten(2)
        return board.gather(2, cells[:, None].expand(-1, NUM_BOARD_PLANES, -1)).float().flatten(1)


def action_groups() -> torch.Tensor:
    """The group (A,) of each action: the verbs, of which `take` and `ghost` are two each."""
    sizes = torch.tensor([*GROUPS, NUM_ACTIONS]).diff()
    return torch.arange(len(GROUPS)).repeat_interleave(sizes)


def appraise(game: Game, observations: Array, rows: Array) -> None:
    """The appraiser: promises of the actions, then worths of the players' ways."""
    actions = game.num_distinct_actions
    appraise_observations(observations, game.new_records(1), rows[:, :actions], rows[:, actions:])
