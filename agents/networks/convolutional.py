"""Residual convolutional networks (He et al., 2016) over a board, shared by policy and value."""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from pydantic import Field
from torch import nn

from agents.networks.features import FeatureName, board_features, to_game
from agents.networks.network import (
    BODY_GAIN,
    POLICY_GAIN,
    VALUE_GAIN,
    Device,
    HintValues,
    HintWeight,
    NetworkArchitecture,
    PolicyNetwork,
    initialise,
)
from edge_envs import Game
from edge_envs.core.features import BoardFeatures, BoardView


class Convolutional(NetworkArchitecture):
    """A 3×3 convolution to `channels`, then residual blocks of two each."""

    kind: Literal["convolutional"] = "convolutional"
    features: FeatureName = "plain"
    channels: int = Field(default=32, gt=0, le=512)
    blocks: int = Field(default=4, ge=0, le=40)
    hint_weight: HintWeight = 0.0
    heuristic_weights: dict[str, float] = Field(default_factory=dict)
    hint_values: HintValues = ""

    def make_features(self, game: Game) -> BoardFeatures:
        """Make plane features; with hints only if they have a weight."""
        hints = self.hint_weight > 0
        return board_features(self.features, game, hints, self.heuristic_weights, self.hint_values)

    def make_network(self, game: Game, device: Device = None) -> ConvolutionalNetwork:
        """Make the actor."""
        return ConvolutionalNetwork(self, self.make_features(game), device)


class Encoding(NamedTuple):
    """The output of the trunk."""

    view: BoardView
    board: torch.Tensor  # (B, channels, rows, columns)
    pooled: torch.Tensor  # (B, 2 * channels)


class ConvolutionalNetwork(PolicyNetwork):
    """A trunk over the board with two heads: logits per plane and square, and other logits from the pooled board.

    Hints, one number per action, are additional input planes, and are also added to the logits.
    """

    def __init__(self, architecture: Convolutional, features: BoardFeatures, device: Device = None) -> None:
        super().__init__(features, architecture.hint_weight, device)
        self._action_planes, self._board_shape = features.action_planes, features.board_shape
        channels = architecture.channels
        planes = features.planes + (features.action_planes + features.other_actions if features.hints else 0)
        self.first = nn.Conv2d(planes, channels, 3, padding=1, device=device)
        self.blocks = nn.Sequential(*(Block(channels, device) for _ in range(architecture.blocks)))
        self.planes_head = nn.Conv2d(channels, features.action_planes, 1, device=device)
        others = features.other_actions
        self.others_head = nn.Linear(2 * channels, others, device=device) if others else None
        initialise(self.first, BODY_GAIN)
        initialise(self.planes_head, POLICY_GAIN)
        if self.others_head is not None:
            initialise(self.others_head, POLICY_GAIN)

    def encode_view(self, view: BoardView) -> Encoding:
        """Run the trunk."""
        planes = self._planes(view).contiguous(memory_format=torch.channels_last)  # faster in this layout
        board = torch.relu(self.blocks(self.first(planes)))
        return Encoding(view, board, pooled(board))

    def logits(self, encoding: Encoding) -> torch.Tensor:
        """Compute logits of the view's actions from the trunk and the hints, and map them to the game's actions."""
        logits = self.planes_head(encoding.board).flatten(1)
        if self.others_head is not None:
            logits = torch.cat([logits, self.others_head(encoding.pooled)], dim=1)
        return to_game(encoding.view, self.with_hints(logits, encoding.view.hints))

    def make_critic(self, outputs: int = 1) -> ConvolutionalCritic:
        """Make a perceptron on the pooled trunk."""
        return ConvolutionalCritic(self.first.out_channels, outputs, self.first.weight.device)

    def _planes(self, view: BoardView) -> torch.Tensor:
        """Return the input of the first convolution: the planes, and the hints if there are any."""
        if view.hints is None:
            return view.planes
        rows, columns = self._board_shape
        on_board = self._action_planes * rows * columns
        over_board = view.hints[:, :on_board].reshape(-1, self._action_planes, rows, columns)
        others = view.hints[:, on_board:, None, None].expand(-1, -1, rows, columns)
        return torch.cat([view.planes, over_board, others], dim=1)


class ConvolutionalCritic(nn.Module):
    """The value from the pooled trunk, through one hidden layer."""

    def __init__(self, channels: int, outputs: int, device: Device = None) -> None:
        super().__init__()
        self.body = nn.Linear(2 * channels, 2 * channels, device=device)
        self.head = nn.Linear(2 * channels, outputs, device=device)
        initialise(self.body, BODY_GAIN)
        initialise(self.head, VALUE_GAIN)

    def forward(self, encoding: Encoding) -> torch.Tensor:
        """Return values (B,), or (B, outputs) if there are several."""
        values: torch.Tensor = self.head(torch.relu(self.body(encoding.pooled)))
        return values.squeeze(1)


class Block(nn.Module):
    """A pre-activation residual block of two convolutions.

    Between them each channel gets a bias from the mean and maximum of all channels, the global pooling of KataGo (Wu,
    2019), so that distant squares interact. A new block is the identity.
    """

    def __init__(self, channels: int, device: Device = None) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, device=device)
        self.overall = nn.Linear(2 * channels, channels, device=device)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, device=device)
        initialise(self.first, BODY_GAIN)
        initialise(self.overall, 0.0)
        initialise(self.second, 0.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (B, channels, rows, columns) to the same shape."""
        y = self.first(torch.relu(x))
        y = y + self.overall(pooled(y))[:, :, None, None]
        result: torch.Tensor = x + self.second(torch.relu(y))
        return result


def pooled(board: torch.Tensor) -> torch.Tensor:
    """Return the mean and the maximum (B, 2 * channels) of each channel."""
    return torch.cat([board.mean((2, 3)), board.amax((2, 3))], dim=1)
