"""Positions of `over_the_edge` as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from edge_envs.core.checks.positions import check, check_keys, counts, entries, integer, mapping, one_of, truth
from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import PORT, chart_of, map_of
from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.pieces.cards import (
    COUNTS,
    KINDS,
    LOYAL_CREW,
    MOST_OF_A_KIND,
    MUTINY,
    SCURVY,
    SET,
    SEVERE_DAMAGE,
    STORMY_SEAS,
    counts_of,
    packed,
)
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    BOARDING,
    CHANCE_PHASES,
    DEAL,
    DISCARD,
    END_TURN,
    HAND,
    HOME,
    IN_PORT,
    MOST_ROUNDS,
    MOST_SKIPPED,
    OVER,
    PHASES,
    PLAY,
    REFILL,
    SECOND_STEP,
    SETS,
    THEN,
    TRIM,
    has_fallen,
    is_by_limit,
    winding_of,
)


def to_dict(record: Record) -> dict[str, Any]:
    """The position, without `game` and `params`."""
    chart, players, phase = map_of(record), range(record.num_players), int(record.phase)
    d: dict[str, Any] = {
        "phase": PHASES[phase],
        "turn_player": int(record.turn_player),
        "turn": int(record.turn),
    }
    if not record.check_cards:
        d["check_cards"] = False
    d["ships"] = [_ship_to_dict(record, player, chart) for player in players]
    d["hands"] = [_heap_to_dict(record.hands[player]) for player in players]
    d["deck"], d["discards"] = _heap_to_dict(record.deck), _heap_to_dict(record.discards)
    own = {
        "then": THEN.get(int(record.then)),
        "target": int(record.target),
        "take": KINDS[record.taken],
        "give": KINDS[record.given],
        "winner": int(record.winner) if record.winner >= 0 else None,
        "by_limit": is_by_limit(record),
    }
    return d | {key: own[key] for key in _own_keys(phase)}


def _own_keys(phase: int) -> tuple[str, ...]:
    """Return the keys that not all phases have."""
    if phase == OVER:
        return "winner", "by_limit"
    if phase in BOARDING:
        return ("then", "target", "take", "give")[: phase - BOARD + 1]
    return ("then",) if phase == SETS else ()


def _ship_to_dict(record: Record, player: int, chart: Map) -> dict[str, Any]:
    space, home = int(record.space[player]), int(record.home[player])
    winding = winding_of(record, player)
    return {
        "space": chart.spaces[space].id if space >= 0 else None,
        "home": chart.spaces[home].id if home >= 0 else None,
        "winding": int(winding) if winding.denominator == 1 else str(winding),
        "skip": int(record.skip[player]),
    }


def _heap_to_dict(heap: Any) -> dict[str, int]:
    return {kind: count for kind, count in zip(KINDS, counts_of(heap), strict=True) if count}


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record whose parameters are set; InvalidPositionError names the key at fault."""
    phase = PHASES.index(one_of(d.get("phase"), "phase", PHASES))
    given = {key: value for key, value in d.items() if key != "check_cards"}
    check_keys(given, ("phase", "turn_player", "turn", "ships", "hands", "deck", "discards", *_own_keys(phase)))
    players = int(record.num_players)
    record.phase = phase
    record.turn_player = integer(d["turn_player"], "turn_player", 0, players - 1)
    record.turn = integer(d["turn"], "turn", 0, int(record.max_turns))
    record.check_cards = truth(d.get("check_cards", True), "check_cards")
    _read_own(record, d, _own_keys(phase))
    for player, ship in enumerate(entries(d["ships"], "ships", players)):
        _read_ship(record, player, ship)
    for player, hand in enumerate(entries(d["hands"], "hands", players)):
        record.hands[player] = _heap(hand, "hands")
    record.deck, record.discards = _heap(d["deck"], "deck"), _heap(d["discards"], "discards")
    _check_cards(record)
    _check_ships(record)
    if phase == OVER:
        _check_end(record, d["by_limit"])
    elif phase in (HOME, DEAL):
        _check_setup(record)
    else:
        _check_turn(record)
    if phase in CHANCE_PHASES and not record.deck:
        record.deck, record.discards = record.discards, record.deck


