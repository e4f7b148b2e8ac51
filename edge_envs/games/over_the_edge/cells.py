"""Cells of `over_the_edge`, from which n-tuple networks learn: places, cards, and steps to a win.

Cells of players have a number: 0 is the viewer, 1 the next player in turn order, and so on.

The fewest steps to a win are shortest paths on the graph of spaces and rounds: they follow from the map and the rules
of winning, whatever the cards. The same holds for the drifts to the void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.map.atlas import DRIFT, MAX_STEPS, PORT, chart_of, has_steps
from edge_envs.games.over_the_edge.map.charts import OVER_THE_EDGE
from edge_envs.games.over_the_edge.map.generator import is_set
from edge_envs.games.over_the_edge.map.routes import MOST_STEPS
from edge_envs.games.over_the_edge.map.sets import layout_map
from edge_envs.games.over_the_edge.pieces.cards import FAIR_WEATHER, FAVORABLE_WINDS, SET, number_of, size
from edge_envs.games.over_the_edge.pieces.deck import KINDS, NUM_KINDS
from edge_envs.games.over_the_edge.rules import current_player
from edge_envs.games.over_the_edge.state import NOTHING, OVER, PHASE_NAMES, PHASES, PLAY, SECOND_STEP

MOST_OF_KINDS = tuple({FAIR_WEATHER: 5, FAVORABLE_WINDS: 4}.get(kind, SET) for kind in range(NUM_KINDS))
"""The largest number of cards that is distinguished, by kind."""
MOST_HELD = 9
MOST_SKIPPED = 2
MOST_DRIFTS = 5
STAGES = 8
FOLLOWING = ("nothing", "play", "second_step", "end")

_OF_A_PLAYER = 7 + NUM_KINDS  # cells of a player without the steps


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells. On very large maps `clockwise`, `anticlockwise` and `steps` are missing."""
    chart, fields = layout_map(params["map"]), []
    phases = PHASE_NAMES if is_set(params["map"]) else PHASES
    for player in range(params["num_players"]):
        fields += [
            CellField(f"space_{player}", len(chart.spaces) + 1, "the space of the ship, or none", of_board=True),
            CellField(f"home_{player}", len(chart.ports) + 1, "the home port, or none", of_board=True),
            CellField(f"rounds_{player}", 2 * chart.reach + 1, f"rounds, clipped to ±{chart.reach}"),
            CellField(f"skip_{player}", MOST_SKIPPED + 1, f"turns to miss, at most {MOST_SKIPPED}"),
            CellField(f"turn_{player}", 2, "whether it is the player's turn"),
            *_cards(player),
            CellField(
                f"drifts_{player}",
                MOST_DRIFTS + 3,
                f"the drifts over the edge from the space, at most {MOST_DRIFTS}; {MOST_DRIFTS + 1} if land stops the "
                f"ship before, {MOST_DRIFTS + 2} in a port, 0 without a space",
            ),
        ]
        if has_steps(chart):
            fields += [
                CellField(f"{name}_{player}", MOST_STEPS + 1, f"the fewest steps to a win{way}, at most {MOST_STEPS}")
                for name, way in (("clockwise", " clockwise"), ("anticlockwise", " anticlockwise"), ("steps", ""))
            ]
    fields += [
        CellField("phase", len(phases), f"one of {', '.join(phases)}"),
        CellField("then", len(FOLLOWING), f"what follows a boarding or sets: {', '.join(FOLLOWING)}"),
        CellField("decider", params["num_players"] + 1, "the player to act, or none"),
        CellField("target", params["num_players"] + 1, "the boarded player, or none"),
        CellField("take", NUM_KINDS + 1, "the card that the boarder takes, or none"),
        CellField("give", NUM_KINDS + 1, "the card that the boarder gives, or none"),
        CellField("winner", params["num_players"] + 1, "the winner, or none"),
        CellField("stage", STAGES, "finished turns in eighths of max_turns"),
    ]
    return CellLayout(fields=tuple(fields))


