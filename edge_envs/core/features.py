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

MOST_REMEMBERED = 20_000  # observations, give or take a batch


class VectorView(NamedTuple):
    """A batch of observations as a perceptron looks at them, and the way back to the game's actions."""

    vectors: Any  # (B, size) float32
    hints: Any = None  # (B, num_distinct_actions) float32, or None
    actions: Any = None  # (B, num_distinct_actions) int64: which of the view's each action is; None: the same


class BoardView(NamedTuple):
    """A batch of observations as a convolutional network looks at them, and the way back to the game's actions."""

    planes: Any  # (B, planes, rows, columns) float32, within some -1..1
    hints: Any = None  # (B, num_distinct_actions) float32 of the view's actions, or None
    actions: Any = None  # (B, num_distinct_actions) int64: which of the view's each action is; None: the same


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
    """Asks a game's built-in player about observations, and remembers the answers.

    A learner asks of each position once while it plays and again in every epoch. ValueError if the game does not tell
    what actions are worth, or has no such weights.
    """

    def __init__(self, game: Game, weights: Mapping[str, float] | None = None) -> None:
        if game.type.values is None:
            raise ValueError(f"the game {game.name} gives no hints: hint_weight must be 0")
        self._game = game
        self._values = game.type.values
        self._weights = self._values.weights_with(weights)
        self._known: dict[bytes, Array] = {}

    def __call__(self, observations: Array) -> Thoughts:
        """The thoughts of the players who see these observations (B, *observation_shape) and are to act."""
        rows = self.rows(observations)
        hints, best = hints_of(rows[:, : self._game.num_distinct_actions], self._values.span)
        features = rows[:, self._game.num_distinct_actions :]
        return Thoughts(hints, best, features.reshape(len(rows), self._game.num_players, -1))

    def rows(self, observations: Array) -> Array:
        """Values of all actions, then features of all players, (B, A + P F) float32."""
        observations = np.ascontiguousarray(observations, self._game.observation_dtype)
        keys = [observation.tobytes() for observation in observations]
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        new = {key: i for i, key in enumerate(keys) if key not in self._known}
        self._known.update(zip(new, self._ask(observations[list(new.values())]), strict=True))
        return np.stack([self._known[key] for key in keys])

    def _ask(self, observations: Array) -> Array:
        game, count = self._game, len(observations)
        values = np.empty((count, game.num_distinct_actions), np.float32)
        features = np.empty((count, game.num_players, len(self._values.features)), np.float32)
        game.type.value_loops.seen(observations, game.new_records(1), self._weights, values, features)
        return np.concatenate([values, features.reshape(count, game.num_players * len(self._values.features))], axis=1)

    def __getstate__(self) -> dict[str, Any]:
        """A copy remembers nothing."""
        return {**vars(self), "_known": {}}


def hints_of(values: Array, span: float) -> tuple[Array, Array]:
    """What each action loses against the best, (B, A) from -1 for `span` and more to 0; and the best value (B, 1).

    Values (B, A) are -inf where an action is illegal or not considered. Where all are, all hints are -1.
    """
    best = np.maximum(values.max(axis=1, keepdims=True), np.float32(-1e4))
    return np.maximum(values - best, np.float32(-span)) / np.float32(span), best
