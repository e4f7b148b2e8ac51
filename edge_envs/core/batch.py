"""Compiled loops over state records, generic over games: `Loops.build(game_type)` specialises them to one game.

Each loop is a closure over the game's kernels, so that numba compiles one function per loop and game and keeps it in
the game's own cache folder. Arrays are named as in `architecture`: N lanes, A actions, P players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.bits import bits_at, count_bits, select_bit
from edge_envs.core.jit import inlined_kernel, kernel, kernel_of
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.rng import below, draw, draw_at, mix, unit
from edge_envs.core.rows import row

if TYPE_CHECKING:
    from edge_envs.core.game import GameType

ILLEGAL = -9


@inlined_kernel
def _block(mask, start):
    """Up to 64 entries of an int8 mask (A,) from `start` on, as bits."""
    size = mask.shape[0]
    if start + 64 <= size:
        return bits_at(mask, start)
    if size >= 64:
        return bits_at(mask, size - 64) >> np.uint64(start + 64 - size)
    bits = np.uint64(0)
    for a in range(size):
        bits |= np.uint64(mask[a] != 0) << np.uint64(a)
    return bits


@inlined_kernel
def pick(mask, bits):
    """A uniform choice among the set entries of an int8 mask (A,), from 64 random bits; 0 if none is set."""
    size = mask.shape[0]
    total = 0
    for start in range(0, size, 64):
        total += count_bits(_block(mask, start))
    n = below(bits, total)
    for start in range(0, size, 64):
        block = _block(mask, start)
        count = count_bits(block)
        if n < count:
            return start + select_bit(block, n)
        n -= count
    return 0


@kernel
def first_illegal(masks, actions):
    """The first lane whose action is out of range or not set in its mask (N, A), or -1."""
    for i in range(actions.shape[0]):
        action = actions[i]
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            return i
    return -1


@dataclass(frozen=True)
class Loops:
    """The loops of one game, all compiled on first use; `Any` stands for numba dispatchers.

    Those called from Python take an array of states, of which some use the first only: a scalar record would cost four
    times the call.

    `sample_chance(state)`              an outcome from the state's own word
    `disguise(state, player, bits)`     a fresh word and, with imperfect information, fresh hidden parts
    `new_games(states)`                 the start of a game in every record
    `to_act(states, rewards)`           the player to act, CHANCE or TERMINAL; fills the rewards of the last transition
    `transition(states, action, mask, probabilities, rewards)`
                                        one checked decision or outcome, then as `to_act`; ILLEGAL and unchanged if not
                                        legal
    `begin(states)`                     resolve chance in a freshly set-up state; a game that nature ends before any
                                        decision gives way to the next; the player to act
    `decide(states, action, mask, rewards, scratch)`
                                        one checked decision and the chance after it; ILLEGAL and unchanged if not legal
    `look(states, player, observation, mask)`
                                        the view of a player, the mask zero unless that player is to act
    `legal(states, mask)`, `probabilities(states, out)`, `sample(states)`, `view(states, player, observation)`
                                        `legal_action_mask`, `chance_probabilities`, `sample_chance`, `observe`
    `start(states, player, observation, mask)`  settle freshly set-up states and fill the view of the player to act
    `step(steps, states, actions, player, observation, mask, rewards, terminated, final)`
                                        `steps` times one decision in every lane, with autoreset
    `random_steps(steps, states, words, player, observation, mask, rewards, terminated, final)`
                                        the same with a uniform pick from the mask
    `random_playouts(states, words, games, mask)`
                                        whole games of uniform play per state; the number of decisions
    `flat_monte_carlo(states, words, playouts, actions, copies, mask, rewards)`
                                        for each state the action that does best for the player to act in so many games
                                        of uniform play, spread evenly over the legal ones; hidden parts are drawn anew
                                        for each game; `copies`, an array of one record, `mask`, `rewards` are scratch
    `random_action(state, bits, mask)`  a uniform legal action; `mask` is scratch
    `heuristic_actions(states, actions)`  what the heuristic does in each state
    """

    sample_chance: Callable[..., Any]
    disguise: Callable[..., Any]
    new_games: Callable[..., Any]
    to_act: Callable[..., Any]
    transition: Callable[..., Any]
    begin: Callable[..., Any]
    decide: Callable[..., Any]
    look: Callable[..., Any]
    legal: Callable[..., Any]
    probabilities: Callable[..., Any]
    sample: Callable[..., Any]
    view: Callable[..., Any]
    start: Callable[..., Any]
    step: Callable[..., Any]
    random_steps: Callable[..., Any]
    random_playouts: Callable[..., Any]
    flat_monte_carlo: Callable[..., Any]
    random_action: Callable[..., Any]
    heuristic_actions: Callable[..., Any]

    @classmethod
    def build(cls, game_type: GameType) -> Loops:
        """Specialise every loop to the kernels of a game; nothing is compiled before its first call."""
        rules = game_type.kernels
        compiled = kernel_of(game_type.folder)
        new_game, apply, rewards_of = rules.new_game, rules.apply, rules.rewards
        current_player, observe, legal_action_mask = rules.current_player, rules.observe, rules.legal_action_mask
        chance_probabilities = rules.chance_probabilities
        sample_chance = rules.sample_chance or _inverse_sampling(game_type)
        random_action = _random_action(game_type)
        disguise = _disguise(game_type)
        heuristic = rules.heuristic

        @compiled
        def new_games(states):
            for i in range(states.shape[0]):
                new_game(states[i])

        @compiled
        def is_legal(state, player, action, mask, probabilities):
            if player == TERMINAL or action < 0:
                return False
            if player == CHANCE:
                if action >= probabilities.shape[0]:
                    return False
                chance_probabilities(state, probabilities)
                return probabilities[action] > 0.0
            if action >= mask.shape[0]:
                return False
            legal_action_mask(state, mask)
            return mask[action] != 0

        @compiled
        def transition(states, action, mask, probabilities, rewards):
            state = states[0]
            if not is_legal(state, current_player(state), action, mask, probabilities):
                return ILLEGAL
            apply(state, action)
            rewards_of(state, rewards)
            return current_player(state)

        @compiled
        def settle(states, rewards, scratch):
            state = states[0]
            player = current_player(state)
            while player == CHANCE:
                apply(state, sample_chance(state))
                rewards_of(state, scratch)
                for p in range(rewards.shape[0]):
                    rewards[p] += scratch[p]
                player = current_player(state)
            return player

        @compiled
        def decide(states, action, mask, rewards, scratch):
            state = states[0]
            player = current_player(state)
            if player == CHANCE or not is_legal(state, player, action, mask, scratch):
                return ILLEGAL
            apply(state, action)
            rewards_of(state, rewards)
            return settle(states, rewards, scratch)

        @compiled
        def look(states, player, observation, mask):
            state = states[0]
            observe(state, player, observation)
            if current_player(state) == player:
                legal_action_mask(state, mask)
            else:
                mask[:] = 0

        @compiled
        def legal(states, mask):
            legal_action_mask(states[0], mask)

        @compiled
        def probabilities(states, out):
            chance_probabilities(states[0], out)

        @compiled
        def sample(states):
            return sample_chance(states[0])

        @compiled
        def view(states, player, observation):
            observe(states[0], player, observation)

        @compiled
        def to_act(states, rewards):
            rewards_of(states[0], rewards)
            return current_player(states[0])

        @compiled
        def settle_start(state):
            player = current_player(state)
            while player == CHANCE:
                apply(state, sample_chance(state))
                player = current_player(state)
            return player

        @compiled
        def begin(state):
            """Settle a freshly set-up state; a game that nature ends before any decision gives way to the next."""
            player = settle_start(state)
            while player == TERMINAL:
                new_game(state)
                player = settle_start(state)
            return player

        @compiled
        def begin_first(states):
            return begin(states[0])

        @compiled
        def start(states, player, observation, mask):
            for i in range(states.shape[0]):
                state = states[i]
                player[i] = begin(state)
                legal_action_mask(state, row(mask, i))
                observe(state, player[i], row(observation, i))

        def steps_of(uniform: bool) -> Any:
            """The loop over lanes: with given actions, or with uniform picks from the masks drawn from words."""

            @kernel_of(game_type.folder, name=f"steps_{uniform}")
            def steps_loop(steps, states, given, player, observation, mask, rewards, terminated, final):
                scratch = np.empty(rewards.shape[1], rewards.dtype)
                for _ in range(steps):
                    for i in range(states.shape[0]):
                        state = states[i]
                        if uniform:
                            apply(state, pick(row(mask, i), draw_at(given, i)))
                        else:
                            apply(state, given[i])
                        rewards_of(state, row(rewards, i))
                        to_act = current_player(state)
                        while to_act == CHANCE:
                            apply(state, sample_chance(state))
                            rewards_of(state, scratch)
                            for p in range(scratch.shape[0]):
                                rewards[i, p] += scratch[p]
                            to_act = current_player(state)
                        terminated[i] = to_act == TERMINAL
                        if terminated[i]:
                            for p in range(final.shape[1]):
                                observe(state, p, row(row(final, i), p))
                            new_game(state)
                            to_act = begin(state)
                        player[i] = to_act
                        legal_action_mask(state, row(mask, i))
                        observe(state, to_act, row(observation, i))

            return steps_loop

        step, random_steps = steps_of(False), steps_of(True)

        @compiled
        def heuristic_actions(states, actions):
            for i in range(states.shape[0]):
                actions[i] = heuristic(states[i])

        @compiled
        def random_playouts(states, words, games, mask):
            decisions = 0
            for i in range(states.shape[0]):
                state = states[i]
                for _ in range(games):
                    new_game(state)
                    player = settle_start(state)
                    while player != TERMINAL:
                        apply(state, random_action(state, draw_at(words, i), mask))
                        decisions += 1
                        player = settle_start(state)
            return decisions

        @compiled
        def random_return(state, player, words, i, scratch, mask):
            """What a player gets from uniform play to the end, after a transition."""
            result = 0.0
            while True:
                rewards_of(state, scratch)
                result += scratch[player]
                to_act = current_player(state)
                if to_act == TERMINAL:
                    return result
                if to_act == CHANCE:
                    apply(state, sample_chance(state))
                else:
                    apply(state, random_action(state, draw_at(words, i), mask))

        @compiled
        def flat_monte_carlo(states, words, playouts, actions, copies, mask, scratch):
            for i in range(states.shape[0]):
                player = current_player(states[i])
                legal_action_mask(states[i], mask)
                legal = np.flatnonzero(mask)
                returns, games = np.zeros(legal.shape[0]), np.zeros(legal.shape[0])
                first = below(draw_at(words, i), legal.shape[0])
                for playout in range(playouts):
                    k = (first + playout) % legal.shape[0]
                    copies[0] = states[i]
                    disguise(copies[0], player, draw_at(words, i))
                    apply(copies[0], legal[k])
                    returns[k] += random_return(copies[0], player, words, i, scratch, mask)
                    games[k] += 1
                best = first
                for k in range(legal.shape[0]):
                    if games[k] > 0 and returns[k] / games[k] > returns[best] / games[best]:
                        best = k
                actions[i] = legal[best]

        return cls(
            sample_chance, disguise, new_games, to_act, transition, begin_first, decide, look, legal, probabilities,
            sample, view, start, step, random_steps, random_playouts, flat_monte_carlo, random_action,
            heuristic_actions,
        )  # fmt: skip


def _inverse_sampling(game_type: GameType) -> Callable[..., Any]:
    """`sample_chance` for a game that has none of its own: by the cumulated probabilities."""
    probabilities_of = game_type.kernels.chance_probabilities
    size = game_type.module("rules").MAX_CHANCE_OUTCOMES

    @kernel_of(game_type.folder)
    def sample_by_probabilities(state):
        probabilities = np.empty(size, np.float64)
        probabilities_of(state, probabilities)
        rest = unit(draw(state))
        last = 0
        for outcome in range(size):
            if probabilities[outcome] > 0.0:
                last = outcome
                rest -= probabilities[outcome]
                if rest < 0.0:
                    break
        return last

    return sample_by_probabilities


def _random_action(game_type: GameType) -> Callable[..., Any]:
    """A uniform legal action by the game's own kernel, or by the mask."""
    own = game_type.kernels.random_action
    legal_action_mask = game_type.kernels.legal_action_mask
    compiled = kernel_of(game_type.folder)
    if own is None:

        @compiled
        def random_by_mask(state, bits, mask):
            legal_action_mask(state, mask)
            return pick(mask, bits)

        return random_by_mask

    @compiled
    def random_by_kernel(state, bits, mask):
        return own(state, bits)

    return random_by_kernel


def _disguise(game_type: GameType) -> Callable[..., Any]:
    """A fresh word for a state that is handed to an agent, and fresh hidden parts where there are any."""
    resample = game_type.kernels.resample
    compiled = kernel_of(game_type.folder)
    if resample is None:

        @compiled
        def fresh_word(state, player, bits):
            state.rng = mix(bits)

        return fresh_word

    @compiled
    def fresh_word_and_hidden_parts(state, player, bits):
        state.rng = mix(bits)
        resample(state, player)

    return fresh_word_and_hidden_parts
