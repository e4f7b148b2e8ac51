"""The rules of Beyond the Edges of the Maps, one by one. Each test forces the dice.

In the pictures `A` and `B` are the ships of players 0 and 1, `0` and `1` their land; a1 is top left, n is up.
By default player 0 is about to begin a turn that is not the first.
A ship that sails into a corner places no marker, so such an action changes the board only by filling.
"""

from typing import Any

import pytest

import edge_envs
from tests.reference.beyond_maps import picture, position

PARAMETERS = ("sea_range", "land_markers", "stop_early", "dice", "max_turns")


def new_game(**params: Any) -> Any:
    """Return a new game, by default on the smallest board."""
    return edge_envs.load_game("beyond_maps", **{"size": 5, **params}).new_initial_state(seed=0)


def at(board: str, turn_player: int = 0, **entries: Any) -> Any:
    """Return the state in a picture, with these parameters and these other entries of the position."""
    params = {name: entries.pop(name) for name in PARAMETERS if name in entries}
    d = position(board, turn_player, params, **entries)
    return edge_envs.load_game("beyond_maps", **d["params"]).state_from_dict(d)


def play(state: Any, *texts: str) -> Any:
    """Apply these decisions and outcomes and return the state."""
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def texts(state: Any) -> list[str]:
    """Return the strings of the legal actions or outcomes in the order of their ids."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def ends(state: Any) -> set[str]:
    """Return the squares where the ship can end a sea action."""
    return {text.split()[1] for text in texts(state) if text.startswith("sea")}


def markers(state: Any, end: str) -> str:
    """Return the directions of the markers that a ship can place from `end`, or `-`; empty if it cannot end there."""
    return "".join(text.split()[2] for text in texts(state) if text.startswith(f"sea {end} "))


def lands(state: Any) -> str:
    """Return the legal squares for a land marker."""
    return " ".join(text.split()[1] for text in texts(state) if text.startswith("land"))


def now(state: Any, *keys: str) -> tuple[Any, ...]:
    """Return some entries of the position."""
    d = state.to_dict()
    return tuple(d[key] for key in keys)


def board(state: Any) -> list[str]:
    """Return the picture of a state."""
    return picture(state.to_dict())


def rows(text: str) -> list[str]:
    """Return a picture in the form of `board`."""
    return text.split()


OPEN = """
    .....
    .....
    ..A..
    .....
    ....B
"""


# The facts


def test_the_defaults_are_those_of_the_full_game() -> None:
    params = {"size": 18, "sea_range": 6, "land_markers": 3, "stop_early": True, "dice": False, "max_turns": 400}
    assert edge_envs.load_game("beyond_maps").params_dict() == params


@pytest.mark.parametrize(
    ("name", "value"),
    [("size", 5), ("size", 12), ("sea_range", 1), ("sea_range", 18), ("land_markers", 1), ("land_markers", 18)],
)
def test_the_smallest_and_largest_parameters_are_accepted(name: str, value: int) -> None:
    assert edge_envs.load_game("beyond_maps", **{name: value}).params[name] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [("size", 4), ("size", 19), ("sea_range", 0), ("sea_range", 19), ("land_markers", 0), ("land_markers", 19)],
)
def test_parameters_out_of_range_are_rejected(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=name):
        edge_envs.load_game("beyond_maps", **{name: value})


def test_there_are_two_players() -> None:
    assert edge_envs.load_game("beyond_maps").num_players == 2


def test_information_is_perfect() -> None:
    assert edge_envs.load_game("beyond_maps").perfect_information


@pytest.mark.parametrize(("size", "count"), [(5, 151), (12, 865), (18, 1945)])
def test_there_are_six_planes_of_actions_and_stop(size: int, count: int) -> None:
    assert edge_envs.load_game("beyond_maps", size=size).num_distinct_actions == count


@pytest.mark.parametrize(("dice", "count"), [(False, 0), (True, 21)])
def test_there_are_chance_outcomes_only_with_dice(dice: bool, count: int) -> None:
    assert edge_envs.load_game("beyond_maps", dice=dice).max_chance_outcomes == count


def test_the_worst_and_the_best_rewards_are_declared() -> None:
    game = edge_envs.load_game("beyond_maps")
    assert (game.min_utility, game.max_utility) == (-1, 1)


# 1. The setup and the turn


def test_the_setup() -> None:
    params = {"size": 5, "sea_range": 6, "land_markers": 3, "stop_early": True, "dice": False, "max_turns": 400}
    assert new_game().to_dict() == {
        "game": "beyond_maps",
        "params": params,
        "board": [".....", ".....", ".....", ".....", "....."],
        "ships": ["a1", "e5"],
        "turn_player": 0,
        "turn": 0,
        "sea_done": False,
        "land_done": True,
        "markers_placed": 0,
        "last_marker": None,
        "roll": None,
    }


@pytest.mark.parametrize(("size", "corner"), [(5, "e5"), (12, "l12"), (18, "r18")])
def test_ships_start_in_opposite_corners(size: int, corner: str) -> None:
    assert now(new_game(size=size), "ships") == (["a1", corner],)


def test_player_0_moves_first() -> None:
    assert new_game().current_player() == 0


def test_the_first_turn_is_a_sea_action_only() -> None:
    state = play(new_game(), "sea b1 e")
    assert (state.current_player(), *now(state, "turn_player", "turn")) == (1, 1, 1)


def test_the_first_turn_has_no_land_action_even_with_own_land() -> None:
    state = at("A.... ..... ..0.. ..... ....B", turn=0, land_done=True)
    assert lands(state) == ""


def test_the_second_turn_has_a_land_action() -> None:
    state = play(new_game(), "sea b1 e", "sea d5 w")
    assert (state.current_player(), *now(state, "turn", "sea_done", "land_done")) == (1, 1, True, False)


def test_a_turn_may_begin_with_either_action() -> None:
    state = at("A.... ..... ..0.. ..... ....B")
    assert {text.split()[0] for text in texts(state)} == {"sea", "land"}


def test_the_land_action_follows_the_sea_action() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "sea a1 e")
    assert (ends(state), *now(state, "sea_done", "land_done", "turn_player")) == (set(), True, False, 0)


def test_the_sea_action_follows_the_land_action() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2", "stop")
    assert (lands(state), *now(state, "sea_done", "land_done", "turn_player")) == ("", False, True, 0)


@pytest.mark.parametrize(
    "actions", [("sea a1 e", "land c2", "stop"), ("land c2", "stop", "sea a1 e")], ids=["sea first", "land first"]
)
def test_the_turn_passes_after_both_actions(actions: tuple[str, ...]) -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), *actions)
    assert now(state, "turn_player", "turn", "sea_done", "land_done") == (1, 3, False, False)


def test_player_1_passes_to_player_0() -> None:
    state = play(at("A.... ..... ..1.. ..... ....B", 1), "sea e5 n", "land c2", "stop")
    assert now(state, "turn_player", "turn") == (0, 4)


def test_there_is_no_pass() -> None:
    assert "stop" not in texts(at("A.... ..... ..0.. ..... ....B"))


# 2. The sea action: where the ship can end


def test_a_ship_sails_up_to_sea_range_steps() -> None:
    assert ends(at(OPEN, sea_range=1)) == {"c2", "b3", "c3", "d3", "c4"}


def test_a_ship_turns_freely() -> None:
    near = {"c2", "b3", "c3", "d3", "c4"}
    assert ends(at(OPEN, sea_range=2)) == near | {"c1", "b2", "d2", "a3", "e3", "b4", "d4", "c5"}


def test_a_long_range_reaches_every_empty_square() -> None:
    assert len(ends(at(OPEN, sea_range=18))) == 24


def test_six_steps_are_the_default() -> None:
    far = ends(new_game(size=18))
    assert ("g1" in far, "d4" in far, "h1" in far, "e4" in far) == (True, True, False, False)


def test_land_of_either_colour_blocks() -> None:
    state = at(
        """
        A.0..
        1....
        .....
        .....
        ....B
        """,
        sea_range=3,
    )
    assert ends(state) == {"a1", "b1", "b2", "c2", "b3"}


def test_the_path_around_land_counts() -> None:
    walled = """
        A.1..
        .11..
        .....
        .....
        ....B
    """
    assert ("c3" in ends(at(walled, sea_range=4)), "d3" in ends(at(walled, sea_range=4))) == (True, False)


NARROW = """
    AB...
    11111
    .....
    .....
    .....
