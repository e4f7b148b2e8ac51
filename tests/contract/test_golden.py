"""Every game has a golden playthrough of its version, and still plays it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import edge_envs
from edge_envs import Game
from tests.contract import golden
from tests.contract.golden import actions_of, file_of, playthrough
from tests.contract.writing import games_to_write


def test_the_golden_playthrough_is_played_again(plain_game: Game) -> None:
    text = file_of(plain_game).read_text(encoding="utf-8")  # a missing file: see tests/contract/golden.py
    assert playthrough(plain_game, actions_of(text)) == text


def test_playthroughs_are_written_of_the_named_games_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(golden.FOLDER, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    files = {name: file_of(edge_envs.load_game(name)) for name in ("kuhn", "tic_tac_toe")}
    whole = files["kuhn"].read_text(encoding="utf-8")
    for file in files.values():
        file.write_text("nothing\n", encoding="utf-8")
    golden.write(["kuhn"])
    assert actions_of(files["kuhn"].read_text(encoding="utf-8"))
    assert files["tic_tac_toe"].read_text(encoding="utf-8") == "nothing\n"
    files["kuhn"].write_text(whole, encoding="utf-8")
    golden.write(["kuhn"])
    assert files["kuhn"].read_text(encoding="utf-8") == whole


def test_the_command_names_one_game_or_none_for_all() -> None:
    assert games_to_write("golden", ["--write", "kuhn"]) == ["kuhn"]
    assert games_to_write("golden", ["--write"]) == list(edge_envs.GAMES)


@pytest.mark.parametrize("words", [[], ["kuhn"], ["--write", "kuhn", "tic_tac_toe"]])
def test_other_words_are_answered_by_the_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"usage: python -m tests\.contract\.golden --write \[GAME\]"):
        games_to_write("golden", words)


def test_a_game_that_does_not_exist_is_named() -> None:
    with pytest.raises(SystemExit, match="there is no game 'chess'; possible are falling_off, "):
        games_to_write("golden", ["--write", "chess"])
