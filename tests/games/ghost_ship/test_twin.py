"""The rules of Ghost Ship agree with the reference implementation, and that with itself, in games and random positions.

`tests/contract/test_twin.py` plays from the beginning of a game. Here positions are generated that are rare in games:
pawns and boats side by side, the ghost near, chits in many hands, the last treasure, triples about to happen. Players
are eager: they never idle, and take what they can. For longer runs:

    python -m tests.games.ghost_ship.test_twin 1000        # 1,000 seeds, from 0
    python -m tests.games.ghost_ship.test_twin 1000 5000   # 1,000 seeds, from 5000
"""

from __future__ import annotations

import copy
import functools
import json
import random
import sys
from collections import Counter
from typing import Any

import pytest

from tests.lockstep import Lockstep
from tests.reference.ghost_ship import (
    CHANCE,
    CHITS,
    DRAW,
    PHASES,
    STARTS,
    SYMBOL_TILES,
    TERMINAL,
    TEXTS,
    TOUR,
    GhostShip,
    Player,
    Shown,
    total,
)
from tests.reference.ghost_ship_map import (
    PLACES,
    SQUARES,
    WAYS,
    beside,
    class_of,
    position_of,
    spot_of,
    tile_of,
    where_is,
)
from tests.reference.ghost_ship_setups import meet

SEEDS = 8
MAPS = 6  # of each kind of creation
IDLE = ("end", "save +", "save -")


# Players and chance


def eager_action(rng: random.Random, twin: GhostShip) -> int:
    """Choose an action other than idling, and take treasure if possible. Spins often repeat, so that triples happen."""
    actions = twin.legal_actions()
    if twin.phase == "spin" and rng.random() < 0.6:
        number = twin.players[twin.turn_player].triple[0]
        actions = [a for a in actions if twin.action_to_string(a).startswith(f"spin {number}")] or actions
    if twin.current_player() == CHANCE:
        return rng.choice(actions)
    texts = {action: TEXTS[action] for action in actions}
    takes = [action for action, text in texts.items() if text.startswith(("take", "salvage", "steal"))]
    if takes and rng.random() < 0.8:
        return rng.choice(takes)
    return rng.choice([action for action, text in texts.items() if text not in IDLE] or actions)


def some_params(rng: random.Random) -> dict[str, Any]:
    """Return random parameters."""
    return {
        "num_players": rng.choice([2, 2, 3, 4]),
        "creation": rng.choice(["players", "random"]),
        "chits": rng.choice([CHITS, CHITS, {1: 20}, {1: 2, 4: 18}, {2: 10, 3: 10}]),
        "max_turns": rng.choice([1, 3, 20, 400]),
        "score_reward": rng.random() < 0.3,
    }


# Random positions


@functools.cache
def creation_positions(seed: int, creation: str) -> tuple[dict[str, Any], ...]:
    """Return every position of a phase 1, of two to four players; the last has the whole map."""
    rng = random.Random(seed)
    twin = GhostShip(rng.choice([2, 3, 4]), creation)
    positions = [twin.to_dict()]
    while twin.phase != "ghost":
        legal = twin.legal_actions()
        few = [action for action in legal if twin.action_to_string(action).endswith("LWWW")]
        twin.apply(rng.choice(few if few and seed % 2 else legal))
        positions.append(twin.to_dict())
    return tuple(positions)


def some_position(rng: random.Random) -> dict[str, Any]:
    """Return a random position that may be invalid."""
    if rng.random() < 0.2:
        kind = rng.choice(["players", "random"])
        positions = creation_positions(rng.randrange(MAPS), kind)
        return copy.deepcopy(rng.choice([*positions, positions[-1], positions[-1]]))
    game = some_tour(rng)
    phase = rng.choice([*TOUR, "declare", "declare", "spin", "lose", "travel", "travel", "travel", "over"])
    return in_phase(rng, game, phase)