"""


def test_the_other_ship_does_not_block() -> None:
    assert {"c1", "d1"} <= ends(at(NARROW, sea_range=3))


def test_a_ship_does_not_end_on_the_other_ship() -> None:
    assert "b1" not in ends(at(NARROW))


def test_the_step_from_the_square_of_the_other_ship_gives_the_direction() -> None:
    assert texts(at(NARROW, sea_range=3)) == ["sea c1 e", "sea d1 e", "sea a1 s"]


def test_passing_the_other_ship_leaves_it_where_it_is() -> None:
    state = play(at(NARROW, sea_range=3), "sea d1 e")
    assert board(state)[0] == ".B.A0"


def test_a_ship_may_stay() -> None:
    state = play(at(OPEN), "sea c3 n")
    assert now(state, "ships") == (["c3", "e5"],)


def test_a_ship_that_moves_leaves_an_empty_square() -> None:
    state = play(at(OPEN), "sea d3 e")
    assert board(state)[2] == "...A0"


# 2. The sea action: the direction of the marker


def test_the_marker_lies_one_step_further() -> None:
    state = play(at(OPEN, sea_range=1), "sea c2 n")
    assert board(state) == rows(
        """
        ..0..
        ..A..
        .....
        .....
        ....B
        """
    )


def test_after_one_step_the_marker_lies_ahead_only() -> None:
    state = at(OPEN, sea_range=1)
    assert [markers(state, end) for end in ("c2", "d3", "c4", "b3")] == ["n", "e", "s", "w"]


def test_the_last_step_gives_the_direction() -> None:
    state = at(OPEN, sea_range=2)
    assert [markers(state, end) for end in ("b2", "d2", "b4", "d4")] == ["nw", "ne", "sw", "es"]


def test_two_steps_give_a_near_square_no_other_direction() -> None:
    assert markers(at(OPEN, sea_range=2), "c2") == "n"


def test_squares_may_be_visited_again() -> None:
    assert markers(at(OPEN, sea_range=3), "c2") == "nesw"


def test_a_marker_may_lie_on_the_square_just_left() -> None:
    state = play(at(OPEN, sea_range=3), "sea c2 s")
    assert board(state) == rows(
        """
        .....
        ..A..
        ..0..
        .....
        ....B
        """
    )


def test_a_ship_cannot_arrive_from_a_land_square() -> None:
    with_land = at("..... .10.. ..A.. ..... ....B", sea_range=3)
    assert (markers(at(OPEN, sea_range=3), "d2"), markers(with_land, "d2")) == ("ne", "n")


def test_staying_put_places_on_any_neighbour() -> None:
    assert markers(at(OPEN, sea_range=1), "c3") == "nesw"


@pytest.mark.parametrize(("text", "row"), [("sea c3 w", ".0A.."), ("sea c3 e", "..A0.")])
def test_staying_put_places_beside_the_ship(text: str, row: str) -> None:
    assert board(play(at(OPEN), text))[2] == row


# 2. The sea action: targets that take no marker


def test_there_is_no_marker_off_the_board() -> None:
    assert markers(at("A.... ..... ..... ..... ....B"), "a1") == "es"


def test_a_ship_that_sails_towards_the_edge_places_nothing() -> None:
    state = play(at(".A... ..... ..... ..... ....B", sea_range=1), "sea a1 -")
    assert board(state) == rows("A.... ..... ..... ..... ....B")


def test_own_land_takes_no_marker() -> None:
    assert markers(at("..... ..0.. ..A.. ..... ....B"), "c3") == "esw"


def test_a_ship_that_sails_towards_own_land_places_nothing() -> None:
    state = at("..0.. ..... ..A.. ..... ....B", sea_range=1)
    assert markers(state, "c2") == "-"


def test_a_ship_takes_no_marker() -> None:
    assert markers(at("..... ..... ..AB. ..... ....."), "c3") == "nsw"


def test_a_ship_that_sails_towards_the_other_places_nothing() -> None:
    state = play(at("..... ..... ..A.B ..... .....", sea_range=1), "sea d3 -")
    assert board(state) == rows("..... ..... ...AB ..... .....")


def test_enemy_land_becomes_own_land() -> None:
    state = play(at("..1.. ..... ..A.. ..... ....B", sea_range=1), "sea c2 n")
    assert board(state) == rows("..0.. ..A.. ..... ..... ....B")


def test_player_1_takes_land_of_player_0() -> None:
    state = play(at("..0.. ..... ..B.. ..... ....A", 1, sea_range=1), "sea c2 n")
    assert board(state) == rows("..1.. ..B.. ..... ..... ....A")


def test_enemy_land_beside_a_ship_that_stays_becomes_own_land() -> None:
    state = play(at("..... ..1.. ..A.. ..... ....B"), "sea c3 n")
    assert board(state) == rows("..... ..0.. ..A.. ..... ....B")


def test_a_ship_that_can_place_a_marker_must() -> None:
    assert [text for text in texts(at(OPEN, sea_range=1)) if text.endswith("-")] == []


def test_the_player_chooses_among_the_targets_that_take_a_marker() -> None:
    assert markers(at(".0... ..... ..A.. ..... ....B", sea_range=2), "b2") == "w"


def test_there_is_no_marker_only_if_no_target_takes_one() -> None:
    assert markers(at(".0... 0.... ..A.. ..... ....B", sea_range=2), "b2") == "-"


# 4. The path rule at sea

STRAIT = """
    A...B
    11111
    .....
    .....
    .....
