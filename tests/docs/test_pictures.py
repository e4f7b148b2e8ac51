"""Test that the pictures of the documentation are up to date."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

import edge_envs
from edge_envs.envs.frames import frame
from edge_envs.replays import scenes
from scripts.draw_docs import FILM, FOLDER, FPS, RECORD, SCENES, STRIP_FRAMES, covers, pictures, strip
from tests.docs import test_docs
from tests.docs.test_docs import text_of

FINISHED = {game_type.name for game_type in test_docs.FINISHED}


def test_every_picture_is_up_to_date() -> None:
    drawn = dict(pictures())
    assert {file.name for file in FOLDER.glob("*.svg")} == set(drawn)
    for name, svg in drawn.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == svg, f"{name}: run python scripts/draw_docs.py"


def test_every_cover_is_up_to_date() -> None:
    drawn = dict(covers())
    assert {file.parent.name for file in drawn} == FINISHED
    for file, svg in drawn.items():
        assert file.read_text(encoding="utf-8") == svg, f"{file}: run python scripts/draw_docs.py"


def test_every_game_has_a_picture_in_the_readme() -> None:
    readme = text_of("README.md")
    for game in FINISHED:
        assert f"docs/pictures/{game}-light.svg" in readme
        assert f"docs/pictures/{game}-dark.svg" in readme
    for theme in ("light", "dark"):
        assert f"docs/pictures/strip-{theme}.webp" in readme
        assert f"pictures/strip-{theme}.webp" in text_of("docs/index.md")
    assert f"pictures/{FILM.name}" in text_of("docs/pictures.md")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_strip_shows_all_boards_from_the_middle_of_a_game(theme: str) -> None:
    described = json.loads(SCENES.read_text(encoding="utf-8"))["strip"]
    assert described.keys() == FINISHED
    assert all(scene["decisions"] > 0 for scene in described.values())
    (drawn,) = strip(theme, 1)
    file = FOLDER / f"strip-{theme}.webp"
    assert file.stat().st_size < 300_000
    with Image.open(file) as film:
        assert film.n_frames == STRIP_FRAMES  # type: ignore[attr-defined]  # an animation has frames
        difference = np.abs(np.asarray(film.convert("RGB"), int) - np.asarray(drawn.convert("RGB"), int))
        assert np.mean(difference) < 8.0  # WebP loses details


def test_the_film_shows_the_recorded_game() -> None:
    (record,) = edge_envs.read_records(RECORD)
    shown = list(scenes(record, outlines=True))
    with Image.open(FILM) as film:
        assert film.info["duration"] == pytest.approx(1000 / FPS, abs=10)
        assert film.n_frames == len(shown)  # type: ignore[attr-defined]  # a GIF has frames
        for number in (0, len(shown) // 2, len(shown) - 1):
            film.seek(number)
            difference = np.abs(np.asarray(film.convert("RGB"), int) - frame(shown[number].svg))
            assert np.mean(difference) < 4.0  # a GIF has few colours


def test_the_recorded_game_matches_its_description() -> None:
    described = json.loads(SCENES.read_text(encoding="utf-8"))["film"]
    (record,) = edge_envs.read_records(RECORD)
    assert (record["game"], record["seed"]) == (described["game"], described["seed"])
    assert record["params"].items() >= described["params"].items()