def some_tour(rng: random.Random) -> GhostShip:
    """Return a game at a declaration, which may be invalid."""
    game = GhostShip(**some_params(rng))
    lay_map(game, creation_positions(rng.randrange(MAPS), "random" if game.random else "players")[-1])
    game.turn_player = game.decider = rng.randrange(game.num_players)
    game.turn = rng.choice([1, game.max_turns, game.max_turns, max(game.max_turns - 1, 1)])
    centre = rng.choice(SQUARES if rng.random() < 0.3 else sorted(game.symbols))
    reach = rng.choice([0, 1, 1, 2])
    near = [place for place in live_places(game) if distance(where_is(place), position_of(centre)) <= reach]
    game.ghost = rng.choice([s for s in SQUARES if distance(position_of(s), position_of(centre)) <= reach + 1])
    circles = [place for place in near if spot_of(place)[0] == "C"]
    game.players = [some_player(rng, game, near, circles) for _ in range(game.num_players)]
    if rng.random() < 0.95:
        game.players[game.turn_player].skip = 0
    share_treasure(rng, game)
    for player in range(game.num_players):
        some_showings(rng, game, player)
    some_claim(rng, game)
    if game.random:
        reveal_some(rng, game)
    game.phase = "declare"
    meet(game)
    return game


def lay_map(game: GhostShip, d: dict[str, Any]) -> None:
    """Use the map of another game."""
    other = GhostShip.from_dict(d)
    game.tiles.update(other.tiles)
    game.six, game.symbols, game.dropped = other.six, other.symbols, other.dropped
    game.chits, game.gold, game.stacks = other.chits, other.gold, other.stacks


def live_places(game: GhostShip) -> list[str]:
    """Return all places of the map."""
    return [place for place in PLACES if game.chart.exists(place)]


def distance(here: tuple[int, int], there: tuple[int, int]) -> int:
    """Return the distance, with diagonal steps counting one."""
    return max(abs(here[0] - there[0]), abs(here[1] - there[1]))


def some_player(rng: random.Random, game: GhostShip, near: list[str], circles: list[str]) -> Player:
    """Return a pawn, and a boat where a boat can be, close to each other."""
    in_circle = circles and rng.random() < 0.4
    pawn = rng.choice(circles if in_circle else near or live_places(game))
    boat, ashore = pawn, spot_of(pawn) not in "SB"
    if ashore and circles and (spot_of(pawn)[0] != "C" or rng.random() < 0.6):
        boat = rng.choice(circles)
    saved = rng.choice([0] * 6 + [1, 2, 3, -1, -3])
    triple = (0, 0) if saved else rng.choice([(0, 0), (2, 2), (3, 2), (4, 2), (5, 2), (4, 1)])
    return Player(
        pawn, boat, ashore, saved=saved, triple=triple, skip=rng.choice([0] * 9 + [1]), shown=[None] * game.num_players
    )


def share_treasure(rng: random.Random, game: GhostShip) -> None:
    """Take some treasure and move some chits, often almost all."""
    bag = list(game.full.elements())
    rng.shuffle(bag)
    on_map = list(game.chits.elements())
    rng.shuffle(on_map)
    for square in on_map[: rng.choice([0, 4, 10, len(on_map) - 1, len(on_map)])]:
        game.chits -= Counter([square])
        own = rng.choice(game.players)
        value = bag.pop()
        rng.choice([own.chits, own.chits, own.lost])[value] += 1
        game.pool -= Counter([value])
    for square in sorted(game.gold):
        if rng.random() < rng.choice([0, 0.3, 1]):
            game.gold.remove(square)
            rng.choice(game.players).gold += 1
    for square in sorted(game.chits):
        sides = game.chart.land_sides(square)
        if sides and rng.random() < 0.2:
            game.chits -= Counter([square])
            other = beside(square, rng.choice(sides))
            assert other is not None
            game.chits[other] += 1


def some_showings(rng: random.Random, game: GhostShip, player: int) -> None:
    """Return random chits that a player has seen of others."""
    for other, own in enumerate(game.players):
        together = game.same_region(player, other) and rng.random() < 0.99
        if other != player and not together and rng.random() < 0.4:
            game.players[player].shown[other] = some_showing(rng, own)


