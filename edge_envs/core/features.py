"""Features of observations for neural networks: vectors or planes, and hints.

Everything here is NumPy, for any network library to wrap. `PlainFeatures` works for every game, `PlaneFeatures` for
every game with planes. A game may declare better features in its module `features`: `VECTORS`, a subclass of
`VectorFeatures`, or `BOARD`, a subclass of `BoardFeatures`.

A hint is the estimated loss of an action against the best one by the game's own values, computed from the observation
alone. It is 0 for the best action, and -1 for an action that is illegal or loses the span of the game's `Values` or
more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edge_envs.moved import moved_names

if TYPE_CHECKING:
    from edge_envs.core.game import Game

Array = np.ndarray[Any, np.dtype[Any]]


class VectorView(NamedTuple):
    """A batch of observations as a perceptron reads them, and the mapping back to the game's actions.

    Hints and actions are those of the K actions listed in `legal`, in this order, or of all actions without it. Lists
    are padded with -1.
    """

    vectors: Any  # (B, size) float32
    hints: Any = None  # (B, K) float32, or None
    actions: Any = None  # (B, K) integers: the view's id of each action; None: the same id
    legal: Any = None  # (B, K) int64: the legal actions of the game; None: all actions, K = num_distinct_actions

    def among(self, legal: Array) -> VectorView:
        """Restrict a view of all actions to lists (B, K) of legal ones."""
        hints = None if self.hints is None else _listed(self.hints, legal)
        return VectorView(self.vectors, hints, legal if self.actions is None else _listed(self.actions, legal), legal)


class BoardView(NamedTuple):
    """A batch of observations as a convolutional network reads them, and the mapping back to the game's actions.

    Actions are those of the K actions listed in `legal`, as in a `VectorView`. Hints cover all actions, on the board.
    """

    planes: Any  # (B, planes, rows, columns) float32, about -1..1
    hints: Any = None  # (B, num_distinct_actions) float32 of the view's actions, or None
    actions: Any = None  # (B, K) integers: the view's id of each action; None: the same id
    legal: Any = None  # (B, K) int64: the legal actions of the game; None: all actions, K = num_distinct_actions

    def among(self, legal: Array) -> BoardView:
        """Restrict a view of all actions to lists (B, K) of legal ones."""
        return BoardView(
            self.planes, self.hints, legal if self.actions is None else _listed(self.actions, legal), legal
        )


def legal_lists(masks: Array) -> Array:
    """Return the legal actions (B, K) int64 of each row of masks (B, A), padded with -1 to the longest list."""
    legal = masks != 0  # NumPy counts and finds bools fastest
    counts = np.count_nonzero(legal, axis=1)
    starts = np.arange(0, legal.size, masks.shape[1])
    lists = np.full((len(masks), counts.max(initial=1)), -1, np.int64)
    lists[np.arange(lists.shape[1]) < counts[:, None]] = np.flatnonzero(legal) - np.repeat(starts, counts)
    return lists


def _listed(numbers: Array, lists: Array) -> Array:
    """Gather the entries of rows (B, A) at lists (B, K) of indices; -1 at padding."""
    return np.where(lists < 0, numbers.dtype.type(-1), np.take_along_axis(numbers, lists.clip(0), axis=1))


class CompiledVectors(NamedTuple):
    """Vector features as a kernel.

    | field | content |
    |---|---|
    | `fill` | the kernel `fill(observation, tables, vector)`, which fills `vector` (size,) and returns a row of `actions` |
    | `tables` | a named tuple of arrays |
    | `actions` | integers (R, num_distinct_actions): the view's id of each action, as in `VectorView.actions` |
    """  # noqa: E501  a table row is one line

    fill: Any
    tables: Any
    actions: Array


class Features(ABC):
    """Features of one game.

    `action_groups` (num_distinct_actions,) int64 is the group of each action, numbered from 0 without gaps. A network
    learns one weight for the hints of each group. By default all actions are one group.

    Args:
        game: The game.
        hints: Whether views have hints.
        weights: Overrides some weights of the game's estimates, by name.

    Raises:
        ValueError: if hints are requested and the game declares no `VALUES`, or weights are invalid or given without
            hints.
    """

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        if weights and not hints:
            raise ValueError("heuristic_weights need hints: expected hint_weight > 0")
        self.hints = hints
        self.observed = ObservedValues(game, weights) if hints else None
        self.action_groups: Array = np.zeros(game.num_distinct_actions, np.int64)

    @abstractmethod
    def __call__(self, observations: Array) -> VectorView | BoardView:
        """Return the view of observations (B, *observation_shape) of any dtype."""


class VectorFeatures(Features):
    """Features for perceptrons: vectors of `size` numbers. The view distinguishes `num_actions` actions, here all."""

    size: int
    num_actions: int

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        self.num_actions = game.num_distinct_actions

    @abstractmethod
    def __call__(self, observations: Array) -> VectorView:
        """Return the view of observations (B, *observation_shape) of any dtype."""

    def compiled(self) -> CompiledVectors:
        """Return the same features as a kernel, for networks that are played without PyTorch.

        Raises:
            ValueError: if they have no such kernel.
        """
        raise ValueError(f"{type(self).__name__}: features without a kernel")

    def _scaled(self, scale: Array, most: float = np.inf) -> CompiledVectors:
        """Return the kernel of features that scale the numbers of the observation, and clip them to ±`most`."""
        from edge_envs.core.kernels.vectors import ScaledTables, fill_scaled

        if self.hints:
            raise ValueError(f"{type(self).__name__}: hints have no kernel")
        tables = ScaledTables(np.asarray(scale, np.float32).reshape(-1), np.array([most], np.float32))
        return CompiledVectors(fill_scaled, tables, np.arange(self.num_actions)[None])


class PlainFeatures(VectorFeatures):
    """The flat observation, each entry divided by its maximum."""

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        high = game.observation_bounds[1].reshape(-1).astype(np.float32)
        self.size = high.size
        self._scale = np.float32(1.0) / np.maximum(high, np.float32(1.0))

    def __call__(self, observations: Array) -> VectorView:
        """Return the view of observations (B, *observation_shape) of any dtype."""
        vectors = observations.reshape(len(observations), -1).astype(np.float32) * self._scale
        return VectorView(vectors, self.observed(observations).hints if self.observed else None)

    def compiled(self) -> CompiledVectors:
        """Return the same features as a kernel."""
        return self._scaled(self._scale)


class BoardFeatures(Features):
    """Features for convolutional networks: `planes` planes over a board of `board_shape`.

    The first actions also form planes over the board, `action_planes` complete ones. Each plane is a group of actions,
    and so are the `other_actions` after them.

    Raises:
        ValueError: if the observation or the actions do not have planes, or as `Features` does.
    """

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        if len(game.observation_shape) != 3:
            raise ValueError(f"plane features need an observation of planes, which {game.name} does not have")
        self.planes = game.observation_shape[0]
        self.board_shape = game.observation_shape[1:]
        cells = self.board_shape[0] * self.board_shape[1]
        self.action_planes, self.other_actions = divmod(game.num_distinct_actions, cells)
        if not self.action_planes:
            raise ValueError(f"plane features need a plane of actions, which {game.name} does not have")
        self.action_groups = np.arange(game.num_distinct_actions) // cells

    @abstractmethod
    def __call__(self, observations: Array) -> BoardView:
        """Return the view of observations (B, *observation_shape) of any dtype."""


class PlaneFeatures(BoardFeatures):
    """The planes of the observation, each divided by its maximum, without rotating the board."""

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        high = game.observation_bounds[1][:, :1, :1].astype(np.float32)
        self._scale = np.float32(1.0) / np.maximum(high, np.float32(1.0))

    def scaled(self, observations: Array) -> Array:
        """Return the planes as float32, each divided by its maximum."""
        return observations.astype(np.float32) * self._scale

    def __call__(self, observations: Array) -> BoardView:
        """Return the view of observations (B, *observation_shape) of any dtype."""
        return BoardView(self.scaled(observations), self.observed(observations).hints if self.observed else None)


class Estimates(NamedTuple):
    """A game's own estimates for a batch of observations."""

    hints: Array  # (B, num_distinct_actions) float32
    best: Array  # (B, 1) float32: the value of the best action, in the game's unit; -1e4 if the viewer is not to act
    features: Array  # (B, num_players, len(Values.features)) float32: the viewer first, then in turn order