def _cards(player: int) -> Iterator[CellField]:
    for kind, most in zip(KINDS, MOST_OF_KINDS, strict=True):
        yield CellField(f"{kind}_{player}", most + 1, f"cards of this kind in the hand, at most {most}")
    yield CellField(f"hand_{player}", MOST_HELD + 1, f"cards in the hand, at most {MOST_HELD}")


@kernel
def cells(state, viewer, out):
    """Fill `out` with the position as `viewer` sees it; see `cell_layout`."""
    chart, players, at = chart_of(state), np.int64(state.num_players), 0
    p = np.int64(viewer)
    for _ in range(players):
        at = _of_player(state, chart, p, out, at)
        p = p + 1 if p + 1 < players else 0
    phase = np.int64(state.phase)
    out[at] = phase
    out[at + 1] = _following(state)
    out[at + 2] = _seen_from(viewer, _decider(state), players)
    out[at + 3] = _seen_from(viewer, np.int64(state.target), players)
    out[at + 4] = state.taken if state.taken >= 0 else NUM_KINDS
    out[at + 5] = state.given if state.given >= 0 else NUM_KINDS
    out[at + 6] = _seen_from(viewer, np.int64(state.winner), players)
    out[at + 7] = min(np.int64(state.turn) * STAGES // np.int64(state.max_turns), STAGES - 1)


@inlined_kernel
def _of_player(state, chart, p, out, at):
    """Fill in the cells of a player from cell `at` on; return the next cell."""
    spaces, ports = np.int64(state.num_spaces), np.int64(state.num_ports)
    space, reach, hand = np.int64(state.space[p]), np.int64(chart.reach), state.hands[p]
    home = np.int64(chart.places[state.home[p], PORT]) if state.home[p] >= 0 else ports
    rounds = min(max(np.int64(state.rounds[p]), -reach), reach) + reach
    out[at] = space if space >= 0 else spaces
    out[at + 1] = home
    out[at + 2] = rounds
    out[at + 3] = min(np.int64(state.skip[p]), MOST_SKIPPED)
    out[at + 4] = p == state.turn_player and state.phase != OVER
    for kind in range(NUM_KINDS):
        out[at + 5 + kind] = min(number_of(hand, kind), MOST_OF_KINDS[kind])
    out[at + 5 + NUM_KINDS] = min(size(hand), MOST_HELD)
    out[at + 6 + NUM_KINDS] = _drifts(chart, space)
    at += _OF_A_PLAYER
    if 2 * (2 * reach + 1) * spaces * ports > MAX_STEPS:
        return at
    clockwise, anticlockwise = MOST_STEPS, MOST_STEPS
    if space >= 0:
        place = 2 * ((space * ports + home) * (2 * reach + 1) + rounds)
        clockwise, anticlockwise = np.int64(chart.steps[place]), np.int64(chart.steps[place + 1])
    out[at] = clockwise
    out[at + 1] = anticlockwise
    out[at + 2] = min(clockwise, anticlockwise)
    return at + 3


@inlined_kernel
def _drifts(chart, space):
    """Return the cell `drifts` of a space."""
    if space < 0:
        return np.int64(0)
    if chart.places[space, PORT] >= 0:
        return np.int64(MOST_DRIFTS + 2)
    count = 1
    target = np.int64(chart.places[space, DRIFT])
    while target >= 0:
        count += 1
        target = np.int64(chart.places[target, DRIFT])
    return np.int64(min(count, MOST_DRIFTS) if target == OVER_THE_EDGE else MOST_DRIFTS + 1)


@inlined_kernel
def _following(state):
    if state.then == NOTHING:
        return 0
    return 1 if state.then == PLAY else 2 if state.then == SECOND_STEP else 3


@inlined_kernel
def _decider(state):
    player = current_player(state)
    return np.int64(player) if player >= 0 else np.int64(-1)


@inlined_kernel
def _seen_from(viewer, player, players):
    """Return a player's number from the viewer in turn order; the number of players if there is none."""
    return (player - np.int64(viewer)) % players if player >= 0 else players
