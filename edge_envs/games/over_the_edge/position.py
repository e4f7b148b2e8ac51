"""Read and write positions of `over_the_edge` as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.positions import check, check_keys, counts, entries, integer, mapping, one_of, truth
from edge_envs.core.errors import ParameterError, in_short
from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import PORT, chart_of, map_of, maps_of
from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.map.sets import MapSet
from edge_envs.games.over_the_edge.pieces.cards import (
    DEAD_CALM,
    LOYAL_CREW,
    MUTINY,
    SCURVY,
    SET,
    SEVERE_DAMAGE,
    STORMY_SEAS,
    counts_of,
    packed,
)
from edge_envs.games.over_the_edge.pieces.deck import KINDS, MOST_OF_A_KIND
from edge_envs.games.over_the_edge.state import (
    ANSWER,
    BOARD,
    BOARDING,
    CHANCE_PHASES,
    DEAL,
    DISCARD,
    END_TURN,
    HOME,
    IN_PORT,
    MAP,
    MOST_ROUNDS,
    MOST_SKIPPED,
    OVER,
    PHASE_NAMES,
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
    """Return the position, without `game` and `params`."""
    chart, players, phase = map_of(record), range(record.num_players), int(record.phase)
    d: dict[str, Any] = {
        "phase": PHASE_NAMES[phase],
        "turn_player": int(record.turn_player),
        "turn": int(record.turn),
    }
    if (found := maps_of(record)) is not None:
        d["map"] = None if phase == MAP else found.seeds[int(record.map)]
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
    """Return the keys that only this phase has."""
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
    """Write a position into a record whose parameters are set.

    Raises:
        InvalidPositionError: if the position is invalid. The error names the key.
    """
    found = maps_of(record)
    phase = PHASE_NAMES.index(one_of(d.get("phase"), "phase", PHASES if found is None else PHASE_NAMES))
    given = {key: value for key, value in d.items() if key != "check_cards"}
    set_keys = () if found is None else ("map",)
    keys = ("phase", "turn_player", "turn", *set_keys, "ships", "hands", "deck", "discards", *_own_keys(phase))
    check_keys(given, keys)
    players = int(record.num_players)
    record.phase = HOME if phase == MAP else phase
    record.turn_player = integer(d["turn_player"], "turn_player", 0, players - 1)
    if found is not None:
        _read_map(record, d["map"], found, phase)
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
    elif phase in (HOME, DEAL, MAP):
        _check_setup(record)
    else:
        _check_turn(record)
    if phase in CHANCE_PHASES and not record.deck:
        record.deck, record.discards = record.discards, record.deck
    record.phase = phase


def _begin_on(record: Record, value: Any) -> None:
    """Begin a new game on the map with a seed, for the option `map` of a reset.

    Raises:
        ParameterError: if the game is not played on a set of maps, or the map is not in it.
    """
    found = maps_of(record)
    if found is None:
        raise ParameterError(
            f"invalid option map={in_short(value)}: this game has only one map, {map_of(record).name!r}"
        )
    seeds, seed = found.recipe.seeds, integer_of(value)
    if seed is None or seed not in seeds:
        raise ParameterError(
            f"invalid option map={in_short(value)}: expected the seed of a map of {found.name!r}, an integer from "
            f"{seeds[0]} to {seeds[-1]}"
        )
    record.map, record.phase = found.maps[seed - seeds[0]].digest, HOME


RESET_OPTIONS = {"map": _begin_on}
"""The options of a reset besides `position`, with functions that write them into the record of a new game."""


def _read_map(record: Record, value: Any, found: MapSet, phase: int) -> None:
    """Read the seed of the map in a game on a set of maps."""
    if phase == MAP:
        check(value is None, "map", "it must be null before the map is drawn")
        check(record.turn_player == 0, "turn_player", "it must be 0 before the map is drawn")
        return
    seeds = found.recipe.seeds
    record.map = found.maps[integer(value, "map", seeds[0], seeds[-1]) - seeds[0]].digest


def _read_own(record: Record, d: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Read the keys that only some phases have."""
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
        check(known, "ships", f"{key}: {in_short(d[key])} is not one of {', '.join(possible)}, or null")
    space, home = (-1 if d[key] is None else chart.index[d[key]] for key in places)
    winding = _winding(d["winding"])
    record.space[player], record.home[player] = space, home
    record.skip[player] = integer(d["skip"], "ships", 0, MOST_SKIPPED)
    record.rounds[player] = 0
    if space < 0 or home < 0:
        check(winding == 0, "ships", f"winding: player {player} is in no space, so it must be 0")
        check(record.skip[player] == 0, "ships", f"skip: player {player} is in no space, so it must be 0")
        return
    rounds = (winding - chart.winding(space, home, 0)) / chart.sectors
    fits = rounds.denominator == 1
    given = in_short(d["winding"])
    check(fits, "ships", f"winding: {given} does not fit the angle between {d['home']} and {d['space']}")
    check(abs(rounds) <= MOST_ROUNDS, "ships", f"winding: {given} is more than {MOST_ROUNDS} rounds")
    record.rounds[player] = int(rounds)


