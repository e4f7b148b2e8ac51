"""The rules of `over_the_edge` as kernels on its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.bits import count_bits
from edge_envs.core.kernels.rng import below, draw
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Spec
from edge_envs.games.over_the_edge import actions
from edge_envs.games.over_the_edge.actions import num_actions
from edge_envs.games.over_the_edge.map.atlas import DRIFT, FIRST_NEIGHBOUR, PORT, chart_of, crossing, set_of
from edge_envs.games.over_the_edge.map.charts import AGROUND, OVER_THE_EDGE
from edge_envs.games.over_the_edge.map.generator import MAX_SET, is_set, read_set_name
from edge_envs.games.over_the_edge.map.sets import layout_map
from edge_envs.games.over_the_edge.pieces.cards import (
    CALM_CARDS,
    DEAD_CALM,
    FAIR_WEATHER,
    FAVORABLE_WINDS,
    LOYAL_CREW,
    MUTINY,
    NO_CARDS,
    SET,
    STORMY_SEAS,
    acting_sets,
    calm_can_save,
    cards_of,
    has_kind,
    kind_of_card,
    kinds_in,
    nth_kind,
    number_of,
    several,
    size,
)
from edge_envs.games.over_the_edge.pieces.deck import NUM_KINDS
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    DEAL,
    DEPART,
    DISCARD,
    DRAW,
    END_TURN,
    GIVE,
    HOME,
    MAP,
    MAX_PLAYERS,
    NOTHING,
    OVER,
    PLAY,
    REFILL,
    SECOND_STEP,
    SETS,
    TAKE,
    TRIM,
)

MAX_CHANCE_OUTCOMES = MAX_SET
DECISIONS_OF_A_TURN = 10  # depart or play, second_step, and twice board, take, give, answer


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes of the game with these parameters."""
    players, turns, chart = params["num_players"], params["max_turns"], layout_map(params["map"])
    hand = params["hand_size"]
    draws_of_a_turn = hand + 1  # each card is discarded at most once
    maps = read_set_name(params["map"]).count if is_set(params["map"]) else 1
    return Spec(
        num_distinct_actions=num_actions(len(chart.ports), len(chart.spaces)),
        max_chance_outcomes=max(NUM_KINDS, maps),
        max_game_length=players * (1 + hand) + turns * (draws_of_a_turn + DECISIONS_OF_A_TURN),
        min_utility=-1.0 / (players - 1),
        max_utility=1.0,
        utility_sum=0.0,
    )


@kernel
def new_game(state):
    """Start a game: no ship has a home, and player 0 is to choose one, on a set of maps after one has been drawn."""
    for player in range(MAX_PLAYERS):
        state.hands[player] = NO_CARDS
        state.rounds[player] = 0
        state.skip[player] = 0
        state.space[player] = -1
        state.home[player] = -1
    state.deck = state.cards
    state.discards = NO_CARDS
    state.turn = 0
    state.check_cards = 1
    state.phase = HOME
    if state.map_set != 0:
        state.phase = MAP
        state.map = set_of(state).members[0]
    state.turn_player = 0
    state.decider = 0
    state.then = NOTHING
    state.target = -1
    state.taken = -1
    state.given = -1
    state.winner = -1


@kernel
def current_player(state):
    """Return the player to act: the owner at `sets`, the target at `answer`, else the turn player.

    Returns `CHANCE` where cards or a map are drawn, and `TERMINAL` at the end.
    """
    phase = state.phase
    if phase in (DRAW, REFILL, DEAL, MAP):
        return np.int64(CHANCE)
    if phase == SETS:
        return np.int64(state.decider)
    if phase == ANSWER:
        return np.int64(state.target)
    if phase == OVER:
        return np.int64(TERMINAL)
    return np.int64(state.turn_player)


# Offsets of action ids


@inlined_kernel
def first_discard(state):
    """Return the id of `discard` for the first kind."""
    return np.int64(state.num_ports)


@inlined_kernel
def first_sail(state, card):
    """Return the id of `fair` (card 0), `winds` (1) or `sail` (2) to the first space."""
    return np.int64(state.num_ports) + NUM_KINDS + card * np.int64(state.num_spaces)


