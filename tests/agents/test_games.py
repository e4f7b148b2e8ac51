"""Test how programs choose the game: from names, parameters, policies and position files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from agents.common.files import read_json
from agents.common.parameters import make_game
from agents.players.agent import is_policy_folder
from agents.players.games import game_for, position_for
from edge_envs import Game
from tests.agents.players import untrained


@pytest.fixture
def policy_of_three(tmp_path: Path) -> str:
    game = edge_envs.load_game("falling_off", num_players=3, play_on=True)
    untrained(game).save(tmp_path / "three")
    return str(tmp_path / "three")


def test_make_game_takes_name_and_parameters() -> None:
    assert make_game("falling_off", {"num_players": 4}) == edge_envs.load_game("falling_off", num_players=4)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("chess", {}, r"unknown game 'chess' \(choose from falling_off"),
        ("falling_off", {"name": 1}, "unknown parameter 'name'"),
        ("falling_off", {"num_players": 7}, "invalid num_players=7: expected an integer from 2 to 6"),
        ("falling_off", {"num_players": [2]}, r"invalid num_players=\[2\]: expected"),
        ("falling_off", {"play_on": "yes"}, "invalid play_on='yes': expected True or False"),
    ],
)
def test_invalid_game_or_parameter_is_rejected(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_game(name, params)


def test_policy_parameters_are_the_defaults(policy_of_three: str) -> None:
    own = edge_envs.load_game("falling_off", num_players=3, play_on=True)
    assert game_for([policy_of_three]) == own
    assert game_for(["random", policy_of_three], "falling_off") == own
    changed = game_for([policy_of_three], "falling_off", {"play_on": False})
    assert changed == edge_envs.load_game("falling_off", num_players=3)


def test_game_is_required_without_a_policy(tmp_path: Path) -> None:
    assert game_for(["random"], "falling_off") == edge_envs.load_game("falling_off")
    for agents in ([], ["random", "heuristic"], ["godlike"]):
        with pytest.raises(ValueError, match="no game: name one"):
            game_for(agents)


def test_path_that_is_not_a_folder_is_reported(policy_of_three: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"missing: no such folder$"):
        game_for([policy_of_three, str(tmp_path / "missing")])
    with pytest.raises(ValueError, match=r"^\./nothing: no such folder$"):
        game_for(["./nothing"], "falling_off")
    with pytest.raises(ValueError, match=r"policy\.json: this is a file, not a folder; name its folder, .*three$"):
        game_for([f"{policy_of_three}/policy.json"])


def test_policy_of_another_game_is_rejected(policy_of_three: str) -> None:
    with pytest.raises(ValueError, match="three: made for the game 'falling_off'; it cannot play 'kuhn'"):
        game_for([policy_of_three], "kuhn")


def test_agent_name_takes_precedence_over_a_folder(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "random").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not is_policy_folder("random")
    assert is_policy_folder("./random")


@pytest.fixture
def position_file(tmp_path: Path) -> Path:
    game = edge_envs.load_game("falling_off", num_players=3)
    path = tmp_path / "position.json"
    path.write_text(json.dumps(game.new_initial_state(seed=0).to_dict()), encoding="utf-8")
    return path


def test_position_determines_the_parameters(position_file: Path) -> None:
    state = position_for(position_file, ["random"], "falling_off", {}, seed=3)
    assert state.game.params["num_players"] == 3
    assert state.to_dict() == read_json(position_file)
    assert state.seed == 3


def test_position_that_contradicts_the_parameters_is_rejected(position_file: Path) -> None:
    with pytest.raises(ValueError, match=r"position\.json: params: "):
        position_for(position_file, ["random"], "falling_off", {"num_players": 2}, seed=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pawns": 3}, r"position\.json: pawns: "),
        ({"game": "kuhn"}, r"position\.json: game: 'kuhn'"),
        ({"params": {"num_players": 99}}, "invalid num_players=99: expected"),
        ({"params": 3}, r"position\.json: params: 3"),
        ({"weather": "bad"}, r"position\.json: weather: unknown key"),
        (
            {"phase": "over", "turns_owed": 0, "pawns": [[14] * 4, [0] * 4, [0] * 4], "fallen": [0]},
            r"position\.json: the game is over",
        ),
    ],
)
def test_invalid_position_is_rejected(position_file: Path, change: dict[str, Any], message: str) -> None:
    position_file.write_text(json.dumps(read_json(position_file) | change), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        position_for(position_file, ["random"], "falling_off", {}, seed=0)


@pytest.mark.parametrize("content", ["3", "null", "[]", '"position"'])
def test_position_that_is_not_an_object_is_rejected(position_file: Path, content: str) -> None:
    position_file.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"position\.json: a position is a JSON object"):
        position_for(position_file, ["random"], "falling_off", {}, seed=0)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"9" * 5000])
def test_a_file_that_is_not_json_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"some\.json: not JSON"):
        read_json(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"missing\.json: no such file"):
        read_json(tmp_path / "missing.json")
    with pytest.raises(ValueError, match="Is a directory"):
        read_json(tmp_path)


def test_perfect_agent_needs_no_policy(falling_off: Game) -> None:
    assert game_for(["perfect"], "falling_off") == falling_off
