"""`ghost_ship` for a perceptron: numbers of the observation, the planes in short, the heuristic's view, and its hints.

How far everything is on the map is what the heuristic finds out; hints give that to the network, which learns where to
trust them. Without hints it sees the board in short, because whole planes would be five times as many numbers: the rows
and columns of treasure, ghost, pawns and boats, the tiles on which pawns are, and those around the pawn that moves.

Steps are told apart as that pawn makes them: to which side of it, and to which spot of that tile. Ways to lay a tile,
and chits to move over an edge, are told apart by hints alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
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
from edge_envs.games.ghost_ship.map.geometry import NUM_PLACES, NUM_SPOTS, NUM_SQUARES, RIM, RIM_COLUMN, RIM_ROW
from edge_envs.games.ghost_ship.player.weights import weights_with
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    CELL,
    CHITS_PLANE,
    GOLD_PLANE,
    NUM_BOARD_PLANES,
    NUM_VALUES,
    PLANE,
    PLANE_COLUMNS,
    PLANE_ROWS,
)

WORST = 4.0  # turns; hints tell no greater losses apart
FAR = 10.0  # turns
MOST = 3.0  # of any scaled number
USUAL_SCORE, USUALLY_LEFT = 10.0, 10.0

# What is seldom more, where the greatest value would be far too great.
USUAL = {
    "hand": 4, "discards": 8, "own_chits": 4, "own_lost": 4, "num_chits": 4, "num_lost": 4, "gold_held": 4, "shown": 4,
    "skip": 2,
}  # fmt: skip

# Where groups of actions begin that share the weight of their hints.
GROUPS = (
    0, FIRST_STACK, FIRST_CENTRE,
    DECLARE, *(DECLARE + act for act in (ACT_SWIM, ACT_SEARCH, ACT_STEAL, ACT_SALVAGE, ACT_DRIFT)), SAVE_PLUS,
    GO, TAKE_CHIT, TAKE_GOLD, END, FIRST_NUMBER, FIRST_GHOST_WAY, FIRST_CHIT,
)  # fmt: skip

# The view's actions: those that the network cannot tell apart have one number. From `DECLARE` to `GO`, and from
# `TAKE_CHIT` to `FIRST_CHIT`, they are the game's.
TILE_VIEW, STACK_VIEW, CENTRE_VIEW, DECLARE_VIEW = range(4)
STEP_VIEW = DECLARE_VIEW + GO - DECLARE
SIDES = (-PLANE_COLUMNS, 1, PLANE_COLUMNS, -1)  # N, E, S, W, as cells of a plane
SPOTS_BESIDE = NUM_SPOTS + 1  # of a tile, and a board-edge circle; round a corner of the rim is far
FAR_VIEW = STEP_VIEW + (1 + len(SIDES)) * SPOTS_BESIDE
TAKE_VIEW = FAR_VIEW + 1
CHIT_VIEW = TAKE_VIEW + FIRST_CHIT - TAKE_CHIT
NUM_VIEWED = CHIT_VIEW + len(SIDES)


class GhostShipFeatures(Features):
    """Numbers of the observation, scaled; scores; the planes in short, or with hints what the heuristic thinks.

    Who is advised need not see the board: what is peculiar to one of a few thousand maps is soon learned by heart.
    """

    name = "ghost_ship"
    can_hint = True
    can_weigh = True

    def __init__(self, game: Game, hints: bool, weights: Mapping[str, float] | None = None) -> None:
        if game.name != "ghost_ship":
            raise ValueError(f"the features ghost_ship do not fit the game {game.name}")
        super().__init__(game, hints, weights)
        self._players = game.num_players
        weighed = partial(appraise, weights=weights_with(weights or {}))
        self._appraise = Appraisals(game, weighed, more=game.num_players) if hints else None
        self._layout = game.observation_slices()
        self._numbers = self._layout["boats"].stop
        high = torch.from_numpy(game.observation_bounds[1].copy()).float()
        for name, usual in USUAL.items():
            high[self._layout[name]] = usual
        self.register_buffer("scale", 1.0 / high[self._numbers :], persistent=False)
        self.register_buffer("full", torch.tensor([*game.params["chits"].values()]).float(), persistent=False)
        self.register_buffer("cells", torch.from_numpy(cells_around()), persistent=False)
        self.register_buffer("actions", torch.from_numpy(action_tables()), persistent=False)
        planes = self._numbers // PLANE
        board = (planes - GOLD_PLANE) * (PLANE_ROWS + PLANE_COLUMNS) + self._players * NUM_BOARD_PLANES
        shown = self._players + 1 if hints else board + len(SIDES) * planes
        self.size = len(high) - self._numbers + 2 + self._players + 1 + shown
        self.num_actions = NUM_VIEWED
        self.action_groups = action_groups()

    def forward(self, observations: torch.Tensor) -> VectorView:
        """Scale observations (B, C) int8, shorten their planes or ask the heuristic."""
        planes = observations[:, : self._numbers].reshape(len(observations), -1, PLANE_ROWS, PLANE_COLUMNS)
        numbers = (observations[:, self._numbers :].float() * self.get_buffer("scale")).clamp(-MOST, MOST)
        left = planes[:, GOLD_PLANE : CHITS_PLANE + 1].float().flatten(2).sum(2)
        parts = [numbers, left / USUALLY_LEFT, self._scores(observations)]
        pawns = planes[:, NUM_BOARD_PLANES : NUM_BOARD_PLANES + self._players].flatten(2).argmax(2)
        mover = pawns.gather(1, self._of(observations, "turn_player").argmax(1, keepdim=True))[:, 0]
        actions = self.get_buffer("actions")[mover]
        if self._appraise is None:
            return VectorView(torch.cat([*parts, *self._board(planes, pawns, mover)], dim=1), None, actions)
        rows = torch.from_numpy(self._appraise(observations.numpy()))
        promises, worths = rows[:, : -self._players], rows[:, -self._players :]
        hints, best = hints_from(promises, WORST)
        thoughts = torch.cat([worths, best], dim=1) / FAR
        return VectorView(torch.cat([*parts, thoughts.clamp(-MOST, MOST)], dim=1), hints, actions)

    def _of(self, observations: torch.Tensor, name: str) -> torch.Tensor:
        return observations[:, self._layout[name]].float()

    def _scores(self, observations: torch.Tensor) -> torch.Tensor:
        """The viewer's score, others' if their chits are like the unseen ones, and the lead (B, players + 1)."""
        own = self._of(observations, "own_chits")
        unseen = (self.get_buffer("full") - own - self._of(observations, "own_lost")).clamp(min=0.0) + 1e-6
        like = unseen / unseen.sum(1, keepdim=True)
        count, gold = self._of(observations, "num_chits")[:, 1:, None], self._of(observations, "gold_held")
        chits = torch.cat([own[:, None], count * like[:, None]], dim=1)
        values = torch.arange(1.0, 1.0 + NUM_VALUES)
        scores = (chits * values).sum(2) + gold * chits[:, :, 0].clamp(min=1.0)
        lead = scores[:, :1] - scores[:, 1:].max(1, keepdim=True).values
        return (torch.cat([scores, lead], dim=1) / USUAL_SCORE).clamp(-MOST, MOST)

    def _board(self, planes: torch.Tensor, pawns: torch.Tensor, mover: torch.Tensor) -> list[torch.Tensor]:
        """Rows and columns of treasure, ghost, pawns and boats; the tiles of pawns, and those around the mover."""
        moving = planes[:, GOLD_PLANE:].float()
        tiles = [_at(planes[:, :NUM_BOARD_PLANES], pawns), _at(planes, self.get_buffer("cells")[mover])]
        return [moving.sum(3).flatten(1), moving.sum(2).flatten(1), *tiles]


def _at(planes: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
    """What planes (B, P, rows, columns) hold in some cells (B, K), as (B, P x K)."""
    return planes.flatten(2).gather(2, cells[:, None].expand(-1, planes.shape[1], -1)).float().flatten(1)


def cells_around() -> Array:
    """The cells (108, 4) to the N, E, S and W of each; where there is none, a corner, in which nothing ever is."""
    cells = np.arange(PLANE)
    row, column = np.divmod(cells, PLANE_COLUMNS)
    there = np.stack([row > 0, column < PLANE_COLUMNS - 1, row < PLANE_ROWS - 1, column > 0], axis=1)
    return np.where(there, cells[:, None] + np.array(SIDES), 0)


def action_tables() -> Array:
    """Which action of the view each of the game's is (108, A), for each cell of the pawn that moves."""
    own = np.empty(NUM_ACTIONS, np.int64)
    own[:FIRST_STACK], own[FIRST_STACK:FIRST_CENTRE], own[FIRST_CENTRE:DECLARE] = TILE_VIEW, STACK_VIEW, CENTRE_VIEW
    own[DECLARE:GO] = DECLARE_VIEW + np.arange(GO - DECLARE)
    own[GO:TAKE_CHIT] = FAR_VIEW
    own[TAKE_CHIT:FIRST_CHIT] = TAKE_VIEW + np.arange(FIRST_CHIT - TAKE_CHIT)
    own[FIRST_CHIT:] = CHIT_VIEW + np.arange(NUM_ACTIONS - FIRST_CHIT) % len(SIDES)
    tables = np.tile(own, (PLANE, 1))
    places = np.arange(NUM_PLACES)
    square = np.minimum(places // NUM_SPOTS, NUM_SQUARES - 1)
    rim = (RIM_ROW + 1) * PLANE_COLUMNS + RIM_COLUMN + 1
    cell = np.where(places < RIM, CELL[square], np.concatenate([np.zeros(RIM, np.int64), rim]))
    spot = np.where(places < RIM, places % NUM_SPOTS, NUM_SPOTS)
    for side, beside in enumerate(np.concatenate([np.arange(PLANE)[:, None], cells_around()], axis=1).T):
        here, place = np.nonzero(beside[:, None] == cell)
        tables[here, GO + place] = STEP_VIEW + side * SPOTS_BESIDE + spot[place]
    return tables


def action_groups() -> torch.Tensor:
    """The group (A,) of each action: the verbs, of which `take` and `ghost` are two each."""
    sizes = torch.tensor([*GROUPS, NUM_ACTIONS]).diff()
    return torch.arange(len(GROUPS)).repeat_interleave(sizes)


def appraise(game: Game, observations: Array, rows: Array, weights: Array) -> None:
    """The appraiser by an array of one record of weights: promises of the actions, then worths of the players' ways."""
    actions = game.num_distinct_actions
    appraise_observations(observations, game.new_records(1), weights[0], rows[:, :actions], rows[:, actions:])
