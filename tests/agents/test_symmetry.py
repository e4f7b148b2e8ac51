"""`beyond_maps` as the learner would lay it: the game's four symmetries, in features, actions and logits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.features.beyond_maps import BeyondMapsFeatures, action_tables, square_tables
from agents.networks import Convolutional
from edge_envs import State, load_game
from edge_envs.games.beyond_maps.state import square_name
from tests.agents.players import decisions
from tests.agents.test_networks import shaken

ORIENTATIONS = {"as it lies": 0, "transposed": 1, "turned": 2, "turned and transposed": 3}
SEAT = 5

GAMES = [
    {"size": 5, "max_turns": 60},
    {"size": 6, "sea_range": 2, "land_markers": 4, "max_turns": 80},
    {"size": 7, "dice": True, "max_turns": 60},
    {"size": 8, "max_turns": 60},
]
each_game = pytest.mark.parametrize("params", GAMES, ids=str)
each_orientation = pytest.mark.parametrize("orientation", ORIENTATIONS.values(), ids=ORIENTATIONS)


def moved(name: str | None, size: int, orientation: int) -> str | None:
    """Where a square comes to lie."""
    if name is None:
        return None
    column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
    if orientation & 2:
        row, column = size - 1 - row, size - 1 - column
    if orientation & 1:
        row, column = column, row
    return square_name(row * size + column, size)


def same_game(state: State, orientation: int) -> State:
    """The position turned, with the players exchanged, or transposed, or both, and set up anew."""
    d = state.to_dict()
    size = d["params"]["size"]
    rows, ships = d["board"], [moved(ship, size, orientation) for ship in d["ships"]]
    if orientation & 2:
        rows = [row[::-1].translate(str.maketrans("01", "10")) for row in rows[::-1]]
        ships = ships[::-1]
        d["turn_player"] = 1 - d["turn_player"]
    if orientation & 1:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    last = moved(d["last_marker"], size, orientation)
    return state.game.state_from_dict({**d, "board": rows, "ships": ships, "last_marker": last})


def seen(states: list[State]) -> torch.Tensor:
    """Observations of the players to act."""
    return torch.from_numpy(np.stack([state.observation_tensor(state.current_player()) for state in states]))


def masks(states: list[State]) -> torch.Tensor:
    return torch.from_numpy(np.stack([state.legal_action_mask() for state in states]))


def off_the_diagonal(state: State) -> bool:
    """Whether a transposition moves the own ship, so that it tells the orientation."""
    ship = state.to_dict()["ships"][state.current_player()]
    return ship is not None and moved(ship, state.game.params["size"], 1) != ship


@each_game
@each_orientation
def test_the_game_is_the_same_in_every_orientation(params: dict[str, Any], orientation: int) -> None:
    game = load_game("beyond_maps", **params)
    actions = action_tables(square_tables(game.params["size"]))[orientation]
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
def test_markers_turn_with_the_board(orientation: int, text: str, elsewhere: str) -> None:
    game = load_game("beyond_maps", size=5)
    record = game.new_records(1)[0]
    ids = {game.action_to_string(record, action): action for action in range(game.num_distinct_actions)}
    actions = action_tables(square_tables(5))[orientation]
    assert actions[ids[text]] == ids[elsewhere]
    assert actions[ids[elsewhere]] == ids[text]


@each_orientation
def test_every_orientation_is_its_own_way_back(orientation: int) -> None:
    for size in (5, 8, 18):
        squares = square_tables(size)
        for table in (squares[orientation], action_tables(squares)[orientation]):
            assert np.array_equal(table[table], np.arange(len(table)))


@each_game
def test_the_learner_sees_the_same_in_every_orientation(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    features = BeyondMapsFeatures(game, hints=True)
    states = [state for state in decisions(game, games=6) if off_the_diagonal(state)]
    assert len(states) > 50
    views, hints, legal = [], [], []
    for orientation in ORIENTATIONS.values():
        others = [same_game(state, orientation) for state in states]
        view = features(seen(others))
        assert view.actions is not None
        seats = torch.tensor([other.current_player() for other in others])[:, None, None].float()
        assert torch.equal(view.planes[:, SEAT], seats.expand(view.planes[:, SEAT].shape))
        view.planes[:, SEAT] = 0
        views.append(view.planes)
        hints.append(view.hints)
        legal.append(masks(others).gather(1, view.actions))  # each orientation is its own way back
    for planes, hint, mask in zip(views, hints, legal, strict=True):
        assert torch.equal(planes, views[0])
        assert torch.equal(hint, hints[0])
        assert torch.equal(mask, legal[0])


@each_game
def test_the_own_ship_never_lies_below_the_diagonal(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    states = decisions(game, games=6)
    planes = BeyondMapsFeatures(game, hints=False)(seen(states)).planes
    assert planes.min() >= 0.0
    assert planes.max() <= 1.0
    assert torch.equal(planes[:, 2].triu(), planes[:, 2])
    start = game.new_initial_state(0)
    for player in range(2):
        view = BeyondMapsFeatures(game, hints=False)(torch.from_numpy(start.observation_tensor(player)[None]))
        assert view.planes[0, 2, 0, 0] == 1.0
        assert view.planes[0, 3, -1, -1] == 1.0


def test_a_captured_ship_leaves_player_0_as_it_is_and_turns_player_1() -> None:
    game = load_game("beyond_maps", size=5)
    features = BeyondMapsFeatures(game, hints=False)
    observations = torch.zeros((2, *game.observation_shape), dtype=torch.int8)
    observations[1, SEAT] = 1
    assert features.orientation(observations).tolist() == [0, 2]


@each_game
def test_hints_are_of_the_legal_actions(params: dict[str, Any]) -> None:
    """What the heuristic takes for best has the hint 0, others less."""
    game = load_game("beyond_maps", **params)
    states = decisions(game, games=2)
    view = BeyondMapsFeatures(game, hints=True)(seen(states))
    assert view.hints is not None
    hints = view.to_game(view.hints)
    assert torch.equal(hints.max(1).values, torch.zeros(len(states)))
    assert hints.min() >= -1.0
    assert masks(states)[torch.arange(len(states)), hints.argmax(1)].all()


@each_game
def test_logits_turn_with_the_board(params: dict[str, Any]) -> None:
    game = load_game("beyond_maps", **params)
    network = shaken(Convolutional(features="beyond_maps", channels=8, blocks=2, hint_weight=1.0).make_network(game))
    with torch.no_grad():
        network.first.weight[:, SEAT] = 0.0  # what tells the players apart
    states = [state for state in decisions(game, games=6) if off_the_diagonal(state)]
    logits = network(seen(states))
    assert logits.std(1).min() > 0.01
    for orientation in ORIENTATIONS.values():
        actions = action_tables(square_tables(game.params["size"]))[orientation]
        others = network(seen([same_game(state, orientation) for state in states]))
        torch.testing.assert_close(others, logits[:, actions], rtol=1e-4, atol=1e-5)
