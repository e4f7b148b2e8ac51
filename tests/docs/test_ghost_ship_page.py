"""Test that the pictures, moves and tables on the page of `ghost_ship` match the code."""

from __future__ import annotations

import re

import pytest

import edge_envs
from edge_envs import State
from edge_envs.games.ghost_ship.map import geometry
from edge_envs.games.ghost_ship.map.names import MASK_NAMES, SPOT_NAMES, square_name
from edge_envs.games.ghost_ship.map.seas import FULL_SEA, SEAS, SMALL_SEA
from edge_envs.games.ghost_ship.map.start import GOLD_AT_FIRST, SEA_AT_FIRST, STARTS
from edge_envs.games.ghost_ship.pieces.mixes import MIXES
from edge_envs.games.ghost_ship.pieces.tiles import DRAW_TILES, KINDS, NUM_SYMBOL_TILES, STACKS, SYMBOL_TILES, SYMBOLS
from edge_envs.games.ghost_ship.state import MOST_SKIPPED, PHASES, TILE, VACANT
from tests.docs.test_docs import games_of, number, page_of, positions_of, section, tables

GHOST_SHIP = edge_envs.GAMES["ghost_ship"]
PAGE = page_of(GHOST_SHIP)
CHANCE = {"symbol", "draw", "complete", "spin", "lose", "drift", "reveal", "value"}
DECISIONS = set(PHASES) - CHANCE - {"over"}


