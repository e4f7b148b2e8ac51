"""Maps of over_the_edge by clicks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from edge_envs.core.interactive.editor import Document, Editor
from edge_envs.games.over_the_edge.map.charts import SHIPPED, load_map, read_source
from tests.contract.test_pictures import elements

Click = tuple[str, str | None, str | None]


def the_editor() -> Editor:
    editor = edge_envs.GAMES["over_the_edge"].editor
    assert editor is not None
    return editor


EDITOR = the_editor()


def click(tool: str, key: str | None = None, text: str | None = None) -> Click:
    return tool, key, text


def after(document: Document, *clicks: Click) -> Document:
    for tool, key, text in clicks:
        document = EDITOR.edit(document, tool, key, text)
    return document


def cell(ring: int, sector: int) -> str:
    return f"cell-{ring}-{sector}"


def line_between(document: Document, one: list[int], other: list[int]) -> str | None:
    """The key of the line between two cells, if there is one."""
    keys = [f"line-{a[0]}-{a[1]}-{b[0]}-{b[1]}" for a, b in ((one, other), (other, one))]
    return next((key for key in keys if key in EDITOR.places(document)), None)


def drawn(source: dict[str, Any]) -> Document:
    """A map drawn from open sea."""
    document = after(EDITOR.begin(), click("name", text=source["name"]), click("no-port", cell(0, 0)))
    document = after(document, click("sectors", text=str(source["sectors"])), click("rings", text=str(source["rings"])))
    document = after(document, *(click("land", cell(*at)) for at in source["land"]))
    for space in source["spaces"]:
        for k, at in enumerate(space["cells"]):
            lines = (line_between(document, at, before) for before in space["cells"][:k])
            document = after(document, *[click("join", line) for line in lines if line][:1])
    cells = {space["id"]: space["cells"] for space in source["spaces"]}
    for one, other in source["barriers"]:
        lines = (line_between(document, a, b) for a in cells[one] for b in cells[other])
        document = after(document, click("wall", next(filter(None, lines))))
    for space in source["spaces"]:
        if "port" in space:
            document = after(document, click("port", cell(*space["cells"][0]), space["port"]))
    return document


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_map_is_opened_as_it_is_and_can_be_drawn_from_open_sea(name: str) -> None:
    source = read_source(name)
    assert EDITOR.begin({"map": name}) == source == EDITOR.begin({"map": source})
    made = drawn(source)
    assert load_map(made) == load_map(name)
    assert EDITOR.problems(made) == []


def test_a_document_is_the_map_that_the_game_takes() -> None:
    document = after(
        EDITOR.begin(), click("land", cell(0, 3)), click("port", cell(2, 4), "Aden"), click("name", text="bay")
    )
    state = edge_envs.load_game("over_the_edge", map=document).new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
    assert json.loads(json.dumps(document)) == document


def pond() -> Document:
    return EDITOR.begin({"map": "pond"})


def ids(document: Document) -> dict[tuple[int, int], str]:
    return {(ring, sector): space["id"] for space in document["spaces"] for ring, sector in space["cells"]}


def test_land_takes_a_cell_from_its_space_which_is_gone_with_its_last_one() -> None:
    document = after(pond(), click("land", cell(1, 2)), click("land", cell(0, 2)))
    assert ids(document)[1, 1] == "B1"
    assert "A2" not in ids(document).values()
    assert document["land"] == [[0, 2], [0, 6], [1, 2], [1, 4]]
    assert document["barriers"] == []  # between A2 and A3


def test_a_space_is_called_after_its_first_cell_until_it_gets_a_name() -> None:
    cut = after(pond(), click("sea", cell(1, 1)))
    assert (ids(cut)[1, 1], ids(cut)[1, 2]) == ("B1", "B2")
    named = after(pond(), click("id", cell(1, 1), "Bay"), click("sea", cell(1, 1)))
    assert (ids(named)[1, 1], ids(named)[1, 2]) == ("B1", "Bay")
    taken = after(pond(), click("id", cell(2, 0), "B2"), click("sea", cell(1, 1)))
    assert (ids(taken)[1, 2], ids(taken)[2, 0]) == ("B2a", "B2")
    with pytest.raises(ValueError, match=r"^there is a space A0 already$"):
        after(pond(), click("id", cell(1, 1), "A0"))
    with pytest.raises(ValueError, match=r"^'the bay' has a blank; actions name spaces by a single word$"):
        after(pond(), click("id", cell(1, 1), "the bay"))


def test_new_spaces_are_numbered_by_their_cells() -> None:
    document = after(pond(), click("sea", cell(0, 6)), click("sea", cell(1, 2)))
    names = [space["id"] for space in document["spaces"]]
    assert names[5:8] == ["A5", "A6", "A7"]
    assert names[names.index("B1") + 1] == "B2"


def test_two_spaces_become_one_with_the_port_of_either() -> None:
    document = after(pond(), click("join", "line-0-0-1-0"), click("join", "line-0-4-0-5"))
    assert (ids(document)[1, 0], ids(document)[0, 5]) == ("A0", "A4")
    assert next(space["port"] for space in document["spaces"] if space["id"] == "A0") == "Jetty"
    ports = after(pond(), click("port", cell(0, 1), "Pier"))
    with pytest.raises(ValueError, match=r"^Jetty and Pier are two ports; let one of the spaces be no port first$"):
        after(ports, click("join", "line-0-0-0-1"))


def test_brown_lines_come_and_go_and_follow_their_spaces() -> None:
    assert after(pond(), click("wall", "line-0-2-0-3"))["barriers"] == []
    document = after(pond(), click("wall", "line-0-1-1-1"))
    assert document["barriers"] == [["A2", "A3"], ["A1", "B1"]]
    assert after(document, click("id", cell(1, 2), "Bay"))["barriers"] == [["A2", "A3"], ["A1", "Bay"]]
    assert after(document, click("join", "line-0-1-0-2"))["barriers"] == [["A1", "A3"], ["A1", "B1"]]
    assert after(document, click("land", cell(1, 1)))["barriers"] == [["A2", "A3"]]  # B1 is at sector 2 now


def test_ports_get_names_of_their_own() -> None:
    document = after(pond(), click("port", cell(1, 2), " Quay "))
    assert next(space["port"] for space in document["spaces"] if space["id"] == "B1") == "Quay"
    with pytest.raises(ValueError, match=r"^there is a port Jetty already$"):
        after(pond(), click("port", cell(1, 2), "Jetty"))
    with pytest.raises(ValueError, match=r"^this space is no port$"):
        after(pond(), click("no-port", cell(1, 2)))
    with pytest.raises(ValueError, match=r"^this cell is land; make it sea first$"):
        after(pond(), click("port", cell(0, 6), "Quay"))


def test_rings_and_sectors_come_and_go_at_the_end() -> None:
    document = after(pond(), click("rings", text="4"), click("sectors", text="10"))
    assert (ids(document)[3, 9], ids(document)[1, 1], len(ids(document))) == ("D9", "B1", 38)
    assert load_map(after(document, click("sectors", text="8"), click("rings", text="3"))) == load_map("pond")
    with pytest.raises(ValueError, match=r"^12 rings of 36 sectors are too large; at most 240 cells are possible$"):
        after({**document}, click("sectors", text="20"), click("rings", text="12"), click("sectors", text="36"))
    with pytest.raises(ValueError, match=r"^sectors: invalid text '3': expected an integer from 4 to 36$"):
        after(document, click("sectors", text="3"))


def found(document: Document) -> list[tuple[str, str | None]]:
    return [(problem.line, problem.place) for problem in EDITOR.problems(document)]


def test_all_problems_are_told_where_they_arise() -> None:
    ports = [click("no-port", cell(*at)) for at in ((0, 0), (0, 3), (1, 5))]
    islands = [click("land", cell(2, sector)) for sector in (1, 3)]
    document = after(pond(), *ports, *islands, click("join", "line-2-4-2-5"), click("wall", "line-1-2-2-2"))
    assert found(document) == [
        ("space 'C4' is 3 of 8 sectors wide, which is more than a quarter of the circle", cell(2, 4)),
        ("spaces: no port; at least one space needs a name as port", None),
        ("space 'C2' cannot be reached by steps from space 'A0'", cell(2, 2)),
    ]


def test_a_space_in_pieces_and_a_world_that_cannot_be_sailed_round_are_problems() -> None:
    document = after(pond(), click("join", "line-0-1-1-1"), click("land", cell(1, 1)))
    assert found(document)[0] == ("space 'A1' does not hang together: [1, 2] is apart from [0, 1]", cell(1, 2))
    closed = after(pond(), *(click("land", cell(ring, 0)) for ring in range(3)))
    assert found(closed) == [("no voyage leads round the world from port 'Mill', nor from any other", None)]
    assert found(after(pond(), click("all-land"))) == [
        ("spaces: no port; at least one space needs a name as port", None)
    ]


def test_a_report_stands_beside_a_map_without_problems() -> None:
    assert EDITOR.show(pond())["report"].splitlines() == [
        "pond: rings 3, sectors 8, spaces 19, land cells 2, brown lines 1",
        "spaces by drifts to the void: 7 at 1, 5 at 2, 6 at 3, 1 aground before",
        "",
        "port   space  ring  shortest voyage  off the rim",
        "Jetty  A0        0                9           10",
        "Mill   A3        0                8            8",
        "Reeds  B5        1                8            8",
    ]


def largest() -> Iterator[Click]:
    yield from (click("sectors", text="24"), click("rings", text="10"))
    for ring in range(10):
        yield from (click("port", cell(ring, sector), f"Port {ring} {sector}") for sector in range(24))


def test_the_largest_map_is_answered_at_once() -> None:
    document = after(EDITOR.begin(), *largest())
    start = time.perf_counter()
    answer = EDITOR.answer(document)
    assert time.perf_counter() - start < 3
    assert answer["report"].endswith("and 228 more ports")
    assert sum(1 for _ in elements(answer["svg"])) < 1000
    assert len(answer["svg"]) < 200_000


def test_a_map_that_is_too_large_or_at_fault_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^rings: 13 are too many to be drawn here; at most 12 are possible$"):
        EDITOR.show({**pond(), "rings": 13})
    with pytest.raises(ValueError, match=r"^cell \[0, 6\] is missing: it belongs to no space and not to land$"):
        EDITOR.show({**pond(), "land": [[1, 4]]})


def test_no_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text(json.dumps(pond()), encoding="utf-8")
    with pytest.raises(ValueError, match=r"is none to begin with; it must be flat_earth, pond or an object$"):
        EDITOR.begin({"map": str(path)})
