"""The rules of `over_the_edge` as kernels over its state record."""

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
from edge_envs.games.over_the_edge.map.atlas import DRIFT, FIRST_WAY, PORT, chart_of, crossing
from edge_envs.games.over_the_edge.map.charts import AGROUND, OVER_THE_EDGE, load_map
from edge_envs.games.over_the_edge.pieces.cards import (
    ALL_CARDS,
    CALM_CARDS,
    DEAD_CALM,
    FAIR_WEATHER,
    FAVORABLE_WINDS,
    LOYAL_CREW,
    MUTINY,
    NO_CARDS,
    NUM_KINDS,
    SET,
    STORMY_SEAS,
    acting_sets,
    cards_of,
    has_kind,
    kind_of_card,
    kinds_in,
    nth_kind,
    number_of,
    several,
    size,
)
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    DEAL,
    DEPART,
    DISCARD,
    DRAW,
    END_TURN,
    GIVE,
    HAND,
    HOME,
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

MAX_CHANCE_OUTCOMES = NUM_KINDS
DECISIONS_OF_A_TURN = 10  # depart or play, second_step, and twice board, take, give, answer
DRAWS_OF_A_TURN = 6  # each card drawn is discarded once at most


def spec(params: Mapping[str, Any]) -> Spec:
    """The sizes of the game with its parameters chosen."""
    players, turns, chart = params["num_players"], params["max_turns"], load_map(params["map"])
    return Spec(
        num_distinct_actions=num_actions(len(chart.ports), len(chart.spaces)),
        max_chance_outcomes=MAX_CHANCE_OUTCOMES,
        max_game_length=players * (1 + HAND) + turns * (DRAWS_OF_A_TURN + DECISIONS_OF_A_TURN),
        min_utility=-1.0 / (players - 1),
        max_utility=1.0,
        utility_sum=0.0,
    )


