"""The rules of `over_the_edge` in short, for players who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.games.over_the_edge.map.charts import load_map

NAMES = (
    "fair_weather", "favorable_winds", "mutiny", "scurvy", "stormy_seas", "severe_damage", "dead_calm", "loyal_crew",
    "fair", "winds", "sail", "calm", "wait", "discard", "home", "port", "board", "land", "take", "give", "accept",
    "refuse", "ship", "deck", "winding", "void", "set", "skip", "hand", "flat", "earth", "edge", "flat_earth",
)  # fmt: skip

BOARDING = """
Boarding: after a step into a space at sea you may board one ship there, "board 1" or "no boarding", if both of you \
have a card. You name a card to take, then a card to give, and they change hands. Only who holds three loyal_crew may \
refuse; others accept.
"""


def text(params: Mapping[str, Any]) -> str:
    """The rules as they are with these parameters."""
    chart = load_map(params["map"])
    return f"""\
{params["num_players"]} ships sail round a flat earth. Who first comes home from round the world, either way, has won. \
Do not fall over the edge.

The map has {len(chart.spaces)} spaces and {len(chart.ports)} ports in rings; the last column is next to the first, \
and behind the last ring is the void. Pick a port as home. Your winding counts how far you have come round, in sectors \
of {chart.sectors}; entering home with another winding than 0 wins at once.

Cards lie open. There are 16 fair_weather and 8 of each other kind. When the deck is empty, the discards become the \
deck.
- fair_weather: one step into a space that shares an edge, "fair B1", with no brown line between. favorable_winds: two \
such steps, "winds B1", then "sail B2"; both must be made.
- Three mutiny, without a loyal_crew: your ship is put home, with winding 0.
- Three scurvy, three stormy_seas or three severe_damage: your ship drifts one space towards the edge, or over it. \
Where only land lies outward it runs aground and skips a turn.
- Three loyal_crew let you refuse boarders. dead_calm does nothing, but three of it and a stormy_seas can be laid off: \
"calm".

A turn that begins in port: discard down to five cards, or draw up to five; draw one; discard any one; then sail out \
with a card, or stay: "wait". In port nothing bad happens.
A turn at sea: draw a card; if three bad cards act now, that is the turn. Else sail with a card, "calm", or "wait".
Sets of three act by themselves on any ship at sea, after the draw of a turn at sea and after each step, and are \
discarded; a set on another ship costs it no turn. If several kinds can act, their owner says which is next: "set \
scurvy".
{BOARDING if params["boarding"] else ""}
A ship over the edge is out. If all have fallen, or after {params["max_turns"]} turns of all together, nobody has won.
"""
