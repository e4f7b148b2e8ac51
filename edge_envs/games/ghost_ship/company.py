"""Who is together with whom, and whose loss comes next, in a position of `ghost_ship`."""

from __future__ import annotations

from edge_envs.core.game import Record
from edge_envs.games.ghost_ship.geometry import NUM_SPOTS, REGION, RIM
from edge_envs.games.ghost_ship.record import TILE


def are_together(record: Record, one: int, other: int) -> bool:
    """Whether two players' active pawns are on one tile, both at sea or both on one region, and have met."""
    if one == other or (record.arriving and record.turn_player in (one, other)):
        return False
    there = _region(record, one)
    return there is not None and there == _region(record, other)


def _region(record: Record, player: int) -> tuple[int, int] | None:
    """The square of an active pawn and its region there, -1 at sea; nothing for a board-edge circle."""
    place = int(record.pawn[player])
    if place >= RIM:
        return None
    square, spot = divmod(place, NUM_SPOTS)
    return square, int(REGION[record.squares[square, TILE], spot])


def in_turn_order(record: Record) -> list[int]:
    """All players, the turn player first."""
    players = int(record.num_players)
    return [(int(record.turn_player) + i) % players for i in range(players)]


def first_loser(record: Record) -> int:
    """Who loses a chit next; somebody does."""
    return next(player for player in in_turn_order(record) if record.losers >> player & 1)