@inlined_kernel
def first_other(state):
    """Return the offset of the ids in `actions`."""
    return first_sail(state, 3)


# Legal actions


@inlined_kernel
def is_at_sea(state, player):
    """Return whether a ship is afloat and not in a port."""
    space = np.int64(state.space[player])
    return space >= 0 and chart_of(state).places[space, PORT] < 0


@kernel
def may_calm(state):
    """Return whether the turn player is at sea and holds the cards for `calm`."""
    hand = state.hands[state.turn_player]
    return number_of(hand, DEAD_CALM) >= 3 and number_of(hand, STORMY_SEAS) >= 1 and state.phase == PLAY


@inlined_kernel
def can_save(state, player):
    """Return whether a player at sea may discard three dead calm and one stormy seas instead of drifting."""
    return state.calm_saves != 0 and calm_can_save(state.hands[player])


@kernel
def boardable(state):
    """Return the players whom the turn player may board, as a bit set."""
    mover = np.int64(state.turn_player)
    found = np.uint64(0)
    if state.boarding == 0 or state.hands[mover] == NO_CARDS or not is_at_sea(state, mover):
        return found
    for player in range(state.num_players):
        if player != mover and state.space[player] == state.space[mover] and state.hands[player] != NO_CARDS:
            found |= np.uint64(1) << np.uint64(player)
    return found


@inlined_kernel
def _allow_kinds(out, first, heap):
    kinds = kinds_in(heap)
    for kind in range(NUM_KINDS):
        out[first + kind] = has_kind(kinds, kind)


@inlined_kernel
def _allow_steps(state, out, first):
    chart, space = chart_of(state), np.int64(state.space[state.turn_player])
    for k in range(chart.places[space, FIRST_NEIGHBOUR], chart.places[space + 1, FIRST_NEIGHBOUR]):
        out[first + chart.neighbours[k]] = 1


@kernel
def legal_action_mask(state, out):
    """Fill `out` (A,) with the legal actions; with zeros at chance nodes and at the end."""
    for action in range(out.shape[0]):
        out[action] = 0
    phase, mover = state.phase, np.int64(state.turn_player)
    hand = state.hands[mover]
    other = first_other(state)
    if phase in (DEPART, PLAY):
        if number_of(hand, FAIR_WEATHER) > 0:
            _allow_steps(state, out, first_sail(state, 0))
        if number_of(hand, FAVORABLE_WINDS) > 0:
            _allow_steps(state, out, first_sail(state, 1))
        out[other + actions.CALM] = may_calm(state)
        out[other + actions.WAIT] = 1
    elif phase in (DISCARD, TRIM):
        _allow_kinds(out, first_discard(state), hand)
    elif phase == SECOND_STEP:
        _allow_steps(state, out, first_sail(state, 2))
    elif phase == HOME:
        for port in range(state.num_ports):
            out[port] = 1
    elif phase == SETS:
        acting = acting_sets(state.hands[state.decider])
        for kind in range(NUM_KINDS):
            out[other + actions.FIRST_SET + kind] = has_kind(acting, kind)
        out[other + actions.CALM] = can_save(state, state.decider)
    elif phase == BOARD:
        targets = boardable(state)
        for player in range(state.num_players):
            out[other + actions.FIRST_BOARD + player] = (targets >> np.uint64(player)) & np.uint64(1)
        out[other + actions.NO_BOARDING] = 1
    elif phase == TAKE:
        _allow_kinds(out, other + actions.FIRST_TAKE, state.hands[state.target])
    elif phase == GIVE:
        _allow_kinds(out, other + actions.FIRST_GIVE, hand)
    elif phase == ANSWER:
        out[other + actions.ACCEPT] = 1
        out[other + actions.REFUSE] = 1


