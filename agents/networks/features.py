"""Features as the first layer of a network: `edge_envs.core.features` as tensors.

A network receives `plain` features, which every game supports, or the game's `own` features.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from edge_envs import Game
from edge_envs.core.features import (
    Array,
    BoardFeatures,
    BoardView,
    Features,
    PlainFeatures,
    PlaneFeatures,
    VectorFeatures,
    VectorView,
    legal_lists,
)

FeatureName = Literal["plain", "own"]

Made = TypeVar("Made", bound=Features)
View = TypeVar("View", VectorView, BoardView)


class FeatureLayer(nn.Module):
    """A layer without parameters, from observations of any dtype to a view of tensors."""

    action_groups: torch.Tensor

    def __init__(self, features: Features) -> None:
        super().__init__()
        self.features = features
        self.register_buffer("action_groups", torch.from_numpy(features.action_groups), persistent=False)

    def forward(self, observations: torch.Tensor, masks: Array | None = None) -> Any:
        """Return the view of observations (B, *observation_shape): a `VectorView` or `BoardView` of tensors.

        With masks (B, num_distinct_actions), the view has only the legal actions, and lists them.
        """
        view: Any = self.features(observations.numpy())
        if masks is not None:
            view = view.among(legal_lists(masks))
        return type(view)(*(None if part is None else torch.from_numpy(np.ascontiguousarray(part)) for part in view))


def to_game(view: VectorView | BoardView, logits: torch.Tensor) -> torch.Tensor:
    """Map logits of a view's actions to logits (B, K) of the game's actions, all or the listed ones."""
    return logits if view.actions is None else logits.gather(1, view.actions.long().clamp(min=0))


def rows_of(view: View, rows: torch.Tensor) -> View:
    """Select rows of a view of tensors."""
    return type(view)(*(None if part is None else part.index_select(0, rows) for part in view))


def together(views: Sequence[View]) -> View:
    """Concatenate views of tensors; shorter lists are padded."""
    columns: Any = zip(*views, strict=True)
    return type(views[0])(*(None if parts[0] is None else _joined(parts) for parts in columns))


def _joined(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    longest = max(part.shape[1] for part in parts)
    return torch.cat([
        part if part.shape[1] == longest else functional.pad(part, (0, longest - part.shape[1]), value=-1)
        for part in parts
    ])  # fmt: skip


def vector_features(name: FeatureName, game: Game, hints: bool, weights: Mapping[str, float]) -> VectorFeatures:
    """Make vector features for perceptrons; ValueError if the game has no such features, hints or weights."""
    return _kind(name, game, "VECTORS", PlainFeatures, "vectors")(game, hints, weights)


def board_features(name: FeatureName, game: Game, hints: bool, weights: Mapping[str, float]) -> BoardFeatures:
    """Make plane features for convolutional networks; ValueError also for a game without planes."""
    return _kind(name, game, "BOARD", PlaneFeatures, "planes")(game, hints, weights)


def _kind(name: FeatureName, game: Game, entry: str, plain: type[Made], what: str) -> type[Made]:
    """Return the class of features by its name."""
    if name == "plain":
        return plain
    own = getattr(game.type.module("features"), entry, None) if game.type.has_module("features") else None
    if own is None:
        raise ValueError(f"the game {game.name} has no game-specific {what}: features must be plain")
    return own