"""


def test_a_marker_that_separates_the_ships_is_illegal() -> None:
    assert markers(at(STRAIT, sea_range=1), "b1") == "-"


def test_the_ship_moves_although_its_marker_is_illegal() -> None:
    state = play(at(STRAIT, sea_range=1), "sea b1 -")
    assert board(state) == rows(".A..B 11111 ..... ..... .....")


def test_closing_in_only_the_own_ship_is_illegal() -> None:
    assert markers(at(STRAIT, sea_range=1), "a1") == "s"


def test_closing_in_the_opponent_is_allowed() -> None:
    assert markers(at(STRAIT, sea_range=2), "c1") == "e"


def test_closing_in_both_is_allowed() -> None:
    state = at("A.B1. 1111. ..... ..... .....", sea_range=1)
    assert texts(state) == ["sea a1 e", "sea a1 s", "sea b1 -"]


def test_the_square_just_left_is_empty_for_the_path_rule() -> None:
    assert markers(at(STRAIT, sea_range=3), "b1") == "w"


def test_the_path_rule_counts_from_where_the_ship_ends() -> None:
    # from d1 the marker on c1 does not separate the ships, although c1 is between them at first; the path is via e1
    assert (markers(at(STRAIT, sea_range=4), "d1"), markers(at(STRAIT, sea_range=5), "d1")) == ("-", "w")


def test_the_edge_of_the_board_also_closes_in() -> None:
    assert markers(at("..... ....A ..... ..... ...1B", sea_range=1), "e3") == "s"


def test_ships_in_different_seas_place_no_markers_on_empty_squares() -> None:
    state = at("A.1.. .11.. 1.... ..... ....B")
    assert texts(state) == ["sea b1 e", "sea a2 s", "sea a1 -"]


def test_the_path_rule_does_not_protect_enemy_land() -> None:
    state = play(at("A.1.. .11.. 1.... ..... ....B"), "sea b1 e")
    assert board(state)[0] == ".A0.."


def test_the_path_rule_does_not_wait_for_the_filling() -> None:
    # c3 would enclose the enemy, who has an empty square left, and capture them
    state = at(".00.. 0B.0. .0... ..... ..A..")
    assert ("c3" in lands(state).split(), "n" in markers(state, "c4")) == (False, False)


def test_an_enemy_without_a_free_square_may_be_enclosed() -> None:
    state = play(at(".0... 0B0.. ..... .A... ....."), "sea b4 n")
    assert now(state, "ships") == (["b4", None],)


# 4. The path rule on land


def test_a_land_marker_that_separates_the_ships_is_illegal() -> None:
    state = at(
        """
        ...B.
        11.01
        .....
        .....
        A....
        """
    )
    assert lands(state) == "d3"


def test_a_land_marker_that_closes_in_the_enemy_is_allowed() -> None:
    state = at(
        """
        ...1B
        ...0.
        .....
        .....
        A....
        """
    )
    assert lands(state) == "c2 e2 d3"


def test_a_land_marker_that_closes_in_only_the_own_ship_is_illegal() -> None:
    state = at(
        """
        ...1A
        ...0.
        .....
        .....
        B....
        """
    )
    assert lands(state) == "c2 d3"


def test_each_marker_of_a_land_action_must_obey_the_path_rule() -> None:
    # d2 is the last gap then
    state = play(at("....B 11..1 ..0.. ..... A...."), "land c2")
    assert texts(state) == ["land c1", "stop"]


CLOSING = """
    ...1B
    .....
    ....A
    .....
    .....
