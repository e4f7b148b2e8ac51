"""Test that the tables of the documentation match the code."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

import edge_envs
from agents.deep_q.config import DeepQConfig
from agents.external.chat import ChatConfig
from agents.fitting.heuristic_weights import TuningConfig
from agents.networks import KINDS as NETWORKS
from agents.ppo.config import TrainingConfig
from agents.selfplay.config import SelfPlayConfig
from agents.teaching.config import TeachingConfig
from agents.value_learning.config import ValuesConfig
from edge_envs import Batch, Game, GameType
from edge_envs.games.falling_off.solver.solution import load_solution
from edge_envs.games.over_the_edge.map.charts import MAX_SPACES, SHIPPED, load_map
from edge_envs.games.over_the_edge.map.generator import is_set, read_set_name
from edge_envs.games.over_the_edge.map.sets import layout_map
from edge_envs.games.over_the_edge.pieces.deck import COUNTS, KINDS, MOST_OF_A_KIND
from edge_envs.games.over_the_edge.state import MOST_ROUNDS, MOST_SKIPPED, PHASES
from scripts.benchmarks import startup
from scripts.benchmarks.goals import STANDARDS, goals
from scripts.benchmarks.measure import Budget
from scripts.benchmarks.report import format_target
from scripts.benchmarks.suite import plan
from scripts.new_game import HEADINGS, OPTIONAL_HEADINGS
from tests.contract.cases import is_draft, parameter_sets

ROOT = Path(__file__).resolve().parents[2]
GAMES = [game_type for game_type in edge_envs.GAMES.values() if game_type.package.startswith("edge_envs.")]
FINISHED = [game_type for game_type in GAMES if not is_draft(game_type)]

each_game = pytest.mark.parametrize("game_type", GAMES, ids=lambda game_type: game_type.name)
each_finished_game = pytest.mark.parametrize("game_type", FINISHED, ids=lambda game_type: game_type.name)


def page_of(game_type: GameType) -> str:
    return inspect.getdoc(importlib.import_module(game_type.package)) or ""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Return the text under a heading, up to the next heading."""
    found = re.search(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"missing heading {heading!r}"
    return found[1]


def tables(text: str) -> list[list[list[str]]]:
    """Return the rows of every table without its header; cells have no backquotes."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [[cells(row) for row in block.splitlines()[2:]] for block in blocks]


def only_table(text: str) -> list[list[str]]:
    """Return the rows of the only table of a section."""
    found = tables(text)
    assert len(found) == 1, f"there must be one table in this section, and there are {len(found)}:\n{text}"
    return found[0]


def cells(row: str) -> list[str]:
    return [cell.strip().replace("`", "") for cell in row.strip().strip("|").split("|")]


@each_game
def test_a_page_lists_the_declared_weights_and_features(game_type: GameType) -> None:
    values = game_type.values
    assert (values is not None) == ("## Values" in page_of(game_type))
    if values is None:
        return
    weights, features = tables(section(page_of(game_type), "Values"))
    assert weights == [
        [weight.name, f"{weight.default:g}", f"{weight.low:g} to {weight.high:g}", weight.description]
        for weight in values.weights
    ]
    assert features == [[feature.name, feature.description] for feature in values.features]


def number(formula: str, game: Game, **names: Any) -> Any:
    """Evaluate a formula such as `12 n` or `6 size² + 1` with the parameters and sizes of a game, and extra names."""
    product = re.sub(
        r"(\d|\)|\b[a-z]) (?!if\b|else\b)([a-z(])", r"\1 * \2", formula.replace("²", "**2").replace("×", "*")
    )
    return eval(product, {"n": game.num_players, **sizes_of(game), **game.params, **names})


def sizes_of(game: Game) -> dict[str, int]:
    """Return the numbers of ports p and spaces s of the map, or the width w and height h of the board, if there are."""
    if game.name == "beyond_maps":
        return {"w": game.params["size"], "h": game.params["height"] or game.params["size"]}
    if "map" not in game.params:
        return {}
    source = game.params["map"]
    chart, maps = layout_map(source), read_set_name(source).count if is_set(source) else 0
    return {"p": len(chart.ports), "s": len(chart.spaces), "m": maps, "h": game.params["hand_size"], "r": chart.rings}


def positions_of(game_type: GameType) -> list[dict[str, Any]]:
    """Return the example positions of a page."""
    blocks = re.findall(r"```json\n(.*?)```", section(page_of(game_type), "Position"), re.DOTALL)
    return [json.loads(block) for block in blocks]


def games_of(game_type: GameType) -> list[Game]:
    return [edge_envs.load_game(game_type.name, **params) for params in parameter_sets(game_type)]


@each_game
def test_a_page_has_the_headings_of_all_pages(game_type: GameType) -> None:
    headings = re.findall(r"^## (.*)", page_of(game_type), re.MULTILINE)
    missing = [heading for heading in HEADINGS if heading not in (*headings, *OPTIONAL_HEADINGS)]
    assert not missing, f"the page of {game_type.name} lacks the headings {', '.join(missing)}"
    unknown = [heading for heading in headings if heading not in HEADINGS]
    assert not unknown, f"unknown headings {', '.join(unknown)} (choose from {', '.join(HEADINGS)})"
    ordered = sorted(headings, key=HEADINGS.index)
    assert headings == ordered, f"the headings must be in this order: {', '.join(ordered)}"


def test_contributing_lists_the_headings_of_a_page() -> None:
    page = " ".join(text_of("CONTRIBUTING.md").split())
    assert f"these headings, in this order: {', '.join(HEADINGS)}." in page
    assert f"{', '.join(OPTIONAL_HEADINGS[:-1])} and {OPTIONAL_HEADINGS[-1]} are optional" in page


@each_game
def test_a_page_names_the_id_and_the_history_of_its_version(game_type: GameType) -> None:
    page = page_of(game_type)
    assert set(re.findall(r"edge_envs/\w+-v\d+", page)) == {f"edge_envs/{game_type.name}-v{game_type.version}"}
    history = re.findall(r"^- v(\d+):", section(page, "Version history"), re.MULTILINE)
    assert [int(version) for version in history] == list(range(game_type.version, -1, -1))


@each_game
def test_a_page_lists_the_parameters(game_type: GameType) -> None:
    rows = only_table(section(page_of(game_type), "Parameters"))
    assert [(name, default) for name, _, default, _ in rows] == [
        (name, repr(parameter.default)) for name, parameter in game_type.parameters.items()
    ]
    for name, values, _, _ in rows:
        parameter = game_type.parameters[name]
        if parameter.type is int and parameter.choices:
            ends = [[int(end) for end in part.split(" to ")] for part in values.split(", ")]
            assert tuple(k for low, *high in ends for k in range(low, (high or [low])[0] + 1)) == parameter.choices
        elif parameter.type is int:
            assert values == f"{parameter.low} to {parameter.high}"
        if parameter.type is bool:
            assert values == "False, True"


@each_game
def test_a_page_lists_the_slices_of_the_observation(game_type: GameType) -> None:
    text = section(page_of(game_type), "Observation")
    rows = only_table(text)
    formulas = dict(re.findall(r"^Here (\w) is (.*)\.$", text.replace("`", ""), re.MULTILINE))
    for game in games_of(game_type):
        names = {name: number(formula, game) for name, formula in formulas.items()}
        fields = []
        for name, size, values, _ in rows:
            low, *_, high = re.split(r" to |, ", values)
            if number(size, game) == 0:
                continue  # only with other parameters
            fields.append((name, number(size, game), number(low, game), number(high, game, **names)))
        assert fields == [(field.name, field.size, field.low, field.high) for field in game.observation_layout]


@each_game
def test_a_page_lists_the_sizes(game_type: GameType) -> None:
    rows = only_table(section(page_of(game_type), "Spec"))
    spec = dict(rows)
    for game in games_of(game_type):
        shape, dtype = spec["Observation"].rsplit(" ", 1)
        assert number(spec["Distinct actions"], game) == game.num_distinct_actions
        assert number(spec["Most chance outcomes of a node"], game) == game.max_chance_outcomes
        assert (number(shape, game), dtype) == (game.observation_shape, game.observation_dtype.name)
        longest = spec["Longest game"]
        if game.max_game_length is None:
            assert longest.startswith("no limit")
        else:
            assert number(longest.removesuffix(" decisions"), game) == game.max_game_length
    assert (spec["Information"] == "perfect") == game_type.perfect_information


@each_game
def test_the_positions_of_a_page_are_valid(game_type: GameType) -> None:
    positions = positions_of(game_type)
    assert positions
    for position in positions:
        game = edge_envs.load_game(game_type.name, **position["params"])
        assert game.state_from_dict(position).to_dict() == position
    rows = only_table(section(page_of(game_type), "Position"))
    assert {key for key, _ in rows} == {key for position in positions for key in position} - {"game", "params"}


@each_finished_game
def test_the_readme_and_the_index_list_the_game(game_type: GameType) -> None:
    (row,) = [row for table in tables(text_of("README.md")) for row in table if f"[{game_type.name}]" in row[0]]
    assert game_type.title in row[0]
    players = game_type.parameters.get("num_players")
    assert row[2] == (f"{players.low}–{players.high}" if players else "2")
    assert any(game_type.name == row[0] for table in tables(text_of("docs/README.md")) for row in table)


@pytest.mark.parametrize(
    "game_type", [game_type for game_type in GAMES if game_type.name in STANDARDS], ids=lambda t: t.name
)
def test_the_page_on_performance_has_the_rows_and_targets_of_the_benchmark(game_type: GameType) -> None:
    rows, ratios = tables(section(text_of("docs/performance.md"), game_type.name))
    planned = plan(game_type.name, Budget())
    sides = {side.name for group in planned.groups for side in group} | planned.skipped.keys()
    first_steps = {name(api) for name in (startup.first_step, startup.further) for api in startup.APIS}
    assert {name for name, *_ in rows} == sides | {startup.IMPORT, startup.FIRST_KERNEL} | first_steps
    assert [(name, target) for name, target, *_ in ratios] == [
        (goal.name, format_target(goal.target, goal.at_most)) for goal in goals(game_type.name)
    ]


def test_missing_table_error_shows_the_section() -> None:
    with pytest.raises(AssertionError, match=r"there must be one table in this section, and there are 0:\n\s*No rows"):
        only_table("No rows here.")


# falling_off


def test_action_ids_of_falling_off_match_its_page() -> None:
    game = edge_envs.load_game("falling_off")
    actions, outcomes = tables(section(page_of(game.type), "Actions and chance outcomes"))
    assert [(ids, phase) for ids, phase, _, _ in actions] == [("0 to 7", "reroll"), ("8 to 73", "move")]
    start = {**game.new_initial_state(seed=0).to_dict(), "pawns": [[0, 4, 8, 13], [0, 0, 0, 0]], "dice": [1, 2, 4]}
    for ids, phase, examples, _ in actions:
        low, high = (int(i) for i in ids.split(" to "))
        record = game.records_from_dict({**start, "dice": [4, 5, 6], "phase": phase})[0]
        texts = [game.action_to_string(record, action) for action in range(low, high + 1)]
        assert len(set(texts)) == len(texts)
        assert all(re.sub(r"1 4|\b4$", "5", text) in texts for text in examples.split(", "))
    assert [(count, phase) for count, phase, _, _ in outcomes] == [("56", "roll"), ("6, 21 or 56", "rerolled")]
    for kept, count in (([1, 2], 6), ([1], 21), ([], 56)):
        state = game.state_from_dict({**start, "dice": kept, "phase": "rerolled"})
        assert state.legal_actions() == list(range(count))


def test_rewards_of_falling_off_match_its_page() -> None:
    rows = only_table(section(page_of(edge_envs.GAMES["falling_off"]), "Spec"))
    assert dict(rows)["Rewards"] == "-1 to 1 / (n - 1); with play_on -1 to 1"
    for game in games_of(edge_envs.GAMES["falling_off"]):
        assert game.min_utility == -1.0
        assert game.max_utility == (1.0 if game.params["play_on"] else 1.0 / (game.num_players - 1))


def test_value_of_falling_off_matches_its_page() -> None:
    text = section(page_of(edge_envs.GAMES["falling_off"]), "Exact solution")
    found = re.search(r"the first player wins with probability (\d\.\d+)\.", text)
    assert found is not None
    assert f"{load_solution().first_player_win_probability:.{len(found[1]) - 2}f}" == found[1]


# beyond_maps


def test_action_ids_of_beyond_maps_match_its_page() -> None:
    for game in games_of(edge_envs.GAMES["beyond_maps"]):
        size, record = sizes_of(game), game.new_records(1)[0]
        record.high, record.low = 6, 6  # a decision, also with dice
        planes = only_table(section(page_of(game.type), "Actions and chance outcomes"))
        assert [int(plane) for plane, _, _ in planes] == list(range(6))
        for plane, text, _ in planes:
            ((column, row),) = re.findall(r" ([a-z])(\d)", text)
            action = int(plane) * size["w"] * size["h"] + (int(row) - 1) * size["w"] + ord(column) - ord("a")
            assert game.action_to_string(record, action) == text
        assert game.action_to_string(record, number("6 w × h", game)) == "stop"


def test_rolls_of_beyond_maps_match_its_page() -> None:
    game = edge_envs.load_game("beyond_maps", dice=True)
    text = section(page_of(game.type), "Actions and chance outcomes")
    state = game.new_initial_state()
    rolls = [state.action_to_string(outcome) for outcome in state.legal_actions()]
    assert rolls[:4] + rolls[-1:] == re.findall(r"`(roll \d \d)`", text)


# over_the_edge

OVER_THE_EDGE = edge_envs.GAMES["over_the_edge"]
CHANCE = {"deal", "refill", "draw"}


def test_action_ids_of_over_the_edge_match_its_page() -> None:
    actions, outcomes = tables(section(page_of(OVER_THE_EDGE), "Actions and chance outcomes"))
    for game in games_of(OVER_THE_EDGE):
        record, following = game.new_records(1)[0], 0  # a decision
        for first, count, _, example, _ in actions:
            assert number(first, game) == following
            following += number(count, game)
            texts = [game.action_to_string(record, action) for action in range(number(first, game), following)]
            assert len(set(texts)) == len(texts)
            assert example in texts or game.params["map"] != "pond"
            assert {text.split()[0] for text in texts} == {example.split()[0]}
        assert following == game.num_distinct_actions
    assert {phase for _, _, row, _, _ in actions for phase in row.split(", ")} == set(PHASES) - CHANCE - {"over"}
    assert [(count, set(row.split(", "))) for count, row, _, _ in outcomes] == [
        (str(len(KINDS)), CHANCE),
        ("m", {"map"}),
    ]


def test_rewards_of_over_the_edge_match_its_page() -> None:
    rows = only_table(section(page_of(OVER_THE_EDGE), "Spec"))
    low, high = dict(rows)["Rewards"].split(" to ")
    for game in games_of(OVER_THE_EDGE):
        assert (game.min_utility, game.max_utility) == (number(low, game), number(high, game))


def test_the_page_of_over_the_edge_lists_the_cards() -> None:
    rows = only_table(section(page_of(OVER_THE_EDGE), "Description"))
    assert [(int(count), kind) for count, kind, _ in rows] == list(zip(COUNTS, KINDS, strict=True))


def test_the_page_of_over_the_edge_lists_the_phases() -> None:
    text = section(page_of(OVER_THE_EDGE), "Position")
    found = re.search(r"The phases, in their order: (.*?)\.", text, re.DOTALL)
    assert found is not None
    assert tuple(re.findall(r"`(\w+)`", found[1])) == PHASES


def test_the_page_of_over_the_edge_lists_the_sizes_of_the_shipped_maps() -> None:
    words = {3: "three", 7: "seven"}
    text = " ".join(section(page_of(OVER_THE_EDGE), "Maps").split())
    for name in SHIPPED:
        chart = load_map(name)
        assert f"`{name}`, {len(chart.spaces)} spaces and {words[len(chart.ports)]} ports" in text


def test_the_page_of_over_the_edge_lists_its_limits() -> None:
    numbers = re.findall(r"\d[\d,]*", section(page_of(OVER_THE_EDGE), "Limits"))
    limits = [int(limit.replace(",", "")) for limit in numbers]
    assert limits == [MAX_SPACES, MOST_OF_A_KIND, MOST_SKIPPED, MOST_ROUNDS]


# General pages


def keys_of(model: type[BaseModel], prefix: str = "") -> dict[str, Any]:
    """Return every key of a configuration with its default, or "required"."""
    keys: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            keys |= keys_of(field.annotation, f"{prefix}{name}.")
        else:
            default = "required" if field.is_required() else field.get_default(call_default_factory=True)
            keys[prefix + name] = default
    return keys


def test_the_configuration_reference_lists_every_key_with_its_default() -> None:
    rows = only_table(section(text_of("docs/configuration.md"), "Keys of train"))
    network = TrainingConfig.model_fields["network"].default
    check_keys(rows, {**keys_of(TrainingConfig), "network": {"kind": network.kind}})


def test_the_configuration_reference_lists_the_additional_keys_of_self_play() -> None:
    rows = only_table(section(text_of("docs/configuration.md"), "Keys of selfplay"))
    keys, others = keys_of(SelfPlayConfig), keys_of(TrainingConfig)
    check_keys(rows, {key: default for key, default in keys.items() if key not in others})
    assert others.keys() - keys.keys() == {"random_opening", "start"}


def test_the_configuration_reference_lists_the_keys_of_deep_q_learning() -> None:
    rows = only_table(section(text_of("docs/configuration.md"), "Keys of dqn"))
    keys, others = keys_of(DeepQConfig), keys_of(TrainingConfig)
    differing = ["num_envs", *(key for key in keys if key not in others)]
    check_keys(rows, {key: keys[key] for key in differing})
    assert {key for key in others.keys() - keys.keys() if not key.startswith("ppo.")} == {"start"}


def test_the_configuration_reference_lists_every_key_of_a_network_with_its_default() -> None:
    found = tables(section(text_of("docs/configuration.md"), "Keys of networks"))
    for rows, architecture in zip(found, NETWORKS.values(), strict=True):
        check_keys(rows, keys_of(architecture, "network."))


def test_the_configuration_reference_lists_every_key_of_a_search_with_its_default() -> None:
    rows = only_table(section(text_of("docs/configuration.md"), "Keys of tune"))
    check_keys(rows, keys_of(TuningConfig))


def test_the_configuration_reference_lists_every_key_of_values_with_its_default() -> None:
    rows = only_table(section(text_of("docs/configuration.md"), "Keys of values"))
    check_keys(rows, keys_of(ValuesConfig))


def test_the_configuration_reference_lists_every_key_of_teaching_with_its_default() -> None:
    rows = only_table(section(text_of("docs/configuration.md"), "Keys of teach"))
    network = TeachingConfig.model_fields["network"].default
    check_keys(rows, {**keys_of(TeachingConfig), "network": {"kind": network.kind}})


def test_the_page_on_text_lists_every_key_of_a_language_model_with_its_default() -> None:
    check_keys(only_table(section(text_of("docs/text.md"), "Language models")), keys_of(ChatConfig))


def test_the_results_begin_with_the_best_agent_of_each_board_of_the_leaderboard() -> None:
    _, *boards, _ = re.split(r"^## ", text_of("docs/leaderboard.md"), flags=re.MULTILINE)  # the last is the next step
    best = [[board.splitlines()[0], *tables(board)[0][0][:3]] for board in boards]
    assert only_table(section(text_of("docs/results.md"), "Best agent of each board")) == best


def check_keys(rows: list[list[str]], expected: dict[str, Any]) -> None:
    """Check that a table has these keys in this order, with these defaults."""
    defaults = {key: yaml.safe_load(default) if default else None for key, default, _ in rows}
    assert list(defaults) == list(expected)
    for key, default in expected.items():
        assert defaults[key] == (list(default) if isinstance(default, tuple) else default), key


def test_the_page_on_the_apis_lists_the_fields_of_a_batch() -> None:
    rows = only_table(section(text_of("docs/apis.md"), "All seats, batched"))
    assert [name for name, _, _ in rows] == [field.name for field in dataclasses.fields(Batch)]


def test_the_page_on_the_apis_names_existing_attributes() -> None:
    text = section(text_of("docs/apis.md"), "The game")
    game = edge_envs.load_game("falling_off")
    for name in re.findall(r"`(\w+)`", text):
        assert hasattr(game, name) or hasattr(edge_envs, name) or name in ("Game", "None"), name
