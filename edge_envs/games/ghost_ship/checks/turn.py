"""Check positions of `ghost_ship` in the middle of a turn of the tour."""

from __future__ import annotations

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.checks.creation import check_no_turn
from edge_envs.games.ghost_ship.map.geometry import AROUND, COMPASS, NUM_SPOTS, RIM, S
from edge_envs.games.ghost_ship.map.names import square_name, square_of
from edge_envs.games.ghost_ship.phases.choices import (
    can_salvage,
    can_search,
    can_steal,
    can_swim,
    chit_cost,
    ignores_symbols,
    in_storm,
)
from edge_envs.games.ghost_ship.pieces.tiles import UNSEEN
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    ACT_TRAVEL,
    DECLARE_PHASE,
    DECLARED,
    DRIFT_PHASE,
    EXTRA_CHIT,
    EXTRA_GHOST,
    GHOST_BACK,
    LOSE,
    NO_EXTRA,
    NUMBER,
    OVER,
    PHASES,
    REVEAL,
    SPIN,
    SYMBOL,
    TRAVEL_PHASE,
    VALUE,
    in_turn_order,
)


def check_turn(record: Record) -> None:
    """Check that the keys of a turn in progress fit the phase."""
    phase, player = int(record.phase), int(record.turn_player)
    if phase in (DECLARE_PHASE, OVER):
        check_no_turn(record)
        check(record.decider == player, "decider", f"it must be the turn player in {PHASES[phase]}")
        return
    check(record.declared >= 0, "declared", f"it must not be null in {PHASES[phase]}")
    check(bool(record.losers) == (phase == LOSE), "losers", "it must name players in lose, else be empty")
    check(not record.arriving or phase in (REVEAL, LOSE), "arriving", f"it must be false in {PHASES[phase]}")
    check(not record.spun_number or phase in (GHOST_BACK, LOSE), "spun", f"it must be null in {PHASES[phase]}")
    if phase in (SPIN, GHOST_BACK) or record.spun_number:
        _check_before_result(record)
    else:
        check(not record.saved[player], "players", f"player {player} has used the saved points in this turn")
        _check_after_result(record)
    if phase == LOSE:
        _check_losers(record)


def _turn_pawn(record: Record) -> int:
    """Return the place of the turn player's active pawn."""
    return int(record.pawn[record.turn_player])


def _could_declare(record: Record) -> bool:
    """Return whether the declaration was legal."""
    player, declared = int(record.turn_player), int(record.declared)
    if ACT_STEAL <= declared < ACT_SALVAGE:
        victim = declared - ACT_STEAL
        return victim < record.num_players and bool(can_steal(record, player, victim))
    possible = {
        ACT_TRAVEL: not in_storm(record, player),
        ACT_SWIM: can_swim(record, player),
        ACT_SEARCH: can_search(record, player),
        ACT_SALVAGE: can_salvage(record, player),
        ACT_DRIFT: in_storm(record, player),
    }
    return bool(possible[declared])


def _check_before_result(record: Record) -> None:
    """Check a turn from the declaration to the losses to the ghost."""
    phase, player = int(record.phase), int(record.turn_player)
    possible = f"player {player} could not declare {DECLARED[record.declared]} there"
    check(_could_declare(record), "declared", possible)
    check(record.decider == player, "decider", "it must be the turn player until a triple five is counted")
    check(record.extra == NO_EXTRA, "extra", "it must be null until a triple is counted")
    check((record.spun_number > 0) == (phase != SPIN), "spun", "it must be null in spin, and given until the result")
    check(not record.result, "result", "it must be null until the ghost has moved and taken chits")
    check(record.points < 0, "points", "it must be null until the ghost has moved and taken chits")
    for key in ("movement_over", "taking_over", "arriving"):
        check(not record[key], key, "it must be false before the act of the turn")
    if phase == GHOST_BACK:
        leaves = AROUND[record.sea, record.ghost, record.spun_way] < 0
        where = f"from {square_name(int(record.ghost))} the ghost does not leave the board to the"
        check(bool(leaves), "spun", f"{where} {COMPASS[record.spun_way]}")


def _check_after_result(record: Record) -> None:
    """Check the act of a turn."""
    phase, player = int(record.phase), int(record.turn_player)
    comes = bool(record.arriving) == (phase == REVEAL) or phase == LOSE
    check(comes, "arriving", f"it must be {str(phase == REVEAL).lower()} in {PHASES[phase]}")
    if record.declared == ACT_TRAVEL and phase not in (NUMBER, DRIFT_PHASE):
        _check_travel(record)
        return
    declared = DECLARED[record.declared]
    check(record.decider == player, "decider", "it must be the turn player except on triple fives of a travel")
    check(record.extra == NO_EXTRA, "extra", "it must be null outside a travel")
    check(not record.result, "result", f"it must be null in {PHASES[phase]} of {declared}")
    check(record.points < 0, "points", f"it must be null in {PHASES[phase]} of {declared}")
    for key in ("movement_over", "taking_over"):
        check(not record[key], key, "it must be false outside a travel")
    expected = {NUMBER: ACT_TRAVEL, VALUE: ACT_SALVAGE}.get(phase, ACT_DRIFT)
    check(record.declared == expected, "declared", f"{declared} does not lead to {PHASES[phase]}")
    check(phase != TRAVEL_PHASE, "phase", f"{declared} was declared, not travel")
    if phase == NUMBER:
        restarted = f"player {player}, triple: it must be [0, 0] after triple twos"
        check(not record.triple_count[player], "players", restarted)
    elif phase == VALUE:
        check(bool(can_salvage(record, player)), "declared", f"player {player} is not in a storm over a chit")
    elif phase == DRIFT_PHASE:
        check(bool(in_storm(record, player)), "declared", f"player {player} is not at sea in a storm")
    else:
        check(bool(record.arriving), "arriving", "it must be true after a drift to a tile")
        afloat = _turn_pawn(record) < RIM and _turn_pawn(record) % NUM_SPOTS == S
        check(afloat, "players", f"player {player} has drifted to another tile and must be at sea there")
        _check_coming(record)


