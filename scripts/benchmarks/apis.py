"""Every API of `edge_envs` as a side. Units are decisions of players; chance is resolved but never counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import edge_envs
from edge_envs.core.game import Game
from edge_envs.envs.vector import GameVectorEnv
from scripts.benchmarks.measure import Budget, Run, Side, Work
from scripts.benchmarks.picks import LanePicker, pick
from scripts.benchmarks.single import play_aec, play_seat, play_states

LANES = (1, 64, 1_024, 8_192)
THREADS = (1, 2)
STANDARD_LANES = 1_024  # where peers are compared
HEURISTIC_LANES = 64
DRAWN_AT_FIRST = 4  # decisions
GAMES_OF_MEAN = 1_000  # from which the mean length of a game is taken
DECISIONS = "decisions/s"


@dataclass(frozen=True)
class Setting:
    """A game with its parameters, and what the names of rows say of these: nothing where all rows have the same."""

    game: Game
    label: str = ""

    @property
    def details(self) -> dict[str, Any]:
        """What a row of JSON says of it."""
        return {"params": dict(self.game.params)} if self.label else {}

    def vector_env(self, lanes: int, threads: int = 1) -> GameVectorEnv:
        """The environment of all seats."""
        return edge_envs.vector_env(self.game.name, num_envs=lanes, num_threads=threads, **self.game.params)

    def playouts(self) -> Callable[[int], int]:
        """Plays so many games of uniform play in a compiled loop; the number of decisions."""
        game = self.game
        states = game.new_records(1)
        states["rng"] = _words(1)
        words = _words(1)
        mask = np.zeros(game.num_distinct_actions, np.int8)
        return lambda games: int(game.compiled.loops.random_playouts(states, words, games, mask))

    @cached_property
    def decisions_per_game(self) -> float:
        """The mean over games of uniform play."""
        return self.playouts()(GAMES_OF_MEAN) / GAMES_OF_MEAN


def named(row: str, label: str, *rest: str) -> str:
    """The name of a row under a setting."""
    return ", ".join(part for part in (row, label, *rest) if part)


def vector_name(label: str, lanes: int, threads: int) -> str:
    """The name of a vector row."""
    return named("vector env", label, _count(lanes, "game"), _count(threads, "thread"))


def vector(setting: Setting, budget: Budget, lanes: int = STANDARD_LANES, threads: int = 1) -> Side:
    """The compiled loop: uniform pick from the mask, step with chance, mask, observation, autoreset.

    All lanes begin a game at once, and what a decision costs may depend on how far a game is; so some games are played
    beforehand, until the lanes are anywhere in theirs. Nothing counts the games that end: their number follows from
    the decisions and the mean length of games of uniform play.
    """
    details: dict[str, Any] = {"lanes": lanes, "threads": threads, **setting.details}

    def prepare() -> Run:
        mean = details["decisions_per_game"] = setting.decisions_per_game
        env = setting.vector_env(lanes, threads)
        batch = env.reset(seed=0)
        details["threads_used"] = env.num_threads  # no more than lanes
        words = _words(lanes)
        ended = 0
        while ended < budget.games_before * lanes:
            env.random_steps(words, 1)
            ended += int(batch.terminated.sum())

        def run(steps: int) -> Work:
            env.random_steps(words, steps)
            return Work(steps * lanes, steps * lanes / mean)

        return run

    name = vector_name(setting.label, lanes, threads)
    return Side(name, DECISIONS, prepare, "cpu" if threads == 1 else "wall", details)


def vector_from_python(setting: Setting, lanes: int = STANDARD_LANES) -> Side:
    """`step(actions)` called from Python, with a cheap pick in NumPy; games as in `vector`."""
    details: dict[str, Any] = {"lanes": lanes, **setting.details}

    def prepare() -> Run:
        mean = details["decisions_per_game"] = setting.decisions_per_game
        env = setting.vector_env(lanes)
        masks = env.reset(seed=0).action_mask
        choose = LanePicker(lanes, setting.game.num_distinct_actions)

        def run(steps: int) -> Work:
            for _ in range(steps):
                env.step(choose(masks))
            return Work(steps * lanes, steps * lanes / mean)

        return run

    name = named("vector env stepped from Python", setting.label, _count(lanes, "game"))
    return Side(name, DECISIONS, prepare, details=details)


def playouts(setting: Setting) -> Side:
    """Whole games of uniform play in a compiled loop, without observations and with the fastest pick there is."""

    def prepare() -> Run:
        play = setting.playouts()
        return lambda games: Work(play(games), games)

    return Side(named("playouts", setting.label), DECISIONS, prepare, details=setting.details)


def aec(setting: Setting) -> Side:
    """The ordinary PettingZoo loop over the default environment."""
    game = setting.game
    return Side(
        named("AEC", setting.label),
        DECISIONS,
        lambda: play_aec(edge_envs.aec_env(game.name, **game.params)),
        details=setting.details,
    )


def state(setting: Setting) -> Side:
    """`legal_actions`, `observation_tensor` and `apply_action` of `State`."""
    return Side(
        named("State from Python", setting.label),
        DECISIONS,
        lambda: play_states(setting.game, lambda node: node.sample_chance()),
        details=setting.details,
    )


def seat(setting: Setting) -> Side:
    """Gymnasium's `step` with a random learner and random opponents; its units are the learner's decisions."""
    game = setting.game
    return Side(
        named("seat env", setting.label),
        "learner's decisions/s",
        lambda: play_seat(edge_envs.seat_env(game.name, opponents="random", **game.params)),
        details={"opponents": "random", **setting.details},
    )


def seat_vector(setting: Setting, lanes: int = STANDARD_LANES) -> Side:
    """The native Gymnasium VectorEnv of the same, with a cheap pick in NumPy."""
    game = setting.game

    def prepare() -> Run:
        env = edge_envs.seat_vector_env(game.name, num_envs=lanes, opponents="random", **game.params)
        env.reset(seed=0)
        choose = LanePicker(lanes, game.num_distinct_actions)

        def run(steps: int) -> Work:
            for _ in range(steps):
                env.step(choose(env.action_masks()))
            return Work(steps * lanes)

        return run

    details = {"lanes": lanes, "opponents": "random", **setting.details}
    name = named("seat vector env", setting.label, _count(lanes, "game"))
    return Side(name, "learner's decisions/s", prepare, details=details)


def heuristic_name(label: str) -> str:
    """The name of the heuristic's row."""
    return named("heuristic against itself", label)