def some_showing(rng: random.Random, own: Player) -> Shown:
    """Return random chits that a player may have shown."""
    lost = rng.sample(list(own.lost.elements()), rng.randint(0, total(own.lost)))
    held = list(own.chits.elements()) + lost
    gained = rng.sample(held, rng.randint(0, len(held)))
    return Shown(Counter(held) - Counter(gained), len(gained), len(lost))


def some_claim(rng: random.Random, game: GhostShip) -> None:
    """Sometimes let a player have stolen a boat."""
    ashore = [player for player, own in enumerate(game.players) if own.ashore or rng.random() < 0.01]
    if len(ashore) > 1 and rng.random() < 0.4:
        victim, thief = rng.sample(ashore, 2)
        game.players[victim].claim = thief


def reveal_some(rng: random.Random, game: GhostShip) -> None:
    """Reveal the symbols of tiles with pawns and boats, and some others."""
    visited = {tile_of(place) for own in game.players for place in (own.pawn, own.boat)}
    for square in game.symbols:
        if square in visited or rng.random() < 0.3:
            name = class_of(game.tiles[square])
            seen = Counter(f"{symbol} {class_of(game.tiles[s])}" for s, symbol in game.symbols.items())
            left = Counter(tile for tile in SYMBOL_TILES if tile.endswith(name)) - seen
            game.symbols[square] = rng.choice(sorted(left.elements())).split()[0]


def in_phase(rng: random.Random, game: GhostShip, phase: str) -> dict[str, Any]:
    """Return the position in another phase, with the keys that it needs."""
    game.phase = phase
    me = game.players[game.turn_player]
    if phase == "over":
        game.turn = game.max_turns
        if rng.random() < 0.5:
            take_all(rng, game)
        if rng.random() < 0.95:
            game._open_chits()
    if phase in ("declare", "over"):
        return game.to_dict()
    game.declared = rng.choice([text for text in game.declarations() if text not in IDLE])
    if phase not in ("spin", "ghost_back") and rng.random() < 0.9:
        me.saved = 0
    if phase in ("drift", "value", "reveal") and rng.random() < 0.95:
        bring(rng, game, phase)
    if phase in ("number", "reveal", "value", "travel", "lose") and rng.random() < (0.97 if phase == "travel" else 0.7):
        begin_travel(rng, game)
    elif phase in ("drift", "value", "reveal"):
        game.declared = "salvage" if phase == "value" else "drift"
    if phase == "ghost_back" or (phase == "lose" and game.result is None and rng.random() < 0.9):
        game.spun = rng.choice([2, 3, 4, 5]), rng.choice(list(WAYS))
    if phase == "ghost_back" and rng.random() < 0.9:
        assert game.spun is not None
        game.ghost = rng.choice([square for square in SQUARES if not beside(square, game.spun[1])])
    if phase == "number":
        game.result = game.points = game.extra = None
        me.triple = (0, 0)
    if phase == "reveal" or (phase == "lose" and game.spun is None and rng.random() < 0.7):
        game.arriving = True
    if phase == "lose":
        name_losers(rng, game)
    meet(game)
    return game.to_dict()


def take_all(rng: random.Random, game: GhostShip) -> None:
    """Remove all treasure from the map."""
    bag = list(game.pool.elements())
    rng.shuffle(bag)
    for value in bag[: total(game.chits)]:
        rng.choice(game.players).chits[value] += 1
        game.pool -= Counter([value])
    rng.choice(game.players).gold += len(game.gold)
    game.gold, game.chits = set(), Counter()
    for own in game.players:
        own.shown = [None] * game.num_players


def bring(rng: random.Random, game: GhostShip, phase: str) -> None:
    """Move the turn player to a place where something can happen."""
    others = {tile_of(place) for p in game._others(game.turn_player) for place in places_of_pieces(game.players[p])}
    if phase == "drift":
        squares = [square for square, symbol in game.symbols.items() if symbol == "storm"]
    elif phase == "value":
        squares = sorted(game.chits)
    else:
        squares = [square for square in game.symbols if game.random and square not in others]
    if not squares:
        return
    square, me = rng.choice(squares), game.players[game.turn_player]
    game._lapse(game.turn_player)
    ends = [f"{square}.{spot}" for spot in ("S", "C0", "C1", "H")][: 1 if phase == "drift" else None]
    me.pawn = rng.choice([end for end in ends if game.chart.exists(end)] or ends)
    me.ashore = spot_of(me.pawn) != "S"
    if not me.ashore or spot_of(me.boat)[0] != "C" or tile_of(me.boat) == square:
        me.boat = me.pawn
    if phase == "reveal":
        game.symbols[square] = "?"
        elsewhere = [place for place in live_places(game) if "C" in place[1:] and tile_of(place) != square]
        me.boat = rng.choice(elsewhere) if me.ashore else me.pawn


