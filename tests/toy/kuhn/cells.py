"""Cells of `kuhn`: the cards that the viewer sees, and the betting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import kernel
from tests.toy.kuhn.rules import is_shown


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells; players are listed in turn order from the viewer."""
    players = params["num_players"]
    return CellLayout(
        fields=(
            CellField("cards", players + 3, "the card that the viewer sees; none; a hidden one", cells=players),
            CellField("chips", 2, "whether a player has put in a second chip", cells=players),
            CellField("folded", 2, "whether a player has folded", cells=players),
            CellField("turn", players + 1, "whose turn it is, or nobody's", ordered=False),
            CellField("bettor", players + 1, "who bet first, or nobody", ordered=False),
        )
    )


@kernel
def cells(state: Any, viewer: Any, out: Any) -> None:
    """Write what `viewer` sees: cards are 0 if not dealt and num_players + 2 if hidden."""
    players = state.num_players
    for seat in range(players):
        p = (viewer + seat) % players
        is_seen = p == viewer or is_shown(state, p)
        out[seat] = state.cards[p] if is_seen or state.cards[p] == 0 else players + 2
        out[players + seat] = state.chips[p] - 1
        out[2 * players + seat] = state.folded[p]
    out[3 * players] = (state.turn - viewer + players) % players if state.turn >= 0 else players
    out[3 * players + 1] = (state.bettor - viewer + players) % players if state.bettor >= 0 else players
