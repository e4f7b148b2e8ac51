"""Search for weights of a heuristic that win most against the present heuristic (response surface method).

In each game, one seat plays with random weights from given ranges. A quadratic surface over the weights is fitted to
the rewards. The result is the point with the highest lower confidence bound (95 %), which is then checked in new games.
Weights stay the same for a whole game, which is more informative than changing them at each decision.

<run>/config.json      the checked configuration
<run>/games.jsonl      the configuration, and the rewards of each block of games; `--resume` continues from them
<run>/surface.png      the mean reward over each weight, with the others at their best
<run>/weights.yaml     the best weights, for `network.heuristic_weights` of a training
<run>/check.json       the results of the check
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import yaml
from pydantic import Field
from scipy import optimize

from agents.common.configuration import GameConfig, Section, parse
from agents.common.drawing import GREY, subplots
from agents.common.files import append_lines, json_lines, parse_json, read_text, write_whole
from agents.common.runs import RunFolder
from agents.evaluation.openings import random_opening
from agents.evaluation.report import rates
from agents.workers.task import Heartbeat, Task
from agents.workers.workers import Workers
from edge_envs import Game
from edge_envs.core.kernels.rng import agents_words, chance_words
from edge_envs.core.spec import Array, Records
from edge_envs.core.values import Values
from edge_envs.core.writing import replacing

BLOCK = 200  # games
STARTS = 32  # of the search for the highest point
FLOAT = 8  # bytes
COPIES = 3  # of the terms at all points, while a surface is fitted


class TuningConfig(GameConfig):
    """The configuration of a search for weights."""

    games: int = Field(gt=0, le=10**9)
    check_games: int = Field(default=20_000, gt=0, le=10**9)
    threads: int = Field(default=2, gt=0, le=256)
    weights: dict[str, tuple[float, float]] = Field(min_length=1)

    def checked(self) -> Self:
        """Check that the heuristic has these weights, and that there are enough games to fit them."""
        values = self.values
        if not values.weights:
            raise ValueError(f"the heuristic of {self.game} has no weights to tune")
        for name, (low, high) in self.weights.items():
            for end in (low, high):
                values.weights_with({name: end})
            if low >= high:
                raise ValueError(f"the range of {name} must go up, not from {low:g} to {high:g}")
        least = 10 * len(terms(len(self.weights)))
        if self.games < least:
            raise ValueError(f"{len(self.weights)} weights need at least {least} games, not {self.games}")
        return self

    @property
    def values(self) -> Values:
        """The value contract of the game; ValueError if it declares none."""
        values = self.load_game().type.values
        if values is None:
            raise ValueError(f"{self.game} declares no VALUES, so its heuristic has no weights")
        return values

    def check_machine(self) -> None:
        """Raise ValueError if the fit needs more memory than this machine has."""
        from agents.training.memory_estimate import gib, machine_bytes

        needed, there = self.games * COPIES * len(terms(len(self.weights))) * FLOAT, machine_bytes()
        if there is not None and needed > there:
            raise ValueError(f"games: a surface over {self.games:,} games takes {gib(needed)}; there are {gib(there)}")

    def weights_at(self, point: Array) -> dict[str, float]:
        """Map a point (K,) of the cube from -1 to 1 to weights."""
        return {
            name: low + (high - low) * (float(x) + 1) / 2
            for x, (name, (low, high)) in zip(point, self.weights.items(), strict=True)
        }

    def draw(self, number: int) -> Array:
        """Draw the points (BLOCK, K) of a block."""
        return np.random.default_rng([self.seed, number]).uniform(-1.0, 1.0, (BLOCK, len(self.weights)))

    def drawn_weights(self, number: int) -> list[dict[str, float]]:
        """Draw the weights of a block's games."""
        return [self.weights_at(point) for point in self.draw(number)]


class Block(Section):
    """A line of `games.jsonl`: the rewards of a block of games."""

    block: int = Field(ge=0)
    rewards: list[float] = Field(min_length=BLOCK, max_length=BLOCK)


