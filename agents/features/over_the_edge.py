"""`over_the_edge` for a perceptron: the observation, what the pilot thinks of each ship, and its hints.

Where the pilot of the game would go, which cards it would keep and whom it would board is a matter of distances on the
map; hints give that to the network, which learns where to trust them.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

from agents.features.appraisals import Appraisals
from agents.features.hints import hints_from
from agents.features.plain import Features, VectorView
from edge_envs import Game
from edge_envs.core.game import Array
from edge_envs.games.over_the_edge.actions import (
    ACCEPT,
    CALM,
    FIRST_BOARD,
    FIRST_GIVE,
    FIRST_SET,
    FIRST_TAKE,
    NUM_OTHERS,
)
from edge_envs.games.over_the_edge.heuristic import appraise_observations
from edge_envs.games.over_the_edge.pieces.cards import NUM_KINDS

WORST = 8.0  # turns; hints tell no greater losses apart
FAR = 40.0  # turns; a ship that is worth less is as good as lost
CARDS = 8.0  # of a kind
SKIPS = 3.0

# Where groups of actions begin that share the weight of their hints, counted from what follows the spaces.
_OTHER_GROUPS = (CALM, FIRST_SET, FIRST_BOARD, FIRST_TAKE, FIRST_GIVE, ACCEPT, NUM_OTHERS)


class OverTheEdgeFeatures(Features):
    """The observation, scaled; with hints also the worth of each ship and what the best action promises."""

    name = "over_the_edge"
    can_hint = True

    def __init__(self, game: Game, hints: bool, weights: Mapping[str, float] | None = None) -> None:
        if game.name != "over_the_edge":
            raise ValueError(f"the features over_the_edge do not fit the game {game.name}")
        super().__init__(game, hints, weights)
        self._players = game.num_players
        self._appraise = Appraisals(game, appraise, more=game.num_players) if hints else None
        layout = game.observation_slices()
        scale = torch.ones(game.observation_shape)
        for name in ("hands", "deck", "discards"):
            scale[layout[name]] = 1.0 / CARDS
        scale[layout["skip"]] = 1.0 / SKIPS
        for name in ("turns_used", "turns_left"):
            scale[layout[name]] = 1.0 / 127.0
        self.register_buffer("scale", scale, persistent=False)
        self.size = scale.numel() + hints * (game.num_players + 1)
        self.action_groups = action_groups(game)

    def forward(self, observations: torch.Tensor) -> VectorView:
        """Scale observations (B, C) int8, and ask the pilot."""
        vectors = (observations.float() * self.get_buffer("scale")).clamp(-3.0, 3.0)
        if self._appraise is None:
            return VectorView(vectors)
        rows = torch.from_numpy(self._appraise(observations.numpy()))
        promises, worths = rows[:, : -self._players], rows[:, -self._players :]
        hints, best = hints_from(promises, WORST)
        thoughts = torch.cat([worths, best], dim=1).clamp(-2 * FAR, 2 * FAR) / FAR
        return VectorView(torch.cat([vectors, thoughts], dim=1), hints)


def action_groups(game: Game) -> torch.Tensor:
    """The group (A,) of each action: homes, discards, each way of sailing, and the verbs behind."""
    others = game.num_distinct_actions - NUM_OTHERS
    spaces = game.observation_slices()["space"]
    count = (spaces.stop - spaces.start) // game.num_players
    homes = others - NUM_KINDS - 3 * count
    starts = [0, homes, *(homes + NUM_KINDS + k * count for k in range(3)), *(others + k for k in _OTHER_GROUPS)]
    groups = torch.arange(len(starts) - 1)
    return groups.repeat_interleave(torch.tensor(starts).diff())


def appraise(game: Game, observations: Array, rows: Array) -> None:
    """The appraiser: promises of the actions, then worths of the ships."""
    actions = game.num_distinct_actions
    appraise_observations(observations, game.new_records(1), rows[:, :actions], rows[:, actions:])
