"""`GameLoops`: the compiled loops over positions and games, specialised to one game.

Each loop is a closure over the game's kernels, so there is one compiled function per loop and game, in the game's own
cache folder. In array shapes, N is the number of lanes, A of actions, P of players.
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
    """The loops of one game, compiled on first use; `Any` stands for numba dispatchers.

    Loops called from Python take an array of states, even those that use only the first: a scalar record would
    quadruple the cost of the call. Generators are given by their states, (N,) uint64.

    One position (`views`):

    `to_act(states, rewards)`           return the player to act, CHANCE or TERMINAL; fill the rewards of the last
                                        transition
    `legal_action_mask(states, mask)`, `chance_probabilities(states, out)`, `sample_chance(states)`,
    `observe(states, player, observation)`
                                        call the kernels of these names
    `observe_with_mask(states, player, observation, mask)`
                                        fill observation and mask; the mask is zero unless that player is to act
    `transition(states, action, mask, probabilities, rewards)`
                                        apply one decision or outcome after a check, then return as `to_act`; ILLEGAL
                                        and unchanged if it is illegal
    `begin(states)`                     resolve chance in a freshly set-up state, and start another game if chance ends
                                        it before any decision; return the player to act
    `decide(states, action, mask, rewards, scratch)`
                                        apply one decision after a check, and the chance after it; ILLEGAL and unchanged
                                        if it is illegal
    `first_without_decision(states)`    return the number of the first record in which no player is to act, or -1
    `random_action(state, bits, mask)`, `determinize(state, player, bits)`      see `CompleteKernels`

    Many games (`stepping`):

    `new_games(states)`                 start a game in every record
    `start(states, player, observation, mask)`
                                        resolve chance in freshly set-up states; fill the view of the player to act
    `step(steps, states, actions, player, observation, mask, rewards, terminated, final)`
                                        apply one decision in every lane, with autoreset, `steps` times
    `random_steps(steps, states, generators, player, observation, mask, rewards, terminated, final)`
                                        the same with a uniformly random legal action
    `heuristic_actions(states, actions)`
                                        fill the heuristic's action in each state

    Whole games (`playouts`):

    `random_playouts(states, generators, games, mask)`
                                        play whole games uniformly at random in each record; return the number of
                                        decisions
    `flat_monte_carlo(states, generators, playouts, actions, copies, mask, rewards)`
                                        fill, for each state, the action with the best mean return for the player to act
                                        over `playouts` random games, spread evenly over the legal actions; hidden parts
                                        are redrawn for each game; `copies`, an array of one record, `mask` and
                                        `rewards` (2, P) are scratch
    `mean_returns(states, generators, playouts, values, copies, mask, rewards)`
                                        fill `values` (N, A) with the mean returns of the player to act over such games;
                                        NaN for an action without a game
    """

    to_act: Callable[..., Any]
    legal_action_mask: Callable[..., Any]
    chance_probabilities: Callable[..., Any]
    sample_chance: Callable[..., Any]
    first_without_decision: Callable[..., Any]
    observe: Callable[..., Any]
    observe_with_mask: Callable[..., Any]
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
    def build(cls, kernels: CompleteKernels) -> GameLoops:
        """Specialise every loop to the kernels of a game; a loop is compiled when it is called first."""
        return cls(
            **views(kernels),
            **transitions(kernels),
            **stepping(kernels),
            **playouts(kernels),
            random_action=kernels.random_action,
            determinize=kernels.determinize,
        )