@kernel
def random_action(state, bits):
    """Return a uniformly random legal action without building the mask."""
    phase, mover = state.phase, np.int64(state.turn_player)
    hand = state.hands[mover]
    other = first_other(state)
    if phase in (DEPART, PLAY, SECOND_STEP):
        chart, space = chart_of(state), np.int64(state.space[mover])
        first = np.int64(chart.places[space, FIRST_NEIGHBOUR])
        ways = np.int64(chart.places[space + 1, FIRST_NEIGHBOUR]) - first
        if phase == SECOND_STEP:
            return first_sail(state, 2) + chart.neighbours[first + below(bits, ways)]
        fair = ways if number_of(hand, FAIR_WEATHER) > 0 else 0
        winds = ways if number_of(hand, FAVORABLE_WINDS) > 0 else 0
        n = below(bits, fair + winds + may_calm(state) + 1)
        if n < fair:
            return first_sail(state, 0) + chart.neighbours[first + n]
        n -= fair
        if n < winds:
            return first_sail(state, 1) + chart.neighbours[first + n]
        return other + (actions.WAIT if n == winds else actions.CALM)
    if phase in (DISCARD, TRIM):
        return first_discard(state) + _any_kind(kinds_in(hand), bits)
    if phase == HOME:
        return below(bits, np.int64(state.num_ports))
    if phase == SETS:
        acting = acting_sets(state.hands[state.decider])
        count = count_bits(acting)
        n = below(bits, count + can_save(state, state.decider))
        return other + (actions.CALM if n == count else actions.FIRST_SET + nth_kind(acting, n))
    if phase == BOARD:
        targets = boardable(state)
        n = below(bits, count_bits(targets) + 1)
        for player in range(state.num_players):
            if (targets >> np.uint64(player)) & np.uint64(1):
                if n == 0:
                    return other + actions.FIRST_BOARD + player
                n -= 1
        return other + actions.NO_BOARDING
    if phase == TAKE:
        return other + actions.FIRST_TAKE + _any_kind(kinds_in(state.hands[state.target]), bits)
    if phase == GIVE:
        return other + actions.FIRST_GIVE + _any_kind(kinds_in(hand), bits)
    return other + actions.ACCEPT + below(bits, 2)


@inlined_kernel
def _any_kind(kinds, bits):
    return nth_kind(kinds, below(bits, count_bits(kinds)))


# Cards


@kernel
def chance_probabilities(state, out):
    """Fill `out` with the probabilities of the kinds, their shares of the deck, or of the maps of a set."""
    for outcome in range(out.shape[0]):
        out[outcome] = 0.0
    if state.phase == MAP:
        maps = set_of(state).num_maps
        for outcome in range(maps):
            out[outcome] = 1.0 / maps
        return
    cards = size(state.deck)
    for kind in range(NUM_KINDS):
        out[kind] = number_of(state.deck, kind) / cards


@kernel
def sample_chance(state):
    """Return a random kind of card from the deck, or a map of the set, drawn with the generator of the state."""
    if state.phase == MAP:
        return below(draw(state), set_of(state).num_maps)
    return kind_of_card(state.deck, below(draw(state), size(state.deck)))


@inlined_kernel
def _discard(state, player, kind, count):
    """Move cards from a hand to the discards."""
    cards = cards_of(kind, count)
    state.hands[player] -= cards
    state.discards += cards


@inlined_kernel
def _can_draw(state):
    """Return whether there is a card to draw. If the deck is empty, the discards become the deck first."""
    if state.deck == NO_CARDS:
        state.deck = state.discards
        state.discards = NO_CARDS
    return state.deck != NO_CARDS


# Transitions. Kernels that return whether the turn ends do not end it; `apply` does.