def places_of_pieces(own: Player) -> tuple[str, str]:
    """Return the places of a player's pieces."""
    return own.pawn, own.boat


def begin_travel(rng: random.Random, game: GhostShip) -> None:
    """Set a result and points, perhaps after a triple."""
    me = game.players[game.turn_player]
    game.declared = "travel"
    game.result = rng.choice([2, 3, 4, 5, 5])
    game.points = rng.choice([game.result, game.result, rng.randint(0, game.result)])
    if rng.random() < 0.4:
        me.triple = (0, 0)
        game.extra = {2: "ghost", 3: "chit"}.get(game.result)
        if game.result == 5:
            game.decider = (game.turn_player - 1) % game.num_players
    game.movement_over = game._in_storm(me) or (game.phase in ("reveal", "lose") and rng.random() < 0.1)
    game.taking_over = game.movement_over and not game._in_storm(me)
    if game.phase == "value":
        game.extra = None
        game.points = max(game.result - (game.chit_cost() or 1), 0)


def name_losers(rng: random.Random, game: GhostShip) -> None:
    """Put the ghost on a player's pawn."""
    if game.result is not None and not game.arriving and rng.random() < 0.9:
        game.result, game.decider = 2, game.turn_player
        game.points = min(game.points or 0, 2)
        game.movement_over = game._in_storm(game.players[game.turn_player])
        game.taking_over = False
    game.ghost = tile_of(rng.choice([game.players[game.turn_player], *game.players]).pawn) or "D5"
    there = [p for p in game._in_turn_order() if tile_of(game.players[p].pawn) == game.ghost]
    there = [p for p in there if total(game.players[p].chits)]
    game.losers = [game.turn_player] if game.arriving else there[rng.choice([0, 0, 1]) :]
    if game.spun is None and not game.arriving:
        game.extra = None
        game.players[game.turn_player].triple = (0, 0)


def twin_at(d: dict[str, Any]) -> GhostShip | None:
    """Return the reference game at a position, or None if the rules reject it."""
    try:
        return GhostShip.from_dict(d)
    except ValueError:
        return None


# Invariants of the reference implementation


def assert_sound(twin: GhostShip) -> None:
    """Check that nothing is missing, that probabilities sum to 1, and that the position survives a round trip."""
    d = twin.to_dict()
    assert GhostShip.from_dict(json.loads(json.dumps(d))).to_dict() == d
    assert_treasure(twin)
    assert_tiles(twin)
    player, actions = twin.current_player(), twin.legal_actions()
    assert (player == TERMINAL) == (actions == [])
    assert actions == sorted(set(actions))
    if player == CHANCE:
        outcomes = twin.chance_outcomes()
        assert sum(probability for _, probability in outcomes) == 1
        assert all(probability > 0 for _, probability in outcomes)
    texts = [twin.action_to_string(action) for action in actions]
    assert len(set(texts)) == len(texts)
    assert sum(twin.rewards()) == 0
    assert player == TERMINAL or not any(twin.rewards())


def assert_treasure(twin: GhostShip) -> None:
    """Check the chits of every value, the chits on the map, and the gold."""
    owned = [own.chits + own.lost for own in twin.players]
    assert sum(owned, twin.pool) == +twin.full
    if twin.phase in (*TOUR, "over"):
        assert total(twin.chits) == total(twin.pool) - len(twin.dropped)
        assert len(twin.gold) + sum(own.gold for own in twin.players) == len(twin.six)


