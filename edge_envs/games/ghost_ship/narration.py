"""Describe the events of `ghost_ship` beyond the actions, and the result, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from edge_envs.core.game import players_named
from edge_envs.core.nodes import REVEALED
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.actions import END, GO, TAKE_CHIT, TAKE_GOLD
from edge_envs.games.ghost_ship.knowledge.meetings import are_together
from edge_envs.games.ghost_ship.map.geometry import AROUND, C1, NUM_SPOTS, NUM_WAYS, RIM, S
from edge_envs.games.ghost_ship.map.names import SYMBOL_NAMES, place_name, square_name, square_of, symbol_tile_name
from edge_envs.games.ghost_ship.phases.acts import SKIPS_AFTER, SWIMS, least_result_to_find
from edge_envs.games.ghost_ship.phases.choices import in_storm
from edge_envs.games.ghost_ship.phases.scoring import distance, score, standing
from edge_envs.games.ghost_ship.pieces.tiles import (
    HOSTILE,
    KIND_OF,
    NUM_CLASSES,
    SIX_TILE,
    SIXES,
    SKULL,
    STORM,
    SYMBOLS,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    ACT_TRAVEL,
    COMPLETE,
    CREATION,
    DRAW,
    DRIFT_PHASE,
    FEWEST,
    FILL,
    GHOST,
    GHOST_BACK,
    LOSE,
    MOST,
    NUM_VALUES,
    OVER,
    PLACE,
    REVEAL,
    SPIN,
    STACK,
    SYMBOL,
    SYMBOL_PHASE,
    TILE,
    TRAVEL_PHASE,
    VACANT,
    VALUE,
    first_loser,
    is_by_limit,
)

_TRIPLES = {
    2: "player {player} chooses the result",
    3: "player {player} may also move a chit over a land edge",
    4: "player {player} has one movement point",
    5: "player {right} decides the rest of the turn, and symbols do not restrict steps",
}
"""The effect of the same number in three turns in a row."""


# The end


def result(record: Record) -> str:
    """Return a sentence that says who won, by how much, and the parts of each score."""
    players = list(range(int(record.num_players)))
    scores = [int(score(record, player)) for player in players]
    ranks = scores if record.score_reward else [int(standing(record, player)) for player in players]
    winners = [player for player in players if ranks[player] == max(ranks)]
    others = sorted((player for player in players if player not in winners), key=lambda player: -scores[player])
    if len(winners) == 1:
        text = f"{_won(record, scores, winners[0], others)}: {_holdings(record, winners[0])}"
        text = "; ".join([text, *(f"player {player} {_holdings(record, player)}" for player in others)])
    else:
        away = "" if record.score_reward else f", {_squares(int(distance(record, winners[0])))} from the ghost"
        who = f"{players_named(winners)} win together" if others else "A draw"
        text = f"{who} with {_points(scores[winners[0]])}{away}: "
        text += "; ".join(f"player {player} {_holdings(record, player)}" for player in [*winners, *others])
    left = f" Treasure is left on the map after turn {record.turn}, the last one." if is_by_limit(record) else ""
    return f"{text}.{left}"


def scores(record: Record) -> dict[str, list[str]]:
    """Return the parts of each player's score, and the distance from the ghost, which decides between equal scores."""
    players = range(int(record.num_players))
    chits = [sum((k + 1) * int(record.own[player, k]) for k in range(NUM_VALUES)) for player in players]
    table = {
        "score": [str(int(score(record, player))) for player in players],
        "chits": [str(total) for total in chits],
        "gold": [f"{int(record.num_gold[player])} × {max(1, int(record.own[player, 0]))}" for player in players],
    }
    if not record.score_reward:
        table["squares from the ghost"] = [str(int(distance(record, player))) for player in players]
    return table


def _won(record: Record, scores: list[int], winner: int, others: list[int]) -> str:
    """Return who wins and the scores. If these are equal, also the distances of the pawns from the ghost."""
    text = f"Player {winner} wins, {scores[winner]} to {_listed([str(scores[player]) for player in others])}"
    equal = [player for player in others if scores[player] == scores[winner]]
    if not equal:
        return text
    nearer = max(int(distance(record, player)) for player in equal)
    return f"{text}, farther from the ghost ({_squares(int(distance(record, winner)))} to {nearer})"


