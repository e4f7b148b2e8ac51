"""Test `python -m agents.leaderboard`: the page, resuming, entering agents, invalid input, the shipped protocol."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.arena.leaderboard import LeaderboardConfig, check_round
from agents.arena.pairings import SEEDS_PER_MATCH
from agents.common.configuration import parse, read_mapping
from agents.leaderboard import main
from edge_envs import load_game
from tests.programs import ROOT, Here, Outcome

SHIPPED = ROOT / "configs" / "leaderboard.yaml"
PROTOCOL = """\
machine: a test
games: 64
everywhere: [random, heuristic]
boards:
  falling_off: {}
  falling_off_3p: {agents: ["noisy:0.5"], games: 96}
"""


@pytest.fixture
def protocol(tmp_path: Path) -> Path:
    path = tmp_path / "protocol.yaml"
    path.write_text(PROTOCOL, encoding="utf-8")
    return path


@pytest.fixture
def leaderboard(here: Here, protocol: Path, tmp_path: Path) -> Any:
    def call(*arguments: object) -> Outcome:
        common = ("--config", protocol, "--out", tmp_path / "runs", "--docs", tmp_path / "docs", "--workers", 1)
        return here(main, *common, *arguments)

    return call


def page_of(tmp_path: Path) -> str:
    return (tmp_path / "docs" / "leaderboard.md").read_text(encoding="utf-8")


def results_of(tmp_path: Path) -> Any:
    return json.loads((tmp_path / "docs" / "leaderboard" / "results.json").read_text(encoding="utf-8"))


def test_page_lists_the_results(leaderboard: Any, tmp_path: Path) -> None:
    assert leaderboard().code == 0
    page, results = page_of(tmp_path), results_of(tmp_path)
    assert list(results["boards"]) == re.findall(r"^## (\w+)$", page, re.MULTILINE) == ["falling_off", "falling_off_3p"]
    assert results["protocol"]["machine"] == results["about"]["machine"] == "a test"
    assert f"numba {results['about']['versions']['numba']}" in page
    assert "3 players, num_players=3" in page
    assert page.count(f"version {load_game('falling_off').type.version}, ") == 2
    for name, document in results["boards"].items():
        assert {row["agent"] for row in document["agents"]} >= {"random", "heuristic"}
        for row in document["agents"]:
            assert re.search(rf"^\| `{row['agent']}` +\| +{row['rating']:.0f} \|", page, re.MULTILINE)
        assert f"![ratings on {name}](leaderboard/{name}.svg)" in page
        assert (tmp_path / "docs" / "leaderboard" / f"{name}.svg").read_text(encoding="utf-8").startswith("<?xml")
    pair = results["boards"]["falling_off"]["pairs"][0]
    score = pair["score"] if pair["agent"] == "random" else 1 - pair["score"]
    assert f"{score:.3f} of {pair['games']}" in page


def test_same_command_plays_no_new_games_and_agents_can_enter(
    leaderboard: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert leaderboard("--boards", "falling_off").code == 0
    games, page = tmp_path / "runs" / "falling_off" / "games.jsonl", page_of(tmp_path)
    before = games.read_bytes()
    assert leaderboard("--boards", "falling_off").code == 0
    assert (games.read_bytes(), page_of(tmp_path)) == (before, page)

    text = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    (example,) = (block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "def make_agent" in block)
    (tmp_path / "my_agents.py").write_text(example, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    entered = leaderboard("--boards", "falling_off", "--enter", "my_agents:make_agent", "--set", "games=96")
    assert entered.code == 0
    assert games.read_bytes().startswith(before)
    row = next(row for row in results_of(tmp_path)["boards"]["falling_off"]["agents"] if row["agent"][:3] == "my_")
    assert (row["forfeits"], row["games"] >= 2 * SEEDS_PER_MATCH) == (0, True)
    assert "--enter my_agents:make_agent" in page_of(tmp_path)


@pytest.mark.parametrize("board", read_mapping(SHIPPED)["boards"])
def test_one_more_agent_can_enter_every_board_of_the_shipped_protocol(board: str) -> None:
    config = parse(LeaderboardConfig, read_mapping(SHIPPED), str(SHIPPED))
    entered = config.tournament(board, ["noisy:0.123"])
    check_round(board, entered)
    assert entered.games >= config.tournament(board).games


def test_time_limit_applies_to_the_tournaments(leaderboard: Any, here: Here, protocol: Path, tmp_path: Path) -> None:
    with protocol.open("a", encoding="utf-8") as file:
        file.write("time_limit: 20\n")
    config = parse(LeaderboardConfig, read_mapping(protocol), str(protocol))
    assert config.tournament("falling_off").time_limit == 20
    assert leaderboard("--boards", "falling_off", "--time-limit", 30).code == 0
    assert "--time-limit 30" in page_of(tmp_path)
    rules = json.loads((tmp_path / "runs" / "falling_off" / "rules.json").read_text(encoding="utf-8"))
    assert rules["rules"]["time_limit"] == results_of(tmp_path)["protocol"]["time_limit"] == 30
    arguments = ("--config", protocol, "--out", tmp_path / "runs", "--boards", "falling_off")
    line = here.fails(main, *arguments)
    assert "time_limit was 30.0 and is 20.0" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--boards", "falling_off_9p"),
            "unknown board 'falling_off_9p' (choose from falling_off, falling_off_3p",
        ),
        (("--enter", "nobody"), "unknown agent 'nobody'"),
        (("--set", "boards.chess={}"), "unknown game 'chess'"),
        (("--set", "boards.falling_off.games=0"), "boards.falling_off.games"),
        (("--set", "boards={}"), "boards"),
        (("--set", "games=16", "--boards", "falling_off"), "16 games are too few"),
        (("--set", "boards.falling_off_3p.games=16"), "board falling_off_3p: 16 games are too few: one round of"),
    ],
)
def test_invalid_input_is_a_one_line_error(
    leaderboard: Any, tmp_path: Path, arguments: tuple[object, ...], message: str
) -> None:
    outcome = leaderboard(*arguments)
    assert list((tmp_path / "runs").rglob("games.jsonl")) == []
    assert (outcome.code, outcome.out) == (2, "")
    (line,) = outcome.err.splitlines()
    assert message in line


def test_shipped_protocol_has_enough_games_per_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    config = parse(LeaderboardConfig, read_mapping("configs/leaderboard.yaml"), "protocol")
    for name in config.boards:
        check_round(name, config.tournament(name))
