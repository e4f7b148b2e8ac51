"""Learn the value of a position to every player by TD(λ) over turns (Sutton, 1988; Tesauro, 1995).

The expected value at the end of a turn, over dice and decisions, is computed exactly except for the learned value
there. Its difference from the value at the start of the turn is the temporal-difference error. The target of a value is
the value plus the errors from there on, weighted by powers of λ, up to a random decision or the end of the game.
Because errors are differences of expectations, luck does not enter the targets, and with λ = 1 they are unbiased.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.common.devices import resolve
from agents.training.divergence import check_weights, guard
from agents.value_learning.config import ValuesConfig
from edge_envs import Game
from edge_envs.core.game import shared_utility
from edge_envs.core.kernels.rng import chance_words
from edge_envs.core.spec import Array
from edge_envs.search.perceptron import Perceptron, Ramps, cells_of, new_perceptron
from edge_envs.search.value_games import Turns, ValueGames, new_turns, random_numbers

WARM_UP = 64  # turns of random play, from which inputs are chosen
MOST_NAMES = 16  # cells with more values than this which are not ordered are left out
KNOTS = 9  # the largest number of knots of the ramps over a number


class ValueLearner:
    """A network that learns, the moving average of its weights, which plays, and the running games."""

    def __init__(self, config: ValuesConfig, game: Game) -> None:
        self.config, self.game, self.step, self.updates, self.by_time = config, game, 0, 0, 0.0
        self.device = torch.device(resolve(config.device))
        self._lowest = game.min_utility
        self._shared = shared_utility(game)
        self._choose_inputs()

    def _choose_inputs(self) -> None:
        """Start with random weights, and all numbers as inputs that vary in games of random play."""
        torch.manual_seed(self.config.seed)
        numbers, names = random_numbers(self.game, self._seeds(), WARM_UP, cells=self._cells), None
        if self._cells:
            layout = cells_of(self.game)
            numbers[:, ~layout.ordered & (layout.values > MOST_NAMES)] = 0.0
            names = np.flatnonzero(~layout.ordered)
        self._prepare(self._new_perceptron(ramps_over(numbers, names)))
        last = self.layers()[-1]
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)
        self.averaged = self.parameters()
        self.update_player()

    @property
    def _cells(self) -> bool:
        """Whether the network reads cells."""
        return self.config.inputs == "cells"

    def _new_perceptron(self, ramps: Ramps) -> Perceptron:
        return new_perceptron(self.game, ramps, self.config.hidden, cells=self._cells)

    def _prepare(self, net: Perceptron) -> None:
        """Make the network, optimiser and games for a perceptron; the network has random weights."""
        self.net, widths = net, net.widths.tolist()
        layers: list[nn.Module] = []
        for inputs, outputs in itertools.pairwise(widths):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.network = nn.Sequential(*layers[:-1]).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=self.config.learning_rate[0])
        guard(self.optimizer)
        states = self.game.new_records(self.config.games)
        chance_words(self._seeds(), states["rng"])
        self.games = ValueGames(self.game, net, states, np.full(self.config.games, -1))
        self.turns = new_turns(self.config.turns, self.config.games, widths[0], widths[-1])

    def _seeds(self) -> Array:
        return np.arange(self.config.games, dtype=np.uint64) + np.uint64(self.config.seed)

    def layers(self) -> list[nn.Linear]:
        """Return the layers of the network."""
        return [layer for layer in self.network if isinstance(layer, nn.Linear)]

    def parameters(self) -> torch.Tensor:
        """Return all weights in the order of `Perceptron`."""
        with torch.no_grad():
            parts = [part for layer in self.layers() for part in (layer.weight.T.reshape(-1), layer.bias)]
            return torch.cat(parts)

    def update_player(self) -> None:
        """Copy the averaged weights to the perceptron that plays."""
        self.net.weights[:] = self.averaged.cpu().numpy()

    @property
    def done(self) -> float:
        """The fraction of the training that is done, by steps or, with a time limit, by processor time."""
        return min(max(self.step / self.config.total_steps, self.by_time), 1.0)

    def learn(self) -> dict[str, float]:
        """Play `games` × `turns` turns, learn from them, and return statistics.

        DivergedError if gradients are not finite, or weights exceed their bound.
        """
        config, turns = self.config, self.turns
        done = self.done
        early = max(1.0 - 2.0 * done, 0.0)  # random moves and starts end halfway
        self.games.play(
            turns, config.random_moves * early, config.random_starts * early, config.random_turns, config.most_turns
        )
        errors = turns.expected - turns.values
        targets = self._targets(turns, errors, _between(config.trace, done))
        for group in self.optimizer.param_groups:
            group["lr"] = _between(config.learning_rate, done)
        inputs = torch.from_numpy(turns.inputs.reshape(-1, turns.inputs.shape[2])).to(self.device)
        losses = [self._update(inputs[batch], targets[batch]) for batch in self._batches(len(inputs))]
        check_weights([self.averaged, *self.network.parameters()])
        self.update_player()
        self.step += len(inputs)
        return {"loss": float(np.mean(losses)), "error": float(np.sqrt(np.mean(errors**2)))}

    def _targets(self, turns: Turns, errors: Array, trace: float) -> torch.Tensor:
        """Return the target shares of the players (T * N, P), in turn order from the viewer."""
        summed = errors.copy()
        for t in range(len(summed) - 2, -1, -1):
            summed[t] += trace * turns.linked[t, :, None] * summed[t + 1]
        shares = (turns.values + summed - self._lowest) / self._shared
        players = self.game.num_players
        order = (turns.viewers[:, :, None] + np.arange(players)) % players
        seen = np.take_along_axis(shares, order, axis=2).reshape(-1, players)
        return torch.from_numpy(seen.astype(np.float32)).to(self.device)

    def _batches(self, count: int) -> Iterator[torch.Tensor]:
        for _ in range(self.config.epochs):
            yield from torch.split(torch.randperm(count).to(self.device), self.config.batch_size)

    def _update(self, inputs: torch.Tensor, targets: torch.Tensor) -> float:
        """Take one optimiser step on the cross-entropy."""
        loss = -(targets * self.network(inputs).log_softmax(dim=1)).sum(dim=1).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.updates += 1
        keep = min(self.config.averaging, self.updates / (self.updates + 10.0))
        self.averaged.lerp_(self.parameters(), 1.0 - keep)
        return float(loss.detach())

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint, as tensors and plain values."""
        return {
            "step": self.step,
            "updates": self.updates,
            "ramps": [torch.from_numpy(array) for array in (self.net.columns, self.net.lows, self.net.slopes)],
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "averaged": self.averaged,
            "generator": torch.get_rng_state(),
            "states": torch.from_numpy(self.games.states.view(np.uint8).reshape(self.config.games, -1).copy()),
            "met": torch.from_numpy(self.games.turns_played),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        ramps = Ramps(*(array.numpy() for array in state["ramps"]))
        self._prepare(self._new_perceptron(ramps))
        self.step, self.updates = state["step"], state["updates"]
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.averaged = state["averaged"].to(self.device)
        torch.set_rng_state(state["generator"])
        self.games.states.view(np.uint8).reshape(self.config.games, -1)[:] = state["states"].numpy()
        self.games.turns_played[:] = state["met"].numpy()
        self.update_player()


def ramps_over(numbers: Array, names: Array | None = None) -> Ramps:
    """Make ramps over all columns of numbers (M, N) that vary, with more knots where values are frequent.

    Args:
        numbers: The numbers of positions.
        names: Columns whose values are names; they get a knot for every value.
    """
    ramps = []
    for column, values in enumerate(numbers.T):
        known, counts = np.unique(values, return_counts=True)
        if len(known) > KNOTS and (names is None or column not in names):
            shares = np.sqrt(counts).cumsum()  # the square root also covers rare values
            known = np.unique(known[np.searchsorted(shares, np.linspace(0.0, shares[-1], KNOTS))])
        ramps += [(column, low, 1.0 / (high - low)) for low, high in itertools.pairwise(known)]
    columns, lows, slopes = zip(*ramps, strict=True)
    return Ramps(np.array(columns), np.array(lows), np.array(slopes))


def _between(ends: tuple[float, float], done: float) -> float:
    """Interpolate linearly between two values."""
    return ends[0] + (ends[1] - ends[0]) * done
