"""Test that the page about maps matches the loader: its map, facts, error messages and schema."""

from __future__ import annotations

import ast
import copy
import dataclasses
import json
import re
import traceback
from pathlib import Path
from typing import Any

import pytest

import edge_envs
from edge_envs.games.over_the_edge.map import charts
from edge_envs.games.over_the_edge.map.atlas import MOST_MAPS
from edge_envs.games.over_the_edge.map.charts import AGROUND, MAX_SPACES, OVER_THE_EDGE, SCHEMA, Map, MapError, load_map
from edge_envs.games.over_the_edge.map.generator import RANGES, Recipe

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")


GENERATED = "random:7:rings=3:sectors=12:ports=3"


def section(heading: str) -> str:
    """Return the text under a heading, up to the next heading."""
    found = re.search(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def table(text: str) -> list[list[str]]:
    """Return the rows of the last table without its header; cells have no backquotes."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in row] for row in rows[2:]]


def lagoon() -> dict[str, Any]:
    """Return the map that the page draws."""
    found = re.search(r"^lagoon = (\{.*?^\})", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return dict(ast.literal_eval(found[1]))


# Pictures


PICTURES = re.findall(r"^```text\n([a-z].*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.split()[0])
def test_pictures_match_the_output_of_the_code(picture: str) -> None:
    name = picture.split()[0]
    game = edge_envs.load_game("over_the_edge", map=lagoon() if name == "lagoon" else name)
    disc, _ = str(game.new_initial_state()).split("\n\n", 1)
    board, _, report = picture.partition("\n\n")
    if report:  # the output of a command, which tests/docs/test_shell_outputs.py compares
        disc, _ = disc.rsplit("\n", 1)
    assert board.removesuffix("\n") == disc


def test_all_maps_are_drawn() -> None:
    assert {picture.split()[0] for picture in PICTURES} == {"lagoon", GENERATED, *charts.SHIPPED}


# Error messages


def changed(change: str, folder: Path) -> Any:
    """Apply a change, as the page describes it, to the lagoon."""
    if change.startswith("a file with "):
        (folder / "lagoon.json").write_text(change.removeprefix("a file with "), encoding="utf-8")
        return "lagoon.json"
    source = lagoon()
    if change.endswith(" spaces"):
        return source | {"spaces": source["spaces"][:1] * int(change.split()[0])}
    for part in change.split("; "):
        found = re.fullmatch(r"no (?P<gone>\S+)|(?P<key>\S+) = (?P<value>.*)", part)
        assert found is not None
        *path, last = [int(key) if key.isdigit() else key for key in re.findall(r"\w+", found["gone"] or found["key"])]
        if last == "map":
            return json.loads(found["value"])
        place: Any = source
        for key in path:
            place = place[key]
        if found["gone"]:
            del place[last]
        else:
            place[last] = json.loads(found["value"])
    return source


REJECTED = table(section("Error messages"))


@pytest.mark.parametrize(("change", "message"), REJECTED)
def test_change_is_rejected_with_this_message(
    change: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MapError) as refused:
        load_map(changed(change, tmp_path))
    assert str(refused.value) == message


def test_every_check_of_the_loader_is_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree = ast.parse(Path(charts.__file__).read_text(encoding="utf-8"))
    (loader,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "MapParameter")
    reraised = {node.lineno for node in ast.walk(loader) if isinstance(node, ast.Raise)}
    checks = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Raise)} - reraised
    met = set()
    for change, _ in REJECTED:
        with pytest.raises(MapError) as refused:
            load_map(changed(change, tmp_path))
        met.add(traceback.extract_tb(refused.value.__traceback__)[-1].lineno)
    assert met == checks


# Generated maps


def test_the_page_lists_the_options_of_generated_maps() -> None:
    rows = {name: (values, default) for name, values, default, _ in table(section("Generated maps"))}
    defaults = {field.name: field.default for field in dataclasses.fields(Recipe)[1:]}
    assert list(rows) == list(defaults) == list(RANGES)
    for name, (values, default) in rows.items():
        low, high = RANGES[name]
        assert values.startswith(f"{low} to {high}")
        assert default == str(defaults[name])


# Facts about maps


def voyages(chart: Map) -> dict[str, int]:
    """Return the shortest voyage from each port."""
    return {name: chart.shortest_voyage(port) for name, port in zip(chart.port_names, chart.ports, strict=True)}


def steps_to_the_next_port(chart: Map, port: int) -> int:
    steps, reached = 0, {port}
    while reached.isdisjoint(set(chart.ports) - {port}):
        reached |= {near for space in reached for near in chart.neighbours[space]}
        steps += 1
    return steps


@pytest.mark.parametrize("name", charts.SHIPPED)
def test_the_page_lists_the_shortest_voyages(name: str) -> None:
    paragraph = re.search(rf"^`{name}`, (.*?)```", section("Shipped maps"), re.MULTILINE | re.DOTALL)
    assert paragraph is not None
    listed = {port: int(steps) for port, steps in re.findall(r"([A-Z]\w+) (\d+)", paragraph[1])}
    assert listed == voyages(load_map(name))


def test_facts_of_the_tips_are_correct() -> None:
    tips = " ".join(section("Tips").split())
    pond, flat_earth = load_map("pond"), load_map("flat_earth")
    assert set(voyages(pond).values()) == {8, 9}
    assert (min(voyages(flat_earth).values()), max(voyages(flat_earth).values())) == (19, 26)
    assert (
        "take 8 or 9 steps on `pond`, whose games are short, and 19 to 26 on `flat_earth`, whose games are long" in tips
    )
    assert {steps_to_the_next_port(flat_earth, port) for port in flat_earth.ports} == {3, 4, 5}
    assert "On `flat_earth` the nearest other port is three to five steps away" in tips


def test_drifts_of_spaces_match_the_page() -> None:
    pond = load_map("pond")
    ends = {OVER_THE_EDGE: "over the edge", AGROUND: "aground"}
    for space, target, _ in table(section("Steps, angles and drifts")):
        to = pond.drift_targets[pond.index[space]]
        assert target == (ends.get(to) or pond.spaces[to].id)


def test_angle_of_a_step_matches_the_page() -> None:
    pond = load_map("pond")
    text = " ".join(section("Steps, angles and drifts").split())
    found = re.search(r"the step from (\w+) to (\w+) turns it by (\S+), because (\w+) is at (\S+)\.", text)
    assert found is not None
    start, end = pond.index[found[1]], pond.index[found[2]]
    assert str(pond.turns[start][pond.neighbours[start].index(end)]) == found[3]
    assert str(pond.spaces[pond.index[found[4]]].angle) == found[5]


# The schema


def schema() -> Any:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def test_the_schema_on_the_page_matches_the_file() -> None:
    found = re.search(r"```json\n(.*?)```", section("JSON Schema"), re.DOTALL)
    assert found is not None
    assert found[1] == SCHEMA.read_text(encoding="utf-8")


def test_the_page_lists_the_keys() -> None:
    properties = schema()["properties"]
    of_spaces = [f"spaces[].{key}" for key in properties["spaces"]["items"]["properties"]]
    keys = list(properties)
    at = keys.index("spaces") + 1
    assert [key for key, _ in table(section("Keys of a map file"))] == [*keys[:at], *of_spaces, *keys[at:]]


def test_the_page_lists_the_limits() -> None:
    text = section("Keys of a map file")
    properties = schema()["properties"]
    for key in ("rings", "sectors"):
        assert f"at least {properties[key]['minimum']} |" in text
    assert f"at most {MAX_SPACES} spaces" in text
    assert f"at most {MOST_MAPS:,} maps at once" in text


def test_the_lagoon_uses_every_feature_of_maps() -> None:
    source = lagoon()
    found = load_map(copy.deepcopy(source))
    assert found.source == source
    assert source["land"]
    assert source["barriers"]
    assert any(len(space.cells) > 1 for space in found.spaces)