class TuningRun(RunFolder[TuningConfig]):
    """The run folder."""

    kind = TuningConfig
    files = ("games.jsonl", "surface.png", "weights.yaml", "check.json")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.games, self.picture = folder / "games.jsonl", folder / "surface.png"
        self.weights, self.check = folder / "weights.yaml", folder / "check.json"

    def read_games(self, config: TuningConfig) -> dict[int, Array]:
        """Read the rewards of finished blocks, and remove an incomplete last line.

        The first line is the configuration. ValueError if the games were played with another one, or if the file is
        invalid.
        """
        text = read_text(self.games, "JSON lines") if self.games.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if not whole:
            write_whole(self.games, config.model_dump_json() + "\n")
            return {}
        first, *others = json_lines(whole)
        made_with = parse(self.kind, parse_json(first, f"{self.games}, line 1"), f"{self.games}, line 1")
        self.check_unchanged(config, made_with, self.games.name)
        blocks = {}
        for number, line in enumerate(others, start=2):
            where = f"{self.games}, line {number}"
            row = parse(Block, parse_json(line, where), where)
            blocks[row.block] = np.array(row.rewards)
        if whole != text:
            write_whole(self.games, whole)
        return blocks


def terms(count: int) -> list[tuple[int, ...]]:
    """Return the terms of a quadratic surface over `count` weights: products of none, one or two of them."""
    return [pick for size in range(3) for pick in combinations_with_replacement(range(count), size)]


def products(points: Array) -> Array:
    """Return the terms (N, T) at points (N, K)."""
    return np.stack([points[:, list(pick)].prod(axis=1) for pick in terms(points.shape[1])], axis=1)


@dataclass(frozen=True)
class Surface:
    """The mean reward as a quadratic function of the weights, by least squares, with its covariance (T, T)."""

    coefficients: Array
    covariance: Array

    @classmethod
    def fit(cls, points: Array, rewards: Array) -> Surface:
        """Fit the surface to rewards (N,) at points (N, K)."""
        rows = products(points)
        coefficients, *_ = np.linalg.lstsq(rows, rewards, rcond=None)
        rest = rewards - rows @ coefficients
        variance = rest @ rest / max(len(rewards) - rows.shape[1], 1)
        return cls(coefficients, np.linalg.pinv(rows.T @ rows) * variance)

    def at(self, points: Array) -> tuple[Array, Array]:
        """Return means and standard errors (N,) at points (N, K)."""
        rows = products(points)
        variances = np.einsum("ni,ij,nj->n", rows, self.covariance, rows)
        return rows @ self.coefficients, np.sqrt(np.maximum(variances, 0.0))  # rounding can make them negative

    def highest(self, count: int, rng: np.random.Generator) -> Array:
        """Return the point (K,) with the highest lower confidence bound, by L-BFGS-B from several starts."""

        def depth(point: Array) -> float:
            mean, error = self.at(point[None])
            return float(2.0 * error[0] - mean[0])

        starts = rng.uniform(-1.0, 1.0, (STARTS, count))
        ends = [optimize.minimize(depth, start, bounds=[(-1.0, 1.0)] * count) for start in starts]
        return np.clip(min(ends, key=lambda end: float(end.fun)).x, -1.0, 1.0)


