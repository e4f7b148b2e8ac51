"""Canonical orientation of `beyond_maps`: the game's four symmetries in features, actions and logits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.networks import Convolutional
from edge_envs import State, load_game
from edge_envs.core.spec import Array
from edge_envs.games.beyond_maps.features import BeyondMapsFeatures, action_tables, square_tables
from edge_envs.games.beyond_maps.state import square_name
from tests.agents.players import decisions, observed
from tests.agents.test_networks import perturbed

ORIENTATIONS = {"unchanged": 0, "transposed": 1, "rotated": 2, "rotated and transposed": 3}
SEAT = 5

GAMES = [
    {"size": 5, "max_turns": 60},
    {"size": 6, "sea_range": 2, "land_markers": 4, "max_turns": 80},
    {"size": 7, "dice": True, "max_turns": 60},
    {"size": 8, "max_turns": 60},
]
each_game = pytest.mark.parametrize("params", GAMES, ids=str)
each_orientation = pytest.mark.parametrize("orientation", ORIENTATIONS.values(), ids=ORIENTATIONS)


def moved(name: str | None, width: int, height: int, orientation: int) -> str | None:
    """Return the image of a square in an orientation."""
    if name is None:
        return None
    column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
    if orientation & 2:
        row, column = height - 1 - row, width - 1 - column
    if orientation & 1:
        row, column = column, row
    return square_name(row * width + column, width)


def same_game(state: State, orientation: int) -> State:
    """Return the position after a half turn that exchanges the players, a transposition, or both."""
    d = state.to_dict()
    width, height = state.game.observation_shape[:0:-1]
    rows, ships = d["board"], [moved(ship, width, height, orientation) for ship in d["ships"]]
    if orientation & 2:
        rows = [row[::-1].translate(str.maketrans("01", "10")) for row in rows[::-1]]
        ships = ships[::-1]
        d["turn_player"] = 1 - d["turn_player"]
    if orientation & 1:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    last = moved(d["last_marker"], width, height, orientation)
    return state.game.state_from_dict({**d, "board": rows, "ships": ships, "last_marker": last})


def masks(states: list[State]) -> Array:
    return np.stack([state.legal_action_mask() for state in states])


def off_the_diagonal(state: State) -> bool:
    """Return whether a transposition moves the player's ship, so that it determines the orientation."""
    ship = state.to_dict()["ships"][state.current_player()]
    return ship is not None and moved(ship, state.game.params["size"], state.game.params["size"], 1) != ship


@each_game
@each_orientation
def test_the_game_is_the_same_in_every_orientation(params: dict[str, Any], orientation: int) -> None:
    game = load_game("beyond_maps", **params)
    actions = action_tables(square_tables(game.params["size"], game.params["size"]))[orientation]
    states = decisions(game, games=6)
    assert len(states) > 100
    for state in states:
        assert np.array_equal(same_game(state, orientation).legal_action_mask(), state.legal_action_mask()[actions])


@pytest.mark.parametrize(
    ("orientation", "text", "elsewhere"),
    [
        (1, "sea d1 n", "sea a4 w"), (1, "sea d1 e", "sea a4 s"), (1, "sea c3 s", "sea c3 e"),
        (1, "sea c3 w", "sea c3 n"), (1, "sea e2 -", "sea b5 -"), (1, "land a5", "land e1"), (1, "stop", "stop"),
        (2, "sea d1 n", "sea b5 s"), (2, "sea d1 e", "sea b5 w"), (2, "land a5", "land e1"), (2, "stop", "stop"),
        (3, "sea d1 n", "sea e2 e"), (3, "sea d1 s", "sea e2 w"), (3, "land a4", "land b5"),
        (3, "sea a1 -", "sea e5 -"),
    ],
)  # fmt: skip
def test_directions_of_markers_change_with_the_board(orientation: int, text: str, elsewhere: str) -> None:
    game = load_game("beyond_maps", size=5)
    record = game.new_records(1)[0]
    ids = {game.action_to_string(record, action): action for action in range(game.num_distinct_actions)}
    actions = action_tables(square_tables(5, 5))[orientation]
    assert actions[ids[text]] == ids[elsewhere]
    assert actions[ids[elsewhere]] == ids[text]


@each_orientation
def test_every_orientation_is_its_own_inverse(orientation: int) -> None:
    for width, height in ((5, 5), (8, 8), (18, 18), (5, 9), (12, 8)):
        squares = square_tables(width, height)
        for table in (squares[orientation], action_tables(squares)[orientation]):
            assert np.array_equal(table[table], np.arange(len(table)))