"""


def test_once_the_enemy_is_closed_in_the_path_rule_no_longer_applies() -> None:
    # e2 is the only land of player 0 then, and d2 beside it the only place for a first marker
    state = play(at(CLOSING), "sea e3 n")
    assert (texts(state), *now(state, "last_marker")) == (["land c2", "land d3", "stop"], "d2")


def test_once_the_enemy_is_closed_in_closing_in_the_own_ship_is_legal() -> None:
    state = play(at(CLOSING, land_markers=4), "sea e3 n", "land d3", "land d4")
    assert lands(state) == "c4 e4 d5"


def test_before_the_enemy_is_closed_in_closing_in_the_own_ship_is_illegal() -> None:
    assert lands(at("B.... ....1 ...1A ..... ....0")) == "d5"


# 3. The land action: peninsulas


def test_without_land_there_is_no_land_action() -> None:
    assert lands(at(OPEN)) == ""


def test_land_without_a_neighbour_is_a_peninsula() -> None:
    assert lands(at("A.... ..... ..0.. ..... ....B")) == "c2 b3 d3 c4"


def test_land_with_one_neighbour_is_a_peninsula() -> None:
    assert lands(at("A.... ..... ..00. ..... ....B")) == "c2 d2 b3 e3 c4 d4"


def test_land_with_two_neighbours_is_not_a_peninsula() -> None:
    assert lands(at("A.... ..... .000. ..... ....B")) == "b2 d2 a3 e3 b4 d4"


def test_land_of_a_block_is_not_a_peninsula() -> None:
    assert lands(at("A.... ..... ..00. ..00. ....B")) == ""


def test_land_that_touches_diagonally_is_not_a_neighbour() -> None:
    assert lands(at("A.... ..0.. .0.0. ..... ....B")) == "c1 b2 d2 a3 c3 e3 b4 d4"


def test_enemy_land_is_not_a_neighbour() -> None:
    assert lands(at("A.... ..1.. .101. ..... ....B")) == "c4"


def test_enemy_peninsulas_do_not_start_a_land_action() -> None:
    assert lands(at("A.... .1... ...0. ..... ....B")) == "d2 c3 e3 d4"


def test_player_1_extends_their_own_land() -> None:
    assert lands(at("A.... .1... ...0. ..... ....B", 1)) == "b1 a2 c2 b3"


def test_markers_go_neither_on_ships_nor_on_enemy_land() -> None:
    assert lands(at("..... ..1.. .A0B. ..... .....")) == "c4"


def test_two_peninsulas_side_by_side_offer_a_square_once() -> None:
    assert lands(at("A.... ..... .0.0. ..... ....B")) == "b2 d2 a3 c3 e3 b4 d4"


# 3. The land action: chains


def test_the_next_marker_goes_beside_the_one_just_placed() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2")
    assert lands(state) == "c1 b2 d2"


def test_the_third_marker_goes_beside_the_second() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2", "land d2")
    assert lands(state) == "d1 e2 d3"


def test_the_next_marker_need_not_continue_a_peninsula() -> None:
    state = play(at("A.... .0.0. ..... ..... ....B"), "land c2")
    assert lands(state) == "c1 c3"


def test_peninsulas_are_determined_once() -> None:
    # d3 stays a peninsula, but it is not beside the marker just placed
    state = play(at("A.... ..... .0.0. ..... ....B"), "land b2")
    assert lands(state) == "b1 a2 c2"


def test_a_chain_may_bend_back_to_own_land() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2", "land d2", "land d3")
    assert board(state) == rows("A.... ..00. ..00. ..... ....B")


def test_next_markers_go_neither_on_ships_nor_on_enemy_land() -> None:
    state = play(at("..... .B1.. ...A. ..0.. ....."), "land c3")
    assert texts(state) == ["land b3", "stop"]


def test_a_land_action_in_progress_is_finished_first() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2")
    assert texts(state) == ["land c1", "land b2", "land d2", "stop"]


def test_a_land_action_in_progress_is_part_of_the_position() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2", "land d2")
    assert now(state, "markers_placed", "last_marker", "land_done") == (2, "d2", False)


def test_a_completed_land_action_has_no_markers_in_the_position() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2", "land d2", "stop")
    assert now(state, "markers_placed", "last_marker", "land_done") == (0, None, True)


def test_three_markers_end_the_action() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B"), "land c2", "land d2", "land d1")
    assert now(state, "markers_placed", "last_marker", "land_done") == (0, None, True)


def test_with_land_markers_1_one_marker_ends_the_action() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B", land_markers=1), "land c2")
    assert (now(state, "land_done"), lands(state)) == ((True,), "")


def test_with_many_land_markers_chains_are_long() -> None:
    chain = ("land b3", "land b2", "land b1", "land c1", "land d1", "land e1", "land e2")
    state = play(at("A.... ..... ..0.. ..... ....B", land_markers=18), *chain)
    assert (texts(state), *now(state, "markers_placed")) == (["land d2", "land e3", "stop"], 7)


def test_the_action_ends_when_no_further_marker_is_possible() -> None:
    state = play(at(".1... 0.... ..... ...A. ....B"), "land a1")
    assert (lands(state), "stop" in texts(state), *now(state, "land_done")) == ("", False, True)


# 3. The land action: stop


def test_stop_is_offered_after_the_first_marker() -> None:
    assert "stop" in texts(play(at("A.... ..... ..0.. ..... ....B"), "land c2"))


def test_stop_is_not_offered_before_the_first_marker() -> None:
    assert texts(at("A.... ..... ..0.. ..... ....B", sea_done=True)) == ["land c2", "land b3", "land d3", "land c4"]


def test_without_stop_early_stop_is_never_offered() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B", stop_early=False), "land c2")
    assert texts(state) == ["land c1", "land b2", "land d2"]


def test_without_stop_early_the_action_ends_with_the_last_marker() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B", stop_early=False, land_markers=2), "land c2", "land c1")
    assert now(state, "land_done") == (True,)


def test_without_stop_early_the_action_ends_when_no_marker_is_possible() -> None:
    state = play(at(".1... 0.... ..... ...A. ....B", stop_early=False), "land a1")
    assert now(state, "land_done") == (True,)


# 3. Impossible land actions, and the order of the actions

BLOCK = """
    .....
    A....
    ..00.
    ..00.
    ....B
"""


def test_if_no_land_action_is_possible_only_the_sea_action_is_legal() -> None:
    assert {text.split()[0] for text in texts(at(BLOCK))} == {"sea"}


def test_an_impossible_land_action_ends_without_a_marker_after_the_sea_action() -> None:
    state = play(at(BLOCK), "sea a1 -")
    assert (*now(state, "turn_player", "turn"), board(state)) == (1, 3, rows("A.... ..... ..00. ..00. ....B"))


def test_a_land_action_may_become_possible_after_the_sea_action() -> None:
    state = play(at(BLOCK, sea_range=1), "sea b2 e")
    assert (texts(state), *now(state, "turn_player")) == (["land c1", "land d2"], 0)


def test_an_illegal_marker_may_become_legal_after_the_sea_action() -> None:
    # a marker on c1 separates the ships until player 0 has joined player 1
    state = at("A...B 11011 ..1.. ..... .....", sea_range=3)
    assert (lands(state), lands(play(state, "sea d1 -")), *now(state, "last_marker")) == ("", "b1", "c1")


def test_the_marker_of_the_sea_action_is_land_for_the_land_action() -> None:
    assert lands(play(at(OPEN, sea_range=1), "sea c2 n")) == "b1 d1"


def test_after_the_land_action_the_ship_sails_on_the_new_board() -> None:
    state = play(at("A.... .0... ..... ..... ....B", sea_range=2), "land b1", "stop")
    assert ends(state) == {"a1", "a2", "a3"}


# 3. Actions without a choice are automatic

DEAD_END = """
    0....
    11111
    .....
    A....
    ....B
