"""`SeatLoops`: compiled loops for lanes with one learning seat each; see `edge_envs.core.loops.seat_codes`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import Decorator, kernel
from edge_envs.core.kernels.rng import below, draw, draw_at, unit
from edge_envs.core.kernels.rows import row
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.loops.seat_codes import ENDED, HEURISTIC, LEARNER, MOST_REPLACED, NEVER, RANDOM, SAME_STEP, STAY
from edge_envs.core.nodes import CHANCE, TERMINAL


class SeatAgent(NamedTuple):
    """The arrays of an opponent object that plays inside the loops, for N lanes.

    | array | content |
    |---|---|
    | `code` | (1,) the code of its seats |
    | `words` | uint64 (N,), seed the generators of the copies that it gets, as in `SeatLoops.ask` |
    | `copy` | one state record, the copy of a position without what the seat does not know |
    | `mask` | int8 (A,) scratch |
    | `log` | int64 (K,) its last decisions; with K = 0 they are not kept |
    | `logged` | (1,) their number; once the log is full, its decisions are left to Python |
    | `memory` | what its kernel `decide` needs |
    """

    code: Any
    words: Any
    copy: Any
    mask: Any
    log: Any
    logged: Any
    memory: Any


@dataclass(frozen=True)
class SeatDecider:
    """How an opponent object decides inside the loops.

    Attributes:
        decide: The kernel `decide(state, i, memory) -> action` in lane i. It must choose as the object's `act` does.
        compiled: The decorator of `CompleteKernels`, with the folders of all sources that `decide` reaches.
    """

    decide: Any
    compiled: Decorator


@dataclass(frozen=True)
class SeatLoops:
    """The seat loops of one game, compiled on first use; `Any` stands for numba dispatchers.

    `mixes` (P - 1, K) holds the cumulative weights of the codes 1..K for each other seat, from the learner's left.
    `seat` is the learner's, or -1 to draw it for each game. `final` (N, *shape) receives the learner's last view.
    `agent` is the `SeatAgent` of the opponent object that plays inside the loops, or None if there is none.

    `start(states, lanes, which, seat, mixes, final, mask, agent)`
                                        run the lanes selected by the bool array `which` (N,) from the positions in
                                        `states`; return whether Python has to settle any of them: an object has to
                                        decide, or the learner has no decision
    `step(states, lanes, actions, masks, forfeit, autoreset, seat, mixes, final, mask, agent)`
                                        apply the learners' decisions; an action that is illegal by `masks` gets the
                                        reward `forfeit`; return as `start` does
    `resume(states, lanes, indices, actions, autoreset, seat, mixes, final, mask, agent)`
                                        apply an object's decisions
    `observe(states, lanes, observation, masks)`
                                        fill the views of the learners; masks are zero after the end
    `ask(states, words, indices, players, observation, masks, copies)`
                                        fill the arguments of an object for some lanes; `words` (N,) seed the
                                        generators of the copies
    """

    start: Callable[..., Any]
    step: Callable[..., Any]
    resume: Callable[..., Any]
    observe: Callable[..., Any]
    ask: Callable[..., Any]

    @classmethod
    def build(cls, kernels: CompleteKernels, heuristic: bool, decider: SeatDecider | None = None) -> SeatLoops:
        """Specialise every loop to the kernels of a game; a loop is compiled when it is called first.

        Args:
            kernels: The game's kernels.
            heuristic: Whether seats may have the code `HEURISTIC`. Otherwise the heuristic is not compiled.
            decider: How the opponent object in `agent` decides; None if there is none.
        """
        compiled = decider.compiled if decider else kernels.compiled
        decide = _agent_decision(kernels, decider.decide, compiled) if decider else no_decision
        play_on = _play_on(kernels, heuristic, decide, compiled)
        return cls(**_moves(kernels, _run(kernels, play_on, compiled), compiled), **_views(kernels))


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


@kernel
def no_decision(code, state, i, agent):
    """Leave every decision to Python."""
    return -1


def _agent_decision(kernels: CompleteKernels, decide: Any, compiled: Decorator) -> Any:
    """Build the kernel `decide_for(code, state, i, agent) -> action` of a seat in lane i.

    It returns -1 to leave the decision to Python. The object gets the same copy of the position as in Python. Forced
    actions are played without it.
    """
    current_player, legal_action_mask, determinize = (
        kernels.current_player,
        kernels.legal_action_mask,
        kernels.determinize,
    )

    @compiled
    def decide_for(code, state, i, agent):
        if code != agent.code[0] or (agent.log.shape[0] > 0 and agent.logged[0] >= agent.log.shape[0]):
            return -1
        agent.copy[0] = state
        determinize(agent.copy[0], current_player(state), draw_at(agent.words, i))
        legal_action_mask(state, agent.mask)
        action, legal = -1, 0
        for a in range(agent.mask.shape[0]):
            if agent.mask[a] != 0:
                legal += 1
                if action < 0:
                    action = a
        if legal > 1:
            action = np.int64(decide(agent.copy[0], i, agent.memory))
        if agent.log.shape[0] > 0:
            agent.log[agent.logged[0]] = action
            agent.logged[0] += 1
        return action

    return decide_for


def _play_on(kernels: CompleteKernels, with_heuristic: bool, decide: Any, compiled: Decorator) -> Any:
    current_player, apply, rewards_of, heuristic = (
        kernels.current_player,
        kernels.apply,
        kernels.rewards,
        kernels.heuristic,
    )
    sample_chance, random_action = kernels.sample_chance, kernels.random_action

    @compiled
    def play_on(state, lane, i, mask, scratch, agent):
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
                    action = decide(code, state, i, agent)
                    if action < 0:
                        return code
            apply(state, action)
            rewards_of(state, scratch)
            if not lane.fresh:
                lane.reward += scratch[lane.learner]

    return play_on


def _run(kernels: CompleteKernels, play_on: Any, compiled: Decorator) -> Any:
    new_game, observe = kernels.new_game, kernels.observe

    @compiled
    def run(state, lane, i, autoreset, seat, mixes, final, mask, scratch, agent):
        """Play until the lane waits; a game that ends before the learner's first decision is replaced."""
        while True:
            code = play_on(state, lane, i, mask, scratch, agent)
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


