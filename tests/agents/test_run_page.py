"""Test the page of a run and the linked replays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import edge_envs
from agents.evaluation.single import play_game
from agents.players.agent import make_agent
from agents.training.run_page import PAGE, REPLAYS, Replay, record_games, write_run_page, written_replays
from edge_envs import record_of
from edge_envs.replays import replay_page
from tests.programs import train_tiny

GAME = edge_envs.load_game("tic_tac_toe")
ROW: dict[str, Any] = {
    "step": 2000, "opponent": "<heuristic>", "win_rate": 0.5, "low": 0.25, "high": 0.75, "mean_return": -0.125,
}  # fmt: skip


def test_recorded_games_alternate_the_seat_of_the_policy(tmp_path: Path) -> None:
    policy, opponent = make_agent("heuristic", GAME), make_agent("random", GAME)
    replays = record_games(tmp_path, GAME, policy, opponent, 500, 3, seed=9)
    assert [(replay.seat, replay.number) for replay in replays] == [(0, 0), (1, 1), (0, 2)]
    state = play_game(GAME, {0: opponent, 1: policy}, 9)
    title = "Tic-tac-toe: player 1 after 500 steps, against random"
    page = (tmp_path / REPLAYS / replays[1].file).read_text(encoding="utf-8")
    assert page == replay_page(record_of(state), None, title.replace("Tic-tac-toe", GAME.type.title))
    assert {file.name for file in (tmp_path / REPLAYS).iterdir()} == {replay.file for replay in replays}


def test_resumed_run_lists_replays_up_to_its_step(tmp_path: Path) -> None:
    folder = tmp_path / REPLAYS
    folder.mkdir()
    early, late = Replay(1000, 1, "policies_x_y", 0), Replay(2000, 0, "random", 1)
    for replay in (early, late):
        (folder / replay.file).touch()
    (folder / "notes.html").touch()
    assert written_replays(tmp_path, 1500) == [early]
    assert written_replays(tmp_path, 2000) == [early, late]


def test_page_lists_evaluations_newest_first(tmp_path: Path) -> None:
    replay = Replay(2000, 1, "a & b", 4)
    write_run_page(tmp_path, "kuhn: <run>", [{**ROW, "step": 1000}, ROW], [replay])
    page = (tmp_path / PAGE).read_text(encoding="utf-8")
    rows = re.findall(r"<tr><td>.*?</tr>", page)
    assert ["2,000" in row for row in rows] == [True, False]
    assert "<td>&lt;heuristic&gt;</td><td>0.500</td><td>0.250 to 0.750</td><td>-0.1250</td>" in rows[0]
    assert "<title>kuhn: &lt;run&gt;</title>" in page
    assert f'<a href="replays/{replay.file}">2,000 steps, player 1 against a &amp; b, game 5</a>' in page
    assert 'src="curves.png"' in page


def test_opponent_name_is_sanitized_in_file_names() -> None:
    assert Replay(5, 0, "../policies/über/8x8", 1).file == "step-000000000005-seat-0-policies_ber_8x8-1.html"


def test_links_on_the_page_point_to_written_files(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train_tiny(run, "--set", "evaluation.record=1", "--set", "total_steps=1024")
    page = (run / PAGE).read_text(encoding="utf-8")
    links = re.findall(r'href="(replays/[^"]+)"', page)
    assert len(links) == 4  # before and after, against random and heuristic
    for link in links:
        assert (run / link).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (run / "curves.png").exists()