"""


def test_the_only_first_marker_is_placed_automatically() -> None:
    state = play(at(DEAD_END, sea_range=1), "sea a5 -")
    assert (board(state)[0], texts(state)) == ("00...", ["land c1", "stop"])


def test_the_only_next_marker_beside_stop_is_a_choice() -> None:
    state = play(at(DEAD_END, sea_range=1), "sea a5 -", "stop")
    assert (board(state)[0], *now(state, "turn_player")) == ("00...", 1)


def test_without_stop_early_a_chain_without_a_choice_is_placed_automatically() -> None:
    state = play(at(DEAD_END, sea_range=1, stop_early=False), "sea a5 -")
    assert (board(state)[0], *now(state, "turn_player", "turn")) == ("0000.", 1, 3)


def test_a_sea_action_beside_the_only_land_marker_is_a_choice() -> None:
    state = at(DEAD_END, sea_range=1)
    assert (lands(state), len(ends(state))) == ("b1", 4)


def test_without_stop_early_a_land_action_continues_automatically_to_the_sea_action() -> None:
    state = play(at(DEAD_END, sea_range=1, stop_early=False), "land b1")
    assert (board(state)[0], *now(state, "land_done", "sea_done")) == ("0000.", True, False)


def test_a_sea_action_without_a_choice_is_automatic() -> None:
    # b1 closes in both ships; player 0 can then only stay and place nothing, and the game is over
    state = play(at("A.B1. 0011. ..... ..... ....."), "land b1")
    assert (state.is_terminal(), board(state)) == (True, rows("A0B1. 0011. ..... ..... ....."))


STUCK = """
    AB...
    00...
    00...
    .....
    ....1
"""


def test_a_turn_without_a_choice_is_automatic() -> None:
    state = play(at(STUCK, 1, sea_range=1, sea_done=True), "land e4", "stop")
    assert (state.current_player(), *now(state, "turn_player", "turn")) == (1, 1, 5)


def test_one_sea_action_and_one_land_marker_are_a_choice() -> None:
    state = at("AB... 00... 00..1 ....1 ....0", sea_range=1)
    assert texts(state) == ["sea a1 -", "land d5"]


def test_after_the_only_sea_action_the_only_land_marker_is_placed_automatically() -> None:
    state = play(at("AB... 00... 00..1 ....1 ....0", sea_range=1), "sea a1 -")
    assert (texts(state), *now(state, "last_marker")) == (["land d4", "land c5", "stop"], "d5")


def test_after_the_land_action_the_only_sea_action_is_automatic() -> None:
    state = play(at("AB... 00... 00..1 ....1 ....0", sea_range=1), "land d5", "stop")
    assert now(state, "turn_player", "turn") == (1, 3)


def test_automatic_actions_are_not_entries_of_the_history() -> None:
    state = play(at(STUCK, 1, sea_range=1, sea_done=True), "land e4", "stop")
    assert [player for player, _ in state.history()] == [1, 1]


# 5. Filling


def test_an_enclosed_empty_square_is_filled() -> None:
    state = play(at("000.. 0.0.. 0.0.. ...A. ....B"), "land b3", "stop")
    assert board(state) == rows("000.. 000.. 000.. ...A. ....B")


def test_filling_waits_for_the_end_of_the_land_action() -> None:
    state = play(at("000.. 0.0.. 0.0.. ...A. ....B"), "land b3")
    assert (board(state)[1], lands(state)) == ("0.0..", "b2 b4")


def test_the_last_marker_fills_at_once() -> None:
    state = play(at("000.. 0.0.. 0.0.. ...A. ....B", land_markers=1), "land b3")
    assert board(state) == rows("000.. 000.. 000.. ...A. ....B")


def test_diagonal_walls_enclose() -> None:
    state = play(at(".0... 0.0.. ..... ..... .A..B", sea_range=1), "sea b4 n")
    assert board(state) == rows(".0... 000.. .0... .A... ....B")


def test_filling_comes_before_the_land_action() -> None:
    state = play(at(".0... 0.0.. ..... ..... .A..B", sea_range=1), "sea b4 n")
    assert lands(state) == "a1 c1 d2 a3 c3"


def test_the_edge_of_the_board_does_not_enclose() -> None:
    state = play(at("..... 0.... .A... ..... ....B", sea_range=1), "sea b2 n")
    assert board(state) == rows(".0... 0A... ..... ..... ....B")


def test_enemy_land_does_not_enclose() -> None:
    state = play(at(".0... 0.0.. .1... A.... ....B", sea_range=1), "sea a5 -")
    assert board(state)[:3] == rows(".0... 0.0.. .1...")


@pytest.mark.parametrize("mover", [0, 1])
def test_only_the_mover_fills(mover: int) -> None:
    ring = ".1... 1.1.. .1... A.... ....B" if mover == 0 else ".0... 0.0.. .0... B.... ....A"
    state = play(at(ring, mover, sea_range=1), "sea a5 -")
    assert board(state)[1] == ("1.1.." if mover == 0 else "0.0..")


def test_an_action_without_a_marker_also_fills() -> None:
    state = play(at(".0... 0.0.. .0... A.... ....B", sea_range=1), "sea a5 -")
    assert board(state)[1] == "000.."


def test_player_1_also_fills() -> None:
    state = play(at(".1... 1.1.. .1... B.... ....A", 1, sea_range=1), "sea a5 -")
    assert board(state)[1] == "111.."


def test_several_regions_are_filled_at_once() -> None:
    state = play(at(".0.0.. 0.0.0. .0.0.. ...... A..... .....B"), "sea a6 -")
    assert board(state)[1] == "00000."


def inside(*middle: str) -> list[str]:
    """Return the 3 × 3 inside of a ring of player 0 after they sail past it into a corner."""
    ring = [".......", ".00000.", *(f".0{row}0." for row in middle), "A00000.", "......B"]
    state = play(at("\n".join(ring)), "sea a7 -")
    return [row[2:5] for row in board(state)[2:5]]


def test_enclosed_enemy_land_becomes_own_land() -> None:
    assert inside("...", ".1.", "...") == ["000", "000", "000"]


def test_enclosed_enemy_land_with_one_neighbour_becomes_own_land() -> None:
    assert inside("...", ".11", "...") == ["000", "000", "000"]


def test_peninsulas_fall_repeatedly() -> None:
    assert inside("1..", "1..", "111") == ["000", "000", "000"]


def test_a_block_survives() -> None:
    assert inside(".11", ".11", "...") == ["011", "011", "000"]


def test_the_peninsulas_of_a_block_fall() -> None:
    assert inside("11.", "111", "..1") == ["110", "110", "000"]


def test_a_ring_survives_and_its_inside_is_filled() -> None:
    assert inside("111", "1.1", "111") == ["111", "101", "111"]


def test_a_broken_ring_falls() -> None:
    assert inside("111", "1.1", "11.") == ["000", "000", "000"]


def test_two_blocks_that_share_a_square_survive() -> None:
    assert inside("11.", "111", ".11") == ["110", "111", "011"]


def test_enemy_land_that_touches_a_block_only_diagonally_falls() -> None:
    assert inside("11.", "11.", "..1") == ["110", "110", "000"]


def test_enemy_land_outside_survives() -> None:
    state = play(at(".0..1 0.0.. .0... A.... ....B", sea_range=1), "sea a5 -")
    assert board(state)[0] == ".0..1"


def test_enemy_land_belongs_to_the_region_around_it() -> None:
    # f4 is enemy land in the wall of the ring, and g4 behind it encloses it
    state = play(at(".......  .00000.  .0...0.  .0.1110  .0...0.  A00000.  ......B"), "sea a7 -")
    assert board(state)[2:5] == rows(".00000. .000000 .00000.")


def test_enemy_land_that_leads_to_the_edge_keeps_a_ring_open() -> None:
    state = play(at(".......  .00000.  .0...0.  .0.1111  .0...0.  A00000.  ......B"), "sea a7 -")
    assert board(state)[2:5] == rows(".0...0. .0.1111 .0...0.")


# 5. Filling and ships

RING_ROUND_B = """
    ......0
    .0000..
    .0..0..
    .0B.0..
    .0000..
    A......
    .......
