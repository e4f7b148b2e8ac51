"""Maps of Over the Edge: reading a file, the derived data, and the messages of invalid maps."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from edge_envs.games.over_the_edge.map.charts import (
    AGROUND,
    MAX_BYTES,
    OVER_THE_EDGE,
    SCHEMA,
    SHIPPED,
    Map,
    MapError,
    load_map,
)
from tests.reference.over_the_edge import LAND, VOID, Chart, drawn
from tests.untrusted import HOSTILE, make_hostile

BAY_FILE = Path(__file__).parent / "bay.json"
BAY = json.loads(BAY_FILE.read_text(encoding="utf-8"))

# The fragment of the rules, for the format only
PUDDLE = json.loads(
    """
    {"name": "puddle", "rings": 2, "sectors": 8,
     "spaces": [{"id": "A0", "cells": [[0, 0]], "port": "Lisbon"}, {"id": "A1", "cells": [[0, 1], [0, 2]]}],
     "land": [[1, 4]],
     "barriers": [["A0", "A1"]]}
    """
)

Source = dict[str, Any]


def loaded(*rows: str, ports: str = "", barriers: tuple[str, ...] = ()) -> Map:
    """Load a map drawn with letters."""
    return load_map(drawn(*rows, ports=ports, barriers=barriers))


def near(found: Map, space: str) -> dict[str, Fraction]:
    """Return the neighbours of a space with the turn to each."""
    number = found.index[space]
    targets = [found.spaces[target].id for target in found.neighbours[number]]
    return dict(zip(targets, found.turns[number], strict=True))


def drift(found: Map, space: str) -> str:
    """Return the target of a drift in the terms of the reference implementation."""
    target = found.drift_targets[found.index[space]]
    return {OVER_THE_EDGE: VOID, AGROUND: LAND}.get(target) or found.spaces[target].id


def refusal(source: Any) -> str:
    """Return the message of the error that a map raises."""
    with pytest.raises(MapError) as refused:
        load_map(source)
    return str(refused.value)


def changed(**entries: Any) -> Source:
    """Return the bay with some entries changed, or removed if they are `None`."""
    return {key: value for key, value in {**copy.deepcopy(BAY), **entries}.items() if value is not None}


def with_space(number: int, **entries: Any) -> Source:
    """Return the bay with entries of one space changed, or removed if they are `None`."""
    spaces = copy.deepcopy(BAY["spaces"])
    spaces[number] = {key: value for key, value in {**spaces[number], **entries}.items() if value is not None}
    return changed(spaces=spaces)


# Sources of maps


def test_two_maps_are_shipped() -> None:
    assert SHIPPED == ("flat_earth", "pond")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_map_is_loaded_by_its_name(name: str) -> None:
    assert load_map(name).name == name


def test_a_map_is_loaded_from_a_path() -> None:
    assert load_map(BAY_FILE) == load_map(str(BAY_FILE)) == load_map(BAY)


def test_the_dict_of_a_map_is_kept_unchanged() -> None:
    assert load_map(BAY_FILE).source == BAY


def test_later_changes_of_a_dict_do_not_change_the_map() -> None:
    source = copy.deepcopy(BAY)
    found = load_map(source)
    source["spaces"][0]["cells"][0][0] = 7
    assert found.source == BAY


def test_changing_the_source_of_a_map_does_not_change_the_map() -> None:
    load_map(BAY).source["spaces"].clear()
    assert load_map(BAY).source == BAY


def test_the_geometry_of_a_map_is_computed_once() -> None:
    assert load_map(copy.deepcopy(BAY)) is load_map(BAY_FILE)
    assert load_map("pond") is load_map("pond")
    assert load_map(load_map("pond").source) == load_map("pond")


def test_tuples_are_lists_as_in_json() -> None:
    assert load_map(with_space(3, cells=((0, 3),))).source == BAY


def test_land_and_barriers_may_be_left_out() -> None:
    source = drawn("abcd")
    del source["land"], source["barriers"]
    assert load_map(source).source == source


def test_a_map_can_be_copied_and_pickled() -> None:
    found = load_map(BAY)
    assert found.index["A0"] == 0
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found


@pytest.mark.parametrize("value", ["nowhere", "", "Pond", "pond.json", 3, None, True, ["pond"], b"pond"])
def test_an_invalid_map_is_rejected_with_the_valid_ones(value: Any) -> None:
    message = refusal(value)
    assert message.startswith((f"invalid map={value!r}: expected ", f"cannot read map={value!r} ("))
    assert all(repr(name) in message for name in SHIPPED)


@pytest.mark.parametrize("text", ["", "spaces", '{"name": ', "[" * 100_000])
def test_a_file_that_is_not_json_is_rejected(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.json").write_text(text, encoding="utf-8")
    assert "is not JSON" in refusal(tmp_path / "map.json")


def test_a_binary_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_bytes(pickle.dumps(BAY))
    assert "is not JSON" in refusal(tmp_path / "map.json")


@pytest.mark.parametrize("value", [{1}, b"A0", 3j, object()])
def test_a_dict_that_is_not_json_is_rejected(value: Any) -> None:
    assert refusal(changed(name=value)).startswith("the map is not JSON: ")


def test_a_dict_that_contains_itself_is_rejected() -> None:
    source = changed()
    source["land"].append(source)
    assert refusal(source).startswith("the map is not JSON: ")


@pytest.mark.parametrize("text", ["[]", "3", '"pond"', "null"])
def test_a_file_without_an_object_is_rejected(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.json").write_text(text, encoding="utf-8")
    assert "is not a JSON object" in refusal(str(tmp_path / "map.json"))


@pytest.mark.parametrize("kind", HOSTILE)
def test_only_regular_files_are_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    make_hostile(kind, path)
    assert re.match(rf"cannot read map={re.escape(repr(str(path)))} \({HOSTILE[kind]}\): expected ", refusal(path))


def test_a_file_that_is_too_large_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_bytes(b" " * (MAX_BYTES + 1))
    assert "(too large: more than 1,048,576 bytes)" in refusal(tmp_path / "map.json")


def test_a_path_with_a_nul_byte_is_rejected() -> None:
    assert refusal("\0x").startswith("cannot read map='\\x00x' (")


def test_a_map_error_is_a_value_error() -> None:
    assert issubclass(MapError, ValueError)


# Entries


def test_spaces_and_ports_are_in_the_order_of_the_file() -> None:
    found = load_map(BAY)
    assert [space.id for space in found.spaces] == [space["id"] for space in BAY["spaces"]]
    assert (found.ports, found.port_names) == ((0, 4, 10), ("Lisbon", "New Goa", "Malta"))
    assert found.index["B4"] == 12


def test_a_space_has_cells_and_a_port() -> None:
    found = load_map(BAY)
    assert (found.spaces[12].cells, found.spaces[12].port) == (((1, 4), (1, 5)), None)
    assert (found.spaces[10].cells, found.spaces[10].port) == (((1, 2),), "Malta")


# Neighbours


def test_neighbours_share_an_edge() -> None:
    found = loaded("abcd", "efgh")
    assert list(near(found, "a")) == ["b", "d", "e"]
    assert list(near(found, "g")) == ["c", "f", "h"]


def test_neighbours_are_in_the_order_of_the_file() -> None:
    source = drawn("abcd", "efgh")
    source["spaces"].reverse()
    assert list(near(load_map(source), "a")) == ["e", "d", "b"]


def test_a_space_of_several_cells_has_the_neighbours_of_all() -> None:
    assert list(near(loaded("abbcdefg", "hijklmno"), "b")) == ["a", "c", "i", "j"]


def test_land_is_not_a_neighbour() -> None:
    assert list(near(loaded("abcd", "ef#h"), "c")) == ["b", "d"]


def test_a_barrier_separates_two_spaces() -> None:
    found = loaded("abcd", "efgh", barriers=("ae",))
    assert (list(near(found, "a")), list(near(found, "e"))) == (["b", "d"], ["f", "h"])


def test_a_barrier_separates_two_spaces_along_all_shared_edges() -> None:
    found = loaded("abbcdefg", "hiijklmn", barriers=("ib",))
    assert (list(near(found, "b")), list(near(found, "i"))) == (["a", "c"], ["h", "j"])


# Angles and turns


def angle(source: Source, space: str) -> Fraction:
    """Return the angle of a space."""
    found = load_map(source)
    return found.spaces[found.index[space]].angle


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("axcdefgh",), Fraction(1)),
        (("axxdefgh",), Fraction(3, 2)),
        (("xbcdefgx",), Fraction(15, 2)),
        (("axcdefgh", "ixxlmnop"), Fraction(4, 3)),
        (("abcdefgx", "xjklmnox"), Fraction(22, 3)),
        (("xbcdefgx", "xjklmnop"), Fraction(23, 3)),
        (("abxxxefghijk",), Fraction(3)),
        (("abxxxefghijk", "lmxpqrstuvwy"), Fraction(11, 4)),
    ],
)
def test_the_angle_is_the_mean_of_the_sectors_of_all_cells_even_across_the_wrap(
    rows: tuple[str, ...], expected: Fraction
) -> None:
    assert angle(drawn(*rows, ports="e"), "x") == expected


def test_cells_may_be_listed_in_any_order() -> None:
    source = drawn("xbcdefgx", "xjklmnop", ports="e")
    for space in source["spaces"]:
        space["cells"].reverse()
    assert angle(source, "x") == Fraction(23, 3)


def test_a_step_turns_by_the_shorter_difference() -> None:
    found = loaded("xbcdefgx", ports="d")  # x at 15/2
    assert near(found, "x") == {"b": Fraction(3, 2), "g": Fraction(-3, 2)}
    assert near(found, "b") == {"c": 1, "x": Fraction(-3, 2)}


def test_rounds_are_counted_at_sector_0() -> None:
    found = loaded("abcd")
    a, d = found.index["a"], found.index["d"]
    assert dict(zip(found.neighbours[a], found.crossings[a], strict=True)) == {found.index["b"]: 0, d: -1}
    assert dict(zip(found.neighbours[d], found.crossings[d], strict=True)) == {a: 1, found.index["c"]: 0}


@pytest.mark.parametrize("name", [*SHIPPED, "bay"])
def test_winding_is_the_difference_of_the_angles_and_the_rounds(name: str) -> None:
    found = load_map(BAY if name == "bay" else name)
    for start in range(len(found.spaces)):
        steps = [*zip(found.neighbours[start], found.turns[start], found.crossings[start], strict=True)]
        if found.drift_targets[start] >= 0:
            steps.append((found.drift_targets[start], found.drift_turns[start], found.drift_crossings[start]))
        for end, turn, crossing in steps:
            assert found.winding(end, 0, crossing) - found.winding(start, 0, 0) == turn
            assert abs(turn) < Fraction(found.sectors, 2)


# Edgeward


def test_from_the_rim_a_drift_leads_over_the_edge() -> None:
    found = loaded("abcd", "efgh")
    assert {drift(found, space) for space in "efgh"} == {VOID}
    assert drift(loaded("abcd"), "a") == VOID


def test_otherwise_a_drift_leads_one_ring_outward() -> None:
    assert [drift(loaded("abcd", "efgh"), space) for space in "abcd"] == list("efgh")


def test_only_the_outermost_cells_of_a_space_look_outward() -> None:
    assert drift(loaded("aacdefgh", "ijbbmnop", "qrstuvwx", ports="d"), "a") == "i"
    assert drift(loaded("aacdefgh", "iaklmnop", "qrstuvwx", ports="d"), "a") == "r"
    assert drift(loaded("aacdefgh", "iaklmnop", ports="d"), "a") == VOID


def test_the_target_is_the_space_that_most_cells_face() -> None:
    assert drift(loaded("abbbcdefghij", "klmmnopqrstu", ports="d"), "b") == "m"
    assert drift(loaded("abbbcdefghij", "kllmnopqrstu", ports="d"), "b") == "l"


def test_among_equals_the_target_is_the_first_one_clockwise() -> None:
    assert drift(loaded("abbcdefg", "hijklmno", ports="d"), "b") == "i"
    assert drift(loaded("abbbcdefghij", "klmnopqrstuv", ports="d"), "b") == "l"


def test_clockwise_order_crosses_the_wrap() -> None:
    assert drift(loaded("xbcdefgx", "hijklmno", ports="d"), "x") == "o"
    source = drawn("xbcdefgx", "hijklmno", ports="d")
    source["spaces"].reverse()
    assert drift(load_map(source), "x") == "o"


def test_cells_of_the_outermost_ring_may_be_separate() -> None:
    assert drift(loaded("abbbcdefghij", "kbmbnopqrstu", "vwxyzABCDEFG", ports="d"), "b") == "w"


def test_a_ship_runs_aground_if_all_cells_face_land() -> None:
    assert drift(loaded("abcdefgh", "ij#lmnop", ports="d"), "c") == LAND
    assert drift(loaded("abbcdefg", "h##klmno", ports="d"), "b") == LAND


def test_land_does_not_count_if_only_some_cells_face_it() -> None:
    assert drift(loaded("abbcdefg", "h#jklmno", ports="d"), "b") == "j"
    assert drift(loaded("abbbcdefghij", "k##lmnopqrst", ports="d"), "b") == "l"


def test_a_brown_line_does_not_stop_a_drift() -> None:
    assert drift(loaded("abcd", "efgh", barriers=("ae",)), "a") == "e"


def test_a_drift_may_lead_into_a_port() -> None:
    assert drift(loaded("abcd", "efgh", ports="ae"), "a") == "e"


def test_a_drift_changes_the_winding() -> None:
    found = loaded("xbcdefgx", "hijklmno", ports="d")
    x = found.index["x"]
    assert (found.drift_turns[x], found.drift_crossings[x]) == (Fraction(-1, 2), 0)
    found = loaded("abcdefgh", "xjklmnox", ports="d")  # x at 15/2
    a = found.index["a"]
    assert (found.drift_turns[a], found.drift_crossings[a]) == (Fraction(-1, 2), -1)


def test_a_drift_without_a_target_does_not_change_the_winding() -> None:
    found = load_map(BAY)
    for space in ("A6", "C3"):
        assert found.drift_turns[found.index[space]] == 0
        assert found.drift_crossings[found.index[space]] == 0


def test_the_distance_to_the_void_is_counted_in_drifts() -> None:
    found = load_map(BAY)
    distances = {space.id: found.drifts_to_void[i] for i, space in enumerate(found.spaces)}
    assert {space: distances[space] for space in ("C0", "B4", "A0", "A2", "A6")} == {
        "C0": 1,
        "B4": 2,
        "A0": 3,
        "A2": 3,
        "A6": None,
    }


# The shortest voyage


def test_the_shortest_voyage_counts_the_step_home() -> None:
    assert loaded("abcd").shortest_voyage(0) == 4
    assert loaded("abbcdefg").shortest_voyage(0) == 7


def test_the_shortest_voyage_goes_round_barriers_and_land() -> None:
    assert loaded("abcd", "efgh", barriers=("ab",)).shortest_voyage(0) == 6
    assert loaded("ab#d", "efgh").shortest_voyage(0) == 6


def test_the_shortest_voyage_may_begin_off_the_ring() -> None:
    found = loaded("abcd", "ef##", ports="ef")  # e, f, b, c, d, a, e
    assert [found.shortest_voyage(port) for port in found.ports] == [6, 6]


# The shipped maps


@pytest.mark.parametrize(
    ("name", "spaces", "ports", "voyages"),
    [("flat_earth", (60, 80), (5, 8), (18, 28)), ("pond", (18, 22), (2, 4), (8, 12))],
)
def test_shipped_maps_are_of_the_promised_size(
    name: str, spaces: tuple[int, int], ports: tuple[int, int], voyages: tuple[int, int]
) -> None:
    found = load_map(name)
    assert spaces[0] <= len(found.spaces) <= spaces[1]
    assert ports[0] <= len(found.ports) <= ports[1]
    shortest = [found.shortest_voyage(port) for port in found.ports]
    assert voyages[0] <= min(shortest) <= max(shortest) <= voyages[1]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_maps_use_all_features_of_maps(name: str) -> None:
    found = load_map(name)
    assert any(len(space.cells) > 1 for space in found.spaces)
    assert found.source["barriers"]
    assert AGROUND in found.drift_targets
    assert any(ring == 0 for ring, _ in found.source["land"]), "a continent beside the Old World"


# The loader and the reference geometry agree


ODD: dict[str, Source] = {
    "wrap": drawn("xbcdefgx", "xjklmnop", "qqstuvwy", ports="e"),
    "apart": drawn("abbbcdefghij", "kbmbnopqrstu", "vwxyzABCDEFG", ports="d"),
    "ring": drawn("abcd"),
    "wide": drawn("abbbcdefghij", "k##lmnopqrst", ports="d", barriers=("bl",)),
}


@pytest.mark.parametrize("source", ["pond", "flat_earth", BAY, *ODD.values()], ids=["pond", "flat_earth", "bay", *ODD])
def test_the_loader_matches_the_reference_geometry(source: Any) -> None:
    found = load_map(source)
    chart = Chart(found.source)
    assert [space.id for space in found.spaces] == chart.spaces
    for space in chart.spaces:
        turns = {other: chart.turn(space, other) for other in chart.neighbours(space)}
        assert list(near(found, space).items()) == list(turns.items())
        assert drift(found, space) == chart.edgeward(space)
        if chart.edgeward(space) not in (VOID, LAND):
            assert found.drift_turns[found.index[space]] == chart.turn(space, chart.edgeward(space))


# Checks


def test_the_map_of_these_checks_is_valid() -> None:
    assert load_map(changed()).name == "bay"


@pytest.mark.parametrize("key", ["name", "rings", "sectors", "spaces"])
def test_a_missing_key_is_named(key: str) -> None:
    assert refusal(changed(**{key: None})) == f"map: the key {key!r} is missing"


@pytest.mark.parametrize("key", ["id", "cells"])
def test_a_missing_key_of_a_space_is_named(key: str) -> None:
    assert refusal(with_space(3, **{key: None})) == f"spaces[3]: the key {key!r} is missing"


def test_an_unknown_key_is_named() -> None:
    assert refusal(changed(weather=1)).startswith("map: unknown key 'weather'")
    assert refusal(with_space(3, weather=1)).startswith("spaces[3]: unknown key 'weather'")


@pytest.mark.parametrize(
    ("entries", "where"),
    [
        ({"name": 3}, "name"),
        ({"rings": "3"}, "rings"),
        ({"rings": 3.0}, "rings"),
        ({"rings": True}, "rings"),
        ({"rings": 0}, "rings"),
        ({"sectors": 3}, "sectors"),
        ({"sectors": [8]}, "sectors"),
        ({"spaces": {}}, "spaces"),
        ({"spaces": ["A0"]}, "spaces[0]"),
        ({"land": {}}, "land"),
        ({"land": [1, 6]}, "land[0]"),
        ({"land": [[1]]}, "land[0]"),
        ({"land": [[1, 6, 0]]}, "land[0]"),
        ({"land": [[1, "6"]]}, "land[0]"),
        ({"land": [[1, 6.0]]}, "land[0]"),
        ({"land": [[True, 6]]}, "land[0]"),
        ({"barriers": "A1"}, "barriers"),
        ({"barriers": ["A1"]}, "barriers[0]"),
        ({"barriers": [["A1"]]}, "barriers[0]"),
        ({"barriers": [["A1", "B1", "A2"]]}, "barriers[0]"),
        ({"barriers": [["A1", 1]]}, "barriers[0]"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(entries: Source, where: str) -> None:
    assert refusal(changed(**entries)).startswith(f"{where}: ")


@pytest.mark.parametrize(
    ("entries", "where"),
    [
        ({"id": 3}, "spaces[3].id"),
        ({"cells": "A3"}, "spaces[3].cells"),
        ({"cells": [0, 3]}, "spaces[3].cells[0]"),
        ({"cells": [[0, 3], [0]]}, "spaces[3].cells[1]"),
        ({"cells": [[0, None]]}, "spaces[3].cells[0]"),
        ({"cells": []}, "spaces[3].cells"),
        ({"port": 3}, "spaces[3].port"),
        ({"port": False}, "spaces[3].port"),
    ],
)
def test_a_value_of_the_wrong_type_in_a_space_is_named(entries: Source, where: str) -> None:
    assert refusal(with_space(3, **entries)).startswith(f"{where}: ")


def test_a_port_that_is_null_is_named() -> None:
    spaces = [{**space, "port": space.get("port")} for space in BAY["spaces"]]
    assert refusal(changed(spaces=spaces)) == "spaces[1].port: None is not a string"


def test_a_cell_that_is_missing_is_named() -> None:
    assert refusal(changed(land=[])).startswith("cell [1, 6] is missing")


def test_the_puddle_of_the_rules_is_only_a_fragment() -> None:
    assert refusal(PUDDLE).startswith("cell [0, 3] is missing")


def test_a_huge_map_with_few_cells_is_rejected_at_once() -> None:
    assert refusal(changed(rings=10**9, sectors=10**9)).startswith("cell [0, 8] is missing")


@pytest.mark.parametrize(
    ("source", "parties"),
    [
        (with_space(3, cells=[[0, 3], [0, 3]]), "space 'A3' and to space 'A3'"),
        (with_space(3, cells=[[0, 3], [0, 2]]), "space 'A2' and to space 'A3'"),
        (with_space(3, cells=[[0, 3], [1, 6]]), "space 'A3' and to land"),
        (changed(land=[[1, 6], [1, 6]]), "land and to land"),
    ],
)
def test_a_cell_with_two_owners_is_named(source: Source, parties: str) -> None:
    assert re.fullmatch(rf"cell \[\d, \d\] is assigned twice: to {parties}", refusal(source))


@pytest.mark.parametrize("cell", [[3, 0], [0, 8], [-1, 0], [0, -1]])
def test_a_cell_out_of_range_is_named(cell: list[int]) -> None:
    assert refusal(changed(land=[[1, 6], cell])).startswith(f"land[1]: {cell} is off the map")
    assert refusal(with_space(3, cells=[[0, 3], cell])).startswith(f"spaces[3].cells[1]: {cell} is off the map")


def test_a_space_that_is_not_connected_is_named() -> None:
    assert refusal(drawn("axcdefgx", "ijklmnop", ports="d")).startswith("space 'x' is not connected")


def test_cells_that_share_only_a_corner_are_not_connected() -> None:
    assert refusal(drawn("axcdefgh", "ijxlmnop", ports="d")).startswith("space 'x' is not connected")


@pytest.mark.parametrize("rows", [("axxxefgh",), ("aacd",), ("axxdefgh", "ijxxmnop"), ("xbcdefxx",)])
def test_a_space_on_more_than_a_quarter_of_the_circle_is_named(rows: tuple[str, ...]) -> None:
    assert re.match(r"space '[ax]' is [23] of [48] sectors wide", refusal(drawn(*rows, ports="d")))


def test_a_quarter_of_the_circle_is_allowed() -> None:
    assert len(loaded("axxdefgh", ports="d").spaces) == 7
    assert refusal(drawn("axxdefg", ports="d")).startswith("space 'x' is 2 of 7 sectors wide")


@pytest.mark.parametrize("name", ["", "A 3", " A3", "A3 ", "A\t3", "A\u00a03", "\n"])
def test_an_id_that_is_empty_or_contains_a_blank_is_named(name: str) -> None:
    assert refusal(with_space(3, id=name)) == f"spaces[3].id: {name!r} is empty or contains a blank"


@pytest.mark.parametrize(
    "name", ["Old\nGoa", "Goa\r", "\x1b[31mGoa", "Old\tGoa", "Old\u2028Goa", "Goa\u200f", "\ud800"]
)
def test_a_name_that_cannot_be_printed_in_a_line_is_named(name: str) -> None:
    ending = f"{name!r} contains a line break or another character that cannot be printed"
    assert refusal(changed(name=name)) == f"name: {ending}"
    assert refusal(with_space(4, port=name)) == f"spaces[4].port: {ending}"


@pytest.mark.parametrize("name", [" ", " Goa", "Goa "])
def test_a_name_with_a_blank_at_an_end_is_named(name: str) -> None:
    assert refusal(changed(name=name)) == f"name: {name!r} begins or ends with a blank"
    assert refusal(with_space(4, port=name)) == f"spaces[4].port: {name!r} begins or ends with a blank"


@pytest.mark.parametrize("name", ["A\x07", "A\u200b3"])
def test_an_id_that_cannot_be_printed_is_named(name: str) -> None:
    assert refusal(with_space(3, id=name)).startswith(f"spaces[3].id: {name!r} contains a line break or another")


@pytest.mark.parametrize("name", ["A", "Nový Svět", "海", "[/bold]"])
def test_other_names_are_accepted(name: str) -> None:
    assert load_map(changed(name=name)).name == name
    assert load_map(with_space(4, port=name)).port_names[1] == name


def test_a_repeated_id_is_named() -> None:
    assert refusal(with_space(3, id="A2")) == "spaces[3].id: 'A2' is the id of an earlier space"


def test_an_unknown_id_is_named() -> None:
    assert refusal(changed(barriers=[["A1", "B1"], ["A1", "B9"]])) == "barriers[1]: 'B9' is not the id of a space"


def test_a_repeated_port_name_is_named() -> None:
    assert refusal(with_space(4, port="Lisbon")) == "spaces[4].port: 'Lisbon' is the name of an earlier port"


def test_an_empty_port_name_is_named() -> None:
    assert refusal(with_space(4, port="")) == "spaces[4].port: the name of the port is empty"


def test_a_port_name_may_have_blanks() -> None:
    assert load_map(with_space(4, port="Old Goa")).port_names == ("Lisbon", "Old Goa", "Malta")


def test_a_barrier_of_one_space_is_named() -> None:
    assert refusal(changed(barriers=[["A1", "A1"]])) == "barriers[0]: ['A1', 'A1'] names the same space twice"


@pytest.mark.parametrize("pair", [["A1", "A3"], ["A1", "B2"], ["A6", "C6"]])
def test_a_barrier_whose_spaces_share_no_edge_is_named(pair: list[str]) -> None:
    assert refusal(changed(barriers=[pair])) == f"barriers[0]: the spaces {pair} do not share an edge"


@pytest.mark.parametrize("again", [["A1", "B1"], ["B1", "A1"]])
def test_a_duplicate_barrier_is_named(again: list[str]) -> None:
    assert refusal(changed(barriers=[["A1", "B1"], again])) == f"barriers[1]: {again} is a duplicate"


def test_a_map_without_a_port_is_rejected() -> None:
    spaces = [{"id": space["id"], "cells": space["cells"]} for space in BAY["spaces"]]
    assert refusal(changed(spaces=spaces)).startswith("spaces: none is a port")


def test_a_map_of_land_alone_has_no_port() -> None:
    source = {"name": "desert", "rings": 1, "sectors": 4, "spaces": [], "land": [[0, s] for s in range(4)]}
    assert refusal(source).startswith("spaces: none is a port")


def test_a_space_that_cannot_be_reached_is_named() -> None:
    assert refusal(drawn("abcd", "####", "efgh")) == "space 'e' cannot be reached from space 'a'"


def test_a_space_that_barriers_cut_off_is_named() -> None:
    assert refusal(drawn("abcd", "e###", barriers=("ae",))) == "space 'e' cannot be reached from space 'a'"


@pytest.mark.parametrize(
    "source",
    [
        drawn("abc#"),
        drawn("abcd", barriers=("ad",)),
        drawn("abc#", "#fgh"),
        drawn("abcd", "efgh", barriers=("ad", "eh")),
    ],
    ids=["land", "a barrier", "land on both rings", "barriers on both rings"],
)
def test_a_map_that_cannot_be_sailed_round_is_rejected(source: Source) -> None:
    assert refusal(source).startswith("no voyage leads round the world from port 'Port a'")


# The JSON Schema


def fits(value: Any, schema: Any, root: Any) -> bool:
    """Return whether a value fits a schema. Only the keywords that the schema of maps uses are supported."""
    known: dict[str, Callable[[Any], bool]] = {
        "$ref": lambda ref: fits(value, root["$defs"][ref.removeprefix("#/$defs/")], root),
        "type": lambda name: type(value) is {"object": dict, "array": list, "string": str, "integer": int}[name],
        "required": lambda keys: not isinstance(value, dict) or set(keys) <= set(value),
        "additionalProperties": lambda _: not isinstance(value, dict) or set(value) <= set(schema["properties"]),
        "properties": lambda parts: (
            not isinstance(value, dict) or all(fits(value[k], part, root) for k, part in parts.items() if k in value)
        ),
        "items": lambda part: not isinstance(value, list) or all(fits(entry, part, root) for entry in value),
        "minItems": lambda count: not isinstance(value, list) or len(value) >= count,
        "maxItems": lambda count: not isinstance(value, list) or len(value) <= count,
        "minLength": lambda count: not isinstance(value, str) or len(value) >= count,
        "minimum": lambda low: not isinstance(value, int) or value >= low,
        "pattern": lambda form: not isinstance(value, str) or re.search(form, value) is not None,
        "$schema": lambda _: True,
        "$defs": lambda _: True,
        "title": lambda _: True,
        "description": lambda _: True,
    }
    return all(known[keyword](argument) for keyword, argument in schema.items())


def fits_schema(source: Any) -> bool:
    """Return whether the shipped schema accepts a map."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return fits(source, schema, schema)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_schema_accepts_the_shipped_maps(name: str) -> None:
    assert fits_schema(load_map(name).source)


def test_the_schema_accepts_the_fragment_of_the_rules() -> None:
    assert fits_schema(PUDDLE)


@pytest.mark.parametrize("source", [BAY, *ODD.values()], ids=["bay", *ODD])
def test_the_schema_accepts_what_the_loader_accepts(source: Source) -> None:
    assert fits_schema(source)
    assert load_map(source)


@pytest.mark.parametrize(
    "source",
    [
        [],
        changed(name=None),
        changed(weather=1),
        changed(rings=0),
        changed(sectors=3),
        changed(sectors="8"),
        changed(spaces=[]),
        changed(land=[[1]]),
        changed(land=[[1, -6]]),
        changed(barriers=[["A1"]]),
        changed(barriers=[["A1", 1]]),
        with_space(3, id="A 3"),
        with_space(3, id=""),
        with_space(3, cells=[]),
        with_space(3, port=""),
        with_space(3, port=" Goa"),
        with_space(3, port="Old\nGoa"),
        with_space(3, weather=1),
        changed(name="bay "),
        changed(name="the\nbay"),
    ],
)
def test_the_loader_rejects_what_the_schema_rejects(source: Any) -> None:
    assert not fits_schema(source)
    with pytest.raises(MapError):
        load_map(source)
