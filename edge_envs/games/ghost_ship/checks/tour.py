"""Checks on a position of `ghost_ship`: phase 2, treasure and players between turns."""

from __future__ import annotations

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.checks.creation import check_finished
from edge_envs.games.ghost_ship.checks.turn import check_turn
from edge_envs.games.ghost_ship.knowledge.meetings import are_together
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS, RIM, SPOTS, S
from edge_envs.games.ghost_ship.map.names import place_name, square_name, square_of
from edge_envs.games.ghost_ship.phases.board import wet_corners
from edge_envs.games.ghost_ship.phases.choices import is_in_circle
from edge_envs.games.ghost_ship.pieces.tiles import NO_SYMBOL, UNSEEN
from edge_envs.games.ghost_ship.state import (
    CHITS,
    GAINED,
    GOLD,
    KNOWN,
    LOST,
    NUM_VALUES,
    OVER,
    REVEAL,
    SIX,
    SYMBOL,
    TILE,
    WET,
)


def check_tour(record: Record) -> None:
    """Check that pawns, treasure and knowledge hang together, and that the turn can be at that point."""
    check_finished(record)
    check(record.turn > 0, "turn", "the tour begins with turn 1")
    check(record.ghost >= 0, "ghost", "it is on the board in the tour")
    _check_treasure(record)
    wet_corners(record)
    players = range(int(record.num_players))
    for player in players:
        _check_pawn(record, player)
        _check_turns(record, player)
        _check_claim(record, player)
    check_turn(record)
    for player in players:
        for other in players:
            _check_shown(record, player, other)


# Treasure


def _check_treasure(record: Record) -> None:
    """Check that every chit and all gold is somewhere, and that the game is over when none is on the map."""
    own = (record.own.astype(int) + record.lost).sum(axis=0)
    for k in range(NUM_VALUES):
        there, wanted = int(record.pool[k] + own[k]), int(record.full[k])
        message = f"with those that players have and lost, {there} chits have value {k + 1}, not {wanted}"
        check(there == wanted, "pool", message)
    _check_chits(record)
    _check_gold(record)
    treasure, over = bool(record.squares[:, [CHITS, GOLD]].any()), record.phase == OVER
    check(treasure or over, "chits", "neither chits nor gold are left to take, so the game is over")
    last = f"treasure is left and turn {record.max_turns} is not reached, so the game goes on"
    check(not (treasure and over) or record.turn == record.max_turns, "turn", last)


def _check_chits(record: Record) -> None:
    for square, (mask, symbol, chits) in enumerate(record.squares[:, [TILE, SYMBOL, CHITS]].tolist()):
        most = int(symbol != NO_SYMBOL)
        moved = f"chits are not moved to a tile without land, so {most} at most can lie on {square_name(square)}"
        check(mask != 0 or chits <= most, "chits", moved)
    there, dropped = int(record.squares[:, CHITS].sum()), int(record.dropped.sum())
    wanted = int(record.pool.sum()) - dropped
    message = f"{there} on the map instead of {wanted}: those never taken, less one for each of {dropped} dropped tiles"
    check(there == wanted, "chits", message)


def _check_gold(record: Record) -> None:
    gold, sixes = record.squares[:, GOLD], record.squares[:, SIX]
    check(bool((gold <= sixes).all()), "gold", "it lies on tiles of `six` alone")
    there, wanted = int(gold.sum()) + int(record.num_gold.sum()), int(sixes.sum())
    message = f"{there} on the map and with players instead of {wanted}, one for each tile of `six`"
    check(there == wanted, "gold", message)


# Players


