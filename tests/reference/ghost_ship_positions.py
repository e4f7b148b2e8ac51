"""Read and validate positions for the reference implementation of `ghost_ship`.

A position has the same keys in every phase; unused values are null, empty, zero or false. Three keys do not occur in
the rules: `spun` is the number and direction of a spin until the result is fixed; `taking_over` means that a step out
of a skull, or ashore out of a storm, has also ended taking; `arriving` means that the turn player's pawn has entered a
tile and meetings there are pending (`reveal` and `lose`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.reference.ghost_ship import (
    ALL_SYMBOL_TILES,
    CHITS,
    CREATION,
    KINDS,
    PHASES,
    SYMBOL_CLASSES,
    SYMBOLS,
    GhostShip,
    Player,
    Shown,
    in_reading_order,
    is_west,
    symbol_tile_order,
    total,
    who_turns_up,
)
from tests.reference.ghost_ship_map import (
    COLUMNS,
    PLACES,
    ROWS,
    SIDES,
    SQUARES,
    TILES,
    WAYS,
    Square,
    beside,
    class_of,
    spot_of,
    tile_of,
)

OWN_KEYS = ["pawn", "boat", "ashore", "chits", "lost", "gold", "saved", "triple", "skip", "claim", "shown"]
TURN_KEYS = ["declared", "spun", "result", "points", "movement_over", "taking_over", "arriving"]
KEYS = [
    *("game", "params", "phase", "turn_player", "decider", "turn", "tiles", "six", "symbols", "chits", "gold", "pool"),
    *("stacks", "discards", "dropped", "hand_tiles", "to_draw", "ghost", "losers", "extra", "players"),
    *(*TURN_KEYS, "by_limit"),
]
ACTS = ["travel", "swim", "search", "steal 0", "steal 1", "steal 2", "steal 3", "salvage", "drift"]
MOST_SKIPS = 100


def read(cls: type[GhostShip], d: dict[str, Any]) -> GhostShip:
    """Create the game at a position. Raises ValueError that starts with the invalid key."""
    refuse("params", not isinstance(d.get("params"), dict), "missing or no parameters")
    refuse("game", d.get("game") != "ghost_ship", "another game")
    game = cls(**d["params"])
    for key in [*KEYS, *d]:
        refuse(key, key not in d or key not in KEYS, "missing or unknown")
    game.phase = one_of(d["phase"], PHASES, "phase")
    game.turn_player = integer(d["turn_player"], 0, game.num_players - 1, "turn_player")
    game.decider = integer(d["decider"], 0, game.num_players - 1, "decider")
    game.turn = integer(d["turn"], 0, game.max_turns, "turn")
    read_map(game, d)
    read_heaps(game, d)
    game.players = [read_player(game, own) for own in listed(d["players"], game.num_players, "players")]
    read_turn(game, d)
    check_map(game)
    check_symbols(game)
    if game.phase in CREATION:
        check_creation(game)
    else:
        check_tour(game)
    refuse("by_limit", not isinstance(d["by_limit"], bool) or d["by_limit"] != game.by_limit(), "not so")
    return game


# Validation


def refuse(key: str, condition: bool, message: str) -> None:
    """Raise ValueError if the condition holds."""
    if condition:
        raise ValueError(f"{key}: {message}")


def integer(value: Any, low: int, high: int, key: str) -> int:
    """Check an integer and its range; return it."""
    refuse(key, type(value) is not int, f"{value!r} is not an integer")
    refuse(key, not low <= value <= high, f"{value} is not from {low} to {high}")
    return int(value)


def truth(value: Any, key: str) -> bool:
    """Check a boolean; return it."""
    refuse(key, not isinstance(value, bool), f"{value!r} is neither true nor false")
    return bool(value)


def one_of(value: Any, choices: Iterable[str], key: str) -> str:
    """Check that a value is one of some strings; return it."""
    refuse(key, not isinstance(value, str) or value not in choices, f"{value!r} is not possible")
    return str(value)


def listed(value: Any, count: int | None, key: str) -> list[Any]:
    """Check a list and its length; return it."""
    refuse(key, not isinstance(value, list), f"{value!r} is not a list")
    refuse(key, count is not None and len(value) != count, f"{count} entries are wanted")
    return list(value)


def squares(value: Any, key: str) -> list[Square]:
    """Read squares, which must be in reading order without duplicates."""
    names = [one_of(name, SQUARES, key) for name in listed(value, None, key)]
    refuse(key, names != in_reading_order(set(names)), "squares are in reading order, none twice")
    return names


def counts(value: Any, names: Sequence[str], most: int, key: str) -> Counter[str]:
    """Read counts of named things; zeros are omitted."""
    refuse(key, not isinstance(value, dict), f"{value!r} is not an object")
    found = {one_of(name, names, key): integer(count, 0, most, key) for name, count in value.items()}
    return Counter({name: found[name] for name in names if found.get(name)})


def values(value: Any, key: str) -> Counter[int]:
    """Read chits by their values."""
    found = counts(value, [str(value) for value in CHITS], 20, key)
    return Counter({int(name): count for name, count in found.items()})


def read_map(game: GhostShip, d: Mapping[str, Any]) -> None:
    """Read tiles, symbols, chits, gold and the ghost."""
    rows = [one_of_rows(row) for row in listed(d["tiles"], len(ROWS), "tiles")]
    game.tiles.clear()
    for square, mark in zip(SQUARES, "".join(rows), strict=True):
        refuse("tiles", (mark != "-") != (square in game.parts.sea.squares), f"{square}: inside or outside the sea")
        if mark not in ".-":
            game.tiles[square] = TILES[int(mark, 16)]
    game.six = set(squares(d["six"], "six"))
    refuse("symbols", not isinstance(d["symbols"], dict), "no object")
    for square, symbol in d["symbols"].items():
        game.symbols[one_of(square, SQUARES, "symbols")] = one_of(symbol, [*SYMBOLS, "?"], "symbols")
    game.chits = counts(d["chits"], SQUARES, 20, "chits")
    game.gold = set(squares(d["gold"], "gold"))
    game.ghost = None if d["ghost"] is None else one_of(d["ghost"], game.parts.sea.squares, "ghost")


def one_of_rows(row: Any) -> str:
    """Check a row of ten masks; return it."""
    wrong = not isinstance(row, str) or len(row) != COLUMNS or not set(row) <= set("0123456789abcdef.-")
    refuse("tiles", wrong, f"{row!r} is not a row of ten tiles")
    return str(row)


def read_heaps(game: GhostShip, d: Mapping[str, Any]) -> None:
    """Read the tiles that are not on the board."""
    game.pool = values(d["pool"], "pool")
    sizes = listed(d["stacks"], len(game.parts.stacks), "stacks")
    game.stacks = [integer(size, 0, most, "stacks") for size, most in zip(sizes, game.parts.stacks, strict=True)]
    game.discards = counts(d["discards"], KINDS, 90, "discards")
    names = SYMBOL_CLASSES if game.covered else ALL_SYMBOL_TILES
    game.dropped = [one_of(name, names, "dropped") for name in listed(d["dropped"], None, "dropped")]
    refuse("dropped", game.dropped != sorted(game.dropped, key=symbol_tile_order), "not in the order of the box")
    game.hand = counts(d["hand_tiles"], names if game.phase == "place" else KINDS, 10, "hand_tiles")
    game.to_draw = integer(d["to_draw"], 0, 10, "to_draw")


def read_player(game: GhostShip, d: Any) -> Player:
    """Read the entry of a player."""
    key = "players"
    refuse(key, not isinstance(d, dict) or set(d) != set(OWN_KEYS), f"a player has {', '.join(OWN_KEYS)}")
    number, count = listed(d["triple"], 2, key)
    others = game.num_players
    return Player(
        pawn=one_of(d["pawn"], PLACES, key),
        boat=one_of(d["boat"], PLACES, key),
        ashore=truth(d["ashore"], key),
        chits=values(d["chits"], key),
        lost=values(d["lost"], key),
        gold=integer(d["gold"], 0, 8, key),
        saved=integer(d["saved"], -3, 3, key),
        triple=(integer(number, 0, 5, key), integer(count, 0, 2, key)),
        skip=integer(d["skip"], 0, MOST_SKIPS, key),
        claim=None if d["claim"] is None else integer(d["claim"], 0, others - 1, key),
        shown=[read_shown(seen) for seen in listed(d["shown"], others, key)],
    )


def read_shown(d: Any) -> Shown | None:
    """Read the chits that a player showed."""
    if d is None:
        return None
    refuse("players", not isinstance(d, dict) or set(d) != {"chits", "gained", "lost"}, f"shown: {d!r}")
    gained, lost = (integer(d[key], 0, 20, "players") for key in ("gained", "lost"))
    return Shown(values(d["chits"], "players"), gained, lost)


def read_turn(game: GhostShip, d: Mapping[str, Any]) -> None:
    """Read the data of the current turn."""
    seats = range(game.num_players)
    game.losers = [integer(player, 0, seats[-1], "losers") for player in listed(d["losers"], None, "losers")]
    game.extra = None if d["extra"] is None else one_of(d["extra"], ["chit", "ghost"], "extra")
    game.declared = None if d["declared"] is None else one_of(d["declared"], ACTS, "declared")
    if d["spun"] is not None:
        number, way = listed(d["spun"], 2, "spun")
        game.spun = integer(number, 2, 5, "spun"), one_of(way, WAYS, "spun")
    game.result = None if d["result"] is None else integer(d["result"], 2, 5, "result")
    game.points = None if d["points"] is None else integer(d["points"], 0, 5, "points")
    game.movement_over = truth(d["movement_over"], "movement_over")
    game.taking_over = truth(d["taking_over"], "taking_over")
    game.arriving = truth(d["arriving"], "arriving")


# The board


def check_map(game: GhostShip) -> None:
    """Check that tiles match, initial tiles are in place, and the 6s are hills."""
    for square, tile in game.tiles.items():
        refuse("tiles", not game.chart.fits(square, tile), f"{square} does not match its neighbours or the rim")
    hills = game.parts.gold_at_first
    for square in game.set_out():
        wanted = "LLLL" if square in hills else "WWWW"
        refuse("tiles", game.tiles.get(square) != wanted, f"{square} is set out as {wanted}")
    refuse("six", not set(hills) <= game.six, "six are set out")
    refuse("six", len(game.six) > len(hills) + game.parts.draw["LLLL6"], "too many tiles with a 6")
    refuse("six", any(game.tiles.get(square) != "LLLL" for square in game.six), "a tile that is not all land")


def check_symbols(game: GhostShip) -> None:
    """Check that the symbol tiles are from the box, and symbols are hidden only with random creation."""
    box, on_board = Counter(game.box), Counter[str]()
    classes = Counter(tile.split()[1] for tile in game.box)
    for square, symbol in game.symbols.items():
        refuse("symbols", square not in game.tiles, f"{square} is vacant")
        refuse("symbols", square in game.set_out(), f"{square} is set out")
        name = class_of(game.tiles[square])
        refuse("symbols", symbol == "?" and not game.covered, "symbols are seen when they are placed")
        refuse("symbols", game.covered and game.phase in CREATION and symbol != "?", "not seen before the tour")
        on_board[f"{symbol} {name}"] += 1
        classes[name] -= 1
        refuse("symbols", classes[name] < 0, f"too many symbol tiles {name}")
    for name, count in on_board.items():
        refuse("symbols", not name.startswith("?") and count > box[name], f"too many {name}")
    placed = [name.split()[1] for name in on_board.elements()] if game.covered else list(on_board.elements())
    for name in game.dropped:
        there = [*placed, *game.dropped].count(name)
        most = [tile.split()[1] if game.covered else tile for tile in game.box].count(name)
        refuse("dropped", there > most, f"too many {name}")
    turned_up = len(game.symbols) + len(game.dropped)
    if game.phase in ("symbol", "place"):
        refuse("symbols", turned_up >= len(game.box), "all have been placed")
    else:
        refuse("dropped", turned_up != len(game.box), "symbol tiles are on the board or dropped, twenty in all")


# Phase 1


def check_creation(game: GhostShip) -> None:
    """Check that the tour has not started."""
    phase = game.phase
    refuse("turn", game.turn != 0, "the tour has not begun")
    refuse("ghost", game.ghost is not None, "it is not on the board yet")
    refuse("pool", game.pool != game.full, "no chit has been taken")
    refuse("decider", game.decider != game.turn_player, "in phase 1 the turn player decides")
    starts = game.parts.starts[game.num_players]
    beginners = [Player(f"{s}.S", f"{s}.S", shown=[None] * len(starts)) for s in starts]
    refuse("players", game.players != beginners, "the boats lie in the corners and nobody has anything")
    check_no_turn(game)
    if game.random:
        check_random_layout(game)
    if phase == "ghost":
        check_finished(game)
        refuse("turn_player", game.turn_player != game.num_players - 1, "the last player puts the ghost")
        refuse("chits", game.chits != Counter(dict.fromkeys(game.symbols, 1)), "one lies on every symbol tile")
        refuse("gold", game.gold != game.six, "it lies on every 6")
        return
    refuse("chits", total(game.chits) > 0, "they are not laid out yet")
    refuse("gold", bool(game.gold), "it is not laid out yet")
    refuse("tiles", not game.chart.vacant(), "the board is full")
    if phase in ("symbol", "place"):
        check_symbol_phase(game)
    else:
        check_filling(game)


def check_random_layout(game: GhostShip) -> None:
    """Check that random creation laid ten non-adjacent symbol tiles on each half and dropped none."""
    refuse("dropped", bool(game.dropped), "no tile leaves the game")
    for square in game.symbols:
        refuse(
            "symbols",
            any(beside(square, side, game.parts.sea) in game.symbols for side in SIDES),
            f"{square} is beside another",
        )
    west = sum(is_west(square) for square in game.symbols)
    for count in (west, len(game.symbols) - west):
        laying = game.phase in ("symbol", "place")
        refuse("symbols", count > game.half or (count < game.half and not laying), f"{count} on one half")
    if game.phase in ("symbol", "place"):
        refuse("symbols", not game.room_is_left(set(game.symbols)), "no room is left for the others")


def check_symbol_phase(game: GhostShip) -> None:
    """Check that only symbol tiles are placed and the stacks are full."""
    turned_up = len(game.symbols) + len(game.dropped)
    refuse(
        "turn_player",
        game.turn_player != who_turns_up(turned_up, game.num_players, len(game.box)),
        "another turns it up",
    )
    refuse("tiles", total(game.plain_tiles()) > 0, "only symbol tiles are placed so far")
    refuse("stacks", game.stacks != game.parts.stacks, "nothing has been drawn")
    refuse("discards", total(game.discards) > 0, "nothing has been drawn")
    refuse("to_draw", game.to_draw != 0, "nothing is drawn")
    if game.phase == "symbol":
        refuse("hand_tiles", total(game.hand) > 0, "nothing is in hand")
        return
    refuse("hand_tiles", total(game.hand) != 1, "one symbol tile is in hand")
    (name,) = game.hand
    refuse("hand_tiles", name not in Counter(tiles_and_hand_left(game)), "that tile has been placed")
    refuse("hand_tiles", not game.symbol_places(name.split()[-1]), "it fits nowhere")


def tiles_and_hand_left(game: GhostShip) -> list[str]:
    """Return the symbol tiles that are not placed yet, including the one in hand."""
    hand, game.hand = game.hand, Counter()
    left = list(game.symbol_tiles_left().elements())
    game.hand = hand
    return left


def check_filling(game: GhostShip) -> None:
    """Check that all ninety tiles exist and hands are drawn and laid correctly."""
    phase, hand = game.phase, total(game.hand)
    gone = game.plain_tiles() + game.hand
    if phase == "complete":
        refuse("stacks", any(game.stacks), "stacks and discards are one heap")
        refuse("hand_tiles", hand > 0, "it has been discarded")
        refuse("to_draw", game.to_draw != 0, "nothing is drawn")
        refuse("discards", game.discards != game.parts.draw - gone, "not what is left of the tiles")
        return
    gone += game.discards
    refuse("discards", any(gone[kind] > game.parts.draw[kind] for kind in KINDS), "more tiles than there are")
    left = total(game.in_stacks())
    refuse("stacks", sum(game.stacks) + game.to_draw != left, f"{left} tiles are in stacks or being drawn")
    if phase == "stack":
        refuse("stacks", not any(game.stacks), "all are empty")
        refuse("hand_tiles", hand > 0, "it has been laid or discarded")
    if phase == "draw":
        refuse("to_draw", not 1 <= game.to_draw <= 10 - hand, "at most ten are drawn")
    else:
        refuse("to_draw", game.to_draw != 0, "nothing is drawn")
    if phase == "fill":
        refuse("hand_tiles", not 1 <= hand <= 10, "one to ten tiles are in hand")
        refuse("hand_tiles", not game.fillings(), "nothing of it fits")


def check_finished(game: GhostShip) -> None:
    """Check that the board is full and all other tiles are put away."""
    refuse("tiles", bool(game.chart.vacant()), "the board is full after phase 1")
    for key, left in [
        ("stacks", any(game.stacks)),
        ("discards", total(game.discards)),
        ("hand_tiles", total(game.hand)),
        ("to_draw", game.to_draw),
    ]:
        refuse(key, left != 0, "nothing is left of phase 1")


def check_no_turn(game: GhostShip) -> None:
    """Check that no turn is in progress."""
    refuse("losers", bool(game.losers), "nobody loses a chit")
    refuse("extra", game.extra is not None, "an extra act requires a triple")
    for key in TURN_KEYS:
        value = getattr(game, key)
        refuse(key, value is not None and value is not False, f"not in {game.phase}")


# Phase 2


def check_tour(game: GhostShip) -> None:
    """Check that pawns, treasure, information and the current turn are consistent."""
    check_finished(game)
    refuse("turn", game.turn == 0, "a turn has begun")
    refuse("ghost", game.ghost is None, "it is on the board")
    check_treasure(game)
    for player in range(game.num_players):
        check_pawn(game, player)
        check_turns(game, player)
        check_claim(game, player)
    check_turn(game)
    for player in range(game.num_players):
        for other in range(game.num_players):
            check_shown(game, player, other)


def check_treasure(game: GhostShip) -> None:
    """Check that all chits and gold exist, and the game is over if none is on the map."""
    for value, count in game.full.items():
        there = game.pool[value] + sum(own.chits[value] + own.lost[value] for own in game.players)
        refuse("pool", there != count, f"{there} of {count} chits of value {value} are there")
    for square in game.chits:
        refuse("chits", square not in game.tiles, f"{square} is not part of the sea")
        rocks = game.chart.is_all_sea(square)
        refuse("chits", rocks and (square not in game.symbols or game.chits[square] > 1), f"{square}: none came there")
    on_map = total(game.pool) - (20 - len(game.box)) - len(game.dropped)
    refuse("chits", total(game.chits) != on_map, f"{on_map} lie on the map")
    refuse("gold", not game.gold <= game.six, "it lies on a 6")
    there = len(game.gold) + sum(own.gold for own in game.players)
    refuse("gold", there != len(game.six), f"{there} of {len(game.six)} are there")
    treasure = total(game.chits) > 0 or bool(game.gold)
    refuse("chits", not treasure and game.phase != "over", "nothing is left to take: the game is over")
    refuse("turn", treasure and game.phase == "over" and game.turn != game.max_turns, "the game continues")


def check_pawn(game: GhostShip, player: int) -> None:
    """Check the places of scout and boat; no player has been on a tile with an unseen symbol."""
    own = game.players[player]
    for place in (own.pawn, own.boat):
        refuse("players", not game.chart.exists(place), f"{place} does not exist on this map")
    afloat = spot_of(own.pawn) in "SB"
    refuse("players", own.ashore == afloat, f"player {player} is ashore, or is not")
    refuse("players", afloat and own.boat != own.pawn, f"player {player} is in his boat")
    refuse("players", not afloat and spot_of(own.boat)[0] != "C", f"the boat of player {player} is ashore in a circle")
    reveals = game.phase == "reveal" and player == game.turn_player
    seen = [own.boat] * (own.ashore or not reveals) + [own.pawn] * (not reveals)
    for place in seen:
        refuse("symbols", game.symbols.get(tile_of(place) or "") == "?", f"{place} has been entered")


def check_turns(game: GhostShip, player: int) -> None:
    """Check saved points, the count of equal numbers, and turns owed."""
    own = game.players[player]
    number, count = own.triple
    refuse("players", (number == 0) != (count == 0) or number == 1, f"triple {number}, {count}")
    refuse("players", own.saved != 0 and count > 0, "saving restarts the count")
    owes = own.skip > 0 and player == game.turn_player and game.phase != "over"
    refuse("players", owes, f"player {player} pays a turn")


def check_claim(game: GhostShip, player: int) -> None:
    """Check that victim and thief are ashore, the victim away from the thief's boat, and nobody in two claims."""
    thief = game.players[player].claim
    if thief is None:
        return
    refuse("players", thief == player, "a claim on oneself")
    refuse("players", not (game.players[player].ashore and game.players[thief].ashore), "claim: both are ashore")
    others = [p for p in range(game.num_players) if p != player]
    again = game.players[thief].claim is not None
    again |= any(game.players[p].claim in (player, thief) for p in others)
    refuse("players", again, "claim: a later theft ends earlier claims")
    near = tile_of(game.players[player].pawn) == tile_of(game.players[thief].boat)
    refuse("players", near, "claim: the boats have changed back")


