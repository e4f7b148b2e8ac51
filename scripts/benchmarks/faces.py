"""Every face of `edge_envs` as a side. Units are decisions of players; chance is resolved but never counted."""

from __future__ import annotations

from typing import Any

import numpy as np

import edge_envs
from edge_envs.core.game import Game
from scripts.benchmarks.measure import Run, Side
from scripts.benchmarks.picks import LanePicker
from scripts.benchmarks.single import play_aec, play_seat, play_states

LANES = (1, 64, 1_024, 8_192)
THREADS = (1, 2)
STANDARD_LANES = 1_024  # where peers are compared
DECISIONS = "decisions/s"


def vector_name(lanes: int, threads: int) -> str:
    """The name of a vector row."""
    return f"vector env, {_count(lanes, 'game')}, {_count(threads, 'thread')}"


def vector(game: Game, lanes: int, threads: int) -> Side:
    """The compiled loop: uniform pick from the mask, step with chance, mask, observation, autoreset."""
    details: dict[str, Any] = {"lanes": lanes, "threads": threads}

    def prepare() -> Run:
        env = edge_envs.vector_env(game.name, num_envs=lanes, num_threads=threads, **game.params)
        env.reset(seed=0)
        details["threads_used"] = env.num_threads  # no more than lanes
        words = _words(lanes)

        def run(steps: int) -> int:
            env.random_steps(words, steps)
            return steps * lanes

        return run

    return Side(vector_name(lanes, threads), DECISIONS, prepare, "cpu" if threads == 1 else "wall", details)


def vector_from_python(game: Game, lanes: int = STANDARD_LANES) -> Side:
    """`step(actions)` called from Python, with a cheap pick in NumPy."""

    def prepare() -> Run:
        env = edge_envs.vector_env(game.name, num_envs=lanes, **game.params)
        masks = env.reset(seed=0).action_mask
        choose = LanePicker(lanes, game.num_distinct_actions)

        def run(steps: int) -> int:
            for _ in range(steps):
                env.step(choose(masks))
            return steps * lanes

        return run

    return Side(f"vector env stepped from Python, {lanes:,} games", DECISIONS, prepare, details={"lanes": lanes})


def playouts(game: Game) -> Side:
    """Whole games of uniform play in a compiled loop, without observations and with the fastest pick there is."""

    def prepare() -> Run:
        states = game.new_records(1)
        states["rng"] = _words(1)
        words = _words(1)
        mask = np.zeros(game.num_distinct_actions, np.int8)
        return lambda games: int(game.type.loops.random_playouts(states, words, games, mask))

    return Side("playouts", DECISIONS, prepare)


def aec(game: Game) -> Side:
    """The ordinary PettingZoo loop over the default environment."""
    return Side("AEC", DECISIONS, lambda: play_aec(edge_envs.aec_env(game.name, **game.params)))


def state(game: Game) -> Side:
    """`legal_actions`, `observation_tensor` and `apply_action` of `State`."""
    return Side("State from Python", DECISIONS, lambda: play_states(game, lambda node: node.sample_chance()))


def seat(game: Game) -> Side:
    """Gymnasium's `step` with a random learner and random opponents; its units are the learner's decisions."""
    return Side(
        "seat env",
        "learner's decisions/s",
        lambda: play_seat(edge_envs.seat_env(game.name, opponents="random", **game.params)),
        details={"opponents": "random"},
    )


def seat_vector(game: Game, lanes: int = STANDARD_LANES) -> Side:
    """The native Gymnasium VectorEnv of the same, with a cheap pick in NumPy."""

    def prepare() -> Run:
        env = edge_envs.seat_vector_env(game.name, num_envs=lanes, opponents="random", **game.params)
        env.reset(seed=0)
        choose = LanePicker(lanes, game.num_distinct_actions)

        def run(steps: int) -> int:
            for _ in range(steps):
                env.step(choose(env.action_masks()))
            return steps * lanes

        return run

    details = {"lanes": lanes, "opponents": "random"}
    return Side(f"seat vector env, {lanes:,} games", "learner's decisions/s", prepare, details=details)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _words(count: int) -> Any:
    return np.random.default_rng(count).integers(2**63, size=count, dtype=np.uint64)
