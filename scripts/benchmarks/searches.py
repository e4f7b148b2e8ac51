"""Tree searches as sides: ours, and OpenSpiel's in C++ on a game of its own and in Python on our `State`.

All begin at the first decision of a game, spend equally many iterations, and play every leaf to the end at random.
"""

from __future__ import annotations

import dataclasses
import random
from types import SimpleNamespace
from typing import Any

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search.arena import new_arena
from edge_envs.search.loop import WHOLE, search_loop
from scripts.benchmarks.apis import Setting, named
from scripts.benchmarks.measure import Run, Side, Work

_UNIT = "iterations/s"
_EXPLORATION = 1.0


def search_name(label: str) -> str:
    """The name of the row of our search."""
    return named("search, random playouts", label)


def openspiel_name(game_string: str) -> str:
    """The name of the row of OpenSpiel's search in C++ on one of its games."""
    return f"OpenSpiel {game_string}, C++ search"


def from_python_name(label: str) -> str:
    """The name of the row of OpenSpiel's search in Python on our `State`."""
    return named("OpenSpiel's search in Python on State", label)


def search(setting: Setting, iterations: int) -> Side:
    """The compiled search, without the values of the game: even priors and random playouts."""
    game = setting.game

    def prepare() -> Run:
        loop = search_loop(_without_values(game), game.type.folder)
        arena, actions = new_arena(game, iterations), game.num_distinct_actions
        shape = (1, actions)
        found = np.empty(1, np.int64), np.empty(shape, np.int64), np.empty(shape), np.empty(shape)
        records = _first_decision(game)._records

        def run(searches: int) -> Work:
            for _ in range(searches):
                records["rng"] = random.getrandbits(63)
                loop(records, WHOLE, iterations, arena, *found)
            return Work(searches * iterations)

        return run

    return Side(search_name(setting.label), _UNIT, prepare, details={"iterations": iterations, **setting.details})


def openspiel(game_string: str, iterations: int) -> Side:
    """OpenSpiel's MCTS bot in C++."""

    def prepare() -> Run:
        import pyspiel

        game = pyspiel.load_game(game_string)
        root = _first_decision(game)

        def run(searches: int) -> Work:
            for _ in range(searches):
                evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=random.getrandbits(31))
                pyspiel.MCTSBot(
                    game, evaluator, _EXPLORATION, iterations, max_memory_mb=1000, solve=False, seed=1, verbose=False
                ).mcts_search(root)
            return Work(searches * iterations)

        return run

    details = {"peer": "open_spiel", "iterations": iterations}
    return Side(openspiel_name(game_string), _UNIT, prepare, details=details)


def from_python(setting: Setting, iterations: int) -> Side:
    """OpenSpiel's MCTS bot in Python; its searches are of our game."""
    game = setting.game

    def prepare() -> Run:
        import pyspiel
        from open_spiel.python.algorithms import mcts

        class Evaluator(mcts.RandomRolloutEvaluator):  # type: ignore[misc]  # OpenSpiel is untyped
            """Asks for legal actions as `State` has it: without the player."""

            def prior(self, state: Any) -> list[tuple[int, float]]:
                if state.is_chance_node():
                    outcomes: list[tuple[int, float]] = state.chance_outcomes()
                    return outcomes
                legal = state.legal_actions()
                return [(action, 1.0 / len(legal)) for action in legal]

        kind = SimpleNamespace(
            reward_model=pyspiel.GameType.RewardModel.TERMINAL, dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL
        )
        told = SimpleNamespace(get_type=lambda: kind, max_utility=lambda: game.max_utility)
        draws = np.random.RandomState(0)
        bot = mcts.MCTSBot(told, _EXPLORATION, iterations, Evaluator(1, draws), solve=False, random_state=draws)
        root = _first_decision(game)

        def run(searches: int) -> Work:
            for _ in range(searches):
                bot.mcts_search(root)
            return Work(searches * iterations)

        return run

    details = {"peer": "open_spiel", "iterations": iterations, **setting.details}
    return Side(from_python_name(setting.label), _UNIT, prepare, details=details)


def _without_values(game: Game) -> CompleteKernels:
    """The rules of a game that does not tell what actions and positions are worth."""
    return dataclasses.replace(game.compiled.kernels, action_values=None, position_features=None)


def _first_decision(game: Any) -> Any:
    """A new game behind its first dice or cards, of ours or of OpenSpiel's."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, probabilities)[0])
    return state
