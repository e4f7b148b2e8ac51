"""Features as the first layer of a network: `edge_envs.core.features` as tensors.

A network receives `plain` features, which every game supports, or the game's `own` features.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.networks.learned_hints import LearnedHints
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
    """A layer without parameters, from observations of any dtype to a view of tensors on the device of the layer.

    The CPU computes features, in `threads` threads. For a GPU, plain features are an exception: the observation itself
    is copied in its own dtype, and scaled there. A packed view takes few bytes on a GPU, where action ids have 16 bits
    and plain features the dtype of the observation; `unpack` makes it a view for the network.
    """

    action_groups: torch.Tensor
    scale: torch.Tensor | None

    def __init__(self, features: Features) -> None:
        super().__init__()
        self.features, self.threads = features, 1
        self._compiled = False
        plain = type(features) in (PlainFeatures, PlaneFeatures)
        scale = torch.from_numpy(features._scale) if plain else None  # type: ignore[attr-defined]  # both classes have it
        self.register_buffer("scale", scale, persistent=False)
        self.register_buffer("action_groups", torch.from_numpy(features.action_groups), persistent=False)

    def forward(self, observations: torch.Tensor, masks: Array | None = None) -> Any:
        """Return the view of observations (B, *observation_shape): a `VectorView` or `BoardView` of tensors.

        With masks (B, num_distinct_actions), the view has only the legal actions, and lists them.
        """
        return self.unpack(self.pack(observations, masks))

    def pack(self, observations: torch.Tensor, masks: Array | None = None) -> Any:
        """Return what `forward` returns, packed if the layer is on a GPU. Rollouts keep packed views."""
        device = self.action_groups.device
        if device.type != "cpu":
            return self.pack_on(device, observations.cpu().numpy(), masks)
        view = self._compute(self.features, observations.numpy())
        if masks is not None:
            view = view.among(legal_lists(masks))
        return type(view)(*(None if part is None else torch.from_numpy(np.ascontiguousarray(part)) for part in view))

    def pack_on(self, device: torch.device, observations: Array, masks: Array | None = None) -> Any:
        """Return the packed view on a device."""
        scaled_there = self.scale is not None and observations.dtype.kind != "f"
        view = self._compute(self._unscaled if scaled_there else self.features, observations)
        if masks is not None:
            view = view.among(legal_lists(masks))
        return type(view)(*(None if part is None else _copied(part, device) for part in view))

    def unpack(self, view: View) -> View:
        """Return a packed view with float32 features and int64 action ids; a view that is not packed is unchanged."""
        shown, hints, actions, legal = view
        if self.scale is not None and shown is not None and not shown.is_floating_point():
            shown = shown.float() * self.scale
        return type(view)(shown, hints, *(None if part is None else part.long() for part in (actions, legal)))

    def _unscaled(self, observations: Array) -> Any:
        """Return the view of plain features before scaling."""
        hints = self.features.observed(observations).hints if self.features.observed else None
        if isinstance(self.features, VectorFeatures):
            return VectorView(observations.reshape(len(observations), -1), hints)
        return BoardView(observations, hints)

    def _compute(self, features: Callable[[Array], Any], observations: Array) -> Any:
        """Compute the view of observations, in threads if there are several."""
        if self.threads == 1 or len(observations) < self.threads:
            return features(observations)
        if not self._compiled:  # kernels, which is the work of one thread
            features(observations[:1])
            self._compiled = True
        views = list(_pool(self.threads).map(features, np.array_split(observations, self.threads)))
        columns = zip(*views, strict=True)
        return type(views[0])(*(None if parts[0] is None else np.concatenate(parts) for parts in columns))


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return the threads that compute features; kernels release the global interpreter lock."""
    return ThreadPoolExecutor(threads)


def _copied(array: Array, device: torch.device) -> torch.Tensor:
    """Copy an array to a device, for CUDA from pinned memory and without waiting; action ids go as 16 bits."""
    narrow = array.dtype == np.int64 and array.max(initial=0) <= np.iinfo(np.int16).max
    tensor = torch.from_numpy(np.ascontiguousarray(array.astype(np.int16) if narrow else array))
    if device.type == "cuda":
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)


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


def vector_features(
    name: FeatureName, game: Game, hints: bool, weights: Mapping[str, float], hint_values: str = ""
) -> VectorFeatures:
    """Make vector features for perceptrons; ValueError if the game has no such features, hints or weights.

    With `hint_values`, the policy folder of an n-tuple network, hints are made of its values.
    """
    return _made(_kind(name, game, "VECTORS", PlainFeatures, "vectors"), name, game, hints, weights, hint_values)


def board_features(
    name: FeatureName, game: Game, hints: bool, weights: Mapping[str, float], hint_values: str = ""
) -> BoardFeatures:
    """Make plane features for convolutional networks; ValueError also for a game without planes."""
    return _made(_kind(name, game, "BOARD", PlaneFeatures, "planes"), name, game, hints, weights, hint_values)


def _made(
    kind: type[Made], name: FeatureName, game: Game, hints: bool, weights: Mapping[str, float], hint_values: str
) -> Made:
    """Make features of a kind, with hints of the heuristic or of learned values."""
    if not hint_values:
        return kind(game, hints, weights)
    if not hints:
        raise ValueError("hint_values need hints: expected hint_weight > 0")
    if name != "plain":
        raise ValueError("own features contain estimates of the heuristic: with hint_values, features must be plain")
    if weights:
        raise ValueError("heuristic_weights do not apply to hint_values: expected only one of them")
    features = kind(game)
    features.hints, features.observed = True, LearnedHints(game, hint_values)
    return features


def _kind(name: FeatureName, game: Game, entry: str, plain: type[Made], what: str) -> type[Made]:
    """Return the class of features by its name."""
    if name == "plain":
        return plain
    own = getattr(game.type.module("features"), entry, None) if game.type.has_module("features") else None
    if own is None:
        raise ValueError(f"the game {game.name} has no game-specific {what}: features must be plain")
    return own
