"""Test `scripts/benchmark.py` as a user runs it, with a tiny budget; measured speeds are not checked here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from scripts.benchmarks.report import format_figure, markdown, print_tables

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "benchmark.py"
LANES = ("1 game", "64 games", "1,024 games", "8,192 games")


def rows(openspiel: str, size: str = "", size_next_to_openspiel: str = "") -> set[str]:
    """Return the names of the rows of a game; board sizes are suffixes such as ", 12×12"."""
    return {
        *(f"vector env{size}, {lanes}, {threads}" for lanes in LANES for threads in ("1 thread", "2 threads")),
        f"vector env stepped from Python{size}, 1,024 games",
        f"playouts{size_next_to_openspiel}",
        f"AEC{size}",
        f"State from Python{size_next_to_openspiel}",
        f"seat env{size}",
        f"seat vector env{size}, 1,024 games",
        f"heuristic against itself{size}",
        f"pictures in SVG{size}",
        f"frames, 600 px wide{size}",
        f"AEC with rgb_array{size}",
        f"training frames{size}",
        f"training frames, MaskablePPO alone{size}",
        "Gymnasium CartPole vector env, 1,024 games",
        "PettingZoo connect_four",
        "City of Gold, C++, 256 games",
        f"OpenSpiel {openspiel}, C++ rollouts",
        f"OpenSpiel {openspiel} from Python",
        f"search, random playouts{size_next_to_openspiel}",
        f"OpenSpiel {openspiel}, C++ search",
        f"OpenSpiel's search in Python on State{size_next_to_openspiel}",
        "import edge_envs",
        "first kernel, warm cache",
    }


SELF_PLAY = "self-play of n-tuple networks, from_rules_"


def further_rows(*labels: str) -> set[str]:
    """Return the names of the rows of all settings of a game except the first."""
    return {f"vector env, {label}, {lanes} games, 1 thread" for label in labels for lanes in ("1,024", "8,192")}


ROWS = {
    "falling_off": rows("pig"),
    "beyond_maps": rows("go(board_size=19)", ", 12×12", ", 18×18") | further_rows("18×18", "5×5") | {f"{SELF_PLAY}8x8"},
    "over_the_edge": rows("backgammon", ", 4 players", ", 4 players")
    | further_rows("2 players", "pond, 2 players")
    | {f"{SELF_PLAY}pond"},
    "ghost_ship": rows("backgammon", ", tour", ", tour") | further_rows("whole game", "tour, 4 players"),
}
RATIOS = {"falling_off": 27, "beyond_maps": 33, "over_the_edge": 32, "ghost_ship": 31}
WITH_GAMES = ("vector env", "self-play", "playouts", "AEC", "State from Python", "OpenSpiel", "PettingZoo")
LABELS = ("", ", 12×12", ", 4 players", ", tour")
NEEDS = (
    {"PettingZoo connect_four": "pygame", "City of Gold, C++, 256 games": "city_of_gold"}
    | {f"{SELF_PLAY}{board}": "sb3_contrib" for board in ("8x8", "pond")}
    | {f"training frames{peer}{label}": "sb3_contrib" for label in LABELS for peer in ("", ", MaskablePPO alone")}
    | {f"{row}{label}": "pygame" for label in LABELS for row in ("frames, 600 px wide", "AEC with rgb_array")}
)
VERSIONS = {"python", "numpy", "numba", "gymnasium", "pettingzoo", "sb3", "torch", "open_spiel", "edge_envs"}


each_game = pytest.mark.parametrize("game", ROWS)


def benchmark(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    games = [word for game in ROWS for word in ("--game", game)]
    done = benchmark(*games, "--quick", "--repeats", "2", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def of_game(document: dict[str, Any], kind: str, game: str) -> list[dict[str, Any]]:
    return [entry for entry in document[kind] if entry["game"] == game]


@each_game
def test_every_row_is_measured_or_skipped_by_name_with_the_reason(document: dict[str, Any], game: str) -> None:
    measured = {row["name"] for row in of_game(document, "rows", game)}
    skipped = {row["name"]: row["reason"] for row in of_game(document, "skipped", game)}
    assert measured | skipped.keys() == ROWS[game]
    assert not measured & skipped.keys()
    for name, reason in skipped.items():
        needed = NEEDS.get(name, "pyspiel")
        assert find_spec(needed) is None
        assert "not installed" in reason


def test_median_of_a_row_is_within_its_range(document: dict[str, Any]) -> None:
    for row in document["rows"]:
        assert 0 < row["low"] <= row["median"] <= row["high"], row
        assert row["repeats"] >= 1
        assert row["unit"]
        assert row["clock"] in ("cpu", "wall")


@each_game
def test_two_threads_are_timed_by_the_wall_clock(document: dict[str, Any], game: str) -> None:
    vector_rows = [row for row in of_game(document, "rows", game) if row["name"].startswith("vector env, ")]
    assert {row["clock"] for row in vector_rows if row["threads"] == 2} == {"wall"}
    assert {row["clock"] for row in vector_rows if row["threads"] == 1} == {"cpu"}
    (ratio,) = [ratio for ratio in of_game(document, "ratios", game) if ratio["name"].startswith("two threads")]
    assert ratio["clock"] == "wall"


@each_game
def test_games_per_second_are_reported_for_complete_games_and_vector_rows(document: dict[str, Any], game: str) -> None:
    for row in of_game(document, "rows", game):
        games = row["games_per_second"]
        if (
            row["name"].startswith(WITH_GAMES)
            and row["unit"] in ("decisions/s", "turns/s")
            and "rgb_array" not in row["name"]
        ):
            assert 0 < games < row["median"], row["name"]
        else:
            assert games is None, row["name"]


def test_rows_without_counted_games_report_the_mean_game_length(document: dict[str, Any]) -> None:
    for row in document["rows"]:
        name = row["name"]
        assert ("decisions_per_game" in row) == (name.startswith("vector env") or name.endswith("C++ rollouts")), name
        if "decisions_per_game" in row:
            assert row["median"] / row["games_per_second"] == pytest.approx(row["decisions_per_game"], rel=0.01)


@pytest.mark.parametrize(("game", "label"), [("falling_off", ""), ("beyond_maps", ", 18×18")])
def test_mean_game_length_of_vector_rows_matches_the_playouts(document: dict[str, Any], game: str, label: str) -> None:
    by_name = {row["name"]: row for row in of_game(document, "rows", game)}
    playouts = by_name[f"playouts{label}"]
    mean = by_name[f"vector env{label}, 1,024 games, 1 thread"]["decisions_per_game"]
    assert playouts["median"] / playouts["games_per_second"] == pytest.approx(mean, rel=0.2)


def test_rows_with_a_board_size_report_their_parameters(document: dict[str, Any]) -> None:
    for row in of_game(document, "rows", "beyond_maps"):
        size = re.search(r", (\d+)×\1\b", row["name"])
        assert row.get("params", {}).get("size") == (int(size[1]) if size else None), row["name"]


@each_game
def test_measured_ratios_are_compared_with_their_targets(document: dict[str, Any], game: str) -> None:
    ratios = of_game(document, "ratios", game)
    assert len(ratios) == RATIOS[game]
    for ratio in ratios:
        if ratio["value"] is None or ratio["target"] is None:
            assert ratio["met"] is None
        elif ratio["at_most"]:
            assert ratio["met"] == (ratio["value"] < ratio["target"])
        else:
            assert ratio["met"] == (ratio["value"] >= ratio["target"])


def test_the_cost_of_a_decision_is_compared_between_the_smallest_and_the_largest_board(
    document: dict[str, Any],
) -> None:
    values = {ratio["name"]: ratio["value"] for ratio in of_game(document, "ratios", "beyond_maps")}
    assert values["cost of a decision, 18×18 ÷ 5×5"] > 0


def test_markdown_tables_contain_all_rows_and_ratios(document: dict[str, Any]) -> None:
    page = markdown(document)
    assert re.findall(r"^### (.*)", page, re.MULTILINE) == list(ROWS)
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("|")]
    assert {line[0] for line in lines} - {"row", "quantity", "---"} == {
        entry["name"] for kind in ("rows", "ratios") for entry in document[kind]
    }
    for game in ROWS:
        assert f"`python scripts/benchmark.py --game {game} --markdown`" in page


def test_tables_show_games_per_second(document: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    heading, *lines = [line for line in markdown(document).splitlines() if line.count("|") == 7]
    column = [cell.strip() for cell in heading.split("|")].index("games/s")
    for row in document["rows"]:
        games = row["games_per_second"]
        cells = [line.split("|")[column].strip() for line in lines if line.startswith(f"| {row['name']} |")]
        assert ("" if games is None else format_figure(games)) in cells
    print_tables(document)
    assert "games/s" in capsys.readouterr().out


def test_document_describes_the_run(document: dict[str, Any]) -> None:
    assert document["versions"].keys() >= VERSIONS
    assert document["processor"]
    assert document["cores"] >= 1
    assert document["date"]
    assert document["sizes"]["lanes"] == [1, 64, 1024, 8192]
    assert document["repeats"] == 2
