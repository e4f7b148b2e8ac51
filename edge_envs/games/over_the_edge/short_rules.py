"""Short rules of `over_the_edge` as a string, for language models and other readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.games.over_the_edge.map.generator import is_set, read_set_name
from edge_envs.games.over_the_edge.map.sets import layout_map
from edge_envs.games.over_the_edge.pieces.deck import COUNTS, KINDS
from edge_envs.games.over_the_edge.state import counts_in

NAMES = (
    "fair_weather", "favorable_winds", "mutiny", "scurvy", "stormy_seas", "severe_damage", "dead_calm", "loyal_crew",
    "fair", "winds", "sail", "calm", "wait", "discard", "home", "port", "board", "land", "take", "give", "accept",
    "refuse", "ship", "deck", "winding", "void", "set", "skip", "hand", "flat", "earth", "edge", "flat_earth",
)  # fmt: skip

BOARDING = """
Boarding: after a step into a space at sea you may board one ship there ("board 1" or "no boarding") if both of you \
have a card. You name a card to take, then a card to give, and the two cards change hands. Only a player with three \
loyal_crew may refuse; others accept.
"""

CALM_SAVES = ", even when three stormy_seas take effect, instead of drifting; this too ends your turn"
_NUMBERS = {5: "five"}


def text(params: Mapping[str, Any]) -> str:
    """Return the rules for these parameters."""
    hand = params["hand_size"]
    number = _NUMBERS.get(hand, hand)
    cards = f"{number} card{'' if hand == 1 else 's'}"
    return f"""\
{params["num_players"]} ships sail round a flat earth. The first to come home after sailing round the world, in either \
direction, wins. Do not fall over the edge.

{_map_text(params["map"])} The last column is next to the first, \
and beyond the last ring is the void. Choose a port as home. Your winding says how far you have sailed round, in \
sectors of {layout_map(params["map"]).sectors}. Entering home with a winding other than 0 wins at once.

All cards are open. {_deck_text(params)} When the deck is empty, the discards become \
the deck.
- fair_weather: one step into a space that shares an edge, "fair B1", with no brown line between. favorable_winds: two \
such steps, "winds B1", then "sail B2"; both are mandatory.
- Three mutiny, without a loyal_crew: your ship returns home, with winding 0.
- Three scurvy, three stormy_seas or three severe_damage: your ship drifts one space towards the edge, or over it. \
If only land lies outward, it runs aground and misses a turn (skip).
- Three loyal_crew let you refuse a boarding. dead_calm does nothing, but you can discard three of it and a \
stormy_seas: "calm"{CALM_SAVES if params["calm_saves"] else ""}.

A turn that begins in port: discard down to {cards}, or draw up to {number}; draw one; discard any one; then sail out \
with a card, or stay: "wait". Nothing bad happens in port.
A turn at sea: draw a card. If three bad cards take effect now, your turn ends. Else sail with a card, "calm", or \
"wait".
Sets of three take effect on all ships at sea, after the draw of a turn at sea and after each step. They are then \
discarded. A set on another ship does not cost it a turn. If several kinds can take effect, their owner chooses the \
next: "set scurvy".
{BOARDING if params["boarding"] else ""}
A ship over the edge is out. If all have fallen, or after {params["max_turns"]} turns of all players, nobody wins.
"""


def _map_text(value: Any) -> str:
    """Describe the map, or the set of maps."""
    if is_set(value):
        recipe = read_set_name(value)
        rings, _, ports = recipe.sizes
        return f"The map is one of {recipe.count}, with {rings} rings and {ports} ports."
    chart = layout_map(value)
    return f"The map has {len(chart.spaces)} spaces and {len(chart.ports)} ports in rings."


def _deck_text(params: Mapping[str, Any]) -> str:
    """Describe the cards of the game."""
    counts = counts_in(params)
    if counts == COUNTS:
        return "There are 16 fair_weather and 8 of each other kind."
    return f"There are {', '.join(f'{count} {kind}' for count, kind in zip(counts, KINDS, strict=True))}."