@kernel
def apply(state, action):
    """Apply an action or a chance outcome and everything that follows without a decision."""
    phase, player = state.phase, np.int64(state.turn_player)
    turn_ends = False
    if phase in (DRAW, REFILL, DEAL):
        card = cards_of(action, 1)
        state.deck -= card
        state.hands[player] += card
        if phase == DRAW:
            turn_ends = _after_draw(state)
        elif phase == REFILL:
            turn_ends = _fill_up(state)
        else:
            turn_ends = _deal(state)
    elif phase in (DEPART, PLAY):
        turn_ends = _play_card(state, action)
    elif phase == DISCARD:
        _discard(state, player, action - first_discard(state), 1)
        state.phase = DEPART
    elif phase == SECOND_STEP:
        turn_ends = _step(state, action - first_sail(state, 2), END_TURN)
    elif phase == TRIM:
        _discard(state, player, action - first_discard(state), 1)
        if size(state.hands[player]) == state.hand_size:
            turn_ends = _draw_one(state)
    elif phase == HOME:
        state.home[player] = chart_of(state).ports[action]
        state.space[player] = state.home[player]
        if player + 1 < state.num_players:
            state.turn_player = player + 1
        else:
            state.turn_player = 0
            turn_ends = _deal(state)
    elif phase == SETS:
        if action == first_other(state) + actions.CALM:
            _save(state, np.int64(state.decider))
        else:
            _resolve_set(state, np.int64(state.decider), action - first_other(state) - actions.FIRST_SET)
        turn_ends = _check_sets(state)
    elif phase == MAP:
        state.map = set_of(state).members[action]
        state.phase = HOME
    else:
        turn_ends = _board(state, action - first_other(state))
    if turn_ends:
        _next_turn(state)


@kernel
def _deal(state):
    """Continue with the next card of the deal, or with the first turn. Return whether the turn ends."""
    player = np.int64(state.turn_player)
    if size(state.hands[player]) == state.hand_size:
        player += 1
    if player < state.num_players and _can_draw(state):
        state.turn_player = player
        state.phase = DEAL
        return False
    state.turn_player = 0
    return _begin_turn(state)


@kernel
def _next_turn(state):
    """Begin the turn of the next ship. Missed turns count as finished."""
    players, player = np.int64(state.num_players), np.int64(state.turn_player)
    state.turn += 1
    while state.turn < state.max_turns:
        state.then = NOTHING
        player = player + 1 if player + 1 < players else 0
        while state.space[player] < 0:
            player = player + 1 if player + 1 < players else 0
        state.turn_player = player
        if state.skip[player] > 0:
            state.skip[player] -= 1
        elif not _begin_turn(state) or state.phase == OVER:
            return
        state.turn += 1
    _end_game(state)


@kernel
def _begin_turn(state):
    """Begin the turn of a ship that does not miss it. Return whether the turn ends."""
    player = state.turn_player
    if is_at_sea(state, player):
        return _draw_one(state)
    if size(state.hands[player]) > state.hand_size:
        state.phase = TRIM
        return False
    return _fill_up(state)


@kernel
def _fill_up(state):
    """Draw up to the size of a hand, if there are cards, then the card of the turn. Return whether the turn ends."""
    if size(state.hands[state.turn_player]) < state.hand_size and _can_draw(state):
        state.phase = REFILL
        return False
    return _draw_one(state)


@kernel
def _draw_one(state):
    """Draw the card of the turn if there is one. Return whether the turn ends."""
    if _can_draw(state):
        state.phase = DRAW
        return False
    return _after_draw(state)


@kernel
def _after_draw(state):
    """Continue after the card of the turn, or without it if both heaps are empty. Return whether the turn ends."""
    player = state.turn_player
    if is_at_sea(state, player):
        state.then = PLAY
        return _check_sets(state)
    state.phase = DISCARD if state.hands[player] != NO_CARDS else DEPART
    return False


@kernel
def _play_card(state, action):
    """Play a card to sail with, `calm`, or `wait`. Return whether the turn ends."""
    player, spaces = np.int64(state.turn_player), np.int64(state.num_spaces)
    place = action - first_sail(state, 0)
    if place < spaces:
        _discard(state, player, FAIR_WEATHER, 1)
        return _step(state, place, END_TURN)
    if place < 2 * spaces:
        _discard(state, player, FAVORABLE_WINDS, 1)
        return _step(state, place - spaces, SECOND_STEP)
    if place - 3 * spaces == actions.CALM:
        state.hands[player] -= CALM_CARDS
        state.discards += CALM_CARDS
    return True


