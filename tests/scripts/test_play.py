"""Test `scripts/play.py` as a user runs it, with piped input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from edge_envs import read_records, replay
from scripts.play import main
from scripts.playing.session import LEFT
from tests.agents.players import untrained
from tests.programs import ROOT, Here, Outcome, program

ALWAYS_1 = ["1"] * 500


@pytest.fixture
def play(here: Here, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that plays within this process; its first argument are the typed lines."""

    def call(typed: list[str], *arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return here(main, *arguments)

    return call


@pytest.fixture
def fails(here: Here) -> Any:
    def call(*arguments: object) -> str:
        return here.fails(main, *arguments)

    return call


def test_a_whole_game_is_played_by_always_choosing_1(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    done = program("scripts/play.py", "falling_off", "--seed", "1", "--record", str(record), text="1\n" * 500)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    last = done.stdout.splitlines()[-1]
    assert "gave away" in last
    assert "of winning probability in all." in last
    assert "You lose. Returns: you -1, player 1 (heuristic) +1." in done.stdout
    (game,) = read_records(record)
    assert replay(game).is_terminal()


def test_invalid_input_prompts_again_and_end_of_input_leaves_the_game() -> None:
    done = program("scripts/play.py", "falling_off", "--seed", "1", "--no-advice", text="nonsense\n99\n1\n")
    assert done.returncode == 0, done.stderr
    assert "No action matches 'nonsense'." in done.stdout
    assert "No action matches '99'." in done.stdout
    assert LEFT in done.stdout
    assert "winning probability" not in done.stdout
    assert done.stderr == ""


def test_advice_is_given_in_solved_games_and_can_be_disabled(play: Any) -> None:
    assert "winning probability" in play(["1"], "falling_off").out
    for arguments in (["--no-advice"], ["--param", "num_players=3"]):
        outcome = play(["1"], "falling_off", *arguments)
        assert outcome.code == 0
        assert "winning probability" not in outcome.out


def test_any_seat_is_played_against_any_agents(play: Any, policy_of_four: Path) -> None:
    outcome = play([], "falling_off", "--seat", 2, "--against", "random", "heuristic", policy_of_four)
    assert outcome.code == 0
    left = f"player 3 (random), player 0 (heuristic), player 1 ({policy_of_four.as_posix()})"
    assert f"You are player 2, against {left}." in " ".join(outcome.out.split())
    assert "  player 0 (heuristic): " in outcome.out


@pytest.fixture
def policy_of_four(tmp_path: Path) -> Path:
    untrained(edge_envs.load_game("falling_off", num_players=4)).save(tmp_path / "four")
    return tmp_path / "four"


def test_same_seed_gives_the_same_game(play: Any) -> None:
    once, again, other = (play(["1"] * 9, "falling_off", "--against", "random", "--seed", n).out for n in (4, 4, 5))
    assert once == again != other
    drawn = {play(["1"] * 9, "falling_off").out for _ in range(4)}
    assert len(drawn) > 1


def test_records_are_appended_one_per_line(play: Any, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    play(ALWAYS_1, "kuhn", "--record", record)
    play(["1"], "falling_off", "--record", record)
    ended, left = read_records(record)
    assert (ended["game"], left["game"]) == ("kuhn", "falling_off")
    assert replay(ended).is_terminal()
    assert not replay(left).is_terminal()


def test_saved_position_can_be_continued(play: Any, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    play(["1", f":save {kept}"], "falling_off", "--param", "num_players=3", "--seed", 3)
    d = json.loads(kept.read_text(encoding="utf-8"))
    game = edge_envs.load_game("falling_off", num_players=3)
    outcome = play([], "falling_off", "--position", kept)
    assert str(game.state_from_dict(d)) in outcome.out


def test_hint_without_advice_is_reported(play: Any) -> None:
    assert "No advice is available" in play([":hint"], "falling_off", "--no-advice").out


def test_unwritable_record_is_printed_in_the_error(play: Any) -> None:
    outcome = play(["1"], "kuhn", "--record", "/dev/full")
    assert outcome.code == 2
    (line,) = outcome.err.splitlines()
    assert line.startswith("error: /dev/full: No space left on device; the record is {")


NOT_INSTALLED = ["torch", "stable_baselines3", "sb3_contrib", "scipy", "matplotlib", "safetensors", "tensorboard"]
"""Packages that the extra `play` does not install."""


@pytest.mark.parametrize("against", ["random", "heuristic", "perfect", "flat_monte_carlo"])
def test_play_requires_only_its_extra(against: str) -> None:
    source = f"""
import sys
for name in {NOT_INSTALLED}:
    sys.modules[name] = None  # importing it is an ImportError
sys.argv = ["play.py", "falling_off", "--against", {against!r}, "--seed", "1"]
from agents.common.console import run
from scripts.play import main
run(main)
"""
    done = program("-c", source, text=":hint\n1\n:rules\n1\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "of winning probability in all." in done.stdout


def test_play_extra_lists_all_imported_packages() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    names = {requirement.split(">")[0] for requirement in extras["play"]}
    assert names == {"typer", "rich", "pyyaml"}
    assert names <= {requirement.split(">")[0] for requirement in extras["train"]}


@pytest.mark.parametrize("typed", [b"\xff\xfe\x00\n", b"\x00\n:save \x00\n", b":save a\x00b\n", b"\r\n\x1b[A\n"])
def test_garbage_on_stdin_does_not_end_the_game(typed: bytes, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = ["falling_off", "--no-advice", "--record", str(record)]
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/play.py"), *arguments],
        cwd=tmp_path,
        env=environment,
        input=typed + b"1\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert LEFT.encode() in done.stdout
    (game,) = read_records(record)
    assert sum(player == 0 for player, _ in game["history"]) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize("game", ["falling_off", "kuhn", "tic_tac_toe"])
def test_every_game_can_be_played(play: Any, game: str) -> None:
    outcome = play(ALWAYS_1, game)
    assert outcome.code == 0
    assert "Returns: you " in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "unknown game 'chess'"),
        (["falling_off", "--seat", 2], "invalid seat 2: expected 0 to 1"),
        (["falling_off", "--judge", "perfect", "--no-advice"], "--judge gives advice, which --no-advice turns off"),
        (["falling_off", "--against", "godlike"], "unknown agent 'godlike'"),
        (["falling_off", "--against", "random", "random"], "2 agents were given for 1 other seats"),
        (["falling_off", "--param", "num_players=9"], "invalid num_players=9: expected"),
        (["falling_off", "--param", "speed=9"], "unknown parameter 'speed'"),
        (["falling_off", "--param", "num_players"], "write name=value"),
        (["falling_off", "--param", "num_players=3", "--against", "perfect"], "no perfect player"),
        (["falling_off", "--position", "missing.json"], "missing.json: no such file"),
        (["falling_off", "--record", "missing/games.jsonl"], "missing/games.jsonl: No such file"),
        (["falling_off", "--record", "."], ".: Is a directory"),
        (["falling_off", "--against", "."], ".: this folder has no policy.json"),
    ],
)
def test_invalid_arguments_are_one_line_errors(fails: Any, arguments: list[object], message: str) -> None:
    assert message in fails(*arguments)


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"game": "falling_off"}', '{"game": "kuhn"}'])
def test_invalid_position_file_is_a_one_line_error(fails: Any, tmp_path: Path, content: str) -> None:
    path = tmp_path / "position.json"
    path.write_text(content, encoding="utf-8")
    assert "position.json: " in fails("falling_off", "--position", path)
