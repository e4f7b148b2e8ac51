"""Multilayer perceptrons inside the kernels, which value positions at the start of a turn.

The perceptron reads the numbers of one position. These are either its *features*, which are the observation of the
player who decides next and the `position_features` of all players in turn order from that player, or its *cells* as
that player sees them (`edge_envs.core.cells`), which contain facts of the rules but no estimates.

Each input is a *ramp* over one number: a clipped linear function that is 0 up to `low`, 1 from a larger number on, and
linear between; several ramps over a number cover its range. Hidden layers use ReLU. The output is a score per player;
the softmax of the scores divides `utility_sum` among the players, above the minimum return of each. A position is
evaluated before the chance events that start the turn.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.cells import CellLayout
from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.spec import Array


class Perceptron(NamedTuple):
    """Hold a perceptron and its scratch memory, for L layers, K inputs, P players, F features and N numbers.

    With zero layers, searches do not use a perceptron.

    | array | content |
    |---|---|
    | `widths` | (L + 1,) widths of the inputs, of the hidden layers, and P |
    | `columns` | (K,) index of the number under each ramp |
    | `lows` | (K,) float32, start of each ramp |
    | `slopes` | (K,) float32, slope of each ramp |
    | `weights` | float32, per layer the weights (from, to), then the biases (to,) |
    | `observation` | scratch of shape observation_shape |
    | `features` | (F,) scratch |
    | `cells` | (N,) int16 scratch; (0,) if the numbers are features |
    | `numbers` | (N,) float32, the numbers of a position |
    | `units` | (2, width) float32, activations of two layers |
    | `ahead` | one state record, scratch |
    """

    widths: Any
    columns: Any
    lows: Any
    slopes: Any
    weights: Any
    observation: Any
    features: Any
    cells: Any
    numbers: Any
    units: Any
    ahead: Any

    @property
    def nbytes(self) -> int:
        """Size of all arrays in bytes."""
        return sum(array.nbytes for array in self)

    def with_own_scratch(self) -> Perceptron:
        """Return a copy that shares the weights but not the scratch memory."""
        scratch = ("observation", "features", "cells", "numbers", "units", "ahead")
        return self._replace(**{name: getattr(self, name).copy() for name in scratch})


class Ramps(NamedTuple):
    """Hold the inputs of a perceptron: K ramps, see `Perceptron` for the arrays."""

    columns: Array
    lows: Array
    slopes: Array


def new_perceptron(
    game: Game, ramps: Ramps | None = None, hidden: Sequence[int] = (), *, cells: bool = False
) -> Perceptron:
    """Create a perceptron with zero weights, or, without ramps, an empty one.

    Args:
        game: The game.
        ramps: The inputs.
        hidden: Widths of the hidden layers.
        cells: Whether the numbers of a position are its cells, in place of features.

    Raises:
        ValueError: if the game declares no cells.
    """
    columns, lows, slopes = ramps or ((), (), ())
    widths = [len(columns), *hidden, game.num_players] if ramps else []
    count = sum((n + 1) * m for n, m in itertools.pairwise(widths)) if ramps else 0
    return Perceptron(
        widths=np.array(widths, np.int64),
        columns=np.array(columns, np.int64),
        lows=np.array(lows, np.float32),
        slopes=np.array(slopes, np.float32),
        weights=np.zeros(count, np.float32),
        observation=np.zeros(game.observation_shape, game.observation_dtype),
        features=np.zeros(_count_features(game)),
        cells=np.zeros(count_numbers(game, cells=True) if cells else 0, np.int16),
        numbers=np.zeros(count_numbers(game, cells=cells), np.float32),
        units=np.zeros((2, max(widths, default=0)), np.float32),
        ahead=game.new_records(1),
    )


def count_numbers(game: Game, *, cells: bool = False) -> int:
    """Return the number of numbers that a perceptron reads of a position, N.

    Raises:
        ValueError: if the numbers are cells, and the game declares none.
    """
    if cells:
        return cells_of(game).size
    return int(np.prod(game.observation_shape)) + game.num_players * _count_features(game)


def cells_of(game: Game) -> CellLayout:
    """Return the layout of a game's cells.

    Raises:
        ValueError: if the game declares none.
    """
    layout = game.type.cell_layout(game.params)
    if layout is None:
        raise ValueError(f"{game.name} declares no cells, so values cannot be learned from them")
    return layout


def _count_features(game: Game) -> int:
    return len(game.type.values.features) if game.type.values else 0


def read_position(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `read(state, players, net, weights)`, which fills in the numbers of a position.

    The kernel returns the viewer: the player who decides next.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    settle, observe, position_features, cells = (
        kernels.settle,
        kernels.observe,
        kernels.position_features,
        kernels.cells,
    )

    @compiled
    def viewer_of(state, net):
        """Return the player who decides next."""
        net.ahead[0] = state
        return max(settle(net.ahead[0], None, None), 0)

    @compiled
    def read_features(state, viewer, players, net, weights):
        observation, features, numbers = net.observation, net.features, net.numbers
        observe(state, viewer, observation)
        seen = observation.reshape(-1)
        count = seen.shape[0]
        for i in range(count):
            numbers[i] = seen[i]
        for k in range(players):
            position_features(state, (viewer + k) % players, viewer, weights, features)
            for f in range(features.shape[0]):
                numbers[count] = features[f]
                count += 1

    @compiled
    def read(state, players, net, weights):
        viewer = viewer_of(state, net)
        read_features(state, viewer, players, net, weights)
        return viewer

    @compiled
    def read_either(state, players, net, weights):
        viewer = viewer_of(state, net)
        if net.cells.shape[0] > 0:
            cells(state, viewer, net.cells)
            for i in range(net.cells.shape[0]):
                net.numbers[i] = net.cells[i]
        else:
            read_features(state, viewer, players, net, weights)
        return viewer

    return read if cells is None else read_either


@kernel
def fill_inputs(net):
    """Compute the inputs from the numbers of a position."""
    numbers, units, columns, lows, slopes = net.numbers, net.units, net.columns, net.lows, net.slopes
    for i in range(columns.shape[0]):
        height = (numbers[columns[i]] - lows[i]) * slopes[i]
        units[0, i] = min(max(height, np.float32(0.0)), np.float32(1.0))


@kernel
def run_layers(net, scores):
    """Compute a score per player, the viewer's first, from the inputs, which are overwritten."""
    widths, weights, units = net.widths, net.weights, net.units
    at, source, layers = 0, 0, widths.shape[0] - 1
    for layer in range(layers):
        inputs, outputs, target = widths[layer], widths[layer + 1], 1 - source
        biases = at + inputs * outputs
        for j in range(outputs):
            units[target, j] = weights[biases + j]
        for i in range(inputs):
            x = units[source, i]
            if x != np.float32(0.0):
                row = at + i * outputs
                for j in range(outputs):
                    units[target, j] += x * weights[row + j]
        if layer + 1 < layers:
            for j in range(outputs):
                units[target, j] = max(units[target, j], np.float32(0.0))
        at, source = biases + outputs, target
    for p in range(scores.shape[0]):
        scores[p] = units[source, p]