def heuristic(setting: Setting, budget: Budget, lanes: int = HEURISTIC_LANES) -> Side:
    """The heuristic in all seats; its units are turns, which are a player's decisions in a row.

    Where there is no chance the first decisions of each game are drawn, so that games differ.
    """
    drawn = 0 if setting.game.max_chance_outcomes else DRAWN_AT_FIRST

    def prepare() -> Run:
        env = setting.vector_env(lanes)
        batch = env.reset(seed=0)
        to_draw = np.full(lanes, drawn)

        def turns() -> int:
            """One decision in each lane; how many of them end a turn."""
            actions = env.heuristic_actions()
            for lane in to_draw.nonzero()[0]:
                actions[lane] = pick(batch.action_mask[lane])
                to_draw[lane] -= 1
            before = batch.current_player.copy()
            env.step(actions)
            to_draw[batch.terminated] = drawn
            return int((batch.terminated | (batch.current_player != before)).sum())

        ended = 0
        while ended < min(budget.games_before, 1) * lanes:  # as in `vector`
            turns()
            ended += int(batch.terminated.sum())
        return lambda steps: Work(sum(turns() for _ in range(steps)))

    details = {"lanes": lanes, "drawn_at_first": drawn, **setting.details}
    return Side(heuristic_name(setting.label), "turns/s", prepare, details=details)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _words(count: int) -> Any:
    return np.random.default_rng(count).integers(2**63, size=count, dtype=np.uint64)
