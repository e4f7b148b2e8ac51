"""Environments of other libraries as sides, timed in the same run as ours."""

from __future__ import annotations

import os
import random
import statistics
import time
from importlib.util import find_spec
from typing import Any

import numpy as np

from scripts.benchmarks.apis import DECISIONS, STANDARD_LANES
from scripts.benchmarks.measure import Budget, Run, Side, Work
from scripts.benchmarks.single import play_aec, play_states

CARTPOLE = f"Gymnasium CartPole vector env, {STANDARD_LANES:,} games"
CONNECT_FOUR = "PettingZoo connect_four"
CITY_OF_GOLD_LANES = 256  # its largest number
CITY_OF_GOLD = f"City of Gold, C++, {CITY_OF_GOLD_LANES} games"
_ACTION_SETS = 64


def rollouts_name(game_string: str) -> str:
    """Return the name of an OpenSpiel game's rollout row."""
    return f"OpenSpiel {game_string}, C++ rollouts"


def states_name(game_string: str) -> str:
    """Return the name of an OpenSpiel game's row from Python."""
    return f"OpenSpiel {game_string} from Python"


def missing_openspiel() -> str | None:
    """Return the reason why OpenSpiel cannot be timed here, or None."""
    return "open_spiel not installed: extra `bench`" if find_spec("pyspiel") is None else None


def missing_connect_four() -> str | None:
    """Return the reason why connect_four cannot be timed here, or None. Its module imports pygame unconditionally."""
    return "PettingZoo's connect_four needs pygame-ce, which is not installed" if find_spec("pygame") is None else None


def missing_city_of_gold() -> str | None:
    """Return the reason why City of Gold cannot be timed here, or None."""
    return "city-of-gold not installed: extra `bench`" if find_spec("city_of_gold") is None else None


def city_of_gold() -> Side:
    """Return the side of a board game in C++: its own uniformly random choice, step and observation, in one thread."""

    def prepare() -> Run:
        import city_of_gold as module

        runner = module.vec.get_runner(CITY_OF_GOLD_LANES)()
        runner.make_samplers(0)
        players, map_pieces, most_steps = 4, 3, 100_000
        runner.get_envs().reset(0, players, map_pieces, module.EASY, most_steps, False)  # no rendering

        def run(steps: int) -> Work:
            for _ in range(steps):
                runner.sample_seq()
                runner.step_seq()
            return Work(steps * CITY_OF_GOLD_LANES)

        return run

    return Side(CITY_OF_GOLD, DECISIONS, prepare, details={"peer": "city_of_gold", "lanes": CITY_OF_GOLD_LANES})


def cartpole(lanes: int = STANDARD_LANES) -> Side:
    """Return the side of Gymnasium's own vectorized CartPole, stepped with precomputed random actions."""

    def prepare() -> Run:
        import gymnasium

        env = gymnasium.make_vec("CartPole-v1", num_envs=lanes, vectorization_mode="vector_entry_point")
        env.reset(seed=0)
        actions = np.random.default_rng(0).integers(2, size=(_ACTION_SETS, lanes))

        def run(steps: int) -> Work:
            for i in range(steps):
                env.step(actions[i % _ACTION_SETS])
            return Work(steps * lanes)

        return run

    return Side(CARTPOLE, DECISIONS, prepare, details={"peer": "gymnasium", "lanes": lanes})


def connect_four() -> Side:
    """Return the side of PettingZoo's connect four as created by its `env()`, including wrappers."""

    def prepare() -> Run:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting would go to stdout
        from pettingzoo.classic.connect_four import connect_four as module

        return play_aec(module.env())

    return Side(CONNECT_FOUR, DECISIONS, prepare, details={"peer": "pettingzoo"})


def openspiel_states(game_string: str) -> Side:
    """Return the side of an OpenSpiel game from Python, with the same loop as our `State`."""

    def prepare() -> Run:
        import pyspiel

        return play_states(pyspiel.load_game(game_string), _sample_chance)

    return Side(states_name(game_string), DECISIONS, prepare, details={"peer": "open_spiel"})


def openspiel_rollouts(game_string: str, budget: Budget) -> Side:
    """Return the side of random playouts in OpenSpiel's C++.

    Python cannot call `RandomRolloutEvaluator` directly, only pass it to a bot; this is the fastest way that the
    bindings offer. An MCTS bot with one simulation evaluates only its root: `n` rollouts in one call, without a tree
    and without a virtual call per move (unlike `evaluate_bots`). OpenSpiel does not count the decisions, so each
    rollout counts as the mean number of decisions of a random game, estimated beforehand from games in Python.
    """
    details: dict[str, Any] = {"peer": "open_spiel"}

    def prepare() -> Run:
        import pyspiel

        game = pyspiel.load_game(game_string)
        lengths = _game_lengths(game, budget)
        mean = statistics.fmean(lengths)
        details["decisions_per_game"] = mean
        details["decisions_per_game_error"] = statistics.stdev(lengths) / len(lengths) ** 0.5

        def run(games: int) -> Work:
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=random.getrandbits(31))
            bot = pyspiel.MCTSBot(
                game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=1, solve=False, seed=1, verbose=False
            )
            root = game.new_initial_state()
            while root.is_chance_node():  # the bot cannot start at a chance node
                root.apply_action(_sample_chance(root))
            bot.mcts_search(root)
            return Work(round(games * mean), games)

        return run

    return Side(rollouts_name(game_string), DECISIONS, prepare, details=details)


def _sample_chance(state: Any) -> int:
    outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
    return random.choices(outcomes, probabilities)[0]


def _game_lengths(game: Any, budget: Budget) -> list[int]:
    """Return the number of decisions in random games, at least 2 games and otherwise as many as the budget allows."""
    play = play_states(game, _sample_chance, observe=False)
    lengths: list[int] = []
    end = time.perf_counter() + budget.seconds
    while len(lengths) < 2 or (len(lengths) < budget.sampled_games and time.perf_counter() < end):
        lengths.append(play(1).units)
    return lengths
