"""Test `scripts/map_report.py` as a user runs it, with few games. The results of the pilots are not checked here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edge_envs.games.over_the_edge.draw import LEGEND, disc
from edge_envs.games.over_the_edge.map.charts import load_map, read_source
from edge_envs.games.over_the_edge.reports.contests import Contest, Tally, play_contest
from edge_envs.games.over_the_edge.reports.figures import Target, game_figures
from scripts.map_report import main
from tests.programs import Here, program

RING = {
    "name": "[ring]",
    "rings": 1,
    "sectors": 4,
    "spaces": [
        {"id": "a", "cells": [[0, 0]], "port": "[b]Port"},
        {"id": "b", "cells": [[0, 1]]},
        {"id": "c", "cells": [[0, 2]]},
        {"id": "d", "cells": [[0, 3]]},
    ],
}
"""The smallest possible map: every space is on the rim."""

GAMES = ["games with a winner", "ships that fall", "turns per player"]
CONTESTS = ["4 careful pilots", "4 plain pilots", "2 careful pilots"]


@pytest.fixture
def report(here: Here) -> Any:
    """Return a function that reports on a map as JSON, by default from two games of each kind."""

    def call(*arguments: object) -> dict[str, Any]:
        outcome = here(main, "--json", "--games", 2, *arguments)
        assert (outcome.code, outcome.err) == (0, "")
        document = json.loads(outcome.out)
        assert isinstance(document, dict)
        return document

    return call


def written(folder: Path, source: dict[str, Any]) -> Path:
    path = folder / "map.json"
    path.write_text(json.dumps(source), encoding="utf-8")
    return path


def figures(document: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(figure["of"], figure["name"]): figure for figure in document["figures"]}


def test_the_sizes_and_voyages_of_flat_earth(report: Any) -> None:
    document = report("flat_earth")
    sizes = {key: document[key] for key in ("name", "rings", "sectors", "spaces", "land", "barriers")}
    assert sizes == {"name": "flat_earth", "rings": 5, "sectors": 20, "spaces": 67, "land": 16, "barriers": 6}
    ports = [(port["port"], port["space"], port["ring"]) for port in document["ports"]]
    assert ports == [
        ("Lisbon", "A0", 0), ("Zanzibar", "A4", 0), ("Calicut", "A11", 0), ("Canton", "A17", 0),
        ("Vinland", "C7", 2), ("Antilia", "C14", 2), ("Thule", "C19", 2),
    ]  # fmt: skip
    assert all(18 <= port["shortest_voyage"] <= 28 for port in document["ports"])
    assert all(port["shortest_voyage"] <= port["voyage_off_the_rim"] for port in document["ports"])
    assert sum(entry["spaces"] for entry in document["drifts_to_void"]) == 67


def test_flat_earth_is_compared_with_its_targets(report: Any) -> None:
    found = figures(report("flat_earth"))
    assert list(found)[4:] == [(contest, name) for contest in CONTESTS for name in GAMES]
    targets = {name: figure["asked"] for name, figure in found.items() if figure["asked"]}
    assert targets == {
        ("map", "spaces"): {"low": 60, "high": 80},
        ("map", "ports"): {"low": 5, "high": 8},
        ("map", "least of the shortest voyages"): {"low": 18, "high": 28},
        ("map", "greatest of the shortest voyages"): {"low": 18, "high": 28},
        ("4 careful pilots", "games with a winner"): {"low": 0.95, "high": None},
        ("4 careful pilots", "ships that fall"): {"low": 0.05, "high": 0.15},
        ("4 careful pilots", "turns per player"): {"low": 22, "high": 36},
        ("4 plain pilots", "ships that fall"): {"low": 0.10, "high": 0.30},
        ("2 careful pilots", "games with a winner"): {"low": 0.90, "high": None},
    }
    assert all(figure["met"] for (of, _), figure in found.items() if of == "map")
    assert all((figure["met"] is None) == (figure["asked"] is None) for figure in found.values())


def test_target_range_is_inclusive_but_a_lower_bound_is_exclusive() -> None:
    assert [Target(5, 8).met(value) for value in (4, 5, 8, 9)] == [False, True, True, False]
    assert [Target(0.95).met(value) for value in (0.95, 0.951, 1.0)] == [False, True, True]


def test_another_map_has_no_targets(report: Any) -> None:
    document = report("pond")
    assert (document["name"], document["spaces"]) == ("pond", 19)
    assert {(figure["asked"], figure["met"]) for figure in document["figures"]} == {(None, None)}


def test_flat_earth_is_recognized_by_its_content(report: Any, tmp_path: Path) -> None:
    document = report(written(tmp_path, read_source("flat_earth")))
    assert document == report("flat_earth")
    other = report(written(tmp_path, read_source("flat_earth") | {"barriers": []}))
    assert (other["barriers"], {figure["asked"] for figure in other["figures"]}) == (0, {None})


def test_the_smallest_map_has_no_route_off_the_rim(here: Here, report: Any, tmp_path: Path) -> None:
    path = written(tmp_path, RING)
    (port,) = report(path)["ports"]
    assert port == {"port": "[b]Port", "space": "a", "ring": 0, "shortest_voyage": 4, "voyage_off_the_rim": None}
    text = here(main, path, "--games", 1).out
    for words in ("[ring]: rings 1, sectors 4, spaces 4, land cells 0, brown lines 0", "[b]Port", "none"):
        assert words in text


def test_shares_have_wilson_intervals_and_means_normal_ones() -> None:
    tally = Tally(Contest(2, "careful"))
    ships = [{"space": "A0"}, {"space": None}]
    for turn in (20, 30):
        tally.add({"winner": 0, "ships": ships, "turn": turn})
    won, fall, turns = game_figures(tally)
    assert (won.value, fall.value, turns.value) == (1.0, 0.5, 12.5)
    assert won.interval == pytest.approx((0.3424, 1.0), abs=1e-4)
    assert fall.interval == pytest.approx((0.15, 0.85), abs=1e-2)
    assert turns.interval == pytest.approx((12.5 - 4.9, 12.5 + 4.9), abs=1e-2)


def test_the_same_seed_gives_the_same_report(report: Any) -> None:
    once, again, other = (report("pond", "--seed", seed) for seed in (4, 4, 5))
    assert once == again
    assert once["figures"] != other["figures"]


def test_games_are_seeded_one_by_one() -> None:
    first, second = (play_contest("pond", Contest(2, "plain"), 3, seed).turns for seed in (0, 1))
    assert first[1:] == second[:-1]


def test_the_text_shows_the_picture_the_survey_and_the_figures() -> None:
    done = program("scripts/map_report.py", "flat_earth", "--games", "1")
    assert (done.returncode, done.stderr) == (0, "")
    picture, _, rest = done.stdout.partition("\n\n")
    assert picture.splitlines() == [f"flat_earth   {LEGEND}", *disc(load_map("flat_earth"), {})]
    lines = [" ".join(line.split()) for line in rest.splitlines()]
    assert lines[0] == "flat_earth: rings 5, sectors 20, spaces 67, land cells 16, brown lines 6"
    assert lines[1].startswith("spaces by drifts to the void: 8 at 1, ")
    assert "spaces 67 60 to 80 yes" in lines
    assert "greatest of the shortest voyages 26 18 to 28 yes" in lines
    for words in [*CONTESTS, "Figures (games of each kind: 1, seed: 0)"]:
        assert words in lines
    assert [line.split()[1] for line in lines if line.startswith(("Lisbon", "Thule"))] == ["A0", "C19"]
    assert max(map(len, rest.splitlines()[2:])) <= 80


def test_the_map_is_drawn_before_the_games_are_played(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise ValueError("no games today")

    monkeypatch.setattr("edge_envs.games.over_the_edge.reports.contests.play_contest", stop)
    outcome = here(main, "pond")
    assert (outcome.code, outcome.err) == (2, "error: no games today\n")
    assert "│A0* │A1  │A2  ║A3* │" in outcome.out
    assert "spaces 19" in outcome.out


def test_drawing_is_reported_on_and_converted_to_a_map_file(here: Here, report: Any, tmp_path: Path) -> None:
    drawing, file = tmp_path / "ring.txt", tmp_path / "ring.json"
    lines = [*disc(load_map(RING), {}), "ports: [b]Port a"]
    drawing.write_text("\n".join(lines), encoding="utf-8")
    document = report(drawing, "--map-file", file)
    assert document == {**report(written(tmp_path, RING)), "name": "ring"}
    assert report(file) == document
    assert f"{file}: File exists" in here.fails(main, drawing, "--map-file", file)


def test_invalid_drawing_is_a_one_line_error(here: Here, tmp_path: Path) -> None:
    drawing = tmp_path / "ring.txt"
    lines = [*disc(load_map(RING), {}), "ports: Goa b"]
    drawing.write_text("\n".join(lines), encoding="utf-8")
    assert "ring.txt: drawing, the line of ports: 'Goa b' does not end with" in here.fails(main, drawing)


def test_json_output_is_a_single_object() -> None:
    done = program("scripts/map_report.py", "pond", "--games", "1", "--json")
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 1)
    assert json.loads(done.stdout)["games"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"name": "x"}', "map: the key 'rings' is missing"),
        (json.dumps(RING | {"barriers": [["a", "b"]]}), "no voyage leads round the world"),
        (json.dumps(RING | {"land": [[0, 9]]}), "is off the map"),
    ],
)
def test_invalid_map_is_a_one_line_error(here: Here, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(content, encoding="utf-8")
    assert message in here.fails(main, path)


@pytest.mark.parametrize(
    ("name", "message"),
    [("atlantis", "cannot read map='atlantis'"), (".", "cannot read map='.' (Is a directory)")],
)
def test_missing_map_is_a_one_line_error(here: Here, name: str, message: str) -> None:
    line = here.fails(main, name, "--json")
    assert message in line
    assert "'flat_earth', 'pond'" in line
