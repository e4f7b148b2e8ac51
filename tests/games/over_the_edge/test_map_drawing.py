"""Read maps from drawings."""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from edge_envs.games.over_the_edge.draw import LEGEND, disc
from edge_envs.games.over_the_edge.map.charts import MapError, load_map, read_source
from edge_envs.games.over_the_edge.reports.drawings import is_drawing, read_drawing
from scripts.map_report import map_source
from tests.programs import ROOT

LAGOON = """\
lagoon   * port   (0) ship of player 0   ▒ land   ═ ║ brown line
   0    1    2    3    4    5    6    7
  ┌────┬────┬────┬────┬─────────┬────┬────┐
0 │A0* │A1  │A2  │▒▒▒▒│A4       │A6  │A7  │
  │    │    │    │▒▒▒▒│         │    │    │
  ├────┼════┼────┼────┼────┬────┼────┼────┤
1 │B0  │B1  │B2  │B3  │B4* │B5  │▒▒▒▒│B7  │
  │    │    │    │    │    │    │▒▒▒▒│    │
  └────┴────┴────┴────┴────┴────┴────┴────┘
  ~~~~~~~~~~~~~~~~ the void ~~~~~~~~~~~~~~~
ports: Lagos A0, Aden B4
"""


def drawn(source: dict[str, Any], legend: str = LEGEND) -> str:
    """Return the drawing of a map."""
    chart = load_map(source)
    ports = [f"{name} {chart.spaces[port].id}" for name, port in zip(chart.port_names, chart.ports, strict=True)]
    return "\n".join([f"{chart.name}   {legend}", *disc(chart, {}), f"ports: {', '.join(ports)}"])


def content(source: dict[str, Any]) -> dict[str, Any]:
    """Return a map in a form that does not depend on the order of its entries."""
    return {
        **{key: source[key] for key in ("name", "rings", "sectors")},
        "spaces": {space["id"]: (sorted(map(list, space["cells"])), space.get("port")) for space in source["spaces"]},
        "land": sorted(map(list, source.get("land", []))),
        "barriers": sorted(sorted(pair) for pair in source.get("barriers", [])),
    }


def bay() -> dict[str, Any]:
    path = Path(__file__).parent / "bay.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def wide() -> dict[str, Any]:
    """Return a map too wide for one piece, with a long id and a port whose name contains a comma."""
    spaces: list[dict[str, Any]] = [{"id": f"r{r}s{s}", "cells": [[r, s]]} for r in range(2) for s in range(1, 40)]
    first = {"id": "the_capes_of_hope", "cells": [[0, 0], [1, 0]], "port": "Town, Old"}
    return {"name": "wide", "rings": 2, "sectors": 40, "spaces": [first, *spaces]}


@pytest.mark.parametrize(
    "source", [read_source("pond"), read_source("flat_earth"), bay(), wide()], ids=["pond", "flat_earth", "bay", "wide"]
)
def test_the_picture_of_a_map_is_a_drawing_of_it(source: dict[str, Any]) -> None:
    text = drawn(source)
    assert content(read_drawing(text, "other")) == content(source)
    assert content(read_drawing(indent(f"\n{text}\n", "    "), "other")) == content(source)


def test_a_drawing_without_a_title_gets_a_name() -> None:
    assert read_drawing(LAGOON, "other")["name"] == "lagoon"
    assert read_drawing(LAGOON.partition("\n")[2], "other")["name"] == "other"


def test_ships_and_the_void_are_ignored() -> None:
    ships = LAGOON.replace("  │    │    │    │▒▒▒▒│         │", "  │(01)│    │    │▒▒▒▒│(2)      │")
    assert ships != LAGOON
    shorter = "\n".join(line for line in ships.splitlines() if "void" not in line)
    assert read_drawing(shorter, "") == read_drawing(LAGOON, "")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "   0    1    2    3    4    5    6    7",
            "",
            "drawing: no line with the numbers of the sectors above the disc",
        ),
        ("   0    1    2 ", "   0    1     2", "line 2: the number 2 is not above its sector"),
        ("   0    1    2 ", "   0    1    1 ", "line 2: a number of a sector occurs twice"),
        (
            "  │    │    │    │▒▒▒▒│         │    │    │\n  ├────┼════┼────┼────┼────┬────┼────┼────┤\n",
            "",
            "line 5: expected the line below the ring 0",
        ),
        ("1 │B0", "2 │B0", "line 7: the ring 1 should begin here"),
        ("│A1  │", "│    │", "the space at [0, 1] has no id"),
        ("│A1  │A2", "│A1   A2", "no line parts the spaces 'A1' and 'A2'"),
        ("│A1  │", "│A0  │", "two spaces have the id 'A0'"),
        ("│A1  │", "│A▒  │", "line 4, column 9: 'A▒  ' is partly land"),
        ("│A1  │", "│A1… │", "the id 'A1…' is cut off"),
        ("Lagos A0, ", "", "the port 'A0' has no name"),
        ("Lagos A0, ", "Lagos A1, ", "the port 'A0' has no name"),
        ("Aden B4", "Aden B5", "'Aden B5' does not end with the id of a space with *"),
    ],
)
def test_an_unreadable_drawing_raises_an_error_with_the_reason(old: str, new: str, message: str) -> None:
    assert old in LAGOON
    with pytest.raises(MapError) as refused:
        load_map(read_drawing(LAGOON.replace(old, new, 1), "lagoon"))
    assert message in str(refused.value)


def test_every_change_to_a_drawing_gives_a_map_or_an_error_with_the_reason() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        lines = LAGOON.splitlines()
        for _ in range(rng.randint(1, 4)):
            number, kind = rng.randrange(len(lines)), rng.choice(["remove", "repeat", "shorten", "write", "erase"])
            line = lines.pop(number)
            column = rng.randrange(len(line) + 1)
            lines[number:number] = {
                "remove": [""] if len(lines) < 2 else [],
                "repeat": [line, line],
                "shorten": [line[:column]],
                "write": [line[:column] + rng.choice("0123456789 │─║═~▒()*…A,:") + line[column + 1 :]],
                "erase": [line[:column] + line[column + 1 :]],
            }[kind]
        with contextlib.suppress(MapError):
            read_drawing("\n".join(lines), "changed")


def test_a_drawing_with_a_gap_is_rejected() -> None:
    lines = LAGOON.splitlines()
    pieces = [*lines[:10], "   9    10", *(line[:3] + line[3:13] for line in lines[2:10]), lines[-1]]
    with pytest.raises(MapError, match=r"the cell \[0, 8\] is not drawn"):
        read_drawing("\n".join(pieces), "gap")


def test_drawings_and_map_files_are_distinguished(tmp_path: Path) -> None:
    assert is_drawing(LAGOON)
    assert not is_drawing(json.dumps({"name": "│"}, ensure_ascii=False))
    drawing, file = tmp_path / "lagoon.txt", tmp_path / "lagoon.json"
    drawing.write_text(LAGOON, encoding="utf-8")
    file.write_text(json.dumps({**read_drawing(LAGOON, ""), "name": "│"}, ensure_ascii=False), encoding="utf-8")
    assert map_source(str(drawing)) == read_drawing(LAGOON, "")
    for name in (str(file), "pond", "atlantis", str(tmp_path), "a\0b"):
        assert map_source(name) == name


def test_the_map_in_the_docs_matches_its_drawing() -> None:
    page = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
    source = page.partition("lagoon = ")[2].partition("\n}\n")[0] + "\n}"
    assert LAGOON in page
    assert content(read_drawing(LAGOON, "")) == content(json.loads(re.sub(r",(\s*[\]}])", r"\1", source)))