def tune(
    config: TuningConfig, run: TuningRun, workers: Workers, progress: Callable[[str, int, int], None]
) -> dict[str, Any]:
    """Run or resume a search, and return the contents of `check.json`.

    `progress` is called with the present step, the finished games and all games of the step.
    """
    count = len(config.weights)
    numbers = range(-(-config.games // BLOCK))
    known = run.read_games(config)
    new = [number for number in numbers if number not in known]
    for at, rewards in workers.results(Blocks(config), new):
        known[new[at]] = rewards
        append_lines(run.games, [json.dumps({"block": new[at], "rewards": rewards.tolist()})])
        progress("games with drawn weights", BLOCK * len(known), BLOCK * len(numbers))
    points = np.concatenate([config.draw(number) for number in numbers])
    surface = Surface.fit(points, np.concatenate([known[number] for number in numbers]))
    best = surface.highest(count, np.random.default_rng(config.seed))
    weights = {name: float(f"{value:.3g}") for name, value in config.weights_at(best).items()}
    write_whole(run.weights, yaml.safe_dump(weights, sort_keys=False))
    plot(config, surface, best, run.picture)
    checks = range(len(numbers), len(numbers) + -(-config.check_games // BLOCK))
    played = []
    for rewards in workers.in_order(Blocks(config, weights), checks):
        played.append(rewards)
        progress("games with the best", BLOCK * len(played), BLOCK * len(checks))
    returns = np.concatenate(played)
    mean, error = surface.at(best[None])
    document = {
        "weights": weights,
        "predicted": {"mean": float(mean[0]), "standard_error": float(error[0])},
        "check": {**rates(returns), "standard_error": float(returns.std() / np.sqrt(len(returns)))},
    }
    write_whole(run.check, json.dumps(document, indent=2) + "\n")
    return document


@dataclass(frozen=True)
class Blocks(Task):
    """Blocks of parallel games, with random weights for each game, or the same weights in all.

    Jobs are numbers of blocks; results are the rewards (BLOCK,) of the seat with the weights.
    """

    compiled: ClassVar[bool] = True

    config: TuningConfig
    weights: Mapping[str, float] | None = None

    def prepare(self, heartbeat: Heartbeat) -> Callable[[int], Array]:
        """Return a function that plays blocks."""
        config, game, values = self.config, self.config.load_game(), self.config.values

        def play(number: int) -> Array:
            drawn = [self.weights] * BLOCK if self.weights else config.drawn_weights(number)
            weights = np.concatenate([values.weights_with(one) for one in drawn])
            states, rewards = game.new_records(BLOCK), np.zeros(BLOCK)
            games = np.arange(number * BLOCK, (number + 1) * BLOCK, dtype=np.uint64)
            seeds = games + np.uint64(config.seed << 32)
            chance_words(seeds, states["rng"])
            game.compiled.loops.new_games(states)
            if opening := random_opening(game):
                _draw_openings(game, states, seeds, opening)
            seats = np.arange(BLOCK) % game.num_players
            scratch = np.empty(game.num_distinct_actions), np.empty(game.num_players)
            game.compiled.value_loops.duels(states, seats, weights, rewards, *scratch)
            return rewards

        return play


def _draw_openings(game: Game, states: Records, seeds: Array, count: int) -> None:
    """Play random openings; in games without chance, all games would otherwise be equal."""
    games, shape = len(states), game.observation_shape
    player, observation = np.empty(games, np.int64), np.empty((games, *shape), game.observation_dtype)
    mask, words = np.empty((games, game.num_distinct_actions), np.int8), np.empty(games, np.uint64)
    rewards, terminated = np.empty((games, game.num_players)), np.empty(games, np.bool_)
    final = np.empty((games, 0, *shape), game.observation_dtype)
    loops = game.compiled.loops
    loops.start(states, player, observation, mask)
    agents_words(seeds, words)
    loops.random_steps(count, states, words, player, observation, mask, rewards, terminated, final)


def plot(config: TuningConfig, surface: Surface, best: Array, path: Path) -> None:
    """Plot the mean reward over the range of each weight, with the others at their best."""
    count = len(config.weights)
    columns = min(count, 4)
    rows = -(-count // columns)
    with subplots(rows, columns, squeeze=False, sharey=True, figsize=(3 * columns, 2.4 * rows)) as (figure, axes):
        for k, (axis, (name, (low, high))) in enumerate(zip(axes.flat, config.weights.items(), strict=False)):
            points = np.repeat(best[None], 61, axis=0)
            points[:, k] = np.linspace(-1.0, 1.0, 61)
            means, errors = surface.at(points)
            shown = np.linspace(low, high, 61)
            axis.plot(shown, means)
            axis.fill_between(shown, means - 2 * errors, means + 2 * errors, alpha=0.2)
            axis.axvline(config.weights_at(best)[name], linestyle=":", color=GREY)
            axis.set_xlabel(name)
        for axis in axes.flat[count:]:
            axis.set_visible(False)
        figure.supylabel("mean reward (bands: ±2 standard errors)")
        with replacing(path) as partial:
            figure.savefig(partial, format="png", dpi=120)