def pictures() -> list[str]:
    """Return the text blocks of the page: the map, then the places of tiles."""
    return re.findall(r"^```text\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


def pictured() -> State:
    """Return the example position of the page."""
    (example,) = positions_of(GHOST_SHIP)
    return edge_envs.load_game("ghost_ship", **example["params"]).state_from_dict(example)


# Pictures


def test_the_map_matches_the_position_seen_by_player_0() -> None:
    assert pictured().observation_string(0) == pictures()[0]


def tiles_drawn() -> dict[str, list[str]]:
    """Return the tiles of the second picture by their edges, as five lines of eleven characters each."""
    names, _, *lines, _ = pictures()[1].splitlines()
    starts = [match.start() for match in re.finditer(r"\S+", names)]
    return {name: [line[at + 1 : at + 12] for line in lines] for name, at in zip(names.split(), starts, strict=True)}


@pytest.mark.parametrize("name", tiles_drawn())
def test_drawn_tiles_match_their_places_and_land(name: str) -> None:
    rows, mask = tiles_drawn()[name], MASK_NAMES.index(name)
    spots = [spot for number, spot in enumerate(SPOT_NAMES) if geometry.exists(mask, number)]
    assert sorted(re.findall(r"[SCKH]\d?", "".join(rows))) == sorted(spots)
    edges = (rows[0][5], rows[2][10], rows[4][5], rows[2][0])
    assert "".join("L" if edge == "▒" else "W" for edge in edges) == name


def test_moves_of_the_scout_match_the_page() -> None:
    start = pictured()
    (rows,) = [rows for rows in tables(section(PAGE, "Steps")) if rows[0][0] == "coast"]
    costs = {place: int(points) for _, points, places in rows for place in places.split(", ")}
    points = start.to_dict()["points"]
    found = {}
    for action in start.legal_actions():
        verb, _, place = start.action_to_string(action).partition(" ")
        if verb == "go":
            after = start.clone()
            after.apply_action(action)
            found[place] = points - after.to_dict()["points"]
    assert costs == found


def test_the_chit_on_the_chest_costs_the_remaining_points() -> None:
    state = pictured()
    for text in ("go E8.C0", "take chit"):
        state.apply_action(state.string_to_action(text))
    assert state.to_dict()["points"] == 0


# Tables


def test_the_page_lists_the_tiles() -> None:
    kinds, symbols = tables(section(PAGE, "Parts"))
    assert [(kind, int(count)) for kind, _, count, _ in kinds] == list(
        zip(KINDS, DRAW_TILES[FULL_SEA].tolist(), strict=True)
    )
    set_out = {kind: squares for kind, squares, _, _ in kinds if squares}
    assert set_out == {
        "WWWW": ", ".join(map(square_name, SEA_AT_FIRST[FULL_SEA])),
        "LLLL6": ", ".join(map(square_name, GOLD_AT_FIRST[FULL_SEA])),
    }
    counts = [(symbol, [int(count or 0) for count in row]) for symbol, *row in symbols]
    assert counts == list(zip(SYMBOLS, SYMBOL_TILES[FULL_SEA, 0].tolist(), strict=True))


def test_the_page_lists_the_parts_of_the_small_sea() -> None:
    (rows,) = tables(section(PAGE, "The small sea"))
    for sea in (FULL_SEA, SMALL_SEA):
        cells = {name: row[sea] for name, *row in rows}
        for players, words in ((2, "boats begin with two players"), (3, "boats begin with three")):
            assert cells[words] == ", ".join(map(square_name, STARTS[sea, players, :players].tolist()))
        assert cells["boats begin with four"] == ", ".join(map(square_name, STARTS[sea, 4].tolist()))
        assert cells["open sea set out"] == ", ".join(map(square_name, SEA_AT_FIRST[sea]))
        assert cells["hills with gold set out"] == ", ".join(map(square_name, GOLD_AT_FIRST[sea]))
        assert cells["symbol tiles"].startswith(f"{NUM_SYMBOL_TILES[sea]}, ")
        stacks = ", ".join(map(str, STACKS[sea].tolist()))
        assert cells["tiles to draw"] == f"{STACKS[sea].sum()}, in stacks of {stacks}"
        drawn = ", ".join(cells[name] for name in cells if name.startswith("of these"))
        assert drawn == ", ".join(map(str, DRAW_TILES[sea].tolist()))


def test_the_page_lists_the_mixes_of_symbols() -> None:
    (rows,) = tables(section(PAGE, "Other mixes of symbols"))
    expected = [
        (SEAS[sea], mix, SYMBOL_TILES[sea, number].sum(axis=1).tolist())
        for sea in (FULL_SEA, SMALL_SEA)
        for number, mix in enumerate(MIXES)
    ]
    assert [(sea, mix, list(map(int, counts))) for sea, mix, *counts in rows] == expected


def test_the_page_lists_the_named_variants() -> None:
    (rows,) = tables(section(PAGE, "Named variants"))
    named = {name for names, _ in rows for name in names.split(", ")}
    assert named == GHOST_SHIP.variants.keys() - {"ghost_ship"}


def test_the_page_lists_its_limits() -> None:
    assert re.findall(r"\d+", section(PAGE, "Limits")) == [str(MOST_SKIPPED)]


def test_the_page_lists_the_phases() -> None:
    found = re.search(r"The phases, in their order: (.*?)\.", section(PAGE, "Position"), re.DOTALL)
    assert found is not None
    assert tuple(re.findall(r"`(\w+)`", found[1])) == PHASES


def test_the_page_lists_the_entries_of_a_player() -> None:
    (rows,) = tables(section(PAGE, "The entries of a player"))
    (example,) = positions_of(GHOST_SHIP)
    assert [key for key, _ in rows] == list(example["players"][0])


def test_the_page_lists_the_keys_in_their_order() -> None:
    (rows,) = tables(section(PAGE, "Position"))
    (example,) = positions_of(GHOST_SHIP)
    assert ["game", "params", *(key for key, _ in rows)] == list(example) == list(pictured().to_dict())


def test_action_ids_match_the_page() -> None:
    actions, _ = tables(section(PAGE, "Actions and chance outcomes"))
    game, following = edge_envs.load_game("ghost_ship"), 0
    record = game.new_records(1)[0]
    record.phase = PHASES.index("travel")  # a decision
    for first, count, _, example, _ in actions:
        assert int(first) == following
        following += int(count)
        texts = [game.action_to_string(record, action) for action in range(int(first), following)]
        assert len(set(texts)) == len(texts)
        assert example in texts
        assert {text.split()[0] for text in texts} == {example.split()[0]}
    assert following == game.num_distinct_actions
    assert {phase for _, _, row, _, _ in actions for phase in row.split(", ")} == DECISIONS


def test_id_formulas_match_the_page() -> None:
    game = edge_envs.load_game("ghost_ship")
    record = game.new_records(1)[0]
    record.phase = PHASES.index("travel")
    square, mask, north_east = 2 * 10 + 3, 1 + 2, 1
    texts = {
        17 * square + mask: "tile C4 LLWW",
        17 * square + 16: "tile C4 LLLL6",
        1207 + 8 * square + 1: "go C4.C0",
        1207 + 8 * square + 7: "go C4.H",
        1207 + 560 + 7: "go B7",
        1808 + north_east: "ghost NE",
        1816 + 4 * square + 3: "chit C4 W",
    }
    assert {action: game.action_to_string(record, action) for action in texts} == texts


def test_outcome_ids_match_the_page() -> None:
    _, outcomes = tables(section(PAGE, "Actions and chance outcomes"))
    for count, phases, example, _, _ in outcomes:
        for phase in phases.split(", "):
            at_random = phase in DECISIONS or example == "symbol LLWW"
            game = edge_envs.load_game("ghost_ship", creation="random" if at_random else "players")
            record = game.new_records(1)[0]
            record.phase, record.squares[23, TILE] = PHASES.index(phase), VACANT  # C4 is completed next
            texts = [game.action_to_string(record, outcome) for outcome in range(int(count))]
            assert len(set(texts)) == len(texts)
            assert example in texts
            assert int(count) <= game.max_chance_outcomes
    assert {phase for _, row, _, _, _ in outcomes for phase in row.split(", ")} - DECISIONS == CHANCE


def test_rewards_match_the_page() -> None:
    found = re.search(r"at most (\(.*?\) / \d+)\.", section(PAGE, "Rewards"), re.DOTALL)
    assert found is not None
    for game in games_of(GHOST_SHIP):
        chits = game.params["chits"]
        worth = {"v": sum(int(value) * count for value, count in chits.items()), "k": chits["1"], "max": max}
        most = number(found[1], game, **worth) if game.params["score_reward"] else 1
        assert (game.min_utility, game.max_utility) == (-most, most)
