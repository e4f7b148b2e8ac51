"""Records of games as JSON lines: they replay without a generator, and what does not fit is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State, read_records, record_of, replay, write_records
from tests.contract.play import facts, middle, playthrough, random_step, walk


def end_of(game: Game, seed: int = 4) -> State:
    *_, end = playthrough(game, seed=seed)
    return end


def through_json(record: dict[str, Any]) -> Any:
    return json.loads(json.dumps(record))


def test_a_record_replays_to_the_same_position(game: Game) -> None:
    for state in (game.new_initial_state(seed=1), middle(game), end_of(game)):
        again = replay(through_json(record_of(state)))
        assert facts(again) == facts(state)
        assert again.history() == state.history()
        assert (again.rewards(), again.returns()) == (state.rewards(), state.returns())


def test_a_record_names_the_game_its_version_and_its_seed(game: Game) -> None:
    record = record_of(game.new_initial_state(seed=17))
    assert record["game"] == game.name
    assert record["version"] == game.type.version
    assert record["params"] == dict(game.params)
    assert record["seed"] == 17
    assert record["history"] == []
    assert record["returns"] == [0.0] * game.num_players


def test_a_game_from_a_position_replays_from_it(game: Game) -> None:
    state = game.state_from_dict(middle(game).to_dict(), seed=3)
    rng = np.random.default_rng(0)
    while not state.is_terminal():
        random_step(state, rng)
    again = replay(through_json(record_of(state)))
    assert facts(again) == facts(state)
    assert again.returns() == state.returns()


def test_records_are_written_and_read_one_a_line(game: Game, tmp_path: Path) -> None:
    records = [record_of(end_of(game, seed)) for seed in range(3)]
    file = tmp_path / "games.jsonl"
    write_records(file, records)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    assert list(read_records(file)) == records
    assert [replay(record).is_terminal() for record in read_records(file)] == [True] * 3


def test_records_of_several_games_share_a_file(tmp_path: Path) -> None:
    records = [record_of(end_of(edge_envs.load_game(name))) for name in edge_envs.GAMES]
    write_records(tmp_path / "games.jsonl", records)
    read = list(read_records(str(tmp_path / "games.jsonl")))
    assert [replay(record).game.name for record in read] == list(edge_envs.GAMES)


BROKEN: dict[str, Callable[[dict[str, Any]], Any]] = {
    "game": lambda record: record | {"game": "unheard_of"},
    "version": lambda record: record | {"version": record["version"] + 1},
    "no parameter": lambda record: record | {"params": record["params"] | {"unheard_of": 1}},
    "to act": lambda record: record | {"history": [[7, 0], *record["history"]]},
    "no legal": lambda record: record | {"history": [[record["history"][0][0], 9999], *record["history"][1:]]},
    "over": lambda record: record | {"history": [*record["history"], [-4, 0]]},
    "returns": lambda record: record | {"returns": [9.0 for _ in record["returns"]]},
    "^game: 'unheard_of'": lambda record: record | {"position": {"game": "unheard_of"}},
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_record_that_does_not_fit_is_refused_and_the_fault_named(plain_game: Game, fault: str) -> None:
    record = through_json(record_of(end_of(plain_game)))
    with pytest.raises(ValueError, match=fault):
        replay(BROKEN[fault](copy.deepcopy(record)))


def test_a_record_without_one_of_its_keys_is_refused(plain_game: Game) -> None:
    record = record_of(end_of(plain_game))
    for key in record:
        with pytest.raises(ValueError, match=key):
            replay({k: value for k, value in record.items() if k != key})


MALFORMED: dict[str, Any] = {
    "history of numbers": {"history": [1, 2]},
    "history that is none": {"history": 7},
    "history of triples": {"history": [[0, 1, 2]]},
    "params that are none": {"params": 7},
    "seed that is none": {"seed": "seed"},
    "position that is none": {"position": [1]},
    "game that is none": {"game": [1]},
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_a_malformed_record_is_a_value_error(plain_game: Game, fault: str) -> None:
    record = through_json(record_of(plain_game.new_initial_state(seed=0)))
    with pytest.raises(ValueError, match=next(iter(MALFORMED[fault]))):
        replay(record | MALFORMED[fault])


@pytest.mark.parametrize("line", ["no json", "[1, 2]", '"text"', "{"])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{{}}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        list(read_records(file))


def test_a_record_tells_everything_whatever_players_may_see(hidden_game: Game) -> None:
    for state in walk(hidden_game, 30):
        if state.history():
            assert replay(record_of(state)).to_dict() == state.to_dict()