def _check_pawn(record: Record, player: int) -> None:
    """Check that scout and boat are where they can be, and that nobody has been on a tile with an unseen symbol."""
    pawn, boat, ashore = int(record.pawn[player]), int(record.boat[player]), bool(record.ashore[player])
    for place in (pawn, boat):
        check(_exists(record, place), "players", f"player {player}: there is no {place_name(place)} on this map")
    afloat = _is_afloat(pawn)
    message = f"player {player}, ashore: it is {str(not afloat).lower()} in {place_name(pawn)}"
    check(ashore != afloat, "players", message)
    check(not afloat or pawn == boat, "players", f"player {player} is in the boat, so both are in the same place")
    beached = afloat or bool(is_in_circle(boat))
    check(beached, "players", f"player {player} is ashore, so the boat is in a circle ashore: C0 or C1")
    reveals = record.phase == REVEAL and player == record.turn_player
    entered = ([] if reveals else [pawn]) + ([boat] if ashore or not reveals else [])
    for place in entered:
        seen = place >= RIM or record.squares[square_of(place), SYMBOL] != UNSEEN
        check(bool(seen), "symbols", f"player {player} has seen that of the tile of {place_name(place)}")


def _exists(record: Record, place: int) -> bool:
    """Whether the map has a place."""
    if place >= RIM:
        return True
    square, spot = divmod(place, NUM_SPOTS)
    return bool(int(SPOTS[record.squares[square, TILE], record.squares[square, WET]]) >> 2 * spot & 1)


def _is_afloat(place: int) -> bool:
    return place >= RIM or place % NUM_SPOTS == S


def _check_turns(record: Record, player: int) -> None:
    """Check saved points, the count of equal numbers, and turns owed."""
    number, count = int(record.triple_number[player]), int(record.triple_count[player])
    possible = (number == 0) == (count == 0) and number != 1
    message = f"[{number}, {count}] is neither a number spun once or twice nor [0, 0]"
    check(possible, "players", f"player {player}, triple: {message}")
    saved = f"player {player} keeps points, and saving restarts the count of equal numbers: triple is [0, 0]"
    check(not record.saved[player] or count == 0, "players", saved)
    pays = record.skip[player] and player == record.turn_player and record.phase != OVER
    check(not pays, "players", f"player {player} owes a turn, and would have paid this one")


def _check_claim(record: Record, player: int) -> None:
    """Check that victim and thief are ashore, the victim away from the thief's boat, and nobody in two claims."""
    thief = int(record.claim[player])
    if thief < 0:
        return
    key = f"players: player {player}, claim"
    check(thief != player, key, "nobody steals from himself")
    check(bool(record.ashore[player] and record.ashore[thief]), key, "it lapses unless victim and thief are ashore")
    others = [int(record.claim[other]) for other in range(int(record.num_players)) if other != player]
    alone = player not in others and thief not in others and record.claim[thief] < 0
    check(alone, key, "a theft ends all earlier claims of or on victim and thief")
    met = square_of(int(record.pawn[player])) == square_of(int(record.boat[thief]))
    check(not met, key, "where victim and stolen boat are on one tile, the boats have changed back")


# Knowledge


def _check_shown(record: Record, player: int, other: int) -> None:
    """Check that what one saw of another, and what came and went since, gives what is there."""
    shown, own, lost = (row.tolist() for row in (record.shown[player, other], record.own[other], record.lost[other]))
    key = f"players: player {player}, shown"
    known, seen = bool(shown[KNOWN]), shown[:NUM_VALUES]
    check(player != other or not known, key, "it is null for the player himself")
    exact = known and seen == own and shown[GAINED] == shown[LOST] == 0
    together = bool(are_together(record, player, other))
    check(exact or not together, key, f"together with player {other} he sees all chits, none gained or lost since")
    over = record.phase == OVER and player != other
    check(exact or not over, key, f"at the end all chits of player {other} are open, none gained or lost since")
    if not known:
        return
    size = sum(seen) + shown[GAINED] - shown[LOST]
    check(size == sum(own), key, f"it gives {size} chits for player {other}, who has {sum(own)}")
    gone = [max(before - now, 0) for before, now in zip(seen, own, strict=True)]
    possible = sum(gone) <= shown[LOST] <= sum(lost) and all(g <= n for g, n in zip(gone, lost, strict=True))
    check(possible, key, f"chits of player {other} that were seen and are gone were lost, no more than he lost")