def _winding(value: Any) -> Fraction:
    """Read an integer, or a fraction in lowest terms as a string, such as "7/2"."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    form = isinstance(value, str) and len(value) < 100 and re.fullmatch(r"-?[1-9][0-9]*/[1-9][0-9]*", value, re.ASCII)
    lowest = form and Fraction(value).denominator > 1 and str(Fraction(value)) == value
    expected = 'neither an integer nor a fraction in lowest terms like "7/2"'
    check(bool(lowest), "ships", f"winding: {in_short(value)} is {expected}")
    return Fraction(value)


def _heap(value: Any, key: str) -> Any:
    return packed(dict(enumerate(counts(value, key, KINDS, MOST_OF_A_KIND))))


def _check_cards(record: Record) -> None:
    """Check the number of cards of each kind, that fallen ships have none, and that there is a card if one is drawn."""
    all_cards = counts_of(record.cards)
    heaps = [counts_of(heap) for heap in (*record.hands[: record.num_players], record.deck, record.discards)]
    for kind, found in enumerate(map(sum, zip(*heaps, strict=True))):
        if record.check_cards:
            check(
                found == all_cards[kind],
                "deck",
                f"all heaps hold {found} {KINDS[kind]}, but must hold {all_cards[kind]}",
            )
        check(found <= MOST_OF_A_KIND, "deck", f"{found} {KINDS[kind]} are too many; the maximum is {MOST_OF_A_KIND}")
    for player in range(record.num_players):
        gone = has_fallen(record, player)
        check(not gone or not record.hands[player], "hands", f"player {player} has fallen and must not hold cards")
    to_draw = record.phase in CHANCE_PHASES
    check(not to_draw or bool(record.deck or record.discards), "deck", "there is no card to draw")


def _check_ships(record: Record) -> None:
    """Check that homes are chosen in turn order, and that only the winner is at home after a voyage."""
    for player in range(record.num_players):
        space, home = int(record.space[player]), int(record.home[player])
        if record.phase == HOME and player >= record.turn_player:
            check(home < 0 and space < 0, "ships", f"player {player} has no home yet: space and home must be null")
        else:
            check(home >= 0, "ships", f"player {player} must have a home in this phase")
        won = space >= 0 and space == home and record.rounds[player] != 0
        wins = player == record.winner
        check(won or not wins, "winner", f"player {player} has not come home after sailing round the world")
        check(wins or not won, "ships", f"player {player} is home after sailing round the world: the game is over")


def _check_turn(record: Record) -> None:
    """Check that this point of a turn is possible for the turn player."""
    player, phase = int(record.turn_player), int(record.phase)
    check(record.turn < record.max_turns, "turn", "the game must be over after max_turns turns")
    gone, at_sea = has_fallen(record, player), _at_sea(record, player)
    check(not gone or phase == SETS, "turn_player", f"player {player} has fallen and gets no turns")
    in_port = not gone and not at_sea
    check(phase not in IN_PORT or in_port, "phase", f"player {player} is not in port")
    check(phase not in (PLAY, *BOARDING) or at_sea, "phase", f"player {player} is not at sea")
    cards = _size(record.hands[player])
    hand = int(record.hand_size)
    check(phase != TRIM or cards > hand, "phase", f"player {player} has no more than {hand} cards")
    check(phase != REFILL or cards < hand, "phase", f"player {player} has {cards} cards and draws only below {hand}")
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
    """Check that homes have been chosen and cards dealt, but nothing else has happened."""
    check(record.turn == 0, "turn", "it must be 0 before the first turn")
    hand = int(record.hand_size)
    for player in range(record.num_players):
        begun = record.space[player] == record.home[player] and record.rounds[player] == record.skip[player] == 0
        check(bool(begun), "ships", f"player {player} must be in the home port before the first turn")
        dealt, cards = record.phase == DEAL and player < record.turn_player, _size(record.hands[player])
        if record.phase == DEAL and player == record.turn_player:
            check(cards < hand, "hands", f"player {player} has already been dealt {hand} cards")
        else:
            required = hand if dealt else 0
            check(cards == required, "hands", f"player {player} must have {required} cards at this point of the deal")


def _check_sets(record: Record, gone: bool, at_sea: bool) -> None:
    """Check that a player has a choice of sets. The first such player in turn order decides."""
    players = int(record.num_players)
    order = [(int(record.turn_player) + i) % players for i in range(players)]
    deciders = [player for player in order if len(_acting(record, player)) > 1 or _can_save(record, player)]
    check(bool(deciders), "phase", "no player has a choice of sets")
    check(not gone or record.then == END_TURN, "then", "the turn player has fallen, so the turn ends")
    check(record.then != PLAY or at_sea, "then", "the turn player is not at sea")
    record.decider = deciders[0]


def _acting(record: Record, player: int) -> list[int]:
    """Return the kinds whose sets of three take effect."""
    held = counts_of(record.hands[player])
    kinds = [SCURVY, STORMY_SEAS, SEVERE_DAMAGE] + ([] if held[LOYAL_CREW] else [MUTINY])
    return [kind for kind in kinds if held[kind] >= SET and _at_sea(record, player)]


def _can_save(record: Record, player: int) -> bool:
    """Return whether a player may discard three dead calm and one stormy seas instead of drifting."""
    enough = counts_of(record.hands[player])[DEAD_CALM] >= SET
    return bool(record.calm_saves) and enough and STORMY_SEAS in _acting(record, player)


def _check_boarding(record: Record) -> None:
    check(bool(record.boarding), "phase", "this game is played without boarding")
    mover, target = int(record.turn_player), int(record.target)
    beside = [
        player
        for player in range(record.num_players)
        if player != mover and record.space[player] == record.space[mover] and record.hands[player]
    ]
    check(bool(beside and record.hands[mover]), "phase", f"player {mover} cannot board any ship")
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
        "it must be true if nobody has won and a ship remains, else false",
    )
    if by_limit:
        check(record.turn == record.max_turns, "turn", f"it must be {record.max_turns} if the limit ended the game")
    else:
        check(record.turn < record.max_turns, "turn", f"it must be below {record.max_turns} without by_limit")