def check_shown(game: GhostShip, player: int, other: int) -> None:
    """Check that shown chits and later changes add up to the current chits."""
    seen, own = game.players[player].shown[other], game.players[other]
    if player == other:
        refuse("players", seen is not None, "shown: nobody shows himself his chits")
        return
    if game.together(player, other):
        refuse("players", seen != Shown(own.chits), f"shown: {player} and {other} are together")
    refuse("players", game.phase == "over" and seen != Shown(own.chits), "shown: at the end all chits are open")
    if seen is None:
        return
    away = seen.chits - own.chits
    size = total(seen.chits) + seen.gained - seen.lost
    refuse("players", size != total(own.chits), "shown: the numbers do not add up")
    impossible = total(away) > seen.lost or bool(away - own.lost) or seen.lost > total(own.lost)
    refuse("players", impossible, "shown: what was seen and is not there any more was lost")


def check_turn(game: GhostShip) -> None:
    """Check that the keys of the current turn match the phase."""
    phase, me = game.phase, game.players[game.turn_player]
    if phase in ("declare", "over"):
        check_no_turn(game)
        refuse("decider", game.decider != game.turn_player, "the turn player declares")
        return
    refuse("declared", game.declared is None, "something has been declared")
    refuse("losers", bool(game.losers) != (phase == "lose"), "players lose chits only in the phase lose")
    refuse("arriving", game.arriving and phase not in ("reveal", "lose"), f"not in {phase}")
    refuse("spun", game.spun is not None and phase not in ("ghost_back", "lose"), f"not in {phase}")
    if phase in ("spin", "ghost_back") or game.spun is not None:
        check_before_result(game)
    else:
        refuse("players", me.saved != 0, "saved points have been used")
        check_after_result(game)
    if phase == "lose":
        check_losers(game)


