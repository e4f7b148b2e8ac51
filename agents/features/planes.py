"""What convolutional networks are shown of a game with a board: planes."""

from __future__ import annotations

from typing import NamedTuple

import torch

from agents.features.hints import HintingFeatures
from edge_envs import Game


class BoardView(NamedTuple):
    """A batch of observations as a network looks at them, and the way back to the game's actions."""

    planes: torch.Tensor  # (B, planes, rows, columns) float32, within some -1..1
    hints: torch.Tensor | None = None  # (B, A) float32, a number for each of the view's actions
    actions: torch.Tensor | None = None  # (B, A): which of the view's actions each of the game's is; None: the same

    def to_game(self, logits: torch.Tensor) -> torch.Tensor:
        """From logits (B, A) of the view's actions to logits of the game's."""
        return logits if self.actions is None else logits.gather(1, self.actions)


class BoardFeatures(HintingFeatures):
    """The planes of the observation, each divided by its greatest value; the board as it lies, no hints.

    Of the actions, the first are taken for planes over the board, as many as are whole. Each plane is a group, and so
    are the other actions.
    """

    name = "planes"

    def __init__(self, game: Game, hints: bool) -> None:
        super().__init__(game, hints)
        if len(game.observation_shape) != 3:
            raise ValueError(f"the features {self.name} do not fit the game {game.name}: it has no planes")
        self.planes = game.observation_shape[0]
        self.board_shape = torch.Size(game.observation_shape[1:])
        self.action_planes, self.other_actions = divmod(game.num_distinct_actions, self.board_shape.numel())
        if not self.action_planes:
            raise ValueError(f"the features {self.name} do not fit the game {game.name}: no plane of actions")
        cells = self.board_shape.numel()
        self.action_groups = torch.arange(game.num_distinct_actions).div(cells, rounding_mode="floor")
        _, high = game.observation_bounds
        scale = 1.0 / torch.from_numpy(high[:, :1, :1].copy()).float().clamp(min=1.0)
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, observations: torch.Tensor) -> BoardView:
        """What the network sees of observations (B, *observation_shape) of any dtype."""
        return BoardView(self.scaled(observations))

    def scaled(self, observations: torch.Tensor) -> torch.Tensor:
        """The planes as float32, each divided by its greatest value."""
        return observations.float() * self.get_buffer("scale")
