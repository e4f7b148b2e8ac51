"""Phase 2 of `ghost_ship`: turns, the ghost, travelling, taking."""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import kernel
from edge_envs.games.ghost_ship.actions import (
    DECLARE,
    END,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    GO,
    SAVE_PLUS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.board import put_chits, put_ghost, put_gold, turn_face_up
from edge_envs.games.ghost_ship.choices import chit_cost, in_storm, is_free, list_options, step_cost
from edge_envs.games.ghost_ship.company import count_for_others, first_loser, meet
from edge_envs.games.ghost_ship.creation import clear_turn
from edge_envs.games.ghost_ship.geometry import (
    AROUND,
    C0,
    C1,
    EDGE_REGION,
    K0,
    NEXT,
    NUM_SPOTS,
    OUTSIDE,
    REGION,
    RIM,
    S,
)
from edge_envs.games.ghost_ship.record import (
    CHITS,
    DECLARE_PHASE,
    DRIFT,
    DRIFT_PHASE,
    EXTRA_CHIT,
    EXTRA_GHOST,
    FEWEST,
    FRIENDLY,
    GAINED,
    GHOST_BACK,
    HOSTILE,
    LOSE,
    LOST,
    MOST,
    NO_EXTRA,
    NO_SYMBOL,
    NUMBER,
    OVER,
    REVEAL,
    SALVAGE,
    SEARCH,
    SKULL,
    SPIN,
    STEAL,
    STORM,
    SWIM,
    SYMBOL,
    TILE,
    TRAVEL,
    TRAVEL_PHASE,
    UNSEEN,
    VALUE,
)

SWIMS, ASKED = 4, 4
"""The results that swimming needs, and a search among the hostile or in ruins."""
SKIPS_AFTER = 2
"""A search among the hostile with this result costs a turn."""


@kernel
def square_of_turn_player(state):
    """The tile of the turn player's active pawn, which is on no board-edge circle."""
    return np.int64(state.pawn[state.turn_player]) // NUM_SPOTS


# Turns


@kernel
def begin_tour(state, square):
    """The ghost is put; the first turn begins."""
    put_ghost(state, square)
    state.turn_player = np.int64(state.num_players) - 1
    _begin_next_turn(state)


@kernel
def _begin_next_turn(state):
    """The next player's turn; turns that are owed are paid. The limit ends the game."""
    player = np.int64(state.turn_player)
    while state.turn < state.max_turns:
        player = (player + 1) % np.int64(state.num_players)
        state.turn += 1
        state.turn_player = player
        state.decider = player
        if state.skip[player] == 0:
            state.phase = DECLARE_PHASE
            return
        state.skip[player] -= 1
    state.phase = OVER


@kernel
def end_turn(state):
    """Nothing is left of the turn."""
    clear_turn(state)
    state.decider = state.turn_player
    _begin_next_turn(state)


@kernel
def _end_game(state):
    clear_turn(state)
    state.decider = state.turn_player
    state.phase = OVER


@kernel
def declare(state, action):
    """What the turn is for; saving ends it at once."""
    player = state.turn_player
    if action >= SAVE_PLUS:
        state.saved[player] += 1 if action == SAVE_PLUS else -1
        state.triple_number[player] = 0
        state.triple_count[player] = 0
        end_turn(state)
    else:
        state.declared = action - DECLARE
        state.phase = SPIN


# The ghost


@kernel
def spin(state, number, way):
    """The number waits until the ghost has moved."""
    state.spun_number = number
    state.spun_way = way
    square = np.int64(AROUND[state.ghost, way])
    if square < 0:
        state.phase = GHOST_BACK
    else:
        ghost_goes(state, square)


@kernel
def ghost_goes(state, square):
    """To a tile where it takes a chit of everybody whose active pawn is there."""
    put_ghost(state, square)
    losers = 0
    for player in range(np.int64(state.num_players)):
        place = np.int64(state.pawn[player])
        if place < RIM and place // NUM_SPOTS == square and state.num_chits[player]:
            losers |= 1 << player
    state.losers = losers
    if losers:
        state.phase = LOSE
    else:
        _after_ghost(state)


@kernel
def lose(state, k):
    """A chit of the next loser is out of the game."""
    player = first_loser(state)
    state.own[player, k] -= 1
    state.lost[player, k] += 1
    state.num_chits[player] -= 1
    state.losers = np.int64(state.losers) & ~(1 << player)
    count_for_others(state, player, LOST)
    meet(state)
    if state.losers:
        return
    if state.arriving:
        _arrived(state)
    else:
        _after_ghost(state)


@kernel
def _after_ghost(state):
    """The act of a turn that has just been spun, or more of a travel in which the ghost was moved."""
    if state.spun_number:
        _fix_result(state, _is_triple(state))
    else:
        _go_on(state)


# The result


@kernel
def _is_triple(state):
    """Count the number; the third in a row restarts the count."""
    player, number = state.turn_player, state.spun_number
    if state.triple_number[player] != number:
        state.triple_number[player] = number
        state.triple_count[player] = 1
        return False
    if state.triple_count[player] < 2:
        state.triple_count[player] += 1
        return False
    state.triple_number[player] = 0
    state.triple_count[player] = 0
    return True


@kernel
def _fix_result(state, triple):
    """The number with the saved points; then the act."""
    player = np.int64(state.turn_player)
    number, way = np.int64(state.spun_number), np.int64(state.spun_way)
    result = min(max(number + np.int64(state.saved[player]), FEWEST), MOST)
    state.saved[player] = 0
    state.spun_number = 0
    state.spun_way = 0
    declared = state.declared
    if declared == TRAVEL:
        _begin_travel(state, result, number if triple else 0)
    elif declared == DRIFT:
        drift(state, way)
    elif declared == SALVAGE:
        state.phase = VALUE
    elif declared == SWIM:
        _swim(state, result)
    elif declared == SEARCH:
        _search(state, result)
    else:
        _steal(state, np.int64(declared) - STEAL)


@kernel
def _begin_travel(state, result, triple):
    """As many points as the result, unless this is a triple."""
    if triple == 2:
        state.phase = NUMBER
        return
    state.result = result
    state.points = 1 if triple == 4 else result
    if triple == 3:
        state.extra = EXTRA_CHIT
    elif triple == 5:
        players = np.int64(state.num_players)
        state.decider = (np.int64(state.turn_player) + players - 1) % players
    _go_on(state)


@kernel
def name_number(state, action):
    """Triple twos."""
    number = action - FIRST_NUMBER + FEWEST
    state.result = number
    state.points = number
    state.extra = EXTRA_GHOST if number == FEWEST else NO_EXTRA
    _go_on(state)


# Acts other than travel


@kernel
def across(place):
    """The other circle of a strait."""
    return place + (1 if place % NUM_SPOTS == C0 else -1)


@kernel
def _swim(state, result):
    player = state.turn_player
    if result >= SWIMS:
        state.pawn[player] = across(np.int64(state.pawn[player]))
        meet(state)
    end_turn(state)


@kernel
def least_to_find(symbol):
    """The least result with which a boat is found."""
    return FEWEST if symbol == FRIENDLY else MOST if symbol == NO_SYMBOL else ASKED


@kernel
def _search(state, result):
    player = np.int64(state.turn_player)
    symbol = state.squares[square_of_turn_player(state), SYMBOL]
    if result >= least_to_find(symbol):
        state.boat[player] = state.pawn[player]
        _lapse(state, player)
    if symbol == HOSTILE and result == SKIPS_AFTER:
        state.skip[player] += 1
    end_turn(state)


@kernel
def _steal(state, victim):
    """The boats change places, and the victim has a claim on the thief."""
    thief = np.int64(state.turn_player)
    _lapse(state, thief)
    _lapse(state, victim)
    _swap_boats(state, thief, victim)
    state.claim[victim] = thief
    end_turn(state)


@kernel
def _swap_boats(state, one, other):
    boat = state.boat[one]
    state.boat[one] = state.boat[other]
    state.boat[other] = boat


@kernel
def _lapse(state, player):
    """No claim of or on a player is left."""
    state.claim[player] = -1
    for other in range(np.int64(state.num_players)):
        if state.claim[other] == player:
            state.claim[other] = -1


# Drifting


@kernel
def drift_end(state, square, way):
    """The place to which a boat at sea is blown from a tile: at sea, on the rim or aground; -1 for "spin again"."""
    mask = np.int64(state.squares[square, TILE])
    edge = way // 2
    beyond = np.int64(AROUND[square, way])
    circle = RIM - 1 - beyond
    if way % 2 == 0:
        if mask >> edge & 1:
            return square * NUM_SPOTS + C0 + np.int64(EDGE_REGION[mask, edge])
        return beyond * NUM_SPOTS + S if beyond >= 0 else circle
    if beyond == OUTSIDE:
        return np.int64(-1)
    if beyond < 0:
        return circle
    other = np.int64(state.squares[beyond, TILE])
    own_land = mask >> edge & 1, mask >> ((edge + 1) & 3) & 1
    other_land = other >> ((edge + 2) & 3) & 1, other >> ((edge + 3) & 3) & 1
    if own_land[0] + own_land[1] < 2 and other_land[0] + other_land[1] < 2:
        return beyond * NUM_SPOTS + S
    if own_land[0] or own_land[1]:
        return square * NUM_SPOTS + C0 + np.int64(REGION[mask, K0 + edge])
    return np.int64(-1)


@kernel
def drift(state, way):
    """One space in the direction; the turn ends."""
    player = state.turn_player
    end = drift_end(state, square_of_turn_player(state), way)
    if end < 0:
        state.phase = DRIFT_PHASE
        return
    state.pawn[player] = end
    state.boat[player] = end
    if end >= RIM:
        end_turn(state)
    elif end % NUM_SPOTS == S:
        _come(state)
    else:
        state.ashore[player] = 1
        meet(state)
        end_turn(state)


# Travelling


@kernel
def _go_on(state):
    """More decisions of this turn, unless there is nothing but its end."""
    state.phase = TRAVEL_PHASE
    list_options(state)
    if state.num_options == 1:
        end_turn(state)


@kernel
def travel(state, action):
    """A decision of a travel turn."""
    if action == END:
        end_turn(state)
    elif action < TAKE_CHIT:
        _step(state, action - GO)
    elif action == TAKE_CHIT:
        state.points -= chit_cost(state, np.int64(state.pawn[state.turn_player]))
        state.extra = NO_EXTRA
        state.phase = VALUE
    elif action == TAKE_GOLD:
        put_gold(state, square_of_turn_player(state), 0)
        state.num_gold[state.turn_player] += 1
        _taken(state)
    elif action >= FIRST_CHIT:
        _move_chit(state, (action - FIRST_CHIT) // 4, (action - FIRST_CHIT) % 4)
    else:
        state.extra = NO_EXTRA
        ghost_goes(state, np.int64(AROUND[state.ghost, action - FIRST_GHOST_WAY]))


@kernel
def _step(state, target):
    """A step of a pawn, with a boat or without."""
    player = np.int64(state.turn_player)
    place = np.int64(state.pawn[player])
    state.points -= step_cost(state, player, place, target)
    spot, goal = place % NUM_SPOTS, target % NUM_SPOTS
    tile_before = place // NUM_SPOTS if place < RIM else -1
    tile_after = target // NUM_SPOTS if target < RIM else -1
    afloat = place >= RIM or spot == S
    goes_to_sea = not afloat and goal == S
    lands = afloat and tile_after >= 0 and goal != S
    if tile_before >= 0 and spot <= C1 and not goes_to_sea and not lands and not is_free(state):
        symbol = state.squares[tile_before, SYMBOL]
        if symbol in (SKULL, STORM):
            state.movement_over = 1
            state.taking_over = 1
    state.pawn[player] = target
    if goes_to_sea:
        _lapse(state, player)
    state.ashore[player] = tile_after >= 0 and goal != S
    if afloat or goes_to_sea:
        state.boat[player] = target
    if tile_after >= 0 and tile_after != tile_before:
        _come(state)
    else:
        _stop_in_storm(state)
        meet(state)
        _go_on(state)


@kernel
def _come(state):
    """To another tile: boats change back, the symbol is revealed."""
    state.arriving = 1
    player = np.int64(state.turn_player)
    square = square_of_turn_player(state)
    thief = np.int64(state.claim[player])
    if state.ashore[player] and thief >= 0 and np.int64(state.boat[thief]) // NUM_SPOTS == square:
        _swap_boats(state, player, thief)
        _lapse(state, player)
        _lapse(state, thief)
    if state.squares[square, SYMBOL] == UNSEEN:
        state.phase = REVEAL
    else:
        _settle_in(state)


@kernel
def reveal(state, symbol):
    """An unseen symbol is seen."""
    turn_face_up(state, square_of_turn_player(state), symbol)
    _settle_in(state)


@kernel
def _settle_in(state):
    """A storm at sea ends the movement, the ghost takes a chit; then meetings."""
    _stop_in_storm(state)
    player = np.int64(state.turn_player)
    if state.ghost == square_of_turn_player(state) and state.num_chits[player]:
        state.losers = 1 << player
        state.phase = LOSE
    else:
        _arrived(state)


@kernel
def _stop_in_storm(state):
    """A storm at sea ends the movement of a travel."""
    if state.declared == TRAVEL and in_storm(state, state.turn_player):
        state.movement_over = 1


@kernel
def _arrived(state):
    """Meetings; then the travel goes on, and a drift is over."""
    state.arriving = 0
    meet(state)
    if state.declared == TRAVEL:
        _go_on(state)
    else:
        end_turn(state)


# Treasure


@kernel
def take_value(state, k):
    """The chit leaves the board for its taker."""
    player = np.int64(state.turn_player)
    square = square_of_turn_player(state)
    put_chits(state, square, np.int64(state.squares[square, CHITS]) - 1)
    state.pool[k] -= 1
    state.own[player, k] += 1
    state.num_chits[player] += 1
    count_for_others(state, player, GAINED)
    meet(state)
    _taken(state)


@kernel
def _taken(state):
    """Taking ends the turn, and the game with the last treasure."""
    if state.chits_left or state.gold_left:
        end_turn(state)
    else:
        _end_game(state)


@kernel
def _move_chit(state, square, edge):
    """A chit goes over a land edge."""
    other = np.int64(NEXT[square, edge])
    put_chits(state, square, np.int64(state.squares[square, CHITS]) - 1)
    put_chits(state, other, np.int64(state.squares[other, CHITS]) + 1)
    state.extra = NO_EXTRA
    _go_on(state)