@kernel
def _step(state, space, then):
    """Step to an adjacent space. Then come the boarding, the sets, and `then`. Return whether the turn ends."""
    state.then = then
    _enter_space(state, np.int64(state.turn_player), space)
    if state.phase == OVER:
        return False
    if boardable(state):
        state.phase = BOARD
        return False
    return _check_sets(state)


@kernel
def _enter_space(state, player, space):
    """Enter a space by a step or a drift, which may win the game."""
    state.rounds[player] += crossing(chart_of(state), np.int64(state.space[player]), space)
    state.space[player] = space
    if space == state.home[player] and state.rounds[player] != 0:
        state.winner = player
        _end_game(state)


@inlined_kernel
def _end_game(state):
    state.phase = OVER
    state.then = NOTHING


# Sets of three


@kernel
def _check_sets(state):
    """Check all ships until no set takes effect or an owner must choose one, then continue with `then`.

    Return whether the turn ends.
    """
    players, player = np.int64(state.num_players), np.int64(state.turn_player)
    for _ in range(players):
        acting = acting_sets(state.hands[player])
        while state.phase != OVER and acting and is_at_sea(state, player):
            if several(acting) or can_save(state, player):
                state.phase = SETS
                state.decider = player
                return False
            _resolve_set(state, player, nth_kind(acting, 0))
            acting = acting_sets(state.hands[player])
        player = player + 1 if player + 1 < players else 0
    if state.phase == OVER or state.then == END_TURN:
        return state.phase != OVER
    state.phase = state.then
    state.then = NOTHING
    return False


@kernel
def _save(state, player):
    """Discard three dead calm and one stormy seas instead of drifting. This ends the owner's turn as a set does."""
    state.hands[player] -= CALM_CARDS
    state.discards += CALM_CARDS
    if player == state.turn_player:
        state.then = END_TURN


@kernel
def _resolve_set(state, player, kind):
    """Let a set of three take effect."""
    _discard(state, player, kind, SET)
    if player == state.turn_player:
        state.then = END_TURN
    if kind == MUTINY:
        state.space[player] = state.home[player]
        state.rounds[player] = 0
        return
    target = np.int64(chart_of(state).places[state.space[player], DRIFT])
    if target == AGROUND:
        state.skip[player] += 1
    elif target == OVER_THE_EDGE:
        _lose_ship(state, player)
    else:
        _enter_space(state, player, target)


@kernel
def _lose_ship(state, player):
    state.discards += state.hands[player]
    state.hands[player] = NO_CARDS
    state.space[player] = -1
    state.rounds[player] = 0
    state.skip[player] = 0
    for other in range(state.num_players):
        if state.space[other] >= 0:
            return
    _end_game(state)


# Boarding


@kernel
def _board(state, action):
    """Apply a decision of a boarding; `action` counts from `first_other`. Return whether the turn ends."""
    phase = state.phase
    if phase == BOARD and action != actions.NO_BOARDING:
        state.target = action - actions.FIRST_BOARD
        state.phase = TAKE
        return False
    if phase == TAKE:
        state.taken = action - actions.FIRST_TAKE
        state.phase = GIVE
        return False
    if phase == GIVE:
        state.given = action - actions.FIRST_GIVE
        if number_of(state.hands[state.target], LOYAL_CREW) >= SET:
            state.phase = ANSWER
            return False
    if phase == GIVE or action == actions.ACCEPT:
        taken, given = cards_of(state.taken, 1), cards_of(state.given, 1)
        state.hands[state.target] += given
        state.hands[state.target] -= taken
        state.hands[state.turn_player] += taken
        state.hands[state.turn_player] -= given
    state.target = -1
    state.taken = -1
    state.given = -1
    return _check_sets(state)


@kernel
def turn_of(state):
    """Return the number of finished turns."""
    return np.int64(state.turn)


@kernel
def rewards(state, out):
    """Fill `out` (n,) with the rewards: zeros until the end, then the others pay the winner, if there is one."""
    players = np.int64(state.num_players)
    won = state.phase == OVER and state.winner >= 0
    for player in range(players):
        out[player] = -1.0 / (players - 1) if won else 0.0
    if won:
        out[state.winner] = 1.0
