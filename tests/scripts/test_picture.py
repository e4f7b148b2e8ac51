"""Test `scripts/picture.py` as a user runs it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import edge_envs
from edge_envs.envs.frames import frame, png
from scripts.picture import main
from tests.programs import Here, program


def test_the_start_of_a_game_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "start.svg"
    done = program("scripts/picture.py", "tic_tac_toe", "--out", str(out))
    assert (done.returncode, done.stdout) == (2, "")
    assert "tic_tac_toe" in done.stderr  # a toy game, known only to tests
    done = program("scripts/picture.py", "falling_off", "--out", str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_text(encoding="utf-8").startswith("<svg ")
    assert [file.name for file in tmp_path.iterdir()] == ["start.svg"]


def test_a_position_is_drawn_as_a_player_sees_it(here: Here, tmp_path: Path) -> None:
    state = edge_envs.load_game("kuhn", num_players=3).new_initial_state(seed=1)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    position, out = tmp_path / "position.json", tmp_path / "seen.svg"
    position.write_text(json.dumps(state.to_dict()), encoding="utf-8")
    state = state.game.state_from_dict(state.to_dict())
    here(main, "kuhn", "--position", str(position), "--player", "0", "--theme", "dark", "--targets", "--out", str(out))
    assert out.read_text(encoding="utf-8") == state.svg(0, theme="dark", outlines=True, targets=True)
    here(main, "kuhn", "--position", str(position), "--text", "--out", str(out))
    assert out.read_text(encoding="utf-8") == state.svg()


def test_png_has_the_requested_width(here: Here, tmp_path: Path) -> None:
    import pygame

    out = tmp_path / "wide.png"
    here(main, "tic_tac_toe", "--out", str(out), "--width", "400")
    assert pygame.image.load(out).get_size() == (400, round(224 * 400 / 180))
    here(main, "tic_tac_toe", "--out", str(out))
    pixels = pygame.surfarray.array3d(pygame.image.load(out)).swapaxes(0, 1)
    svg = edge_envs.load_game("tic_tac_toe").new_initial_state(seed=0).svg(outlines=True)
    assert np.array_equal(pixels, frame(svg))
    assert out.read_bytes() == png(svg)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x.gif"], "invalid --out x.gif: expected a file name ending in .svg or .png"),
        (["--out", "x.svg", "--width", "100"], "--width applies only to PNG files; an SVG scales to any width"),
        (["--out", "x.svg", "--theme", "blue"], "unknown theme 'blue' (choose from light, dark)"),
        (["--out", "x.svg", "--player", "7"], "invalid player=7: expected an integer from 0 to 1"),
        (["--out", "x.svg", "--position", "nowhere.json"], "nowhere.json: no such file"),
        (["--out", "nowhere/x.svg"], "nowhere/x.svg: No such file or directory"),
    ],
)
def test_invalid_arguments_are_one_line_errors(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = here(main, "tic_tac_toe", *arguments)
    assert (done.code, done.err) == (2, f"error: {message}\n")
    assert list(tmp_path.iterdir()) == []


def test_png_without_the_extra_says_what_to_install(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    done = here(main, "tic_tac_toe", "--out", str(tmp_path / "x.png"))
    assert done.code == 2
    assert 'pip install "edge-envs[render]"' in done.err
    assert here(main, "tic_tac_toe", "--out", str(tmp_path / "x.svg")).code == 0
