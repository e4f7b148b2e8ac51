"""Check positions of `ghost_ship` in phase 2: treasure, and players between turns."""

from __future__ import annotations

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.checks.creation import check_finished
from edge_envs.games.ghost_ship.checks.turn import check_turn
from edge_envs.games.ghost_ship.knowledge.meetings import are_together
from edge_envs.games.ghost_ship.map.geometry import INSIDE, NUM_SPOTS, RIM, RIM_SIZE, SPOTS, S
from edge_envs.games.ghost_ship.map.names import place_name, square_name, square_of
from edge_envs.games.ghost_ship.phases.board import wet_corners
from edge_envs.games.ghost_ship.phases.choices import is_in_circle
from edge_envs.games.ghost_ship.pieces.tiles import NO_SYMBOL, NUM_SYMBOL_TILES, UNSEEN
from edge_envs.games.ghost_ship.state import (
    CHITS,
    GAINED,
    GOLD,
    KNOWN,
    LOST,
    NUM_CHITS,
    NUM_VALUES,
    OVER,
    REVEAL,
    SIX,
    SYMBOL,
    TILE,
    WET,
)


def check_tour(record: Record) -> None:
    """Check the consistency of pawns, treasure and knowledge, and of the turn in progress."""
    check_finished(record)
    check(record.turn > 0, "turn", "it must be at least 1 on the tour")
    check(record.ghost >= 0, "ghost", "it must be on the board on the tour")
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
    """Check that no chit and no gold is missing, and that the game is over when none is on the map."""
    own = (record.own.astype(int) + record.lost).sum(axis=0)
    for k in range(NUM_VALUES):
        found, expected = int(record.pool[k] + own[k]), int(record.full[k])
        message = f"with those that players have and lost, {found} chits have value {k + 1}, expected {expected}"
        check(found == expected, "pool", message)
    _check_chits(record)
    _check_gold(record)
    treasure, over = bool(record.squares[:, [CHITS, GOLD]].any()), record.phase == OVER
    check(treasure or over, "chits", "neither chits nor gold are left, so the game must be over")
    last = f"treasure is left and turn {record.max_turns} is not reached, so the game is not over"
    check(not (treasure and over) or record.turn == record.max_turns, "turn", last)


def _check_chits(record: Record) -> None:
    for square, (mask, symbol, chits) in enumerate(record.squares[:, [TILE, SYMBOL, CHITS]].tolist()):
        most = int(symbol != NO_SYMBOL)
        moved = f"chits cannot be moved to a tile without land, so {square_name(square)} can have at most {most}"
        check(mask != 0 or chits <= most, "chits", moved)
    there, dropped = int(record.squares[:, CHITS].sum()), int(record.dropped.sum())
    unused = NUM_CHITS - int(NUM_SYMBOL_TILES[record.sea])
    expected = int(record.pool.sum()) - unused - dropped
    never = f"minus the {unused} that are not used, " if unused else ""
    message = f"{there} on the map, expected {expected}: the pool {never}minus one for each of {dropped} dropped tiles"
    check(there == expected, "chits", message)


def _check_gold(record: Record) -> None:
    gold, sixes = record.squares[:, GOLD], record.squares[:, SIX]
    check(bool((gold <= sixes).all()), "gold", "it can only be on tiles of `six`")
    found, expected = int(gold.sum()) + int(record.num_gold.sum()), int(sixes.sum())
    message = f"{found} on the map and with players, expected {expected}: one for each tile of `six`"
    check(found == expected, "gold", message)


# Players