def assert_tiles(twin: GhostShip) -> None:
    """Check the symbol tiles, the plain ones while they matter, and that the map fits."""
    if twin.phase in ("symbol", "place"):
        left = total(twin.symbol_tiles_left()) + total(twin.hand)
        assert len(twin.symbols) + len(twin.dropped) + left == 20
    elif twin.phase in ("stack", "draw", "fill"):
        assert total(twin.in_stacks()) == sum(twin.stacks) + twin.to_draw
        assert total(twin.plain_tiles() + twin.hand + twin.discards) + total(twin.in_stacks()) == total(DRAW)
    elif twin.phase != "complete":
        assert not twin.chart.vacant()
    assert all(twin.chart.fits(square, tile) for square, tile in twin.tiles.items())


# Information of one player


def disguised(rng: random.Random, twin: GhostShip, player: int) -> GhostShip | None:
    """Resample what a player does not see; None if no other position looks the same."""
    for _ in range(30):
        game = copy.deepcopy(twin)
        strangers = [p for p in range(game.num_players) if p != player and not game.together(player, p)]
        strangers = [p for p in strangers if not holds_exactly(game, player, p)]
        friends = [p for p in range(game.num_players) if p != player and p not in strangers]
        heaps = [game.pool, *(game.players[p].lost for p in strangers + friends)]
        heaps += [game.players[p].chits for p in strangers]
        bag = [value for heap in heaps for value in heap.elements()]
        rng.shuffle(bag)
        for heap in heaps:
            size = total(heap)
            heap.clear()
            heap.update(Counter(bag[:size]))
            del bag[:size]
        for one in strangers + friends:
            for other in strangers + friends:
                deal_showing(rng, game, one, other)
        meet(game)
        other_truth = twin_at(game.to_dict())
        if other_truth is not None:
            return other_truth
    return None


def holds_exactly(game: GhostShip, player: int, other: int) -> bool:
    """Return whether a player knows another's chits because nothing changed since they were shown."""
    seen = game.players[player].shown[other]
    return seen is not None and seen.gained == seen.lost == 0


def deal_showing(rng: random.Random, game: GhostShip, one: int, other: int) -> None:
    """Deal chits to a player that agree with what another has seen."""
    seen, own = game.players[one].shown[other], game.players[other]
    if seen is None:
        return
    if game.together(one, other):
        game.players[one].shown[other] = None
        return
    lost = rng.sample(list(own.lost.elements()), seen.lost)
    held = list(own.chits.elements()) + lost
    gained = rng.sample(held, seen.gained)
    game.players[one].shown[other] = Shown(Counter(held) - Counter(gained), seen.gained, seen.lost)


def play_in_disguise(rng: random.Random, twin: GhostShip, other: GhostShip, player: int, steps: int) -> int:
    """Play the same game from two positions while the player cannot distinguish them; return the number of steps."""
    for step in range(steps):
        assert other.current_player() == twin.current_player()
        if twin.current_player() == TERMINAL:  # all chits are revealed
            return step
        assert other.view(player) == twin.view(player)
        if twin.phase not in ("value", "lose"):
            assert other.legal_actions() == twin.legal_actions()
            if twin.current_player() == CHANCE:
                assert other.chance_outcomes() == twin.chance_outcomes()
        action = eager_action(rng, twin)
        text = twin.action_as_seen(action, player)
        candidates = [a for a in other.legal_actions() if other.action_as_seen(a, player) == text]
        if not candidates:
            return step
        strangers = [p for p in range(twin.num_players) if p != player and not twin.together(player, p)]
        twin.apply(action)
        other.apply(rng.choice(candidates))
        met = [p for p in strangers if twin.together(player, p)]
        if any(twin.players[p].chits != other.players[p].chits for p in met):
            return step
    return steps


def assert_nothing_shows(rng: random.Random, d: dict[str, Any]) -> int:
    """Check a position for every player, and return how many other positions were found."""
    found = 0
    for player in range(d["params"]["num_players"]):
        twin = GhostShip.from_dict(d)
        other = disguised(rng, twin, player)
        if other is not None:
            found += other.to_dict() != d
            play_in_disguise(rng, twin, other, player, 10)
    return found


# Kernels and reference implementation in lockstep