def _read_own(record: Record, d: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Read what only some phases have."""
    players, codes = int(record.num_players), {name: code for code, name in THEN.items()}
    if "then" in keys:
        names = list(codes) if record.phase == SETS else [THEN[SECOND_STEP], THEN[END_TURN]]
        record.then = codes[one_of(d["then"], "then", names)]
    if "target" in keys:
        record.target = integer(d["target"], "target", 0, players - 1)
    if "take" in keys:
        record.taken = KINDS.index(one_of(d["take"], "take", KINDS))
    if "give" in keys:
        record.given = KINDS.index(one_of(d["give"], "give", KINDS))
    if "winner" in keys:
        record.winner = -1 if d["winner"] is None else integer(d["winner"], "winner", 0, players - 1)


def _read_ship(record: Record, player: int, value: Any) -> None:
    chart, d = map_of(record), mapping(value, "ships", ("space", "home", "winding", "skip"))
    places = {"space": list(chart.index), "home": [chart.spaces[port].id for port in chart.ports]}
    for key, possible in places.items():
        known = d[key] is None or (isinstance(d[key], str) and d[key] in possible)
        check(known, "ships", f"{key}: {d[key]!r} is not one of {', '.join(possible)}, or null")
    space, home = (-1 if d[key] is None else chart.index[d[key]] for key in places)
    winding = _winding(d["winding"])
    record.space[player], record.home[player] = space, home
    record.skip[player] = integer(d["skip"], "ships", 0, MOST_SKIPPED)
    record.rounds[player] = 0
    if space < 0 or home < 0:
        check(winding == 0, "ships", f"winding: player {player} is nowhere, so it is 0")
        check(record.skip[player] == 0, "ships", f"skip: player {player} is nowhere, so it is 0")
        return
    rounds = (winding - chart.winding(space, home, 0)) / chart.sectors
    fits = rounds.denominator == 1
    check(fits, "ships", f"winding: {d['winding']!r} does not fit the angle between {d['home']} and {d['space']}")
    check(abs(rounds) <= MOST_ROUNDS, "ships", f"winding: {d['winding']!r} is more than {MOST_ROUNDS} rounds")
    record.rounds[player] = int(rounds)


def _winding(value: Any) -> Fraction:
    """Read an integer, or a text such as 7/2 in lowest terms."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    form = isinstance(value, str) and len(value) < 100 and re.fullmatch(r"-?[1-9][0-9]*/[1-9][0-9]*", value, re.ASCII)
    lowest = form and Fraction(value).denominator > 1 and str(Fraction(value)) == value
    check(bool(lowest), "ships", f'winding: {value!r} is not an integer, nor a fraction in lowest terms such as "7/2"')
    return Fraction(value)


def _heap(value: Any, key: str) -> Any:
    return packed(dict(enumerate(counts(value, key, KINDS, MOST_OF_A_KIND))))


def _check_cards(record: Record) -> None:
    """Check that every card is somewhere, none with a ship that fell, and that who draws finds a card."""
    heaps = [counts_of(heap) for heap in (*record.hands[: record.num_players], record.deck, record.discards)]
    for kind, found in enumerate(map(sum, zip(*heaps, strict=True))):
        if record.check_cards:
            check(found == COUNTS[kind], "deck", f"{found} cards {KINDS[kind]} are in all heaps, not {COUNTS[kind]}")
        check(found <= MOST_OF_A_KIND, "deck", f"{found} cards {KINDS[kind]}; {MOST_OF_A_KIND} are possible at most")
    for player in range(record.num_players):
        gone = has_fallen(record, player)
        check(not gone or not record.hands[player], "hands", f"player {player} has fallen and holds no cards")
    to_draw = record.phase in CHANCE_PHASES
    check(not to_draw or bool(record.deck or record.discards), "deck", "there is no card to draw")


def _check_ships(record: Record) -> None:
    """Check that homes are picked in turn order, and that who is home from a voyage has won."""
    for player in range(record.num_players):
        space, home = int(record.space[player]), int(record.home[player])
        if record.phase == HOME and player >= record.turn_player:
            check(home < 0 and space < 0, "ships", f"player {player} has yet to pick a home, and is nowhere")
        else:
            check(home >= 0, "ships", f"player {player} must have a home by now")
        won = space >= 0 and space == home and record.rounds[player] != 0
        wins = player == record.winner
        check(won or not wins, "winner", f"player {player} has not come home from a voyage round the world")
        check(wins or not won, "ships", f"player {player} is home from a voyage round the world: the game is over")


def _check_turn(record: Record) -> None:
    """Check that the turn player can be at this point of a turn."""
    player, phase = int(record.turn_player), int(record.phase)
    check(record.turn < record.max_turns, "turn", "the game ended with this turn")
    gone, at_sea = has_fallen(record, player), _at_sea(record, player)
    check(not gone or phase == SETS, "turn_player", f"player {player} has fallen and gets no turns")
    in_port = not gone and not at_sea
    check(phase not in IN_PORT or in_port, "phase", f"player {player} is not in port")
    check(phase not in (PLAY, *BOARDING) or at_sea, "phase", f"player {player} is not at sea")
    cards = _size(record.hands[player])
    check(phase != TRIM or cards > HAND, "phase", f"player {player} has no more than {HAND} cards")
    check(phase != REFILL or cards < HAND, "phase", f"player {player} has {cards} cards; below {HAND} more are drawn")
    check(phase != DISCARD or cards > 0, "phase", f"player {player} has no card to discard")
    if phase == SETS:
        _check_sets(record, gone, at_sea)
    elif phase in BOARDING:
        _check_boarding(record)


def _at_sea(record: Record, player: int) -> bool:
    return bool(record.space[player] >= 0 and chart_of(record).places[record.space[player], PORT] < 0)


def _size(heap: Any) -> int:
    return sum(counts_of(heap))


def _check_setup(record: Record) -> None:
    """Check that nothing has happened yet but picks and deals."""
    check(record.turn == 0, "turn", "no turn has begun")
    for player in range(record.num_players):
        begun = record.space[player] == record.home[player] and record.rounds[player] == record.skip[player] == 0
        check(bool(begun), "ships", f"player {player} is still in his home port")
        dealt, cards = record.phase == DEAL and player < record.turn_player, _size(record.hands[player])
        if record.phase == DEAL and player == record.turn_player:
            check(cards < HAND, "hands", f"player {player} has been dealt {HAND} cards")
        else:
            wanted = HAND if dealt else 0
            check(cards == wanted, "hands", f"player {player} has {wanted} cards at this point of the deal")


def _check_sets(record: Record, gone: bool, at_sea: bool) -> None:
    """Check that somebody has a choice of sets; the first in turn order decides."""
    players = int(record.num_players)
    order = [(int(record.turn_player) + i) % players for i in range(players)]
    deciders = [player for player in order if len(_acting(record, player)) > 1]
    check(bool(deciders), "phase", "nobody has a choice of sets")
    check(not gone or record.then == END_TURN, "then", "the turn player has fallen, so the turn ends")
    check(record.then != PLAY or at_sea, "then", "the turn player is not at sea")
    record.decider = deciders[0]


def _acting(record: Record, player: int) -> list[int]:
    """Return the kinds of which three act."""
    held = counts_of(record.hands[player])
    kinds = [SCURVY, STORMY_SEAS, SEVERE_DAMAGE] + ([] if held[LOYAL_CREW] else [MUTINY])
    return [kind for kind in kinds if held[kind] >= SET and _at_sea(record, player)]


def _check_boarding(record: Record) -> None:
    check(bool(record.boarding), "phase", "there is no boarding in this game")
    mover, target = int(record.turn_player), int(record.target)
    beside = [
        player
        for player in range(record.num_players)
        if player != mover and record.space[player] == record.space[mover] and record.hands[player]
    ]
    check(bool(beside and record.hands[mover]), "phase", f"player {mover} can board nobody")
    if record.phase == BOARD:
        return
    check(target in beside, "target", f"player {mover} cannot board player {target}")
    if record.taken >= 0:
        held = counts_of(record.hands[target])[record.taken]
        check(held > 0, "take", f"player {target} has no such card")
    if record.given >= 0:
        check(counts_of(record.hands[mover])[record.given] > 0, "give", f"player {mover} has no such card")
    if record.phase == ANSWER:
        crew = counts_of(record.hands[target])[LOYAL_CREW]
        check(crew >= SET, "phase", f"player {target} has no {SET} loyal_crew and cannot refuse")


def _check_end(record: Record, by_limit: Any) -> None:
    check(
        truth(by_limit, "by_limit") == is_by_limit(record),
        "by_limit",
        "it is true exactly if nobody has won and a ship is left",
    )
    if by_limit:
        check(record.turn == record.max_turns, "turn", f"by the limit a game ends with turn {record.max_turns}")
    else:
        check(record.turn < record.max_turns, "turn", f"with turn {record.max_turns} a game ends by the limit")
