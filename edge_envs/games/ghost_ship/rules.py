"""The rules of `ghost_ship` as kernels on its state record: players to act, chance, and transitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.rng import below, draw
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Spec
from edge_envs.games.ghost_ship.actions import FIRST_CENTRE, FIRST_STACK, NUM_ACTIONS
from edge_envs.games.ghost_ship.knowledge.resampling import resample
from edge_envs.games.ghost_ship.map.geometry import CENTRE, NUM_WAYS
from edge_envs.games.ghost_ship.map.seas import SEAS
from edge_envs.games.ghost_ship.map.start import GOLD_AT_FIRST, SET_OUT
from edge_envs.games.ghost_ship.phases.acts import drift, drift_end
from edge_envs.games.ghost_ship.phases.arrivals import reveal
from edge_envs.games.ghost_ship.phases.choices import list_options
from edge_envs.games.ghost_ship.phases.creation import (
    begin_creation,
    choose_stack,
    complete,
    draw_tile,
    lay_filling,
    lay_symbol_tile,
    turn_up,
)
from edge_envs.games.ghost_ship.phases.derived import derive
from edge_envs.games.ghost_ship.phases.laying import (
    completion_chances,
    count_tiles,
    random_completion,
    random_tile,
    set_tiles,
)
from edge_envs.games.ghost_ship.phases.scoring import SCORE_UNIT, rewards
from edge_envs.games.ghost_ship.phases.spins import lose, move_ghost, name_number, spin
from edge_envs.games.ghost_ship.phases.travel import take_value, travel
from edge_envs.games.ghost_ship.phases.turns import begin_tour, declare, square_of_turn_player
from edge_envs.games.ghost_ship.pieces.draws import sample_index, spread
from edge_envs.games.ghost_ship.pieces.tiles import (
    DRAW_TILES,
    KIND_OF,
    NUM_CLASSES,
    NUM_SYMBOL_TILES,
    NUM_SYMBOLS,
    SIXES,
    STACKS,
    TILE_IDS,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    COMPLETE,
    DECLARE_PHASE,
    DRAW,
    DRAWN,
    DRIFT_PHASE,
    FEWEST,
    FILL,
    GHOST,
    GHOST_BACK,
    LOSE,
    MAX_PLAYERS,
    NUM_NUMBERS,
    NUM_VALUES,
    NUMBER,
    OVER,
    PHASES,
    PLACE,
    REVEAL,
    SPIN,
    STACK,
    SYMBOL_PHASE,
    TILE,
    VALUE,
    first_loser,
)

__all__ = [
    "MAX_CHANCE_OUTCOMES", "apply", "chance_probabilities", "current_player", "derive", "legal_action_mask", "new_game",
    "random_action", "resample", "rewards", "sample_chance", "spec", "turn_of",
]  # fmt: skip

MAX_CHANCE_OUTCOMES = FIRST_CENTRE + 2
SPINS = NUM_NUMBERS * NUM_WAYS
DECISIONS_OF_A_TURN = 10  # the declaration, the ghost's place, a number, five steps, an extra act, and the last one

# NODE_TYPES[random creation, phase]: CHANCE, TERMINAL, or 0 where a player acts.
NODE_TYPES = np.zeros((2, len(PHASES)), np.int64)
NODE_TYPES[:, [SYMBOL_PHASE, DRAW, COMPLETE, SPIN, LOSE, DRIFT_PHASE, REVEAL, VALUE]] = CHANCE
NODE_TYPES[1, [PLACE, STACK, FILL, GHOST]] = CHANCE
NODE_TYPES[:, OVER] = TERMINAL


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes of the game with these parameters."""
    at_random = params["creation"] == "random"
    chits = {int(value): count for value, count in params["chits"].items()}
    sea = SEAS.index(params["sea"])
    values = sorted((value for value, count in chits.items() for _ in range(count)), reverse=True)
    on_map = int(NUM_SYMBOL_TILES[sea])
    gold = len(GOLD_AT_FIRST[sea]) + int(DRAW_TILES[sea, SIXES])
    most = sum(values[:on_map]) + gold * max(1, min(chits[1], on_map))
    utility = most / SCORE_UNIT if params["score_reward"] else 1.0
    hands = sum(-(-int(size) // DRAWN) for size in STACKS[sea])
    creation = 0 if at_random else int((~SET_OUT[sea]).sum()) + hands + 1
    return Spec(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=MAX_CHANCE_OUTCOMES if at_random else SPINS,
        max_game_length=creation + params["max_turns"] * DECISIONS_OF_A_TURN,
        min_utility=-utility,
        max_utility=utility,
        utility_sum=0.0,
    )


@kernel
def new_game(state):
    """Set out ten tiles, and the boats in the corners. A symbol tile is to be turned up."""
    begin_creation(state)


@kernel
def current_player(state):
    """Return the player to act; `CHANCE`, which also decides in a random creation; or `TERMINAL`."""
    acts = NODE_TYPES[state.random, state.phase]
    return acts if acts else np.int64(state.decider)


@kernel
def legal_action_mask(state, out):
    """Fill `out` (2096,) with the legal actions."""
    for action in range(NUM_ACTIONS):
        out[action] = 0
    if state.phase == PLACE or state.phase == FILL:
        set_tiles(state, out, 1)
        return
    for k in range(np.int64(state.num_options)):
        out[state.options[k]] = 1


@kernel
def random_action(state, bits):
    """Return a uniformly random legal action, from 64 random bits."""
    if state.phase == PLACE or state.phase == FILL:
        return random_tile(state, bits)
    return np.int64(state.options[below(bits, np.int64(state.num_options))])


# Chance


@kernel
def _class_entered(state):
    """Return the class of the tile that the turn player has entered."""
    return np.int64(KIND_OF[state.squares[square_of_turn_player(state), TILE]])


@kernel
def chance_probabilities(state, out):
    """Fill `out` with the probabilities of the outcomes at a chance node."""
    for outcome in range(out.shape[0]):
        out[outcome] = 0.0
    phase = state.phase
    if phase == SPIN:
        for outcome in range(SPINS):
            out[outcome] = 1.0 / SPINS
    elif phase == VALUE:
        spread(state.pool, NUM_VALUES, out)
    elif phase == LOSE:
        spread(state.own[first_loser(state)], NUM_VALUES, out)
    elif phase == DRIFT_PHASE:
        _drift_chances(state, out)
    elif phase == REVEAL:
        spread(state.tiles_left[:, _class_entered(state)], NUM_SYMBOLS, out)
    elif phase == DRAW:
        spread(state.deck, state.deck.shape[0], out)
    elif phase == COMPLETE:
        completion_chances(state, out)
    elif phase == SYMBOL_PHASE and state.covered:
        spread(state.tiles_left[UNSEEN], NUM_CLASSES, out)
    elif phase == SYMBOL_PHASE:
        spread(state.tiles_left[:NUM_SYMBOLS].reshape(NUM_SYMBOLS * NUM_CLASSES), NUM_SYMBOLS * NUM_CLASSES, out)
    else:
        _decision_chances(state, out)


@kernel
def _count_drifts(state, square):
    """Return the number of directions that move a boat at sea on a tile."""
    count = 0
    for way in range(NUM_WAYS):
        count += drift_end(state, square, way) >= 0
    return count


@kernel
def _drift_chances(state, out):
    square = square_of_turn_player(state)
    count = _count_drifts(state, square)
    for way in range(NUM_WAYS):
        if drift_end(state, square, way) >= 0:
            out[way] = 1.0 / count


@kernel
def _decision_chances(state, out):
    """Fill `out` with equal probabilities of all actions that a player could choose."""
    if state.phase == PLACE or state.phase == FILL:
        set_tiles(state, out, 1.0 / count_tiles(state))
        return
    for k in range(np.int64(state.num_options)):
        out[state.options[k]] = 1.0 / np.int64(state.num_options)


@kernel
def sample_chance(state):
    """Return a random outcome with the probabilities of `chance_probabilities`, drawn with the state's generator."""
    bits = draw(state)
    phase = state.phase
    if phase == SPIN:
        return below(bits, SPINS)
    if phase == VALUE:
        return sample_index(state.pool, NUM_VALUES, bits)
    if phase == LOSE:
        return sample_index(state.own[first_loser(state)], NUM_VALUES, bits)
    if phase == DRIFT_PHASE:
        return _random_drift(state, bits)
    if phase == REVEAL:
        return sample_index(state.tiles_left[:, _class_entered(state)], NUM_SYMBOLS, bits)
    if phase == DRAW:
        return sample_index(state.deck, state.deck.shape[0], bits)
    if phase == COMPLETE:
        return random_completion(state, bits)
    if phase == SYMBOL_PHASE and state.covered:
        return sample_index(state.tiles_left[UNSEEN], NUM_CLASSES, bits)
    if phase == SYMBOL_PHASE:
        size = NUM_SYMBOLS * NUM_CLASSES
        return sample_index(state.tiles_left[:NUM_SYMBOLS].reshape(size), size, bits)
    return random_action(state, bits)


@kernel
def _random_drift(state, bits):
    square = square_of_turn_player(state)
    n = below(bits, _count_drifts(state, square))
    for way in range(NUM_WAYS):
        if drift_end(state, square, way) >= 0:
            if n == 0:
                return way
            n -= 1
    return 0


@kernel
def apply(state, action):
    """Apply an action or a chance outcome and everything that follows without a decision."""
    phase = state.phase
    if phase >= DECLARE_PHASE:
        _apply_in_tour(state, phase, np.int64(action))
    else:
        _apply_in_creation(state, phase, np.int64(action))
    list_options(state)


@kernel
def _apply_in_creation(state, phase, action):
    if phase == SYMBOL_PHASE:
        turn_up(state, action)
    elif phase == PLACE:
        lay_symbol_tile(state, action // TILE_IDS, action % TILE_IDS)
    elif phase == STACK:
        choose_stack(state, action - FIRST_STACK)
    elif phase == DRAW:
        draw_tile(state, action)
    elif phase == FILL:
        lay_filling(state, action // TILE_IDS, action % TILE_IDS)
    elif phase == COMPLETE:
        complete(state, action)
    else:
        begin_tour(state, np.int64(CENTRE[action - FIRST_CENTRE]))


@kernel
def _apply_in_tour(state, phase, action):
    if phase == SPIN:
        spin(state, FEWEST + action // NUM_WAYS, action % NUM_WAYS)
    elif phase == DECLARE_PHASE:
        declare(state, action)
    elif phase == GHOST_BACK:
        move_ghost(state, np.int64(CENTRE[action - FIRST_CENTRE]))
    elif phase == LOSE:
        lose(state, action)
    elif phase == NUMBER:
        name_number(state, action)
    elif phase == DRIFT_PHASE:
        drift(state, action)
    elif phase == REVEAL:
        reveal(state, action)
    elif phase == VALUE:
        take_value(state, action)
    else:
        travel(state, action)


@kernel
def turn_of(state):
    """Return a number that changes with each turn; in phase 1, where players lay tiles in turn, with each player."""
    return np.int64(state.turn) * MAX_PLAYERS + np.int64(state.turn_player)
