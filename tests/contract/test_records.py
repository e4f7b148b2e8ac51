"""Records of games as JSON lines: they replay without a random generator, and invalid ones are rejected."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State, read_records, record_of, replay, view_of, write_records
from tests.contract.play import facts, middle, playthrough, random_step, walk
from tests.systems import needs_posix


def end_of(game: Game, seed: int = 4) -> State:
    *_, end = playthrough(game, seed=seed)
    return end


def through_json(record: dict[str, Any]) -> Any:
    return json.loads(json.dumps(record))


def test_record_replays_to_the_same_position(game: Game) -> None:
    for state in (game.new_initial_state(seed=1), middle(game), end_of(game)):
        again = replay(through_json(record_of(state)))
        assert facts(again) == facts(state)
        assert again.history() == state.history()
        assert (again.rewards(), again.returns()) == (state.rewards(), state.returns())


def test_record_contains_game_version_and_seed(plain_game: Game) -> None:
    record = record_of(plain_game.new_initial_state(seed=17))
    assert record["game"] == plain_game.name
    assert record["version"] == plain_game.type.version
    assert record["params"] == plain_game.params_dict()
    assert record["seed"] == 17
    assert record["history"] == []
    assert record["returns"] == [0.0] * plain_game.num_players


def test_player_view_of_a_record_hides_hidden_information(game: Game) -> None:
    state, rng = middle(game), np.random.default_rng(0)
    for player in range(game.num_players):
        view = through_json(view_of(state, player))
        assert view["viewer"] == player
        assert not {"seed", "position"} & view.keys()
        for other in (state.clone(), state.resample(player, rng)):
            assert {**view_of(other, player), "returns": view["returns"]} == view


def test_game_from_a_position_replays_from_it(game: Game) -> None:
    state = game.state_from_dict(middle(game).to_dict(), seed=3)
    rng = np.random.default_rng(0)
    while not state.is_terminal():
        random_step(state, rng)
    again = replay(through_json(record_of(state)))
    assert facts(again) == facts(state)
    assert again.returns() == state.returns()


def test_records_are_stored_as_json_lines(plain_game: Game, tmp_path: Path) -> None:
    records = [record_of(end_of(plain_game, seed)) for seed in range(3)]
    file = tmp_path / "games.jsonl"
    write_records(file, records)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    assert list(read_records(file)) == records
    assert [replay(record).is_terminal() for record in read_records(file)] == [True] * 3


def test_file_can_contain_records_of_several_games(tmp_path: Path) -> None:
    records = [record_of(end_of(edge_envs.load_game(name))) for name in edge_envs.GAMES]
    write_records(tmp_path / "games.jsonl", records)
    read = list(read_records(str(tmp_path / "games.jsonl")))
    assert [replay(record).game.name for record in read] == list(edge_envs.GAMES)


def test_forfeited_game_replays_to_the_forfeit(game: Game, tmp_path: Path) -> None:
    state, seat = middle(game), game.num_players - 1
    record = record_of(state, forfeit=seat, why="illegal action 7")
    assert record["forfeit"] == {"seat": seat, "why": "illegal action 7"}
    assert record["returns"][seat] == game.min_utility
    assert sum(record["returns"]) == pytest.approx(0)
    write_records(tmp_path / "games.jsonl", [record])
    (read,) = read_records(tmp_path / "games.jsonl")
    assert facts(replay(read)) == facts(state)


def test_seats_may_have_any_integer_type(plain_game: Game) -> None:
    state = middle(plain_game)
    seats: list[Any] = [np.int64(0), np.uint8(1)]
    for seat in seats:
        assert through_json(record_of(state, forfeit=seat)) == through_json(record_of(state, forfeit=int(seat)))
        assert through_json(view_of(state, seat)) == through_json(view_of(state, int(seat)))


def test_finished_game_cannot_be_forfeited(plain_game: Game) -> None:
    state = end_of(plain_game)
    with pytest.raises(ValueError, match="forfeit: the game is over"):
        record_of(state, forfeit=0)
    with pytest.raises(ValueError, match="forfeit: the game is over"):
        replay(record_of(state) | {"forfeit": {"seat": 0, "why": ""}})


@pytest.mark.parametrize("key", ["returns", "history"])
def test_faults_with_huge_integers_are_named(key: str) -> None:
    """Python does not write integers of more than 4,300 digits."""
    record = through_json(record_of(end_of(edge_envs.load_game("tic_tac_toe"))))
    record[key][0] = 10**5000 if key == "returns" else [10**5000, 0]
    with pytest.raises(ValueError, match=f"^{key}"):
        replay(record)


def test_empty_line_of_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("{}\n\n{", encoding="utf-8")
    lines = read_records(file)
    next(lines)
    with pytest.raises(ValueError, match=r"games\.jsonl, line 2: the line is empty"):
        next(lines)


NO_FORFEITS: dict[str, Any] = {
    "a seat alone": 0,
    "no reason": {"seat": 0},
    "more": {"seat": 0, "why": "", "when": 3},
    "an invalid reason": {"seat": 0, "why": 5},
    "an invalid seat": {"seat": False, "why": ""},
    "a seat that does not exist": {"seat": 9, "why": ""},
}


@pytest.mark.parametrize("fault", NO_FORFEITS)
def test_invalid_forfeit_is_rejected(plain_game: Game, fault: str) -> None:
    record = record_of(middle(plain_game), forfeit=0)
    with pytest.raises(ValueError, match=r"^forfeit: "):
        replay(through_json(record) | {"forfeit": NO_FORFEITS[fault]})


def test_returns_must_match_the_forfeit(plain_game: Game) -> None:
    record = record_of(middle(plain_game), forfeit=0)
    with pytest.raises(ValueError, match=r"^returns: "):
        replay(record | {"forfeit": {"seat": 1, "why": ""}})


BROKEN: dict[str, Callable[[dict[str, Any]], Any]] = {
    "game": lambda record: record | {"game": "unheard_of"},
    "version": lambda record: record | {"version": record["version"] + 1},
    "unknown parameter": lambda record: record | {"params": record["params"] | {"unheard_of": 1}},
    "acts in the record": lambda record: record | {"history": [[7, 0], *record["history"]]},
    "illegal (action|outcome) 9999": lambda record: (
        record | {"history": [[record["history"][0][0], 9999], *record["history"][1:]]}
    ),
    "over": lambda record: record | {"history": [*record["history"], [-4, 0]]},
    "returns": lambda record: record | {"returns": [9.0 for _ in record["returns"]]},
    "^game: 'unheard_of'": lambda record: record | {"position": {"game": "unheard_of"}},
}


@pytest.mark.parametrize("fault", BROKEN)
def test_inconsistent_record_is_rejected(plain_game: Game, fault: str) -> None:
    record = through_json(record_of(end_of(plain_game)))
    with pytest.raises(ValueError, match=fault):
        replay(BROKEN[fault](copy.deepcopy(record)))


def test_record_with_a_missing_key_is_rejected(plain_game: Game) -> None:
    record = record_of(end_of(plain_game))
    for key in record:
        with pytest.raises(ValueError, match=key):
            replay({k: value for k, value in record.items() if k != key})


MALFORMED: dict[str, Any] = {
    "history of numbers": {"history": [1, 2]},
    "invalid history": {"history": 7},
    "history of triples": {"history": [[0, 1, 2]]},
    "invalid params": {"params": 7},
    "invalid seed": {"seed": "seed"},
    "invalid position": {"position": [1]},
    "invalid game": {"game": [1]},
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_malformed_record_raises_value_error(plain_game: Game, fault: str) -> None:
    record = through_json(record_of(plain_game.new_initial_state(seed=0)))
    with pytest.raises(ValueError, match=next(iter(MALFORMED[fault]))):
        replay(record | MALFORMED[fault])


@pytest.mark.parametrize("line", ["no json", "[1, 2]", '"text"', "{"])
def test_invalid_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{{}}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        list(read_records(file))


@pytest.mark.parametrize("where", ["params", "position"])
def test_records_do_not_open_files(tmp_path: Path, where: str) -> None:
    game = edge_envs.load_game("over_the_edge", map="pond")
    record = record_of(game.state_from_dict(game.new_initial_state(seed=0).to_dict(), seed=0))
    (tmp_path / "map.json").write_text(json.dumps(edge_envs.load_game("over_the_edge").params_dict()["map"]))
    part = record if where == "params" else record["position"]
    part["params"]["map"] = str(tmp_path / "map.json")
    with pytest.raises(ValueError, match=r"map: '.*' does not ship with the game, and files are not opened here"):
        replay(record)


def test_record_contains_hidden_information(hidden_game: Game) -> None:
    for state in walk(hidden_game, 30):
        if state.history():
            assert replay(record_of(state)).to_dict() == state.to_dict()


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "unknown key 'note'": {"note": "well played"},
    "^version: .*False": {"version": False},
    "^seed: .*True": {"seed": True},
    "^seed: .*7.0": {"seed": 7.0},
    "^seed: .*-1": {"seed": -1},
    "^returns: .*None": {"returns": None},
    "^returns: .*'0'": {"returns": ["0", "0"]},
    r"^returns: .*False": {"returns": [False, False]},
    r"^returns: .*\[\]": {"returns": []},
}


@pytest.mark.parametrize("fault", IMPOSSIBLE)
def test_invalid_key_or_value_is_rejected(fault: str) -> None:
    record = through_json(record_of(edge_envs.load_game("kuhn").new_initial_state(seed=0)))
    with pytest.raises(ValueError, match=fault):
        replay(record | IMPOSSIBLE[fault])


def test_record_without_a_seed_replays(plain_game: Game) -> None:
    record = record_of(end_of(plain_game)) | {"seed": None}
    assert replay(through_json(record)).is_terminal()


LINES: dict[str, tuple[bytes, str]] = {
    "invalid UTF-8": (b'{"game": "\xff"}', "UTF-8"),
    "not a number": (b'{"returns": [NaN]}', "NaN"),
    "a huge integer": (b'{"seed": ' + b"1" * 5000 + b"}", "digit"),
    "deep": (b"[" * 100_000, "nested"),
}


@pytest.mark.parametrize("fault", LINES)
def test_invalid_json_error_names_file_and_line(tmp_path: Path, fault: str) -> None:
    line, message = LINES[fault]
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"{}\n" + line + b"\n{}\n")
    read = read_records(file)
    assert next(read) == {}
    with pytest.raises(ValueError, match=rf"games\.jsonl, line 2: .*{message}"):
        next(read)


def test_file_is_read_line_by_line(tmp_path: Path) -> None:
    """The first records of a file larger than memory are available at once."""
    file = tmp_path / "games.jsonl"
    record = record_of(edge_envs.load_game("kuhn").new_initial_state(seed=0))
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    os.truncate(file, 2**42)
    read = read_records(file)
    assert next(read) == record
    with pytest.raises(ValueError, match=r"games\.jsonl, line 2: longer than 16,777,216 bytes"):
        next(read)


def test_unicode_line_separators_do_not_end_a_line(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text('{"note": "one\u2028two"}\n', encoding="utf-8")
    assert list(read_records(tmp_path / "games.jsonl")) == [{"note": "one\u2028two"}]


UNWRITABLE: dict[str, Any] = {
    "an array": {"seed": np.int64(1)},
    "not a number": {"returns": [float("nan")]},
    "a set": {"params": {1, 2}},
}


@pytest.mark.parametrize("fault", UNWRITABLE)
def test_records_are_written_all_or_none(tmp_path: Path, fault: str) -> None:
    file = tmp_path / "games.jsonl"
    record = record_of(edge_envs.load_game("kuhn").new_initial_state(seed=0))
    write_records(file, [record])
    with pytest.raises(ValueError, match=r"games\.jsonl: record 2 .*JSON"):
        write_records(file, [record, record | UNWRITABLE[fault]])
    assert list(read_records(file)) == [record]
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_single_record_or_something_else_is_no_list_of_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    record = record_of(edge_envs.load_game("kuhn").new_initial_state(seed=0))
    write_records(file, [record, record])
    with pytest.raises(ValueError, match=r"expected a list of records, not a single record: write \[record\]"):
        write_records(file, record)  # type: ignore[arg-type]  # a mapping is an iterable of its keys
    with pytest.raises(ValueError, match=r"games\.jsonl: record 2 is not a dict: 'ab'"):
        write_records(file, [record, "ab"])  # type: ignore[list-item]  # what the test is about
    assert list(read_records(file)) == [record, record]


def test_interrupted_write_keeps_the_old_file(tmp_path: Path) -> None:
    def records() -> Iterator[dict[str, Any]]:
        yield {}
        raise KeyboardInterrupt

    file = tmp_path / "games.jsonl"
    write_records(file, [{"old": 1}])
    with pytest.raises(KeyboardInterrupt):
        write_records(file, records())
    assert list(read_records(file)) == [{"old": 1}]
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


@needs_posix
def test_symbolic_link_is_preserved(tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "games.jsonl")
    write_records(link, [{}])
    assert link.is_symlink()
    assert list(read_records(tmp_path / "games.jsonl")) == [{}]