class ObservedValues:
    """Compute a game's own estimates from observations.

    Raises:
        ValueError: if the game declares no `VALUES`, or a weight is unknown or out of range.
    """

    def __init__(self, game: Game, weights: Mapping[str, float] | None = None) -> None:
        if game.type.values is None:
            raise ValueError(f"{game.name} declares no VALUES, which hints need: expected hint_weight = 0")
        self._game = game
        self._values = game.type.values
        self._weights = self._values.weights_with(weights)

    def __call__(self, observations: Array) -> Estimates:
        """Return the estimates of the players to act who see these observations (B, *observation_shape).

        Raises:
            ValueError: if the observations have another shape.
        """
        self._game.check_observations(observations)
        game, count = self._game, len(observations)
        observations = np.ascontiguousarray(observations, game.observation_dtype)
        values = np.empty((count, game.num_distinct_actions), np.float32)
        features = np.empty((count, game.num_players, len(self._values.features)), np.float32)
        game.compiled.value_loops.seen(observations, game.new_records(1), self._weights, values, features)
        return Estimates(*hints_of(values, self._values.span), features)


def hints_of(values: Array, span: float) -> tuple[Array, Array]:
    """Convert values to hints.

    Args:
        values: The values of actions (B, A); -inf for those that are illegal or not considered.
        span: The loss that gives the hint -1.

    Returns:
        The hints (B, A) from -1 to 0, all -1 in a row without finite values; and the best values (B, 1), at least -1e4.
    """
    best = np.maximum(values.max(axis=1, keepdims=True), np.float32(-1e4))
    return np.maximum(values - best, np.float32(-span)) / np.float32(span), best


__getattr__ = moved_names(__name__, {"Thoughts": "edge_envs.core.features.Estimates"})