@kernel
def new_game(state):
    """Begin with no ship at home anywhere; player 0 is to pick a home."""
    for player in range(MAX_PLAYERS):
        state.hands[player] = NO_CARDS
        state.rounds[player] = 0
        state.skip[player] = 0
        state.space[player] = -1
        state.home[player] = -1
    state.deck = ALL_CARDS
    state.discards = NO_CARDS
    state.turn = 0
    state.check_cards = 1
    state.phase = HOME
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

    It is `CHANCE` where cards are drawn, and `TERMINAL` at the end.
    """
    phase = state.phase
    if phase in (DRAW, REFILL, DEAL):
        return np.int64(CHANCE)
    if phase == SETS:
        return np.int64(state.decider)
    if phase == ANSWER:
        return np.int64(state.target)
    if phase == OVER:
        return np.int64(TERMINAL)
    return np.int64(state.turn_player)


# Where the ids of the parts begin


@inlined_kernel
def first_discard(state):
    """The id of `discard` with the first kind."""
    return np.int64(state.num_ports)


@inlined_kernel
def first_sail(state, card):
    """The id of `fair` (0), `winds` (1), `sail` (2) to the first space."""
    return np.int64(state.num_ports) + NUM_KINDS + card * np.int64(state.num_spaces)


@inlined_kernel
def first_other(state):
    """Return the id that the ids of `actions` count from."""
    return first_sail(state, 3)


# What is possible


@inlined_kernel
def is_at_sea(state, player):
    """Whether a ship is afloat outside the ports."""
    space = np.int64(state.space[player])
    return space >= 0 and chart_of(state).places[space, PORT] < 0


@kernel
def may_calm(state):
    """Whether the turn player, at sea, holds the cards for `calm`."""
    hand = state.hands[state.turn_player]
    return number_of(hand, DEAD_CALM) >= 3 and number_of(hand, STORMY_SEAS) >= 1 and state.phase == PLAY


@kernel
def boardable(state):
    """The players whom the turn player may board, as bits."""
    mover = np.int64(state.turn_player)
    found = np.uint64(0)
    if state.boarding == 0 or state.hands[mover] == NO_CARDS or not is_at_sea(state, mover):
        return found
    for player in range(state.num_players):
        if player != mover and state.space[player] == state.space[mover] and state.hands[player] != NO_CARDS:
            found |= np.uint64(1) << np.uint64(player)
    return found


@inlined_kernel
def _offer_kinds(out, first, heap):
    kinds = kinds_in(heap)
    for kind in range(NUM_KINDS):
        out[first + kind] = has_kind(kinds, kind)


@inlined_kernel
def _offer_steps(state, out, first):
    chart, space = chart_of(state), np.int64(state.space[state.turn_player])
    for k in range(chart.places[space, FIRST_WAY], chart.places[space + 1, FIRST_WAY]):
        out[first + chart.ways[k]] = 1


@kernel
def legal_action_mask(state, out):
    """Fill `out` with what the phase asks for; with zeros at chance and at the end."""
    for action in range(out.shape[0]):
        out[action] = 0
    phase, mover = state.phase, np.int64(state.turn_player)
    hand = state.hands[mover]
    other = first_other(state)
    if phase in (DEPART, PLAY):
        if number_of(hand, FAIR_WEATHER) > 0:
            _offer_steps(state, out, first_sail(state, 0))
        if number_of(hand, FAVORABLE_WINDS) > 0:
            _offer_steps(state, out, first_sail(state, 1))
        out[other + actions.CALM] = may_calm(state)
        out[other + actions.WAIT] = 1
    elif phase in (DISCARD, TRIM):
        _offer_kinds(out, first_discard(state), hand)
    elif phase == SECOND_STEP:
        _offer_steps(state, out, first_sail(state, 2))
    elif phase == HOME:
        for port in range(state.num_ports):
            out[port] = 1
    elif phase == SETS:
        acting = acting_sets(state.hands[state.decider])
        for kind in range(NUM_KINDS):
            out[other + actions.FIRST_SET + kind] = has_kind(acting, kind)
    elif phase == BOARD:
        targets = boardable(state)
        for player in range(state.num_players):
            out[other + actions.FIRST_BOARD + player] = (targets >> np.uint64(player)) & np.uint64(1)
        out[other + actions.NO_BOARDING] = 1
    elif phase == TAKE:
        _offer_kinds(out, other + actions.FIRST_TAKE, state.hands[state.target])
    elif phase == GIVE:
        _offer_kinds(out, other + actions.FIRST_GIVE, hand)
    elif phase == ANSWER:
        out[other + actions.ACCEPT] = 1
        out[other + actions.REFUSE] = 1


@kernel
def random_action(state, bits):
    """Return a uniform legal action, without the mask."""
    phase, mover = state.phase, np.int64(state.turn_player)
    hand = state.hands[mover]
    other = first_other(state)
    if phase in (DEPART, PLAY, SECOND_STEP):
        chart, space = chart_of(state), np.int64(state.space[mover])
        first = np.int64(chart.places[space, FIRST_WAY])
        ways = np.int64(chart.places[space + 1, FIRST_WAY]) - first
        if phase == SECOND_STEP:
            return first_sail(state, 2) + chart.ways[first + below(bits, ways)]
        fair = ways if number_of(hand, FAIR_WEATHER) > 0 else 0
        winds = ways if number_of(hand, FAVORABLE_WINDS) > 0 else 0
        n = below(bits, fair + winds + may_calm(state) + 1)
        if n < fair:
            return first_sail(state, 0) + chart.ways[first + n]
        n -= fair
        if n < winds:
            return first_sail(state, 1) + chart.ways[first + n]
        return other + (actions.WAIT if n == winds else actions.CALM)
    if phase in (DISCARD, TRIM):
        return first_discard(state) + _any_kind(kinds_in(hand), bits)
    if phase == HOME:
        return below(bits, np.int64(state.num_ports))
    if phase == SETS:
        return other + actions.FIRST_SET + _any_kind(acting_sets(state.hands[state.decider]), bits)
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
    """Fill `out` with the probabilities of the kinds, by the cards in the deck."""
    cards = size(state.deck)
    for kind in range(NUM_KINDS):
        out[kind] = number_of(state.deck, kind) / cards


@kernel
def sample_chance(state):
    """Return a kind of card in the deck, drawn with the state's own word."""
    return kind_of_card(state.deck, below(draw(state), size(state.deck)))


@inlined_kernel
def _lay_off(state, player, kind, count):
    """Move cards from a hand to the discards."""
    cards = cards_of(kind, count)
    state.hands[player] -= cards
    state.discards += cards


@inlined_kernel
def _can_draw(state):
    """Whether there is a card to draw, once the discards are the deck if that is empty."""
    if state.deck == NO_CARDS:
        state.deck = state.discards
        state.discards = NO_CARDS
    return state.deck != NO_CARDS


# What happens. Kernels that say whether the turn ends leave it to `apply` to end it.


@kernel
def apply(state, action):
    """Apply one decision or one chance outcome, and whatever follows without a choice."""
    phase, player = state.phase, np.int64(state.turn_player)
    turn_ends = False
    if phase in (DRAW, REFILL, DEAL):
        card = cards_of(action, 1)
        state.deck -= card
        state.hands[player] += card
        if phase == DRAW:
            turn_ends = _drawn(state)
        elif phase == REFILL:
            turn_ends = _fill_up(state)
        else:
            turn_ends = _deal(state)
    elif phase in (DEPART, PLAY):
        turn_ends = _play(state, action)
    elif phase == DISCARD:
        _lay_off(state, player, action - first_discard(state), 1)
        state.phase = DEPART
    elif phase == SECOND_STEP:
        turn_ends = _step(state, action - first_sail(state, 2), END_TURN)
    elif phase == TRIM:
        _lay_off(state, player, action - first_discard(state), 1)
        if size(state.hands[player]) == HAND:
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
        _act(state, np.int64(state.decider), action - first_other(state) - actions.FIRST_SET)
        turn_ends = _look(state)
    else:
        turn_ends = _board(state, action - first_other(state))
    if turn_ends:
        _next_turn(state)


