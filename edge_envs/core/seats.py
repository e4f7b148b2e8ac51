"""Compiled loops for one learning seat per lane, all other seats being played inside; generic over games.

A lane is a game and a record of the dtype `LANE`. Each seat of a lane has a code: `LEARNER`, `RANDOM`, `HEURISTIC`,
or `FIRST_OBJECT` + k for opponent object k, whose decisions are asked for in Python. A lane runs until it waits for
the learner or an object, or until its game has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.jit import kernel_of
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.rng import below, draw, draw_at, unit
from edge_envs.core.rows import row

if TYPE_CHECKING:
    from edge_envs.core.game import GameType

MAX_SEATS = 16
NEVER, ENDED, LEARNER, RANDOM, HEURISTIC, FIRST_OBJECT = -2, -1, 0, 1, 2, 3
MOST_REPLACED = 10_000  # games in a row without a decision of the learner, before its lane gives up and waits for NEVER

# What becomes of a game that has ended: it stays as it is; it is a new game in the next step, or in the same step.
STAY, NEXT_STEP, SAME_STEP = 0, 1, 2

LANE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),  # the second word: seats, opponents
                ("reward", np.float64),  # the learner's, since its last decision
                ("waiting", np.int16),  # the code of who is to decide, ENDED, or NEVER
                ("replaced", np.int32),  # games in a row that ended before the learner's first decision
                ("learner", np.int16),  # the learner's seat
                ("fresh", np.bool_),  # the learner has not yet decided in this game
                ("terminated", np.bool_),  # the learner's game ended in this step
                ("opening", np.int32),  # decisions at the start of each game that are drawn uniformly
                ("to_draw", np.int32),  # of them, those that are still to come in this game
                ("codes", np.int16, (MAX_SEATS,)),  # who plays each seat
            ],
            align=True,
        ),
    )
)


@dataclass(frozen=True)
class SeatLoops:
    """The seat loops of one game, compiled on first use; `Any` stands for numba dispatchers.

    `mixes` (P - 1, K) holds for each other seat, from the learner's left, the cumulated weights of the codes 1..K.
    `seat` is the learner's, or -1 to draw it for each game. `final` (N, *shape) takes the learner's view of an end.

    `start(states, lanes, which, seat, mixes, final, mask)`      run the lanes named by the bool array `which` (N,)
                                                                 from the set-up positions in `states`
    `step(states, lanes, actions, masks, forfeit, autoreset, seat, mixes, final, mask)`
                                                                 the learners' decisions; an action that `masks` forbids
                                                                 costs `forfeit`
    `resume(states, lanes, indices, actions, autoreset, seat, mixes, final, mask)`   an object's decisions
    `look(states, lanes, observation, masks)`                    what the learners see; masks zero where ended
    `ask(states, words, indices, players, observation, masks, copies)`
                                                                 what an object is handed for some lanes; `words` (N,)
                                                                 give the copies their fresh random words
    """

    start: Callable[..., Any]
    step: Callable[..., Any]
    resume: Callable[..., Any]
    look: Callable[..., Any]
    ask: Callable[..., Any]

    @classmethod
    def build(cls, game_type: GameType) -> SeatLoops:
        """Specialise every loop to the kernels of a game; nothing is compiled before its first call."""
        rules, loops = game_type.kernels, game_type.loops
        compiled = kernel_of(game_type.folder)
        new_game, apply, rewards_of, heuristic = rules.new_game, rules.apply, rules.rewards, rules.heuristic
        current_player, observe, legal_action_mask = rules.current_player, rules.observe, rules.legal_action_mask
        sample_chance, random_action, disguise = loops.sample_chance, loops.random_action, loops.disguise

        @compiled
        def seat_players(lane, seat, mixes):
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

        @compiled
        def play_on(state, lane, mask, scratch):
            """Play until the learner, an object or the end; returns who is to decide."""
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
                    elif code == HEURISTIC:
                        action = heuristic(state)
                    else:
                        return code
                apply(state, action)
                rewards_of(state, scratch)
                if not lane.fresh:
                    lane.reward += scratch[lane.learner]

        @compiled
        def run(state, lane, autoreset, seat, mixes, final, mask, scratch):
            """Play on; a game that ends before the learner's first decision is replaced by the next."""
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
                seat_players(lane, seat, mixes)

        @compiled
        def start(states, lanes, which, seat, mixes, final, mask):
            scratch = np.empty(mixes.shape[0] + 1)
            for i in range(states.shape[0]):
                if which[i]:
                    lanes[i].reward = 0.0
                    lanes[i].terminated = False
                    lanes[i].replaced = 0
                    seat_players(lanes[i], seat, mixes)
                    run(states[i], lanes[i], SAME_STEP, seat, mixes, final[i], mask, scratch)

        @compiled
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
                    seat_players(lane, seat, mixes)
                elif actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
                    lane.reward = forfeit
                    lane.terminated = True
                    observe(state, lane.learner, row(final, i))
                    if autoreset != SAME_STEP:
                        lane.waiting = ENDED
                        continue
                    new_game(state)
                    seat_players(lane, seat, mixes)
                else:
                    lane.fresh = False
                    lane.replaced = 0
                    apply(state, actions[i])
                    rewards_of(state, scratch)
                    lane.reward = scratch[lane.learner]
                run(state, lane, autoreset, seat, mixes, final[i], mask, scratch)

        @compiled
        def resume(states, lanes, indices, actions, autoreset, seat, mixes, final, mask):
            scratch = np.empty(mixes.shape[0] + 1)
            for k in range(indices.shape[0]):
                i = indices[k]
                state, lane = states[i], lanes[i]
                apply(state, actions[k])
                rewards_of(state, scratch)
                if not lane.fresh:
                    lane.reward += scratch[lane.learner]
                run(state, lane, autoreset, seat, mixes, final[i], mask, scratch)

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
                    disguise(copies[k], players[k], draw_at(words, indices[k]))

        return cls(start, step, resume, look, ask)