"""
RING_ROUND_A = """
    ......0
    .0000..
    .0..0..
    .0A.0..
    .0000..
    .......
    ......B
"""
RING_ROUND_BOTH = """
    ......0
    .0000..
    .0..0..
    .0BA0..
    .0000..
    .......
    .......
"""


def test_an_enclosed_ship_is_captured() -> None:
    state = play(at(RING_ROUND_B), "sea a7 -")
    assert now(state, "ships") == (["a7", None],)


def test_the_square_of_a_captured_ship_becomes_land() -> None:
    state = play(at(RING_ROUND_B), "sea a7 -")
    assert board(state)[1:5] == rows(".0000.. .0000.. .0000.. .0000..")


def test_a_capture_does_not_end_the_turn() -> None:
    state = play(at(RING_ROUND_B), "sea a7 -")
    assert (state.is_terminal(), lands(state)) == (False, "f1 g2")


def test_a_captured_ship_ends_the_game_when_the_turn_is_complete() -> None:
    state = play(at(RING_ROUND_B), "sea a7 -", "land f1", "stop")
    assert (state.is_terminal(), state.rewards()) == (True, [1.0, -1.0])


def test_the_own_enclosed_ship_is_captured() -> None:
    # the ships are in different seas, so that no marker is possible at sea
    state = play(at(RING_ROUND_A), "sea d3 -")
    assert (now(state, "ships"), board(state)[2:4]) == (([None, "g7"],), rows(".0000.. .0000.."))


def test_the_owner_of_a_captured_ship_still_has_a_land_action() -> None:
    state = play(at(RING_ROUND_A), "sea d3 -")
    assert (state.is_terminal(), texts(state)) == (False, ["land f1", "land g2"])


def test_both_ships_can_be_captured() -> None:
    state = play(at(RING_ROUND_BOTH), "sea d4 n")
    assert now(state, "ships", "sea_done", "land_done") == ([None, None], True, False)


GAP = """
    .......
    .00000.
    .0A..0.
    .0...0.
    .0..B0.
    .000.0.
    .......