def _check_pawn(record: Record, player: int) -> None:
    """Check the places of scout and boat, and that nobody has been on a tile with a hidden symbol."""
    pawn, boat, ashore = int(record.pawn[player]), int(record.boat[player]), bool(record.ashore[player])
    for place in (pawn, boat):
        check(_exists(record, place), "players", f"player {player}: this map has no {place_name(place)}")
    afloat = _is_afloat(pawn)
    message = f"player {player}, ashore: it must be {str(not afloat).lower()} in {place_name(pawn)}"
    check(ashore != afloat, "players", message)
    check(not afloat or pawn == boat, "players", f"player {player} is in the boat, so their places must be equal")
    beached = afloat or bool(is_in_circle(boat))
    check(beached, "players", f"player {player} is ashore, so the boat must be ashore at a C0 or C1")
    reveals = record.phase == REVEAL and player == record.turn_player
    entered = ([] if reveals else [pawn]) + ([boat] if ashore or not reveals else [])
    for place in entered:
        seen = place >= RIM or record.squares[square_of(place), SYMBOL] != UNSEEN
        check(bool(seen), "symbols", f"player {player} has already seen the symbol of the tile of {place_name(place)}")


def _exists(record: Record, place: int) -> bool:
    """Return whether the map has a place."""
    if place >= RIM:
        return bool(place - RIM < RIM_SIZE[record.sea])
    square, spot = divmod(place, NUM_SPOTS)
    inside = bool(INSIDE[record.sea, square])
    return inside and bool(int(SPOTS[record.squares[square, TILE], record.squares[square, WET]]) >> 2 * spot & 1)


def _is_afloat(place: int) -> bool:
    return place >= RIM or place % NUM_SPOTS == S


def _check_turns(record: Record, player: int) -> None:
    """Check saved points, the count of equal numbers, and turns owed."""
    number, count = int(record.triple_number[player]), int(record.triple_count[player])
    possible = (number == 0) == (count == 0) and number != 1
    message = f"[{number}, {count}] is neither a number spun once or twice nor [0, 0]"
    check(possible, "players", f"player {player}, triple: {message}")
    saved = f"player {player} has saved points, and saving restarts the count: triple must be [0, 0]"
    check(not record.saved[player] or count == 0, "players", saved)
    pays = record.skip[player] and player == record.turn_player and record.phase != OVER
    check(not pays, "players", f"player {player} owes a turn, so this turn would be missed")


def _check_claim(record: Record, player: int) -> None:
    """Check that victim and thief are ashore, the victim away from the thief's boat, and nobody in two claims."""
    thief = int(record.claim[player])
    if thief < 0:
        return
    key = f"players: player {player}, claim"
    check(thief != player, key, "players cannot steal their own boats")
    check(bool(record.ashore[player] and record.ashore[thief]), key, "both victim and thief must be ashore")
    others = [int(record.claim[other]) for other in range(int(record.num_players)) if other != player]
    alone = player not in others and thief not in others and record.claim[thief] < 0
    check(alone, key, "a theft ends all earlier claims of or on victim and thief")
    met = square_of(int(record.pawn[player])) == square_of(int(record.boat[thief]))
    check(not met, key, "the victim is on the tile of the stolen boat, so the boats would have changed back")


# Knowledge


def _check_shown(record: Record, player: int, other: int) -> None:
    """Check that the chits shown to a player, with those gained and lost since, agree with the present chits."""
    shown, own, lost = (row.tolist() for row in (record.shown[player, other], record.own[other], record.lost[other]))
    key = f"players: player {player}, shown"
    known, seen = bool(shown[KNOWN]), shown[:NUM_VALUES]
    check(player != other or not known, key, "it must be null for the same player")
    exact = known and seen == own and shown[GAINED] == shown[LOST] == 0
    together = bool(are_together(record, player, other))
    check(exact or not together, key, f"it must have all chits of player {other}, 0 gained and 0 lost while together")
    over = record.phase == OVER and player != other
    check(exact or not over, key, f"at the end it must have all chits of player {other}, with 0 gained and lost")
    if not known:
        return
    size = sum(seen) + shown[GAINED] - shown[LOST]
    check(size == sum(own), key, f"it implies {size} chits of player {other}, who has {sum(own)}")
    gone = [max(before - now, 0) for before, now in zip(seen, own, strict=True)]
    possible = sum(gone) <= shown[LOST] <= sum(lost) and all(g <= n for g, n in zip(gone, lost, strict=True))
    check(possible, key, f"chits of player {other} that were shown and are gone must be among the lost ones")
