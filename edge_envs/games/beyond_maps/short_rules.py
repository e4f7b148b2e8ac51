"""Short rules of `beyond_maps`, for human players and language models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.games.beyond_maps.state import dimensions, square_name

NAMES = ("sea", "land", "ship", "marker", "stop", "sail", "peninsula", "turn", "roll")


def text(params: Mapping[str, Any]) -> str:
    """Return the rules for these parameters."""
    (width, height), markers = dimensions(params), params["land_markers"]
    corner = square_name(width * height - 1, width)
    shape = "square" if width == height else "rectangular"
    if params["dice"]:
        begin = "A turn begins with a roll of two dice: the higher limits the steps, the lower the markers. Then follow"
        sail = "at most as many steps as the higher die shows"
        chain = "at most as many markers as the lower die shows"
    else:
        begin, sail = "A turn has", f"up to {params['sea_range']} step{'s' * (params['sea_range'] > 1)}"
        chain = f"up to {markers} marker{'s' * (markers > 1)}"
    stop = (
        'You may stop after any marker of the chain: "stop".'
        if params["stop_early"]
        else "The chain continues as long as possible."
    )
    own = (
        "It may also take the last sea square next to your own ship."
        if params["close_self"]
        else "So you cannot close in only your own ship."
    )
    return f"""\
Two ships explore a {shape} sea of {width} × {height} and raise land. The player with more land at the end wins.

Columns are letters, rows are numbers; a1 is top left. Player 0 has ship A, which begins on a1, and land 0. Player 1 \
has ship B, which begins on {corner}, and land 1. "Next to" means sharing a side. Sea is every square without land.

{begin} one sea action and one land action, in either order. The first turn of the game is a sea action only.

{_islands_text(params["islands"])}\
Sea action, "sea c4 n": your ship sails through sea, {sail}, turning freely, to an empty square, or stays where it is. \
It may pass through the other ship. A marker goes on the next square straight ahead: n, e, s or w of the ship's \
last square. If your ship stays, you choose the side. An empty square becomes your land; enemy land is replaced. If no \
marker can be placed there, the ship only sails: "sea c4 -".

Land action, "land d5": a chain of {chain}. The first goes on an empty square next to a peninsula, which is a \
square of your land with at most one other square of your land next to it. Each further marker goes on an empty square \
next to the previous one. \
{stop}

A marker on an empty square must not divide the sea between the ships, unless it takes the last sea square next to the \
other ship, which closes it in. {own}

After each action, regions that your land surrounds (diagonals count) and that do not touch the edge of the board are \
filled. Their empty squares become yours, and so does enemy land there with at most one enemy land next to it, \
repeatedly. So chains fall from their ends; rings and 2×2 blocks survive. A ship in such a region, even your own, is \
captured.

The game ends after the turn in which a ship is captured, has no sea next to it, or can reach no empty square, or \
after {params["max_turns"]} turns. Then only the land counts; {_handicap_text(params["handicap"])}equal land is a draw.
"""


def _islands_text(islands: int) -> str:
    """Return the rule about islands; an empty string without them."""
    if not islands:
        return ""
    count = f"{islands} island{'s' * (islands > 1)} of each player"
    return f"Before the first turn, chance raises up to {count}, on opposite squares.\n\n"


def _handicap_text(handicap: int) -> str:
    """Return the rule about the handicap; an empty string without it."""
    if not handicap:
        return ""
    player, count = (1, handicap) if handicap > 0 else (0, -handicap)
    return f"player {player} gets {count} square{'s' * (count > 1)} more; "