"""


def test_a_captured_ship_has_no_sea_action() -> None:
    state = play(at(GAP), "land e6", "stop")
    assert (state.is_terminal(), *now(state, "ships", "sea_done", "land_done")) == (True, [None, None], True, True)


def test_the_capturing_player_still_has_a_sea_action() -> None:
    state = play(at(".0... 0B0.. ..0.. ....A .....", sea_range=1), "land b3", "stop")
    assert (state.is_terminal(), ends(state), *now(state, "ships")) == (False, {"e3", "d4", "e4", "e5"}, ["e4", None])


# 6. The end


def test_a_closed_in_ship_ends_the_game() -> None:
    state = play(at(STRAIT, sea_range=2), "sea c1 e")
    assert (state.is_terminal(), board(state)) == (True, rows("..A0B 11111 ..... ..... ....."))


def test_the_end_waits_for_the_second_action() -> None:
    state = play(at(CLOSING), "sea e3 n")
    assert (state.is_terminal(), state.current_player()) == (False, 0)


def test_the_end_comes_when_the_second_action_is_done() -> None:
    state = play(at(CLOSING), "sea e3 n", "stop")
    assert (state.is_terminal(), *now(state, "turn_player", "turn")) == (True, 0, 2)


def test_the_end_waits_for_the_sea_action() -> None:
    state = play(at("...1B ...0. ..... ..... A...."), "land e2", "stop")
    assert (state.is_terminal(), *now(state, "land_done", "sea_done")) == (False, True, False)


def test_the_end_comes_when_the_sea_action_is_done() -> None:
    state = play(at("...1B ...0. ..... ..... A...."), "land e2", "stop", "sea a5 n")
    assert (state.is_terminal(), *now(state, "turn_player", "turn")) == (True, 0, 2)


def test_player_1_can_close_in_player_0() -> None:
    state = play(at("A...B 00000 ..... ..... .....", 1, sea_range=2), "sea c1 w")
    assert (state.is_terminal(), board(state)[0]) == (True, "A1B..")


def test_a_ship_with_the_other_ship_beside_it_is_not_closed_in() -> None:
    state = play(at(STRAIT, sea_range=3), "sea d1 -")
    assert not state.is_terminal()


def test_a_sea_of_two_squares_ends_the_game() -> None:
    state = play(at("AB1.. 1.0.. ..... ..... .....", sea_done=True), "land b2", "stop")
    assert (state.is_terminal(), board(state)) == (True, rows("AB1.. 100.. ..... ..... ....."))


def test_a_sea_of_three_squares_does_not_end_the_game() -> None:
    state = play(at("AB.1. 1.0.. ..... ..... .....", sea_done=True), "land b2", "stop")
    assert (state.is_terminal(), state.current_player()) == (False, 1)


def test_a_ship_that_cannot_move_this_turn_does_not_end_the_game() -> None:
    state = play(at(STUCK, 1, sea_range=1, sea_done=True), "land e4", "stop")
    assert not state.is_terminal()


def test_the_limit_ends_the_game_when_its_last_turn_is_complete() -> None:
    state = at("A.... ..... ..0.. ..... ....B", turn=2, max_turns=3)
    assert (play(state, "sea a1 e").is_terminal(), play(state, "land b2", "stop").is_terminal()) == (False, True)


def test_the_turn_before_the_last_does_not_end_the_game() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B", turn=2, max_turns=4), "sea a1 e", "land b3", "stop")
    assert now(state, "turn_player", "turn") == (1, 3)


def test_turns_of_both_players_count_for_the_limit() -> None:
    state = play(new_game(max_turns=2), "sea b1 e", "sea e4 n", "land d3", "stop")
    assert (state.is_terminal(), *now(state, "turn")) == (True, 1)


def test_the_position_at_the_end_is_that_of_the_last_turn() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B", turn=2, max_turns=3), "sea a1 e", "land c2", "stop")
    keys = ("turn_player", "turn", "sea_done", "land_done", "markers_placed", "last_marker", "roll")
    assert now(state, *keys) == (0, 2, True, True, 0, None, None)


def test_nobody_acts_after_the_end() -> None:
    state = play(at(CLOSING), "sea e3 n", "stop")
    assert (state.current_player(), state.legal_actions()) == (edge_envs.TERMINAL, [])


# 7. The score


def test_more_land_wins() -> None:
    state = play(at("A.... ..... ..0.. ..... ....B", turn=2, max_turns=3), "sea a1 e", "land c2", "stop")
    assert state.rewards() == [1.0, -1.0]


def test_less_land_loses() -> None:
    state = play(at("A..11 ..111 ..0.. ..... ....B", turn=2, max_turns=3), "sea a1 e", "land c4", "stop")
    assert state.rewards() == [-1.0, 1.0]


def test_equally_much_land_is_a_draw() -> None:
    state = play(at("A.B1. 0011. ..... ..... ....."), "land b1")
    assert (state.is_terminal(), state.rewards()) == (True, [0.0, 0.0])


def test_closing_in_the_enemy_does_not_win() -> None:
    state = play(at(STRAIT, sea_range=2), "sea c1 e")
    assert state.rewards() == [-1.0, 1.0]


def test_losing_the_ship_does_not_lose_the_game() -> None:
    assert play(at(GAP), "land e6", "stop").rewards() == [1.0, -1.0]


def test_the_score_counts_for_player_1() -> None:
    state = play(at("B.... ..... ..1.. ..... ....A", 1, turn=3, max_turns=4), "sea a1 e", "land c2", "stop")
    assert state.rewards() == [-1.0, 1.0]


def test_rewards_before_the_end_are_zero() -> None:
    state = at("A.... ..... ..0.. ..... ....B")
    assert [play(state, text).rewards() for text in ("sea a1 e", "land c2", "stop")] == [[0.0, 0.0]] * 3


def test_returns_of_a_game_are_the_rewards_of_its_end() -> None:
    assert play(at(STRAIT, sea_range=2), "sea c1 e").returns() == [-1.0, 1.0]


def test_an_end_read_from_json_has_its_rewards() -> None:
    state = at("..A0B 11111 ..... ..... .....", sea_done=True, land_done=True)
    assert (state.is_terminal(), state.rewards(), state.returns()) == (True, [-1.0, 1.0], [-1.0, 1.0])


# Dice

HALF_LAND = "A.... ..... ..0.. ..... ....B"


def test_without_dice_there_are_no_chance_nodes() -> None:
    assert (new_game().current_player(), at(OPEN).is_chance_node()) == (0, False)


def test_the_first_turn_starts_with_a_roll() -> None:
    state = new_game(dice=True)
    assert (state.current_player(), *now(state, "roll")) == (edge_envs.CHANCE, None)


def test_every_turn_starts_with_a_roll() -> None:
    state = play(new_game(dice=True), "roll 2 1", "sea b1 e")
    assert (state.current_player(), *now(state, "turn", "roll")) == (edge_envs.CHANCE, 1, None)


def test_rolls_number_from_0_the_higher_die_first() -> None:
    assert texts(new_game(dice=True)) == [f"roll {a} {b}" for a in range(1, 7) for b in range(1, a + 1)]


@pytest.mark.parametrize(("text", "outcome"), [("roll 1 1", 0), ("roll 2 1", 1), ("roll 2 2", 2), ("roll 6 6", 20)])
def test_ids_of_rolls(text: str, outcome: int) -> None:
    assert new_game(dice=True).string_to_action(text) == outcome


def test_there_are_21_outcomes() -> None:
    assert new_game(dice=True).legal_actions() == list(range(21))


@pytest.mark.parametrize("higher", range(1, 7))
@pytest.mark.parametrize("lower", range(1, 7))
def test_doubles_are_half_as_likely_as_other_rolls(higher: int, lower: int) -> None:
    state = new_game(dice=True)
    if lower > higher:
        with pytest.raises(edge_envs.IllegalActionError):
            state.string_to_action(f"roll {higher} {lower}")
    else:
        probability = dict(state.chance_outcomes())[state.string_to_action(f"roll {higher} {lower}")]
        assert probability == pytest.approx((1 if higher == lower else 2) / 36, rel=1e-12)


def test_the_roll_leads_to_the_player_in_turn() -> None:
    state = play(at(HALF_LAND, 1, dice=True), "roll 5 2")
    assert (state.current_player(), *now(state, "roll")) == (1, [5, 2])


def test_the_higher_die_is_the_sea_range() -> None:
    state = play(new_game(dice=True, sea_range=18), "roll 2 1")
    assert ends(state) == {"a1", "b1", "c1", "a2", "b2", "a3"}


def test_the_parameter_sea_range_does_not_limit_the_dice() -> None:
    state = play(new_game(dice=True, sea_range=1), "roll 6 1")
    assert "d4" in ends(state)


def test_the_lower_die_is_the_number_of_land_markers() -> None:
    state = play(at(HALF_LAND, dice=True, land_markers=18), "roll 6 2", "land c2", "land d2")
    assert now(state, "land_done", "roll") == (True, [6, 2])


def test_the_parameter_land_markers_does_not_limit_the_dice() -> None:
    state = play(at(HALF_LAND, dice=True, land_markers=1), "roll 6 2", "land c2")
    assert texts(state) == ["land c1", "land b2", "land d2", "stop"]


def test_a_low_die_of_one_allows_one_marker() -> None:
    state = play(at(HALF_LAND, dice=True), "roll 3 1", "land c2")
    assert now(state, "land_done") == (True,)


def test_the_roll_counts_for_both_actions() -> None:
    state = play(at(HALF_LAND, dice=True), "roll 2 1", "land c4")
    assert (ends(state), *now(state, "roll")) == ({"a1", "b1", "c1", "a2", "b2", "a3"}, [2, 1])


def test_the_roll_is_cleared_after_the_turn() -> None:
    state = play(at(HALF_LAND, dice=True), "roll 3 1", "land c2", "sea a1 e")
    assert (state.current_player(), *now(state, "roll", "turn_player")) == (edge_envs.CHANCE, None, 1)


def test_the_roll_is_cleared_at_the_end_of_the_game() -> None:
    state = play(at(HALF_LAND, dice=True, turn=2, max_turns=3), "roll 3 1", "land c2", "sea a1 e")
    assert (state.is_terminal(), *now(state, "roll")) == (True, None)


def test_a_turn_without_a_choice_after_the_roll_is_automatic() -> None:
    state = play(at("AB... 00... 00... ..... ....1", dice=True), "roll 1 1")
    assert (state.current_player(), *now(state, "turn_player", "turn")) == (edge_envs.CHANCE, 1, 3)


# Ids and texts


def drawn(size: int, **marks: str) -> str:
    """Return a picture with these marks on these squares: `drawn(5, c4="A")`."""
    squares = [[f"{'abcdefghijklmnopqr'[column]}{row + 1}" for column in range(size)] for row in range(size)]
    return "\n".join("".join(marks.get(square, ".") for square in row) for row in squares)


def ids_at_c4(size: int) -> dict[str, int]:
    """Return the ids of all actions at c4, and of `stop`."""
    stay = at(drawn(size, c4="A", e1="B"))
    sail = at(drawn(size, c3="A", c5="0", e1="B"), sea_range=1)
    land = at(drawn(size, a1="A", c5="0", e1="B"))
    ids = {f"sea c4 {direction}": stay.string_to_action(f"sea c4 {direction}") for direction in "nesw"}
    ids["sea c4 -"] = sail.string_to_action("sea c4 -")
    ids["land c4"] = land.string_to_action("land c4")
    ids["stop"] = play(land, "land c4").string_to_action("stop")
    return ids


@pytest.mark.parametrize(
    ("size", "ids"), [(5, [17, 42, 67, 92, 117, 142, 150]), (18, [56, 380, 704, 1028, 1352, 1676, 1944])]
)
def test_ids_are_planes_of_squares_by_row_and_stop(size: int, ids: list[int]) -> None:
    named = ["sea c4 n", "sea c4 e", "sea c4 s", "sea c4 w", "sea c4 -", "land c4", "stop"]
    assert ids_at_c4(size) == dict(zip(named, ids, strict=True))


def test_ids_mean_the_same_squares_for_player_1() -> None:
    state = at("A.... ..... ..... ..B.. .....", 1)
    assert [state.string_to_action(f"sea c4 {direction}") for direction in "nesw"] == [17, 42, 67, 92]


def test_ids_of_the_last_square_of_the_full_board() -> None:
    full = "\n".join(["A" + "." * 17, *["." * 18] * 16, "." * 17 + "B"])
    state = at(full, 1)
    assert [state.string_to_action(text) for text in ("sea r18 n", "sea r18 w")] == [323, 3 * 324 + 323]


def test_rows_beyond_nine_have_two_digits() -> None:
    full = "\n".join(["A" + "." * 17, *["." * 18] * 15, "." * 17 + "1", "B" + "." * 17])
    state = at(full, 1)
    assert (lands(state), state.string_to_action("land r18")) == ("r16 q17 r18", 5 * 324 + 323)


@pytest.mark.parametrize(
    "text", ["sea c3", "sea c3 N", "sea c3 -", "sea C3 n", "c3 n", "land c3", "stop", "roll 1 1", ""]
)
def test_texts_of_illegal_actions_are_rejected(text: str) -> None:
    with pytest.raises(edge_envs.IllegalActionError):
        at(OPEN).string_to_action(text)


def test_an_illegal_action_changes_nothing() -> None:
    state = at(OPEN)
    before = state.to_dict()
    with pytest.raises(edge_envs.IllegalActionError):
        state.apply_action(150)
    assert state.to_dict() == before
