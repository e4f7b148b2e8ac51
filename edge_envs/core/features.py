"""What networks are shown of a game in place of the plain observation: vectors or planes, and hints.

All is NumPy: a library of networks wraps it. `PlainFeatures` and `PlaneFeatures` fit every game. A game may have better
ones in its module `features`: `VECTORS`, a class of `VectorFeatures`, or `BOARD`, one of `BoardFeatures`.

Hints are what the game's built-in player thinks that each action loses against the best one, from the observation
alone: finite numbers, 0 for the best action, -1 for those that lose the span of the game's `Values` or more, and for
illegal ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from edge_envs.core.game import Game

Array = np.ndarray[Any, np.dtype[Any]]


class VectorView(NamedTuple):
    """A batch of observations as a perceptron looks at them, and the way back to the game's actions.

    Hints and actions are those of the K actions that `legal` lists, in this order; without it of all. Lists are filled
    up with -1.
    """

    vectors: Any  # (B, size) float32
    hints: Any = None  # (B, K) float32, or None
    actions: Any = None  # (B, K) integers: which of the view's each action is; None: the same
    legal: Any = None  # (B, K) int64: the legal actions of the game; None: all actions, K = num_distinct_actions

    def among(self, legal: Array) -> VectorView:
        """This view of all actions with those of some lists alone."""
        hints = None if self.hints is None else _listed(self.hints, legal)
        return VectorView(self.vectors, hints, legal if self.actions is None else _listed(self.actions, legal), legal)


class BoardView(NamedTuple):
    """A batch of observations as a convolutional network looks at them, and the way back to the game's actions.

    Actions are those of the K actions that `legal` lists, as in a `VectorView`; hints lie on the board, and are of all.
    """

    planes: Any  # (B, planes, rows, columns) float32, within some -1..1
    hints: Any = None  # (B, num_distinct_actions) float32 of the view's actions, or None
    actions: Any = None  # (B, K) integers: which of the view's each action is; None: the same
    legal: Any = None  # (B, K) int64: the legal actions of the game; None: all actions, K = num_distinct_actions

    def among(self, legal: Array) -> BoardView:
        """This view of all actions with those of some lists alone."""
        return BoardView(
            self.planes, self.hints, legal if self.actions is None else _listed(self.actions, legal), legal
        )


def legal_lists(masks: Array) -> Array:
    """The legal actions (B, K) int64 of each row of masks (B, A), filled up with -1; the longest has K."""
    rows, actions = np.divmod(np.flatnonzero(masks), masks.shape[1])
    counts = np.bincount(rows, minlength=len(masks))
    lists = np.full((len(masks), counts.max(initial=1)), -1, np.int64)
    lists[np.arange(lists.shape[1]) < counts[:, None]] = actions
    return lists


def _listed(numbers: Array, lists: Array) -> Array:
    """What rows of numbers (B, A) have in the places that lists (B, K) name; -1 where a list is over."""
    return np.where(lists < 0, numbers.dtype.type(-1), np.take_along_axis(numbers, lists.clip(0), axis=1))


class Features(ABC):
    """Features of one game.

    `action_groups` (num_distinct_actions,) int64 is the group of each action, numbered from 0 without gaps. A network
    learns one weight for the hints of each group. Here all actions are one group.

    Raises ValueError if hints are asked for and the game does not tell what actions are worth, and for weights of its
    built-in player that do not exist or are not for hints.
    """

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        if weights and not hints:
            raise ValueError("heuristic_weights are for hints: hint_weight must be more than 0")
        self.hints = hints
        self.observed = ObservedValues(game, weights) if hints else None
        self.action_groups: Array = np.zeros(game.num_distinct_actions, np.int64)

    @abstractmethod
    def __call__(self, observations: Array) -> VectorView | BoardView:
        """The view of observations (B, *observation_shape) of any dtype."""


class VectorFeatures(Features):
    """Features for perceptrons: vectors of `size` numbers. `num_actions` are told apart by the view, here all."""

    size: int
    num_actions: int

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        self.num_actions = game.num_distinct_actions

    @abstractmethod
    def __call__(self, observations: Array) -> VectorView:
        """The view of observations (B, *observation_shape) of any dtype."""


class PlainFeatures(VectorFeatures):
    """The observation, flat, each entry divided by its greatest value."""

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        high = game.observation_bounds[1].reshape(-1).astype(np.float32)
        self.size = high.size
        self._scale = np.float32(1.0) / np.maximum(high, np.float32(1.0))

    def __call__(self, observations: Array) -> VectorView:
        """The view of observations (B, *observation_shape) of any dtype."""
        vectors = observations.reshape(len(observations), -1).astype(np.float32) * self._scale
        return VectorView(vectors, self.observed(observations).hints if self.observed else None)


class BoardFeatures(Features):
    """Features for convolutional networks: `planes` planes over a board of `board_shape`.

    The first actions are taken for planes over the board, too: `action_planes`, as many as are whole. Each plane is a
    group, and so are the `other_actions` behind. ValueError for a game without planes.
    """

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        if len(game.observation_shape) != 3:
            raise ValueError(f"features of planes do not fit the game {game.name}: it has no planes")
        self.planes = game.observation_shape[0]
        self.board_shape = game.observation_shape[1:]
        cells = self.board_shape[0] * self.board_shape[1]
        self.action_planes, self.other_actions = divmod(game.num_distinct_actions, cells)
        if not self.action_planes:
            raise ValueError(f"features of planes do not fit the game {game.name}: no plane of actions")
        self.action_groups = np.arange(game.num_distinct_actions) // cells

    @abstractmethod
    def __call__(self, observations: Array) -> BoardView:
        """The view of observations (B, *observation_shape) of any dtype."""


class PlaneFeatures(BoardFeatures):
    """The planes of the observation, each divided by its greatest value; the board as it lies."""

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        high = game.observation_bounds[1][:, :1, :1].astype(np.float32)
        self._scale = np.float32(1.0) / np.maximum(high, np.float32(1.0))

    def scaled(self, observations: Array) -> Array:
        """The planes as float32, each divided by its greatest value."""
        return observations.astype(np.float32) * self._scale

    def __call__(self, observations: Array) -> BoardView:
        """The view of observations (B, *observation_shape) of any dtype."""
        return BoardView(self.scaled(observations), self.observed(observations).hints if self.observed else None)


class Thoughts(NamedTuple):
    """What a game's built-in player thinks of a batch of observations."""

    hints: Array  # (B, num_distinct_actions) float32
    best: Array  # (B, 1) float32: the value of the best action, in the game's unit; -1e4 where nobody is to act
    features: Array  # (B, num_players, len(Values.features)) float32: of the viewer first, then in turn order