LOCKSTEP = Lockstep(
    "ghost_ship", GhostShip, some_params, some_position, set_ups=10, followed=8, steps=25, game_steps=400,
    choose=eager_action, check=assert_sound,
)  # fmt: skip


# Tests


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rules_match_the_reference_implementation_from_random_positions(seed: int) -> None:
    LOCKSTEP.compare_set_ups(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rules_match_the_reference_implementation_in_games_with_random_parameters(seed: int) -> None:
    LOCKSTEP.compare_games(seed)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_players_view_does_not_depend_on_hidden_information(seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    while found < 8:
        d = some_position(rng)
        if d["phase"] in TOUR and twin_at(d):
            found += assert_nothing_shows(rng, d)


@pytest.mark.parametrize("seed", range(MAPS))
def test_the_geometry_of_whole_maps(seed: int) -> None:
    """There are about 320 places; no pawn gets stuck; sailing, the rim and the coast lead there and back."""
    chart = GhostShip.from_dict(creation_positions(seed, "players")[-1]).chart
    live = [place for place in PLACES if chart.exists(place)]
    assert len(live) in range(290, 351)
    for place in live:
        for kind in (chart.sail, chart.rim, chart.coast):
            assert all(place in kind(end) for end in kind(place))
        ways = [chart.sail, chart.rim, chart.coast, chart.overland, chart.land]
        ends = {end for kind in ways for end in kind(place)}
        assert ends <= set(live) - {place}
        assert ends


def test_random_positions_are_of_every_kind() -> None:
    rng = random.Random(0)
    drawn = [some_position(rng) for _ in range(1200)]
    read = [d for d in drawn if twin_at(d)]
    assert {d["phase"] for d in read} == set(PHASES)
    assert {len(d["players"]) for d in read} == set(STARTS)
    assert {d["by_limit"] for d in read if d["phase"] == "over"} == {True, False}
    assert {d["extra"] for d in read if d["phase"] == "travel"} == {None, "chit", "ghost"}
    assert any(d["decider"] != d["turn_player"] for d in read)
    assert any(own["claim"] is not None for d in read for own in d["players"])
    losses = {(d["spun"] is None, d["arriving"], len(d["losers"])) for d in read if d["phase"] == "lose"}
    assert {(False, False, 2), (True, True, 1), (True, False, 1)} <= losses
    assert len(read) in range(400, 1100)


def test_eager_players_reach_all_rare_situations() -> None:
    rng = random.Random(1)
    met: Counter[str] = Counter()
    for _ in range(500):
        twin = twin_at(some_position(rng))
        for _ in range(20 if twin else 0):
            assert twin is not None
            if twin.current_player() == TERMINAL:
                met["the end"] += 1
                break
            claims = [own.claim for own in twin.players]
            action = eager_action(rng, twin)
            text = twin.action_to_string(action)
            met[f"{twin.phase} {text.split()[0]}"] += 1
            met[text if text in (*IDLE, "take chit", "take gold") else ""] += 1
            twin.apply(action)
            back = text.startswith("go") and any(
                before is not None and own.claim is None and own.pawn != own.boat.replace("C", "S")
                for before, own in zip(claims, twin.players, strict=True)
            )
            met["a boat back"] += back
    verbs = {
        *("declare travel", "declare swim", "declare search", "declare steal", "declare salvage", "declare drift"),
        *("travel go", "travel chit", "travel ghost", "number number", "ghost_back ghost", "value value", "lose lose"),
        *("drift drift", "reveal reveal", "spin spin", "place tile", "fill tile", "draw draw", "stack stack"),
        *("symbol symbol", "complete complete", "ghost ghost", "take chit", "take gold", "the end", "a boat back"),
    }
    assert verbs <= {event for event, count in met.items() if count}


def main(seeds: int, first: int = 0) -> None:
    """Run many seeds, with a line for every hundred."""
    for seed in range(first, first + seeds):
        LOCKSTEP.compare_set_ups(seed)
        LOCKSTEP.compare_games(seed)
        test_a_players_view_does_not_depend_on_hidden_information(seed)
        if seed % 100 == 99:
            print(f"{seed + 1 - first} of {seeds} seeds agree", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
