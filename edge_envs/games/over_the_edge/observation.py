"""The observation of `over_the_edge`: the whole position as seen from one seat.

Players are listed in turn order, beginning with the viewer. The layout names the slices of the vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.onehot import hot_index
from edge_envs.core.spec import Layout, ObservationField
from edge_envs.games.over_the_edge.map.atlas import PORT, chart_of, fingerprint, set_of
from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.map.sets import PLANES, layout_map
from edge_envs.games.over_the_edge.pieces.cards import NO_CARDS, cards_of, number_of
from edge_envs.games.over_the_edge.pieces.deck import NUM_KINDS
from edge_envs.games.over_the_edge.rules import current_player
from edge_envs.games.over_the_edge.state import DEAL, END_TURN, HOME, MAP, NOTHING, OVER, PHASES, PLAY, SECOND_STEP

NUM_PHASES = len(PHASES)
MOST_SHOWN = 127
FOLLOWING = (PLAY, SECOND_STEP, END_TURN)


def layout(params: Mapping[str, Any]) -> Layout:
    """Return the slices of the observation, in order."""
    players, chart = params["num_players"], layout_map(params["map"])
    spaces, ports = len(chart.spaces), len(chart.ports)
    most = MOST_SHOWN
    return Layout((
        ObservationField("phase", NUM_PHASES, 0, 1, f"one of {', '.join(PHASES)}"),
        ObservationField("seat", players, 0, 1, "the viewer's seat, counted from player 0"),
        ObservationField(
            "decider", players, 0, 1, "the player to act, the viewer first; zeros at chance nodes and at the end"
        ),
        ObservationField("turn_player", players, 0, 1, "the turn player, the viewer first"),
        ObservationField(
            "space", players * spaces, 0, 1, "the space of each player's ship; zeros if fallen or without a home"
        ),
        ObservationField("home", players * ports, 0, 1, "the home port of each player; zeros before it is chosen"),
        ObservationField(
            "rounds", players, -most, most,
            "how often each player's ship has crossed the line before sector 0, clockwise minus anticlockwise",
        ),
        ObservationField("skip", players, 0, most, "the turns that each player will miss"),
        ObservationField("hands", players * NUM_KINDS, 0, most, "the cards of each player by kind"),
        ObservationField("deck", NUM_KINDS, 0, most, "the cards in the deck by kind"),
        ObservationField("discards", NUM_KINDS, 0, most, "the cards in the discards by kind"),
        ObservationField("then", len(FOLLOWING), 0, 1, "what follows a boarding or sets: play, second_step or end"),
        ObservationField("target", players, 0, 1, "the boarded player, the viewer first"),
        ObservationField("take", NUM_KINDS, 0, 1, "the card that the boarder takes"),
        ObservationField("give", NUM_KINDS, 0, 1, "the card that the boarder gives"),
        ObservationField("winner", players, 0, 1, "the winner, the viewer first"),
        ObservationField("turns_used", 1, 0, most, "finished turns in 127ths of max_turns"),
        ObservationField("turns_left", 1, 0, most, "remaining turns including this one, at most 127"),
        *_map_fields(chart),
    ))  # fmt: skip


def _map_fields(chart: Map) -> tuple[ObservationField, ...]:
    """Return the planes of the map in a game on a set of maps, else nothing."""
    if not chart.is_padded:
        return ()
    size = chart.rings * chart.sectors
    own = dict(zip(PLANES, (1, len(chart.ports), 2, 2, chart.rings), strict=True))
    return (
        ObservationField("sea", size, 0, own["sea"], "for each cell of the map, ring by ring, whether it is sea"),
        ObservationField("port", size, 0, own["port"], "the number of the port there, counted from 1, or 0"),
        ObservationField(
            "clockwise", size, 0, own["clockwise"],
            "the border to the next cell clockwise: 2 within a space, 1 if a step leads across it, else 0",
        ),
        ObservationField("outward", size, 0, own["outward"], "the same for the border to the next cell outward"),
        ObservationField(
            "drifts", size, 0, own["drifts"], "drifts over the edge; 0 on land, and if land stops them before"
        ),
    )  # fmt: skip


@inlined_kernel
def _show_heap(out, at, heap):
    for kind in range(NUM_KINDS):
        out[at + kind] = number_of(heap, kind)


@inlined_kernel
def _shown(number):
    return max(min(number, MOST_SHOWN), -MOST_SHOWN)


@kernel
def _show_map(state, out):
    """Fill `out` with the planes of the map, with zeros before it is drawn. LLVM vectorizes the loop."""
    planes, shown = chart_of(state).planes, state.phase < NUM_PHASES
    for k in range(out.shape[0]):
        out[k] = planes[k] if shown else 0


@inlined_kernel
def _places(state):
    """Return the offsets of the slices from `seat` on. `deck` and `discards` share one, as do the two turn counts."""
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
    """Fill `out` (C,) with the position as seen by `player`."""
    players, spaces, ports = np.int64(state.num_players), np.int64(state.num_spaces), np.int64(state.num_ports)
    (
        seat, decider, turn_player, space, home, rounds, skip, hands, heaps, then, target, take, give, winner, turns,
    ) = _places(state)  # fmt: skip
    for cell in range(turns + 2):
        out[cell] = 0
    viewer = np.int64(player)
    if state.phase < NUM_PHASES:
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
    if state.map_set != 0:
        _show_map(state, out[turns + 2 :])


@inlined_kernel
def _heap_seen(observation, at):
    heap = NO_CARDS
    for kind in range(NUM_KINDS):
        heap += cards_of(kind, observation[at + kind])
    return heap


@kernel
def _find_map(observation, start, length, state):
    """Write the map that an observation shows into a state; the first map of the set if it shows none."""
    maps, seen = set_of(state), fingerprint(observation, start, length)
    state.map = maps.members[0]
    for k in range(maps.num_maps):
        if maps.prints[k] == seen:
            state.map = maps.members[k]
            break


@kernel
def read_observation(observation, state):
    """Write a position that agrees with an observation (C,) into a state whose parameters are set.

    The observation does not contain the number of turns before, nor the exact number of remaining turns above 127.

    Returns:
        The viewer's seat; -1 if the observation does not name it, or shows no ship during a turn.
    """
    players, spaces, ports = np.int64(state.num_players), np.int64(state.num_spaces), np.int64(state.num_ports)
    (
        seat, decider, turn_player, space, home, rounds, skip, hands, heaps, then, target, take, give, winner, turns,
    ) = _places(state)  # fmt: skip
    viewer = hot_index(observation, seat, players)
    if viewer < 0:
        return viewer
    phase = hot_index(observation, 0, NUM_PHASES)
    state.phase = phase if phase >= 0 else MAP
    if state.map_set != 0:
        _find_map(observation, turns + 2, len(PLANES) * spaces, state)
    state.turn_player = (viewer + hot_index(observation, turn_player, players)) % players
    p, afloat = viewer, False
    for i in range(players):
        state.space[p] = hot_index(observation, space + i * spaces, spaces)
        afloat = afloat or state.space[p] >= 0
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
    if not afloat and state.phase not in (HOME, DEAL, OVER, MAP):
        return np.int64(-1)  # the rules would look for the next ship forever
    return viewer