def check_before_result(game: GhostShip) -> None:
    """Check a turn from the declaration to the losses to the ghost."""
    refuse("declared", game.declared not in game.declarations(), "it was not possible")
    refuse("decider", game.decider != game.turn_player, "no triple has been counted")
    refuse("extra", game.extra is not None, "no triple has been counted")
    refuse("spun", (game.spun is None) != (game.phase == "spin"), "the spinner has been spun, or has not")
    for key in ("result", "points"):
        refuse(key, getattr(game, key) is not None, "it is not fixed yet")
    for key in ("movement_over", "taking_over", "arriving"):
        refuse(key, getattr(game, key), "nobody has moved yet")
    if game.phase == "ghost_back":
        assert game.ghost is not None
        assert game.spun is not None
        refuse("spun", beside(game.ghost, game.spun[1], game.parts.sea) is not None, "the ghost stays on the board")


def check_after_result(game: GhostShip) -> None:
    """Check the act of a turn."""
    phase = game.phase
    refuse("arriving", game.arriving != (phase == "reveal") and phase != "lose", "pawns enter tiles only in reveal")
    if game.declared == "travel" and phase not in ("number", "drift"):
        check_travel(game)
        return
    refuse("decider", game.decider != game.turn_player, "only on triple fives")
    refuse("extra", game.extra is not None, "only while travelling")
    for key in ("result", "points"):
        refuse(key, getattr(game, key) is not None, "only while travelling")
    for key in ("movement_over", "taking_over"):
        refuse(key, getattr(game, key), "only while travelling")
    wanted = {"number": "travel", "value": "salvage"}.get(phase, "drift")
    refuse("declared", game.declared != wanted, f"{wanted} was declared")
    refuse("phase", phase == "travel", "something else was declared")
    me = game.players[game.turn_player]
    if phase == "number":
        refuse("players", me.triple != (0, 0), "the count restarts after a triple")
    elif phase == "value":
        refuse("declared", not game._can_salvage(), "there is nothing to salvage")
    elif phase == "drift":
        refuse("declared", not game._in_storm(me), "the boat is not in a storm")
    else:
        refuse("arriving", not game.arriving, "a drift comes to a tile")
        refuse("players", spot_of(me.pawn) != "S", "a drift ends at sea")
        check_coming(game)