def _moves(kernels: CompleteKernels, run: Any, compiled: Decorator) -> dict[str, Callable[..., Any]]:
    """Build the loops that play, by their names in `SeatLoops`."""
    new_game, apply, rewards_of, observe = kernels.new_game, kernels.apply, kernels.rewards, kernels.observe

    @compiled
    def start(states, lanes, which, seat, mixes, final, mask, agent):
        scratch = np.empty(mixes.shape[0] + 1)
        unsettled = False
        for i in range(states.shape[0]):
            if which[i]:
                lanes[i].reward = 0.0
                lanes[i].terminated = False
                lanes[i].replaced = 0
                _seat_players(lanes[i], seat, mixes)
                run(states[i], lanes[i], i, SAME_STEP, seat, mixes, row(final, i), mask, scratch, agent)
                unsettled |= lanes[i].waiting > LEARNER or lanes[i].waiting == NEVER
        return unsettled

    @compiled
    def step(states, lanes, actions, masks, forfeit, autoreset, seat, mixes, final, mask, agent):
        scratch = np.empty(mixes.shape[0] + 1)
        unsettled = False
        for i in range(states.shape[0]):
            state, lane = states[i], lanes[i]
            lane.reward = 0.0
            lane.terminated = False
            lane.replaced = 0
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
                apply(state, actions[i])
                rewards_of(state, scratch)
                lane.reward = scratch[lane.learner]
            run(state, lane, i, autoreset, seat, mixes, row(final, i), mask, scratch, agent)
            unsettled |= lane.waiting > LEARNER or lane.waiting == NEVER
        return unsettled

    @compiled
    def resume(states, lanes, indices, actions, autoreset, seat, mixes, final, mask, agent):
        scratch = np.empty(mixes.shape[0] + 1)
        for k in range(indices.shape[0]):
            i = indices[k]
            state, lane = states[i], lanes[i]
            apply(state, actions[k])
            rewards_of(state, scratch)
            if not lane.fresh:
                lane.reward += scratch[lane.learner]
            run(state, lane, i, autoreset, seat, mixes, row(final, i), mask, scratch, agent)

    return {"start": start, "step": step, "resume": resume}


def _views(kernels: CompleteKernels) -> dict[str, Callable[..., Any]]:
    """Build the loops that fill views, by their names in `SeatLoops`."""
    compiled, current_player, observe = kernels.compiled, kernels.current_player, kernels.observe
    legal_action_mask, determinize = kernels.legal_action_mask, kernels.determinize

    @compiled
    def observe_learners(states, lanes, observation, masks):
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

    return {"observe": observe_learners, "ask": ask}
