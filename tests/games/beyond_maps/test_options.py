"""Optional rules of `beyond_maps`: `close_self`, `islands`, `handicap` and `height`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import InvalidPositionError, ParameterError
from edge_envs.text import short_rules
from tests.reference.beyond_maps import position


def state_at(board: str, **entries: Any) -> Any:
    params = entries.pop("params", {})
    d = position(board, params={"close_self": True, **params}, **entries)
    return edge_envs.load_game("beyond_maps", **d["params"]).state_from_dict(d)


def texts(state: Any) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def play(state: Any, *actions: str) -> Any:
    for text in actions:
        state.apply_action(state.string_to_action(text))
    return state


# close_self


def test_a_staying_ship_may_close_itself_in() -> None:
    board = "A.... 0.... ..... ..... ....B"
    assert "sea a1 e" in texts(state_at(board))
    assert "sea a1 e" not in texts(state_at(board, params={"close_self": False}))


def test_a_marker_that_can_be_placed_must_be_placed() -> None:
    board = "A.... 0.... ..... ..... ....B"
    assert "sea a1 -" not in texts(state_at(board))
    assert "sea a1 -" in texts(state_at(board, params={"close_self": False}))


def test_the_game_ends_after_the_turn_and_the_land_counts() -> None:
    state = play(state_at("A.... 0.... ..... ..... ....B"), "sea a1 e")
    assert not state.is_terminal()  # the land action is still to be done
    assert "Ship A is surrounded: the game ends with this turn." in state.history_strings()[-1]
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [1.0, -1.0]
    assert "ship A is surrounded" in state.result()


def test_a_land_marker_may_close_in_the_own_ship() -> None:
    board = "A.0.. 0.... ..... ..... ....B"
    assert "land b1" in texts(state_at(board))
    assert "land b1" not in texts(state_at(board, params={"close_self": False}))


def test_after_that_the_path_rule_is_off() -> None:
    state = play(state_at("A.0.. 0.... ..... ..... ....B", sea_done=True), "land b1")
    assert texts(state) == ["land b2", "stop"]  # a marker there leaves the ships in different seas


def test_a_ship_with_two_ways_out_cannot_be_closed_in() -> None:
    state = state_at("A.... ..... ..... ..0.. ....B")
    plain = state_at("A.... ..... ..... ..0.. ....B", params={"close_self": False})
    assert texts(state) == texts(plain)


@pytest.mark.parametrize("seed", range(4))
def test_agents_play_with_close_self(seed: int) -> None:
    state = edge_envs.load_game("beyond_maps", size=5, close_self=True, max_turns=40).new_initial_state(seed=seed)
    while not state.is_terminal():
        state.apply_action(state.heuristic_action())


# islands


def island_game(**params: Any) -> Any:
    return edge_envs.load_game("beyond_maps", **{"size": 8, "islands": 3, **params})


def test_islands_are_placed_before_the_first_decision() -> None:
    state = island_game().new_initial_state(seed=3)
    for _ in range(3):
        assert state.is_chance_node()
        state.apply_action(state.sample_chance())
    assert state.current_player() == 0
    d = state.to_dict()
    assert Counter("".join(d["board"])) == {".": 58, "0": 3, "1": 3}
    assert d["board"] == [row[::-1].translate(str.maketrans("01", "10")) for row in d["board"][::-1]]
    assert d["islands_left"] == 0


def test_the_first_island_can_be_on_all_inner_squares_but_the_middle() -> None:
    for size, middle in ((5, 1), (6, 4), (7, 1), (8, 4), (18, 4)):
        state = island_game(size=size).new_initial_state(seed=0)
        outcomes = state.chance_outcomes()
        assert len(outcomes) == (size - 2) ** 2 - middle
        assert sum(p for _, p in outcomes) == pytest.approx(1.0)
        assert len({p for _, p in outcomes}) == 1


def test_all_outcomes_are_drawn() -> None:
    game, seen = island_game(size=5, islands=1), Counter[int]()
    for seed in range(300):
        seen[game.new_initial_state(seed=seed).sample_chance()] += 1
    assert set(seen) == {outcome for outcome, _ in game.new_initial_state(seed=0).chance_outcomes()}
    assert max(seen.values()) < 75


def test_a_game_without_room_begins_with_fewer_islands() -> None:
    state = island_game(size=5, islands=12).new_initial_state(seed=1)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    d = state.to_dict()
    assert 1 <= "".join(d["board"]).count("0") <= 3
    assert d["islands_left"] == 0
    assert "There is no room for another pair of islands." in state.history_strings()[-1]


def test_environments_begin_with_different_islands() -> None:
    env = edge_envs.vector_env("beyond_maps", num_envs=20, size=8, islands=2)
    env.reset(seed=0)
    assert len({tuple(env.state(lane).to_dict()["board"]) for lane in range(20)}) > 10
    assert edge_envs.load_game("beyond_maps_8x8_islands").params["islands"] == 3


ISLANDS_LEFT: dict[str, Any] = {
    "islands_left": 1, "board": [".....", ".0...", ".....", "...1.", "....."], "ships": ["a1", "e5"],
    "turn_player": 0, "turn": 0, "sea_done": False, "land_done": True, "markers_placed": 0, "last_marker": None,
    "roll": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"islands_left": 3}, "islands_left"),
        ({"islands_left": 2}, "board: must have 0 islands"),
        ({"turn": 1}, "islands_left: must be 0"),
        ({"ships": ["b1", "e5"]}, "ships: must be"),
        ({"board": [".....", ".0...", ".....", "..1..", "....."]}, "not on opposite squares"),
        ({"board": ["..0..", ".....", ".....", ".....", "..1.."]}, "there cannot be an island on c1"),
    ],
)
def test_impossible_islands_are_rejected(change: dict[str, Any], message: str) -> None:
    game = edge_envs.load_game("beyond_maps", size=5, islands=2)
    d = {"game": "beyond_maps", "params": game.params_dict(), **ISLANDS_LEFT}
    assert game.state_from_dict(d).to_dict() == d
    with pytest.raises(InvalidPositionError, match=message):
        game.state_from_dict({**d, **change})


def test_games_without_islands_have_no_key_for_them() -> None:
    game = edge_envs.load_game("beyond_maps", size=5)
    assert game.max_chance_outcomes == 0
    d = game.new_initial_state().to_dict()
    assert list(d["params"]) == ["size", "sea_range", "land_markers", "stop_early", "dice", "max_turns"]
    assert "islands_left" not in d
    with pytest.raises(InvalidPositionError, match="islands_left"):
        game.state_from_dict({**d, "islands_left": 0})


# handicap


@pytest.mark.parametrize("handicap", [0, 1, 2, 3, -5])
def test_the_handicap_is_added_to_the_land_of_player_1(handicap: int) -> None:
    state = state_at("A000. .0000 ..... ..... 1111B", params={"handicap": handicap, "max_turns": 3})
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    land = Counter("".join(state.to_dict()["board"]))
    shown = f" {handicap:+d}" if handicap else ""
    assert f"land {land['0']} : {land['1']}{shown}." in state.result()
    score = land["0"] - land["1"] - handicap
    assert state.returns() == [(score > 0) - (score < 0), (score < 0) - (score > 0)]


def test_a_large_handicap_decides_every_game() -> None:
    state = edge_envs.load_game("beyond_maps", size=5, handicap=26, max_turns=30).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.heuristic_action())
    assert state.returns() == [-1.0, 1.0]


# Exact values


@pytest.mark.parametrize(
    ("params", "value"),
    [
        ({"max_turns": 3, "handicap": 1}, 1),
        ({"max_turns": 3, "handicap": 2}, 0),
        ({"max_turns": 3, "handicap": 3}, -1),
        ({"max_turns": 4, "close_self": True}, -1), ({"max_turns": 2, "handicap": -30}, 1),
    ],
)  # fmt: skip
def test_small_games_with_options_are_solved(params: dict[str, Any], value: int) -> None:
    game = edge_envs.load_game("beyond_maps", size=5, **params)
    assert game.type.solver is not None
    assert game.type.solver.solves(game.params)
    solution: Any = game.type.solver.solve(params=game.params)
    assert solution.start_value == value


def test_games_with_islands_and_whole_games_with_a_handicap_are_not_solved_at_once() -> None:
    solver = edge_envs.GAMES["beyond_maps"].solver
    assert solver is not None
    for params in ({"islands": 1, "max_turns": 3}, {"handicap": 1}, {"close_self": True}):
        assert not solver.solves(edge_envs.load_game("beyond_maps", size=5, **params).params)


# height


def test_ships_start_in_opposite_corners_of_a_rectangle() -> None:
    game = edge_envs.load_game("beyond_maps_12x8")
    state = game.new_initial_state(0)
    d = state.to_dict()
    assert d["ships"] == ["a1", "l8"]
    assert [len(row) for row in d["board"]] == [12] * 8
    assert game.observation_shape == (14, 8, 12)
    assert game.num_distinct_actions == 6 * 8 * 12 + 1
    assert state.string_to_action("sea c4 e") == 96 + 3 * 12 + 2
    assert game.action_to_string(state._record, 96 + 3 * 12 + 2) == "sea c4 e"
    rows = str(state).splitlines()
    assert rows[0].split() == list("abcdefghijkl")
    assert rows[8].split() == ["8", *"." * 11, "B"]
    assert "rectangular sea of 12 × 8" in short_rules(game)


def test_the_edge_of_a_rectangle_is_no_wall_and_the_middle_encloses() -> None:
    board = "A....... ..000... ..0.0... ..0.0... ..0..... .......B"
    state = play(state_at(board, sea_done=True), "land d5", "stop")
    rows = state.to_dict()["board"]
    assert rows[1:5] == ["..000...", "..000...", "..000...", "..00...."]
    board = "A....... ........ ........ ..000... ..0.0... ..0....B"
    state = play(state_at(board, sea_done=True), "land e6", "stop")
    assert state.to_dict()["board"][4:] == ["..0.0...", "..0.0..."]


def test_a_height_that_is_not_set_is_not_written() -> None:
    for height, written in ((0, False), (6, True), (np.int8(6), True)):
        game = edge_envs.load_game("beyond_maps", size=6, height=height)
        assert ("height" in game.new_initial_state(0).to_dict()["params"]) is written
    assert game.num_distinct_actions == edge_envs.load_game("beyond_maps", size=6).num_distinct_actions


@pytest.mark.parametrize("height", [4, 19, 1, False, None, "6"])
def test_invalid_heights_are_rejected(height: Any) -> None:
    with pytest.raises(ParameterError, match=r"invalid height=.*: expected 0, 5, 6, .*, 17 or 18"):
        edge_envs.load_game("beyond_maps", height=height)


def test_a_square_by_its_height_plays_as_the_square() -> None:
    one, other = (edge_envs.load_game("beyond_maps", size=6, height=height) for height in (0, 6))
    state, same = one.new_initial_state(3), other.new_initial_state(3)
    while not state.is_terminal():
        assert np.array_equal(state.legal_action_mask(), same.legal_action_mask())
        assert np.array_equal(state.observation_tensor(0), same.observation_tensor(0))
        action = state.heuristic_action()
        assert action == same.heuristic_action()
        state.apply_action(action)
        same.apply_action(action)
    assert state.returns() == same.returns()


def test_a_transposed_rectangle_has_the_same_game() -> None:
    """Play on a wide board and, with rows and columns exchanged, on a tall one."""
    wide, tall = (
        edge_envs.load_game("beyond_maps", size=9, height=6),
        edge_envs.load_game("beyond_maps", size=6, height=9),
    )
    rng = np.random.default_rng(0)
    turned = str.maketrans("nesw", "wsen")
    for _ in range(3):
        state, other = wide.new_initial_state(0), tall.new_initial_state(0)
        while not state.is_terminal():
            mine, theirs = texts(state), set(texts(other))
            images = [transposed(text, turned) for text in mine]
            assert set(images) == theirs
            index = rng.integers(len(mine))
            play(state, mine[index])
            play(other, images[index])
        assert other.is_terminal()
        assert other.returns() == state.returns()


def transposed(text: str, directions: dict[int, int]) -> str:
    """Return the action with rows and columns exchanged."""
    words = text.split()
    if len(words) > 1:
        words[1] = f"{chr(ord('a') + int(words[1][1:]) - 1)}{ord(words[1][0]) - ord('a') + 1}"
    return " ".join(words[:2] + [word.translate(directions) for word in words[2:]])


def test_windows_of_tuples_fit_a_rectangle() -> None:
    layout = edge_envs.load_game("beyond_maps", size=9, height=6).type.cell_layout({"size": 9, "height": 6})
    assert layout is not None
    cells, _ = layout.symmetries()
    assert len(cells) == 4
    assert layout.grid is not None
    assert layout.grid.grid == (6, 9)


def test_the_picture_of_a_rectangle_has_all_squares() -> None:
    for size, height in ((9, 6), (5, 12)):
        state = edge_envs.load_game("beyond_maps", size=size, height=height).new_initial_state(0)
        svg = state.game.svg(state._record)
        assert f">{chr(ord('a') + size - 1)}<" in svg
        assert f">{chr(ord('a') + size)}<" not in svg.replace(">n<", "").replace(">s<", "").replace(">w<", "")
        assert f">{height}<" in svg


@pytest.mark.parametrize("params", [{"size": 18}, {"size": 18, "height": 5}])
def test_positions_with_islands_left_are_read_on_large_boards(params: dict[str, int]) -> None:
    state = edge_envs.load_game("beyond_maps", **params, islands=3).new_initial_state(1)
    state.apply_action(state.legal_actions()[5])
    again = state.game.state_from_dict(state.to_dict())
    assert again.legal_actions() == state.legal_actions()