def check_travel(game: GhostShip) -> None:
    """Check a travel in progress."""
    phase, me = game.phase, game.players[game.turn_player]
    refuse("result", game.result is None, "it is fixed")
    refuse("points", game.points is None, "they are counted")
    assert game.result is not None
    assert game.points is not None
    refuse("points", game.points > game.result, "more than the result")
    check_triples(game)
    stormy = phase != "reveal" and game._in_storm(me)
    refuse("taking_over", game.taking_over and (game._is_free() or game.result < 4), "nobody could leave such a symbol")
    refuse("movement_over", game.movement_over != (stormy or game.taking_over), "a storm or a skull ends it")
    if phase == "value":
        cost = game.chit_cost()
        refuse("chits", cost is None, "no chit to take")
        refuse("points", game.points + (cost or 0) > game.result, "they have been paid")
        refuse("taking_over", game.taking_over, "a chit is taken")
        refuse("extra", game.extra is not None, "it is forfeited")
    if phase == "travel":
        refuse("phase", game._choices() == ["end"], "the turn ends by itself")
    if game.arriving:
        check_coming(game)
    elif phase == "lose":
        named = game.result == 2 and me.triple == (0, 0) and game.extra is None and not game._is_free()
        refuse("arriving", not named, "the ghost was not moved")