def _check_travel(record: Record) -> None:
    """Check a travel in progress."""
    phase, player = int(record.phase), int(record.turn_player)
    check(record.result > 0, "result", "it must be a number in a travel")
    check(record.points >= 0, "points", "it must be a number in a travel")
    check(record.points <= record.result, "points", f"{record.points} are more than the result, {record.result}")
    _check_triples(record)
    held = record.taking_over and (ignores_symbols(record) or record.result < 4)
    check(not held, "taking_over", "with this result and decider no step out of a skull or a storm can end taking")
    storm = phase != REVEAL and bool(in_storm(record, player))
    over = storm or bool(record.taking_over)
    check(bool(record.movement_over) == over, "movement_over", f"it must be {str(over).lower()}: {_MOVEMENT_OVER}")
    if phase == VALUE:
        _check_taking(record)
    if record.arriving:
        _check_coming(record)
    elif phase == LOSE:
        named = record.result == 2 and not record.triple_count[player] and record.extra == NO_EXTRA
        moved = named and not ignores_symbols(record)
        check(bool(moved), "arriving", "it must be true unless the ghost is moved after triple twos with result 2")


_MOVEMENT_OVER = "a storm at sea ends movement, and a step out of a skull or a storm ends movement and taking"


def _check_taking(record: Record) -> None:
    """Check that a chit has been paid for."""
    cost = int(chit_cost(record, _turn_pawn(record)))
    check(cost > 0, "chits", f"player {record.turn_player} cannot take one there")
    most = int(record.result) - cost
    check(record.points <= most, "points", f"at most {most} of {record.result} are left after the chit is paid for")
    check(not record.taking_over, "taking_over", "it must be false when a chit is taken")
    check(record.extra == NO_EXTRA, "extra", "it must be null when a chit is taken")


def _check_triples(record: Record) -> None:
    """Check additional acts, and the decisions of the right neighbour."""
    player, players = int(record.turn_player), int(record.num_players)
    restarted, result = not record.triple_count[player], int(record.result)
    count = f"the count restarts after a triple: player {player}, triple must be [0, 0]"
    check(record.extra == NO_EXTRA or restarted, "extra", count)
    check(record.extra != EXTRA_CHIT or result == 3, "extra", f"triple threes have the result 3, not {result}")
    check(record.extra != EXTRA_GHOST or result == 2, "extra", f"triple twos let the ghost move with 2, not {result}")
    if ignores_symbols(record):
        right = (player - 1) % players
        check(record.decider == right, "decider", f"it must be player {player}, or player {right} on triple fives")
        five = result == 5 and restarted and record.extra == NO_EXTRA
        check(five, "decider", "the right neighbour decides only on triple fives: result 5, triple [0, 0], extra null")


def _check_coming(record: Record) -> None:
    """Check that a pawn can just have come to a tile."""
    square = square_of(_turn_pawn(record))
    check(square >= 0, "arriving", "it must be false on a board-edge circle")
    unseen = record.squares[square, SYMBOL] == UNSEEN
    reveals = record.phase == REVEAL
    message = f"the symbol of {square_name(square)} is {'to be revealed' if unseen else 'not hidden'}"
    check(bool(unseen) == reveals, "phase", message)


def _check_losers(record: Record) -> None:
    """Check that those who lose are on the ghost's tile and have chits.

    They are listed in turn order without those who have already lost. If a pawn has come to the ghost, only its player
    loses.
    """
    ghost, turn_player = int(record.ghost), int(record.turn_player)
    in_order = in_turn_order(record)
    on_tile = [p for p in in_order if square_of(int(record.pawn[p])) == ghost and record.own[p].any()]
    losers = [p for p in in_order if record.losers >> p & 1]
    if record.arriving:
        on_tile = [p for p in on_tile if p == turn_player]
        message = f"only the player who comes to the ghost's tile loses a chit: {on_tile}, not {losers}"
        check(losers == on_tile, "losers", message)
    last = on_tile[len(on_tile) - len(losers) :] if len(losers) <= len(on_tile) else None
    message = f"{losers} are not the last of the players with chits on the ghost's tile, {on_tile} in turn order"
    check(losers == last, "losers", message)


def check_choice(record: Record) -> None:
    """Check that a travel has a legal action other than its end. The record must be derived."""
    ends = record.phase == TRAVEL_PHASE and record.num_options == 1
    check(not ends, "phase", "the end is the only legal action, so the turn would have ended")
