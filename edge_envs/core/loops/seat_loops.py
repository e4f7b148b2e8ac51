"""`SeatLoops`: compiled loops for lanes with one learning seat each; see `edge_envs.core.loops.seat_codes`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.rng import below, draw, draw_at, unit
from edge_envs.core.kernels.rows import row
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.loops.seat_codes import ENDED, HEURISTIC, LEARNER, MOST_REPLACED, NEVER, RANDOM, SAME_STEP, STAY
from edge_envs.core.nodes import CHANCE, TERMINAL


@dataclass(frozen=True)
class SeatLoops:
    """The seat loops of one game, compiled on first use; `Any` stands for numba dispatchers.

    `mixes` (P - 1, K) holds the cumulative weights of the codes 1..K for each other seat, from the learner's left.
    `seat` is the learner's, or -1 to draw it for each game. `final` (N, *shape) receives the learner's last view.

    `start(states, lanes, which, seat, mixes, final, mask)`
                                        run the lanes selected by the bool array `which` (N,) from the positions in
                                        `states`
    `step(states, lanes, actions, masks, forfeit, autoreset, seat, mixes, final, mask)`
                                        apply the learners' decisions; an action that is illegal by `masks` gets the
                                        reward `forfeit`
    `resume(states, lanes, indices, actions, autoreset, seat, mixes, final, mask)`
                                        apply an object's decisions
    `look(states, lanes, observation, masks)`
                                        fill the views of the learners; masks are zero after the end
    `ask(states, words, indices, players, observation, masks, copies)`
                                        fill the arguments of an object for some lanes; `words` (N,) seed the
                                        generators of the copies
    """

    start: Callable[..., Any]
    step: Callable[..., Any]
    resume: Callable[..., Any]
    look: Callable[..., Any]
    ask: Callable[..., Any]

    @classmethod
    def build(cls, rules: CompleteKernels, heuristic: bool) -> SeatLoops:
        """Specialise every loop to the kernels of a game; a loop is compiled when it is called first.

        Args:
            rules: The game's kernels.
            heuristic: Whether seats may have the code `HEURISTIC`. Otherwise the heuristic is not compiled.
        """
        return cls(**_moves(rules, _run(rules, _play_on(rules, heuristic))), **_views(rules))


@kernel
def _seat_players(lane, seat, mixes):
    """Draw the learner's seat and the opponents of a game."""
    players = mixes.shape[0] + 1
    lane.learner = seat if seat >= 0 else below(draw(lane), players)
    lane.codes[lane.learner] = LEARNER
    for j in range(players - 1):
        u = unit(draw(lane))
        k = 0
        while u >= mixes[j, k]:
            k += 1
        lane.codes[(lane.learner + 1 + j) % players] = RANDOM + k
    lane.fresh = True
    lane.to_draw = lane.opening


def _play_on(rules: CompleteKernels, with_heuristic: bool) -> Any:
    current_player, apply, rewards_of, heuristic = rules.current_player, rules.apply, rules.rewards, rules.heuristic
    sample_chance, random_action = rules.sample_chance, rules.random_action

    @rules.named(f"play_on_{with_heuristic}")
    def play_on(state, lane, mask, scratch):
        """Play until the learner or an object has to decide, or the end; return that seat's code or ENDED."""
        while True:
            player = current_player(state)
            if player == TERMINAL:
                return ENDED
            if player == CHANCE:
                action = sample_chance(state)
            else:
                code = lane.codes[player]
                if lane.to_draw > 0:
                    lane.to_draw -= 1
                    code = RANDOM
                if code == RANDOM:
                    action = random_action(state, draw(lane), mask)
                elif with_heuristic and code == HEURISTIC:
                    action = heuristic(state)
                else:
                    return code
            apply(state, action)
            rewards_of(state, scratch)
            if not lane.fresh:
                lane.reward += scratch[lane.learner]

    return play_on