@each_game
def test_the_view_is_the_same_in_every_orientation(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    features = BeyondMapsFeatures(game, hints=True)
    states = [state for state in decisions(game, games=6) if off_the_diagonal(state)]
    assert len(states) > 50
    views, hints, legal = [], [], []
    for orientation in ORIENTATIONS.values():
        others = [same_game(state, orientation) for state in states]
        view = features(observed(others))
        assert view.actions is not None
        seats = np.array([other.current_player() for other in others])
        assert (view.planes[:, SEAT] == seats[:, None, None]).all()
        view.planes[:, SEAT] = 0
        views.append(view.planes)
        hints.append(view.hints)
        legal.append(np.take_along_axis(masks(others), view.actions, axis=1))  # each orientation is its own inverse
    for planes, hint, mask in zip(views, hints, legal, strict=True):
        assert np.array_equal(planes, views[0])
        assert np.array_equal(hint, hints[0])
        assert np.array_equal(mask, legal[0])


@each_game
def test_the_viewers_ship_is_never_below_the_diagonal(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    states = decisions(game, games=6)
    planes = BeyondMapsFeatures(game, hints=False)(observed(states)).planes
    assert planes.min() >= 0.0
    assert planes.max() <= 1.0
    assert np.array_equal(np.triu(planes[:, 2]), planes[:, 2])
    start = game.new_initial_state(0)
    for player in range(2):
        view = BeyondMapsFeatures(game, hints=False)(start.observation_tensor(player)[None])
        assert view.planes[0, 2, 0, 0] == 1.0
        assert view.planes[0, 3, -1, -1] == 1.0


def test_with_a_captured_ship_only_the_boards_of_player_1_are_rotated() -> None:
    game = load_game("beyond_maps", size=5)
    features = BeyondMapsFeatures(game, hints=False)
    observations = np.zeros((2, *game.observation_shape), np.int8)
    observations[1, SEAT] = 1
    assert features.orientation(observations).tolist() == [0, 2]


@each_game
def test_the_best_hint_is_that_of_a_legal_action(params: dict[str, Any]) -> None:
    """The best action by the heuristic has hint 0; the others have less."""
    game = load_game("beyond_maps", **params)
    states = decisions(game, games=2)
    view = BeyondMapsFeatures(game, hints=True)(observed(states))
    hints = np.take_along_axis(view.hints, view.actions, axis=1)
    assert (hints.max(axis=1) == 0.0).all()
    assert hints.min() >= -1.0
    assert masks(states)[np.arange(len(states)), hints.argmax(axis=1)].all()


@each_game
def test_hints_are_computed_on_the_oriented_board(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    features = BeyondMapsFeatures(game, hints=True, weights={"breadth": 8.0})
    states = decisions(game, games=1)
    view, expected = features(observed(states)), []
    for state in states:
        orientation = int(features.orientation(observed([state]))[0])
        expected.append(same_game(state, orientation).action_values({"breadth": 8.0}))
    values = np.stack(expected)
    best = values.max(axis=1, keepdims=True)
    assert view.hints == pytest.approx(np.maximum(values - best, -4.0) / 4.0, abs=1e-4)
    assert view.planes[:, -1, 0, 0] == pytest.approx(np.tanh(best[:, 0] / 8.0), abs=1e-5)


@each_game
def test_logits_change_with_the_board(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    network = perturbed(Convolutional(features="own", channels=8, blocks=2, hint_weight=1.0).make_network(game))
    with torch.no_grad():
        network.first.weight[:, SEAT] = 0.0  # the only plane that distinguishes the players
    states = [state for state in decisions(game, games=6) if off_the_diagonal(state)]
    logits = network(torch.from_numpy(observed(states)))
    assert logits.std(1).min() > 0.01
    for orientation in ORIENTATIONS.values():
        actions = action_tables(square_tables(game.params["size"], game.params["size"]))[orientation]
        others = network(torch.from_numpy(observed([same_game(state, orientation) for state in states])))
        torch.testing.assert_close(others, logits[:, actions], rtol=1e-4, atol=1e-5)


def test_on_a_rectangle_only_the_half_turn_is_used() -> None:
    game = load_game("beyond_maps", size=7, height=5, max_turns=60)
    states = decisions(game, games=6)
    others = [same_game(state, 2) for state in states]
    actions = action_tables(square_tables(7, 5))[2]
    assert np.array_equal(masks(others), masks(states)[:, actions])
    features = BeyondMapsFeatures(game, hints=True)
    assert set(features.orientation(observed(states)).tolist()) == {0, 2}
    view, other_view = features(observed(states)), features(observed(others))
    view.planes[:, SEAT] = other_view.planes[:, SEAT] = 0
    assert np.array_equal(view.planes, other_view.planes)
    assert np.array_equal(view.hints, other_view.hints)
    network = perturbed(Convolutional(features="own", channels=8, blocks=2, hint_weight=1.0).make_network(game))
    with torch.no_grad():
        network.first.weight[:, SEAT] = 0.0
    logits, turned = (network(torch.from_numpy(observed(some))) for some in (states, others))
    torch.testing.assert_close(turned, logits[:, actions], rtol=1e-4, atol=1e-5)