def check_triples(game: GhostShip) -> None:
    """Check extra acts and decisions of the right neighbour."""
    me = game.players[game.turn_player]
    triple = me.triple == (0, 0)
    refuse("extra", game.extra is not None and not triple, "the count restarts after a triple")
    refuse("extra", game.extra == "chit" and game.result != 3, "triple threes give three points")
    refuse("extra", game.extra == "ghost" and game.result != 2, "2 was not named")
    if game._is_free():
        right = (game.turn_player - 1) % game.num_players
        refuse("decider", game.decider != right, "the right neighbour decides")
        refuse("decider", game.result != 5 or not triple or game.extra is not None, "a decider requires triple fives")


def check_coming(game: GhostShip) -> None:
    """Check that a pawn has just entered a tile."""
    square = tile_of(game.players[game.turn_player].pawn)
    refuse("arriving", square is None, "the pawn is not on a tile")
    unseen = game.symbols.get(square or "") == "?"
    refuse("phase", unseen != (game.phase == "reveal"), "the symbol is to be revealed, or is not")


def check_losers(game: GhostShip) -> None:
    """Check the losers: players with chits on the ghost's tile in turn order, or the player who moved there."""
    there = [p for p in game._in_turn_order() if tile_of(game.players[p].pawn) == game.ghost]
    there = [p for p in there if total(game.players[p].chits)]
    if game.arriving:
        there = [game.turn_player] if game.turn_player in there else []
        refuse("losers", game.losers != there, "the ghost takes a chit of the player who enters its tile")
    refuse("losers", game.losers != there[len(there) - len(game.losers) :], "those on the ghost's tile, in turn order")