def _holdings(record: Record, player: int) -> str:
    """Return the parts of a score, such as `chits 17 and 2 gold × 3`."""
    chits = sum((k + 1) * int(record.own[player, k]) for k in range(NUM_VALUES))
    gold = int(record.num_gold[player])
    return f"chits {chits} and {gold} gold × {max(1, int(record.own[player, 0]))}" if gold else f"chits {chits}"


def _listed(things: list[str]) -> str:
    return " and ".join([", ".join(things[:-1]), things[-1]] if len(things) > 1 else things)


def _squares(count: int) -> str:
    return f"{count} square{'' if count == 1 else 's'}"


def _points(count: int) -> str:
    return f"{count} point{'' if count == 1 else 's'}"


# Who acts


def subject(record: Record) -> int | None:
    """Return who turns up, draws, spins, takes or loses; nobody if chance lays the archipelago."""
    if record.phase in CREATION and (record.random or record.phase == COMPLETE):
        return None
    return int(first_loser(record)) if record.phase == LOSE else int(record.turn_player)


# Events


def events(before: Record, action: int, after: Record, viewer: int | None) -> list[str]:
    """Return sentences about what nobody decided. Values of chits are given only to players who see them."""
    if before.phase in CREATION:
        return list(_in_creation(before, action, after))
    return list(_in_tour(before, action, after, viewer))


def _in_creation(before: Record, action: int, after: Record) -> Iterator[str]:
    phase = int(before.phase)
    if phase == SYMBOL_PHASE and after.phase != PLACE:
        yield _no_square(before, action)
    elif phase in (DRAW, FILL):
        yield from _after_laying(before, after)
    elif phase == COMPLETE:
        square = int(np.argmax(before.squares[:, TILE] == VACANT))
        kind = SIXES if action == SIX_TILE else KIND_OF[action]
        if not before.discards[kind]:
            yield f"No remaining tile fits {square_name(square)}, so a tile from outside the box completes it."
    elif phase == GHOST:
        yield f"The ghost is on {square_name(int(after.ghost))}, and the tour begins."
    if phase in (FILL, COMPLETE) and after.phase == GHOST:
        yield "The map is complete: there is a chit on each symbol tile, and gold on each hill with a 6."