def _run(rules: CompleteKernels, play_on: Any) -> Any:
    new_game, observe = rules.new_game, rules.observe

    @rules.compiled
    def run(state, lane, autoreset, seat, mixes, final, mask, scratch):
        """Play until the lane waits; a game that ends before the learner's first decision is replaced."""
        while True:
            code = play_on(state, lane, mask, scratch)
            if code != ENDED:
                lane.waiting = code
                return
            if not lane.fresh:
                lane.terminated = True
                observe(state, lane.learner, final)
                if autoreset != SAME_STEP:
                    lane.waiting = ENDED
                    return
            else:
                lane.replaced += 1
                if lane.replaced > MOST_REPLACED:
                    lane.waiting = NEVER
                    return
            new_game(state)
            _seat_players(lane, seat, mixes)

    return run


def _moves(rules: CompleteKernels, run: Any) -> dict[str, Callable[..., Any]]:
    """Build the loops that play, by their names in `SeatLoops`."""
    new_game, apply, rewards_of, observe = rules.new_game, rules.apply, rules.rewards, rules.observe

    @rules.compiled
    def start(states, lanes, which, seat, mixes, final, mask):
        scratch = np.empty(mixes.shape[0] + 1)
        for i in range(states.shape[0]):
            if which[i]:
                lanes[i].reward = 0.0
                lanes[i].terminated = False
                lanes[i].replaced = 0
                _seat_players(lanes[i], seat, mixes)
                run(states[i], lanes[i], SAME_STEP, seat, mixes, row(final, i), mask, scratch)

    @rules.compiled
    def step(states, lanes, actions, masks, forfeit, autoreset, seat, mixes, final, mask):
        scratch = np.empty(mixes.shape[0] + 1)
        for i in range(states.shape[0]):
            state, lane = states[i], lanes[i]
            lane.reward = 0.0
            lane.terminated = False
            if lane.waiting == ENDED:
                if autoreset == STAY:
                    continue
                new_game(state)
                _seat_players(lane, seat, mixes)
            elif actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
                lane.reward = forfeit
                lane.terminated = True
                observe(state, lane.learner, row(final, i))
                if autoreset != SAME_STEP:
                    lane.waiting = ENDED
                    continue
                new_game(state)
                _seat_players(lane, seat, mixes)
            else:
                lane.fresh = False
                lane.replaced = 0
                apply(state, actions[i])
                rewards_of(state, scratch)
                lane.reward = scratch[lane.learner]
            run(state, lane, autoreset, seat, mixes, row(final, i), mask, scratch)

    @rules.compiled
    def resume(states, lanes, indices, actions, autoreset, seat, mixes, final, mask):
        scratch = np.empty(mixes.shape[0] + 1)
        for k in range(indices.shape[0]):
            i = indices[k]
            state, lane = states[i], lanes[i]
            apply(state, actions[k])
            rewards_of(state, scratch)
            if not lane.fresh:
                lane.reward += scratch[lane.learner]
            run(state, lane, autoreset, seat, mixes, row(final, i), mask, scratch)

    return {"start": start, "step": step, "resume": resume}


def _views(rules: CompleteKernels) -> dict[str, Callable[..., Any]]:
    """Build the loops that fill views, by their names in `SeatLoops`."""
    compiled, current_player, observe = rules.compiled, rules.current_player, rules.observe
    legal_action_mask, determinize = rules.legal_action_mask, rules.determinize

    @compiled
    def look(states, lanes, observation, masks):
        for i in range(states.shape[0]):
            observe(states[i], lanes[i].learner, row(observation, i))
            if lanes[i].waiting == LEARNER:
                legal_action_mask(states[i], row(masks, i))
            else:
                masks[i, :] = 0

    @compiled
    def ask(states, words, indices, players, observation, masks, copies):
        for k in range(indices.shape[0]):
            state = states[indices[k]]
            players[k] = current_player(state)
            observe(state, players[k], row(observation, k))
            legal_action_mask(state, row(masks, k))
            if copies.shape[0] > 0:
                copies[k] = state
                determinize(copies[k], players[k], draw_at(words, indices[k]))

    return {"look": look, "ask": ask}
