"""What a player sees of `over_the_edge`: everything, from the own seat.

Players are listed in turn order from the viewer on; the layout names the slices of the vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.onehot import hot_index
from edge_envs.core.spec import Layout, ObservationField
from edge_envs.games.over_the_edge.map.atlas import PORT, chart_of
from edge_envs.games.over_the_edge.map.charts import load_map
from edge_envs.games.over_the_edge.pieces.cards import NO_CARDS, NUM_KINDS, cards_of, number_of
from edge_envs.games.over_the_edge.rules import current_player
from edge_envs.games.over_the_edge.state import END_TURN, NOTHING, PHASES, PLAY, SECOND_STEP

NUM_PHASES = len(PHASES)
MOST_SHOWN = 127
FOLLOWING = (PLAY, SECOND_STEP, END_TURN)


def layout(params: Mapping[str, Any]) -> Layout:
    """The slices of the observation, in order."""
    players, chart = params["num_players"], load_map(params["map"])
    spaces, ports = len(chart.spaces), len(chart.ports)
    most = MOST_SHOWN
    return Layout((
        ObservationField("phase", NUM_PHASES, 0, 1, f"one of {', '.join(PHASES)}"),
        ObservationField("seat", players, 0, 1, "the viewer's seat, from player 0 on"),
        ObservationField("decider", players, 0, 1, "who is to decide, the viewer first; nobody at chance and the end"),
        ObservationField("turn_player", players, 0, 1, "whose turn it is, the viewer first"),
        ObservationField("space", players * spaces, 0, 1, "for each player the space of the ship; none if nowhere"),
        ObservationField("home", players * ports, 0, 1, "for each player the home port; none before the pick"),
        ObservationField(
            "rounds", players, -most, most,
            "for each player how often the ship has crossed the line before sector 0, clockwise less anticlockwise",
        ),
        ObservationField("skip", players, 0, most, "for each player the turns to be skipped"),
        ObservationField("hands", players * NUM_KINDS, 0, most, "for each player the cards of each kind"),
        ObservationField("deck", NUM_KINDS, 0, most, "the cards of each kind in the deck"),
        ObservationField("discards", NUM_KINDS, 0, most, "the cards of each kind among the discards"),
        ObservationField("then", len(FOLLOWING), 0, 1, "what follows a boarding or sets: play, second_step or end"),
        ObservationField("target", players, 0, 1, "who is boarded, the viewer first"),
        ObservationField("take", NUM_KINDS, 0, 1, "the card that is taken in a boarding"),
        ObservationField("give", NUM_KINDS, 0, 1, "the card that is given in a boarding"),
        ObservationField("winner", players, 0, 1, "who has won, the viewer first"),
        ObservationField("turns_used", 1, 0, most, "the turns finished in 127ths of max_turns"),
        ObservationField("turns_left", 1, 0, most, "the turns that may still follow, at most 127"),
    ))  # fmt: skip


@inlined_kernel
def _show_heap(out, at, heap):
    for kind in range(NUM_KINDS):
        out[at + kind] = number_of(heap, kind)


@inlined_kernel
def _shown(number):
    return max(min(number, MOST_SHOWN), -MOST_SHOWN)


@inlined_kernel
def _places(state):
    """Where the parts of the layout begin, from `seat` on; deck and discards are one part, and so are the turns."""
    players, spaces, ports = np.int64(state.num_players), np.int64(state.num_spaces), np.int64(state.num_ports)
    seat = NUM_PHASES
    decider = seat + players
    turn_player = decider + players
    space = turn_player + players
    home = space + players * spaces
    rounds = home + players * ports
    skip = rounds + players
    hands = skip + players
    heaps = hands + players * NUM_KINDS
    then = heaps + 2 * NUM_KINDS
    target = then + len(FOLLOWING)
    take = target + players
    give = take + NUM_KINDS
    winner = give + NUM_KINDS
    turns = winner + players
    return seat, decider, turn_player, space, home, rounds, skip, hands, heaps, then, target, take, give, winner, turns


@kernel
def observe(state, player, out):
    """All of the position, seen from the seat of `player`."""
    for cell in range(out.shape[0]):
        out[cell] = 0
    players, spaces, ports = np.int64(state.num_players), np.int64(state.num_spaces), np.int64(state.num_ports)
    (
        seat, decider, turn_player, space, home, rounds, skip, hands, heaps, then, target, take, give, winner, turns,
    ) = _places(state)  # fmt: skip
    viewer = np.int64(player)
    out[state.phase] = 1
    out[seat + viewer] = 1
    to_act = current_player(state)
    p = viewer
    for i in range(players):
        out[decider + i] = p == to_act
        out[turn_player + i] = p == state.turn_player
        if state.space[p] >= 0:
            out[space + i * spaces + state.space[p]] = 1
        if state.home[p] >= 0:
            out[home + i * ports + chart_of(state).places[state.home[p], PORT]] = 1
        out[rounds + i] = _shown(state.rounds[p])
        out[skip + i] = _shown(state.skip[p])
        _show_heap(out, hands + i * NUM_KINDS, state.hands[p])
        out[target + i] = p == state.target
        out[winner + i] = p == state.winner
        p = p + 1 if p + 1 < players else 0
    _show_heap(out, heaps, state.deck)
    _show_heap(out, heaps + NUM_KINDS, state.discards)
    for k in range(len(FOLLOWING)):
        out[then + k] = state.then == FOLLOWING[k]
    if state.taken >= 0:
        out[take + state.taken] = 1
    if state.given >= 0:
        out[give + state.given] = 1
    out[turns] = np.int64(state.turn) * MOST_SHOWN // state.max_turns
    out[turns + 1] = min(state.max_turns - state.turn, MOST_SHOWN)


@inlined_kernel
def _heap_seen(observation, at):
    heap = NO_CARDS
    for kind in range(NUM_KINDS):
        heap += cards_of(kind, observation[at + kind])
    return heap


@kernel
def read_observation(observation, state):
    """Write into a state, whose parameters are set, a position that agrees with an observation (C,) int8.

    Returns the viewer's seat. An observation does not tell how many turns came before, nor how many are left beyond
    127.
    """
    players, spaces, ports = np.int64(state.num_players), np.int64(state.num_spaces), np.int64(state.num_ports)
    (
        seat, decider, turn_player, space, home, rounds, skip, hands, heaps, then, target, take, give, winner, turns,
    ) = _places(state)  # fmt: skip
    viewer = hot_index(observation, seat, players)
    state.phase = hot_index(observation, 0, NUM_PHASES)
    state.turn_player = (viewer + hot_index(observation, turn_player, players)) % players
    p = viewer
    for i in range(players):
        state.space[p] = hot_index(observation, space + i * spaces, spaces)
        port = hot_index(observation, home + i * ports, ports)
        state.home[p] = chart_of(state).ports[port] if port >= 0 else -1
        state.rounds[p] = observation[rounds + i]
        state.skip[p] = observation[skip + i]
        state.hands[p] = _heap_seen(observation, hands + i * NUM_KINDS)
        p = p + 1 if p + 1 < players else 0
    to_act = hot_index(observation, decider, players)
    state.decider = (viewer + to_act) % players if to_act >= 0 else 0
    state.deck = _heap_seen(observation, heaps)
    state.discards = _heap_seen(observation, heaps + NUM_KINDS)
    state.then = NOTHING
    for k in range(len(FOLLOWING)):
        if observation[then + k] != 0:
            state.then = FOLLOWING[k]
    boarded, won = hot_index(observation, target, players), hot_index(observation, winner, players)
    state.target = (viewer + boarded) % players if boarded >= 0 else -1
    state.winner = (viewer + won) % players if won >= 0 else -1
    state.taken = hot_index(observation, take, NUM_KINDS)
    state.given = hot_index(observation, give, NUM_KINDS)
    state.turn = 0
    state.max_turns = observation[turns + 1]
    return viewer