def _no_square(before: Record, action: int) -> str:
    if before.random:
        tile = symbol_tile_name(UNSEEN, action)
        return f"No square is left for {tile}: all symbol tiles are taken back and turned up again."
    tile = symbol_tile_name(action // NUM_CLASSES, action % NUM_CLASSES)
    return f"The tile {tile} fits nowhere and leaves the game, so there is one chit less on the map."


def _after_laying(before: Record, after: Record) -> Iterator[str]:
    """Describe what happens to a hand and to the stacks."""
    left = int(before.hand.sum()) + (1 if before.phase == DRAW else -1)
    tiles = "tile" if left == 1 else "tiles"
    if after.phase == GHOST:
        if left:
            yield f"The board is full: {left} {tiles} of the hand {_are(left)} discarded."
    elif after.phase in (STACK, COMPLETE):
        if left:
            yield f"No tile in hand fits any more: {left} {tiles} {_are(left)} discarded."
        if after.phase == COMPLETE:
            why = "None of them could be placed" if before.phase == DRAW else "All stacks are empty"
            yield f"{why}: chance completes the vacant squares from the remaining tiles."


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _in_tour(before: Record, action: int, after: Record, viewer: int | None) -> Iterator[str]:
    player, phase = int(before.turn_player), int(before.phase)
    if phase == LOSE:
        yield _loss(before, action, viewer)
    elif phase == VALUE:
        square = square_name(square_of(int(before.pawn[player])))
        yield f"Player {player} takes {_chit(before, player, action, viewer)} from {square}."
    elif phase == REVEAL:
        yield f"The symbol on {square_name(square_of(int(before.pawn[player])))} is {SYMBOL_NAMES[action]}."
    yield from _ghost(before, action, after)
    if _is_result_fixed(before, after):
        yield from _describe_result(before, action, after)
    elif phase == DRIFT_PHASE:
        yield from _drift(before, after)
    elif phase == TRAVEL_PHASE:
        yield from _neighbours_move(before, action)
        if GO <= action < TAKE_CHIT:
            yield from _left_symbol(before, action - GO)
    yield from _boats(before, after)
    yield from _storm(before, after)
    yield from _meetings(before, after)
    yield from _turns(before, action, after)


# Chits


def _loss(before: Record, action: int, viewer: int | None) -> str:
    loser = int(first_loser(before))
    return f"Player {loser} loses {_chit(before, loser, action, viewer)} to the ghost."


def _chit(before: Record, player: int, value: int, viewer: int | None) -> str:
    """Return a chit, with its value for viewers who see it."""
    near = viewer is not None and viewer != REVEALED and are_together(before, viewer, player)
    return f"a chit of value {value + 1}" if viewer in (player, REVEALED) or near else "a chit"


# The spin


def _ghost(before: Record, action: int, after: Record) -> Iterator[str]:
    player = int(before.turn_player)
    if before.phase == SPIN and AROUND[before.ghost, action % NUM_WAYS] < 0:
        yield f"The ghost leaves the board, so player {player} puts it back."
    elif before.ghost != after.ghost and before.phase != GHOST_BACK:
        yield f"The ghost moves to {square_name(int(after.ghost))}."
    losers = [p for p in range(int(after.num_players)) if after.losers >> p & 1]
    if after.phase == LOSE and before.phase != LOSE:
        yield f"The ghost takes a chit of {players_named(losers).lower()}."


def _is_result_fixed(before: Record, after: Record) -> bool:
    """Return whether the ghost's move is finished in this transition, so that the act of the turn begins."""
    return bool((before.phase == SPIN or before.spun_number) and not after.spun_number)


def _number(before: Record, action: int) -> tuple[int, int]:
    """Return the number and direction of the spin."""
    if before.phase == SPIN:
        return FEWEST + action // NUM_WAYS, action % NUM_WAYS
    return int(before.spun_number), int(before.spun_way)


def _describe_result(before: Record, action: int, after: Record) -> Iterator[str]:
    """Describe triples, saved points, and the outcome of the declaration."""
    player, declared = int(before.turn_player), int(before.declared)
    number, _ = _number(before, action)
    saved = int(before.saved[player])
    result = min(max(number + saved, FEWEST), MOST)
    triple = before.triple_number[player] == number and before.triple_count[player] == 2
    if saved:
        points = f"{saved:+}".replace("-", "−")
        yield f"Player {player} uses {points} saved {'point' if abs(saved) == 1 else 'points'}: the result is {result}."
    if triple and declared == ACT_TRAVEL:
        right = (player - 1) % int(before.num_players)
        yield f"The third {number} in a row: {_TRIPLES[number].format(player=player, right=right)}."
    elif triple:
        yield f"The third {number} in a row has no effect, because the turn is not a travel."
    if declared == ACT_DRIFT:
        yield from _drift(before, after)
    elif declared == ACT_SWIM:
        yield _swim(player, result, after)
    elif declared == ACT_SEARCH:
        yield from _search(before, player, result, after)
    elif ACT_STEAL <= declared < ACT_SALVAGE:
        victim = declared - ACT_STEAL
        yield f"Player {player} steals the boat of player {victim}, who gets the one on {_boat(after, victim)}."
        yield f"Player {victim} has a claim on player {player}."


def _boat(record: Record, player: int) -> str:
    return place_name(int(record.boat[player]))


def _swim(player: int, result: int, after: Record) -> str:
    if result >= SWIMS:
        return f"Player {player} swims across the strait to {place_name(int(after.pawn[player]))}."
    return f"Player {player} fails to swim across the strait: the result is {result}, not 4 or 5."


def _search(before: Record, player: int, result: int, after: Record) -> Iterator[str]:
    symbol = int(before.squares[square_of(int(before.pawn[player])), SYMBOL])
    least = int(least_result_to_find(symbol))
    if result >= least:
        yield f"The search succeeds: the boat of player {player} comes to {_boat(after, player)}."
        return
    needed = "5" if least == MOST else f"{least} or 5"
    yield f"The search of player {player} fails: the result is {result}, not {needed}."
    if symbol == HOSTILE and result == SKIPS_AFTER:
        yield f"The hostile natives hold up player {player}, who will miss the next turn."


def _drift(before: Record, after: Record) -> Iterator[str]:
    player = int(before.turn_player)
    if after.phase == DRIFT_PHASE:
        yield f"The boat of player {player} cannot go there: it spins again."
        return
    place = int(after.pawn[player])
    ashore = place < RIM and place % NUM_SPOTS != S
    yield f"The boat of player {player} {'runs aground at' if ashore else 'drifts to'} {place_name(place)}."


# Steps


def _neighbours_move(before: Record, action: int) -> Iterator[str]:
    """Describe, on triple fives, whose pawn the right neighbour moves and who gets the gold."""
    player = int(before.turn_player)
    if before.decider == player:
        return
    if GO <= action < TAKE_CHIT:
        pawn = "scout" if before.ashore[player] else "boat"
        yield f"Player {before.decider} moves the {pawn} of player {player} to {place_name(action - GO)}."
    elif action == TAKE_GOLD:
        yield f"The gold goes to player {player}."


def _left_symbol(before: Record, target: int) -> Iterator[str]:
    """Describe what a step out of a skull, or ashore out of a storm, ends."""
    player = int(before.turn_player)
    place = int(before.pawn[player])
    if place >= RIM or before.decider != player:
        return
    spot, same_tile = place % NUM_SPOTS, square_of(place) == square_of(target)
    lands_or_leaves = same_tile and S in (spot, target % NUM_SPOTS)
    symbol = int(before.squares[square_of(place), SYMBOL])
    if spot <= C1 and not lands_or_leaves and symbol in (SKULL, STORM):
        yield f"The step out of the {SYMBOLS[symbol]} ends movement and taking for player {player}."


def _storm(before: Record, after: Record) -> Iterator[str]:
    """Describe a storm at sea that ends a movement."""
    player = int(before.turn_player)
    came = before.phase == REVEAL or before.pawn[player] != after.pawn[player]
    if before.declared == ACT_TRAVEL and came and in_storm(after, player) and not before.movement_over:
        yield f"The storm on {square_name(square_of(int(after.pawn[player])))} ends the movement of player {player}."


def _boats(before: Record, after: Record) -> Iterator[str]:
    """Describe boats that change back, and claims that lapse."""
    stolen = before.declared - ACT_STEAL if ACT_STEAL <= before.declared < ACT_SALVAGE else -1
    for player in range(int(before.num_players)):
        thief = int(before.claim[player])
        if thief < 0 or after.claim[player] == thief:
            continue
        swapped = before.boat[player] == after.boat[thief] and before.boat[thief] == after.boat[player]
        if swapped and stolen < 0:
            yield f"Player {player} comes to the stolen boat: players {player} and {thief} exchange their boats again."
        else:
            yield f"The claim of player {player} on player {thief} lapses."


def _meetings(before: Record, after: Record) -> Iterator[str]:
    """Describe who meets. At the end everything is open anyway."""
    if after.phase == OVER:
        return
    players = range(int(before.num_players))
    groups: dict[int, set[int]] = {}
    for one in players:
        for other in range(one):
            if are_together(after, one, other) and not are_together(before, one, other):
                groups.setdefault(square_of(int(after.pawn[one])), set()).update((one, other))
    for square, group in groups.items():
        yield f"{players_named(sorted(group))} meet on {square_name(square)} and show each other their chits."


# Turns


def _turns(before: Record, action: int, after: Record) -> Iterator[str]:
    """Describe turns that end automatically or are missed, and the end of the game."""
    ended = after.turn > before.turn or after.phase == OVER
    if not ended:
        return
    took = before.phase == VALUE or (before.phase == TRAVEL_PHASE and action == TAKE_GOLD)
    decided = before.phase == TRAVEL_PHASE and action == END
    if before.declared == ACT_TRAVEL and not (took or decided):
        yield f"No other action is possible, so the turn of player {before.turn_player} ends."
    if after.phase == OVER and not is_by_limit(after):
        yield "The last treasure is taken: the game is over."
        return
    yield from _missed(before, after)
    if after.phase == OVER:
        yield f"Turn {after.turn} was the last one: the game is over."


def _missed(before: Record, after: Record) -> Iterator[str]:
    players = int(before.num_players)
    begun = [(int(before.turn_player) + k) % players for k in range(1, int(after.turn) - int(before.turn) + 1)]
    paid = begun if after.phase == OVER else begun[:-1]
    for player, count in Counter(paid).items():
        yield f"Player {player} misses {'a turn' if count == 1 else f'{count} turns'}."