@kernel
def _deal(state):
    """Go on to the next card, or to the first turn. Returns whether the turn ends."""
    player = np.int64(state.turn_player)
    if size(state.hands[player]) == HAND:
        player += 1
    if player < state.num_players and _can_draw(state):
        state.turn_player = player
        state.phase = DEAL
        return False
    state.turn_player = 0
    return _begin_turn(state)


@kernel
def _next_turn(state):
    """Begin the turn of the next ship; turns that are skipped count as finished, too."""
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
    """Begin the turn of a ship that is not skipped. Returns whether the turn ends."""
    player = state.turn_player
    if is_at_sea(state, player):
        return _draw_one(state)
    if size(state.hands[player]) > HAND:
        state.phase = TRIM
        return False
    return _fill_up(state)


@kernel
def _fill_up(state):
    """Fill a hand up to five cards, as far as there are any; then comes the card of the turn.

    Returns whether the turn ends.
    """
    if size(state.hands[state.turn_player]) < HAND and _can_draw(state):
        state.phase = REFILL
        return False
    return _draw_one(state)


@kernel
def _draw_one(state):
    """Draw the card of the turn, if there is one. Returns whether the turn ends."""
    if _can_draw(state):
        state.phase = DRAW
        return False
    return _drawn(state)


@kernel
def _drawn(state):
    """Go on after the card of the turn, or without it if both heaps are empty. Returns whether the turn ends."""
    player = state.turn_player
    if is_at_sea(state, player):
        state.then = PLAY
        return _look(state)
    state.phase = DISCARD if state.hands[player] != NO_CARDS else DEPART
    return False


@kernel
def _play(state, action):
    """Play a card to sail with, `calm`, or `wait`. Returns whether the turn ends."""
    player, spaces = np.int64(state.turn_player), np.int64(state.num_spaces)
    place = action - first_sail(state, 0)
    if place < spaces:
        _lay_off(state, player, FAIR_WEATHER, 1)
        return _step(state, place, END_TURN)
    if place < 2 * spaces:
        _lay_off(state, player, FAVORABLE_WINDS, 1)
        return _step(state, place - spaces, SECOND_STEP)
    if place - 3 * spaces == actions.CALM:
        state.hands[player] -= CALM_CARDS
        state.discards += CALM_CARDS
    return True


@kernel
def _step(state, space, then):
    """Step to an adjacent space; then come the boarding, the sets, and what is to follow.

    Returns whether the turn ends.
    """
    state.then = then
    _enter(state, np.int64(state.turn_player), space)
    if state.phase == OVER:
        return False
    if boardable(state):
        state.phase = BOARD
        return False
    return _look(state)


@kernel
def _enter(state, player, space):
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
def _look(state):
    """Look at all ships until no set acts, or somebody is to name the set that acts; then do what was to follow.

    Whether the turn ends.
    """
    players, player = np.int64(state.num_players), np.int64(state.turn_player)
    for _ in range(players):
        acting = acting_sets(state.hands[player])
        while state.phase != OVER and acting and is_at_sea(state, player):
            if several(acting):
                state.phase = SETS
                state.decider = player
                return False
            _act(state, player, nth_kind(acting, 0))
            acting = acting_sets(state.hands[player])
        player = player + 1 if player + 1 < players else 0
    if state.phase == OVER or state.then == END_TURN:
        return state.phase != OVER
    state.phase = state.then
    state.then = NOTHING
    return False


@kernel
def _act(state, player, kind):
    """Let a set of three act."""
    _lay_off(state, player, kind, SET)
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
        _fall(state, player)
    else:
        _enter(state, player, target)


@kernel
def _fall(state, player):
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
    """Take a decision of a boarding; `action` counts from `first_other`. Returns whether the turn ends."""
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
    return _look(state)


@kernel
def turn_of(state):
    """The turns finished."""
    return np.int64(state.turn)


@kernel
def rewards(state, out):
    """Fill `out` with zeros until the end; then the others pay the winner, if there is one."""
    players = np.int64(state.num_players)
    won = state.phase == OVER and state.winner >= 0
    for player in range(players):
        out[player] = -1.0 / (players - 1) if won else 0.0
    if won:
        out[state.winner] = 1.0