class ObservedValues:
    """Asks a game's built-in player about observations.

    ValueError if the game does not tell what actions are worth, or has no such weights.
    """

    def __init__(self, game: Game, weights: Mapping[str, float] | None = None) -> None:
        if game.type.values is None:
            raise ValueError(f"the game {game.name} gives no hints: hint_weight must be 0")
        self._game = game
        self._values = game.type.values
        self._weights = self._values.weights_with(weights)

    def __call__(self, observations: Array) -> Thoughts:
        """The thoughts of the players who see these observations (B, *observation_shape) and are to act."""
        game, count = self._game, len(observations)
        observations = np.ascontiguousarray(observations, game.observation_dtype)
        values = np.empty((count, game.num_distinct_actions), np.float32)
        features = np.empty((count, game.num_players, len(self._values.features)), np.float32)
        game.compiled.value_loops.seen(observations, game.new_records(1), self._weights, values, features)
        return Thoughts(*hints_of(values, self._values.span), features)


def hints_of(values: Array, span: float) -> tuple[Array, Array]:
    """What each action loses against the best, (B, A) from -1 for `span` and more to 0; and the best value (B, 1).

    Values (B, A) are -inf where an action is illegal or not considered. Where all are, all hints are -1.
    """
    best = np.maximum(values.max(axis=1, keepdims=True), np.float32(-1e4))
    return np.maximum(values - best, np.float32(-span)) / np.float32(span), best
