"""Test `scripts/replay.py` as a user runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from edge_envs import record_of, write_records
from edge_envs.replays import replay_page, scenes
from scripts.replay import main
from tests.contract.play import playthrough
from tests.programs import Here


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file of three short games."""
    import edge_envs

    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    game = edge_envs.load_game("tic_tac_toe")
    write_records(path, [record_of(list(playthrough(game, seed))[-1]) for seed in range(3)])
    return path


def records(path: Path) -> list[dict[str, object]]:
    from edge_envs import read_records

    return list(read_records(path))


def test_a_page_shows_the_selected_game(here: Here, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "replay.html"
    assert here(main, str(games), "--out", str(out)).code == 0
    assert out.read_text(encoding="utf-8") == replay_page(records(games)[0])
    assert here(main, str(games), "--game", "3", "--player", "1", "--title", "The third", "--out", str(out)).code == 0
    assert out.read_text(encoding="utf-8") == replay_page(records(games)[2], 1, "The third")


def test_a_gif_has_a_frame_for_each_scene(here: Here, games: Path, tmp_path: Path) -> None:
    from PIL import Image

    out = tmp_path / "replay.gif"
    assert here(main, str(games), "--fps", "4", "--out", str(out)).code == 0
    shown = list(scenes(records(games)[0]))
    with Image.open(out) as film:
        assert film.n_frames == len(shown)  # type: ignore[attr-defined]  # a GIF has frames
        assert film.size == (180, 224)
        assert film.info["duration"] == 250
    assert [file.name for file in tmp_path.iterdir()] == ["replay.gif"]


def test_an_mp4_is_a_video(here: Here, games: Path, tmp_path: Path) -> None:
    from moviepy import VideoFileClip

    out = tmp_path / "replay.mp4"
    assert here(main, str(games), "--fps", "4", "--out", str(out)).code == 0
    with VideoFileClip(str(out)) as film:
        assert film.size == [180, 224]
        assert film.duration == pytest.approx(len(list(scenes(records(games)[0]))) / 4, abs=0.3)
    assert [file.name for file in tmp_path.iterdir()] == ["replay.mp4"]


@pytest.mark.parametrize(("ending", "module", "extra"), [("gif", "PIL", "render"), ("mp4", "moviepy", "film")])
def test_a_missing_library_names_the_extra(
    here: Here, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = here(main, str(games), "--out", str(tmp_path / f"replay.{ending}"))
    assert done.code == 2
    assert f'pip install "edge-envs[{extra}]"' in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x.pdf"], "invalid --out x.pdf: expected a file name ending in .html, .gif or .mp4"),
        (["--game", "7", "--out", "x.html"], "invalid --game 7: {games} has 3 games"),
        (["--player", "5", "--out", "x.html"], "{games}, game 1: player 5 does not exist; players are 0..1"),
        (["--out", "nowhere/x.html"], "nowhere/x.html: No such file or directory"),
    ],
)
def test_errors_are_one_line(
    here: Here, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = here(main, str(games), *arguments)
    assert (done.code, done.err) == (2, f"error: {message.format(games=games)}\n")


def test_a_damaged_record_is_named(here: Here, games: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    text = games.read_text(encoding="utf-8").replace('"history": [[0,', '"history": [[1,')
    damaged.write_text(text, encoding="utf-8")
    done = here(main, str(damaged), "--game", "2", "--out", str(tmp_path / "x.html"))
    assert done.code == 2
    assert done.err == f"error: {damaged}, game 2: history[0]: player 1 acts in the record, player 0 in the game\n"
