"""The rules of `beyond_maps` in short, for players who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.games.beyond_maps.state import square_name

NAMES = ("sea", "land", "ship", "marker", "stop", "sail", "peninsula", "turn", "roll")


def text(params: Mapping[str, Any]) -> str:
    """The rules as they are with these parameters."""
    size, markers = params["size"], params["land_markers"]
    corner = square_name(size * size - 1, size)
    if params["dice"]:
        begin = (
            "A turn begins with a roll of two dice. The higher is the longest sail, the lower the most markers. It is"
        )
        sail, chain = "as many steps as the higher die", "as many markers as the lower die"
    else:
        begin, sail = "A turn is", f"{params['sea_range']} step{'s' * (params['sea_range'] > 1)}"
        chain = f"{markers} marker{'s' * (markers > 1)}"
    stop = (
        'You may stop after any marker of the chain: "stop".'
        if params["stop_early"]
        else "The chain goes on for as long as it can."
    )
    return f"""\
Two ships explore a square sea of {size} × {size} and raise land. Who has more land at the end has won.

Columns are letters, rows are numbers; a1 is top left. Player 0 has ship A, which begins on a1, and land 0; player 1 \
has ship B, which begins on {corner}, and land 1. "Next to" means the four sides of a square. Sea is all that is not \
land.

{begin} one sea action and one land action, in the order you like. The first turn of the game is a sea action alone.

Sea action, "sea c4 n": your ship sails up to {sail} through sea, turning freely, to an empty square or staying where \
it is. The other ship is not in its way. A marker goes on the square that one more step straight on would lead to: n, \
e, s or w of its last square. An empty square becomes your land, land of the enemy is replaced. If no marker is \
possible there, the ship only sails: "sea c4 -".

Land action, "land d5": a chain of up to {chain}. The first goes on an empty square next to a peninsula, which is own \
land with at most one own land next to it; each further one next to the marker before. {stop}

No marker on an empty square may leave the ships in seas that are parted, unless it takes the last sea beside the \
other ship, which closes it in. So you cannot close in your own ship alone.

After each action regions that your land surrounds, also along diagonals, and that do not touch the edge of the board, \
are filled: their empty squares become yours, and so does enemy land there with at most one enemy land next to it, \
again and again. So strings fall from their ends; rings and 2×2 blocks stand. A ship in such a region, even your own, \
is captured.

The game ends after the turn in which a ship is captured or has no sea beside it, or can reach no empty square, or \
after {params["max_turns"]} turns. Then only the land counts: equal land is a draw.
"""
