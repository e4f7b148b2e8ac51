"""The observation of `kuhn`: the own card and the public table, from the viewer's seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.spec import Layout, ObservationField
from tests.toy.kuhn.rules import is_shown


def layout(params: Mapping[str, Any]) -> Layout:
    """Return the slices of the observation, in order; players are listed in turn order from the viewer."""
    players = params["num_players"]
    return Layout((
        ObservationField("card", players + 1, 0, 1, "the viewer's card, one of the deck"),
        ObservationField("shown", players * (players + 1), 0, 1, "open cards, by player"),
        ObservationField("dealt", players, 0, 1, "who has a card"),
        ObservationField("chips", players, 1, 2, "in the pot, by player"),
        ObservationField("folded", players, 0, 1, "who has folded"),
        ObservationField("turn", players, 0, 1, "whose turn it is when all cards are dealt"),
        ObservationField("bettor", players, 0, 1, "who bet first"),
    ))  # fmt: skip


@kernel
def observe(state: Any, player: Any, out: Any) -> None:
    """Write the observation of `player`."""
    players = state.num_players
    out[:] = 0
    if state.cards[player] > 0:
        out[state.cards[player] - 1] = 1
    base = players + 1 + players * (players + 1)
    for seat in range(players):
        p = (player + seat) % players
        if is_shown(state, p) and state.cards[p] > 0:
            out[(players + 1) * (1 + seat) + state.cards[p] - 1] = 1
        out[base + seat] = p < state.num_dealt
        out[base + players + seat] = state.chips[p]
        out[base + 2 * players + seat] = state.folded[p]
        out[base + 3 * players + seat] = state.turn == p
        out[base + 4 * players + seat] = state.bettor == p
