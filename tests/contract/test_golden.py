"""Every game reproduces the golden playthrough of its version."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import edge_envs
from edge_envs import Game
from tests.contract import golden
from tests.contract.golden import actions_of, file_of, playthrough
from tests.contract.writing import games_to_write


def test_golden_playthrough_is_reproduced(plain_game: Game) -> None:
    text = file_of(plain_game).read_text(encoding="utf-8")  # a missing file: see tests/contract/golden.py
    assert playthrough(plain_game, actions_of(text)) == text


def test_write_updates_only_the_named_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_command_accepts_one_game_or_none_for_all() -> None:
    assert games_to_write("golden", ["--write", "kuhn"]) == ["kuhn"]
    assert games_to_write("golden", ["--write"]) == list(edge_envs.GAMES)


@pytest.mark.parametrize("words", [[], ["kuhn"], ["--write", "kuhn", "tic_tac_toe"]])
def test_invalid_arguments_print_the_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"usage: python -m tests\.contract\.golden --write \[GAME\]"):
        games_to_write("golden", words)


def test_unknown_game_is_named() -> None:
    with pytest.raises(SystemExit, match=r"unknown game 'chess' \(choose from falling_off, "):
        games_to_write("golden", ["--write", "chess"])
