"""Compiled loops over state records, generic over games: `GameLoops.build(kernels)` specialises them to one game.

Each loop is a closure over the game's kernels, so that there is one compiled function per loop and game, kept in the
game's own cache folder. In shapes of arrays N is the number of lanes, A of actions, P of
players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.loops.playouts import playouts
from edge_envs.core.loops.stepping import stepping
from edge_envs.core.loops.views import transitions, views


@dataclass(frozen=True)
class GameLoops:
    """The loops of one game, all compiled on first use; `Any` stands for numba dispatchers.

    Those called from Python take an array of states, of which some use the first only: a scalar record would cost four
    times the call. Generators are their states, (N,) uint64.

    Of one position (`views`):

    `to_act(states, rewards)`           the player to act, CHANCE or TERMINAL; fills the rewards of the last transition
    `legal(states, mask)`, `probabilities(states, out)`, `sample(states)`, `view(states, player, observation)`
                                        `legal_action_mask`, `chance_probabilities`, `sample_chance`, `observe`
    `look(states, player, observation, mask)`
                                        the view of a player, the mask zero unless that player is to act
    `transition(states, action, mask, probabilities, rewards)`
                                        one checked decision or outcome, then as `to_act`; ILLEGAL and unchanged if not
                                        legal
    `begin(states)`                     resolve chance in a freshly set-up state; a game that nature ends before any
                                        decision gives way to the next; the player to act
    `decide(states, action, mask, rewards, scratch)`
                                        one checked decision and the chance after it; ILLEGAL and unchanged if not legal
    `random_action(state, bits, mask)`, `determinize(state, player, bits)`      as in `CompleteKernels`

    Of many games (`stepping`):

    `new_games(states)`                 the start of a game in every record
    `start(states, player, observation, mask)`  settle freshly set-up states and fill the view of the player to act
    `step(steps, states, actions, player, observation, mask, rewards, terminated, final)`
                                        `steps` times one decision in every lane, with autoreset
    `random_steps(steps, states, generators, player, observation, mask, rewards, terminated, final)`
                                        the same with a uniform pick from the mask
    `heuristic_actions(states, actions)`  what the heuristic does in each state

    Of whole games (`playouts`):

    `random_playouts(states, generators, games, mask)`
                                        whole games of uniform play per state; the number of decisions
    `flat_monte_carlo(states, generators, playouts, actions, copies, mask, rewards)`
                                        for each state the action that does best for the player to act in so many games
                                        of uniform play, spread evenly over the legal ones; hidden parts are drawn anew
                                        for each game; `copies`, an array of one record, `mask`, `rewards` (2, P) are
                                        scratch
    `mean_returns(states, generators, playouts, values, copies, mask, rewards)`
                                        by games of the same kind, what the player to act gets on average after each
                                        action: `values` (N, A), NaN where no game began so
    """

    to_act: Callable[..., Any]
    legal: Callable[..., Any]
    probabilities: Callable[..., Any]
    sample: Callable[..., Any]
    view: Callable[..., Any]
    look: Callable[..., Any]
    transition: Callable[..., Any]
    begin: Callable[..., Any]
    decide: Callable[..., Any]
    random_action: Callable[..., Any]
    determinize: Callable[..., Any]
    new_games: Callable[..., Any]
    start: Callable[..., Any]
    step: Callable[..., Any]
    random_steps: Callable[..., Any]
    heuristic_actions: Callable[..., Any]
    random_playouts: Callable[..., Any]
    flat_monte_carlo: Callable[..., Any]
    mean_returns: Callable[..., Any]

    @classmethod
    def build(cls, rules: CompleteKernels) -> GameLoops:
        """Specialise every loop to the rules of a game; nothing is compiled before its first call."""
        return cls(
            **views(rules),
            **transitions(rules),
            **stepping(rules),
            **playouts(rules),
            random_action=rules.random_action,
            determinize=rules.determinize,
        )
