"""Test that the tables of docs/benchmark.md match the declarations of the games."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from agents.baselining.plan import PLAN, BaselinePlan
from agents.baselining.publishing import RESULTS, mean_scores
from agents.benchmark import DEFAULT
from agents.benchmarking.protocol import read_protocol
from agents.benchmarking.publish import card_lines, page_lines, published_agents, read_scores
from agents.benchmarking.references import read_references
from agents.common.configuration import parse, read_mapping
from agents.common.pages import BEGIN, END
from edge_envs import GameType, load_game
from edge_envs.core.game_type import LEVELS
from tests.agents.choices import FOLDERS
from tests.docs.test_docs import FINISHED as OWN
from tests.docs.test_docs import section, tables, text_of
from tests.programs import ROOT

PAGE = "docs/benchmark.md"


def row(game_type: GameType, name: str, params: Any) -> list[str]:
    texts = ", ".join(game_type.format_params(params))
    return [f"edge_envs/{name}-v{game_type.version}", texts, str(len(load_game(name).levels))]


def test_the_page_lists_every_id_with_its_parameters_and_levels() -> None:
    pairs = [(t, name, variant) for t in OWN for name, variant in t.variants.items()]
    boards, others = tables(section(text_of(PAGE), "Names"))
    assert boards == [row(t, name, variant.params) for t, name, variant in pairs if variant.board]
    expected = [row(t, name, variant.params)[:2] for t, name, variant in pairs if not variant.board]
    assert [cells[:2] for cells in others] == expected
    assert all(use for _, _, use in others)


def test_the_page_names_the_agent_of_each_level() -> None:
    levels, _ = tables(section(text_of(PAGE), "Levels"))
    assert [agent for _, agent in levels[: len(LEVELS)]] == list(LEVELS)
    above = {(t.name, variant.above) for t in OWN for variant in t.variants.values() if variant.above}
    assert above == {
        ("falling_off", ("search:800",)), ("beyond_maps", ("search:50",)), ("over_the_edge", ("search:50",)),
    }  # fmt: skip
    (highest,) = levels[len(LEVELS) :]
    trained = {name: load_game(name).levels[-1] for name in boards_with_trained_levels()}
    assert trained == {
        "beyond_maps": "trained:18x18",
        "over_the_edge": "trained:flat_earth",
        "over_the_edge_4p": "trained:flat_earth_4",
    }
    assert highest == [
        "level:6",
        "search:800 in falling_off; search:50 on beyond_maps_8x8 and over_the_edge_pond; trained on beyond_maps, "
        "over_the_edge and over_the_edge_4p",
    ]


def boards_with_trained_levels() -> list[str]:
    boards = [name for t in OWN for name, variant in t.variants.items() if variant.board]
    return [name for name in boards if load_game(name).levels[-1].startswith("trained:")]


def returns_over(board: Any, level: int) -> str:
    """Return the mean return of a level against the one below it in the games among the references, as the page has it.

    With more than two players, these are the games in which one agent of the level plays against copies of the other.
    The winners share a return of 1, and the losers one of -1.
    """
    found: list[float] = []
    for seats, ranks, count in board.outcomes:
        if sorted(seats) == [level - 1] * (len(seats) - 1) + [level]:
            winners = ranks.count(0)
            losers = len(ranks) - winners
            value = 1.0 / winners if ranks[seats.index(level)] == 0 else -1.0 / losers
            found += [value if losers else 0.0] * count
    games = len(found)
    half = max(1.96 * float(np.std(found)) / math.sqrt(games), 4.0 / games)
    return f"{np.mean(found):.3f} ± {half:.3f}"


def test_the_tables_are_those_of_the_published_scores_and_baselines() -> None:
    protocol = read_protocol(ROOT / DEFAULT)
    scores = read_scores(ROOT / PAGE, protocol, quick=False)
    plan = parse(BaselinePlan, read_mapping(ROOT / PLAN), str(PLAN))
    lines = page_lines(protocol, scores, mean_scores(plan, ROOT / "docs/baselines" / RESULTS))
    assert text_of(PAGE).partition(BEGIN)[2].partition(END)[0].strip() == "\n".join(lines)
    for board, published in scores.boards.items():
        expected = published_agents([board], ROOT / "policies")
        assert sorted(published.agents) == sorted(Path(agent).relative_to(ROOT).as_posix() for agent in expected)


def test_every_model_card_has_the_scores_of_its_policy() -> None:
    scores = read_scores(ROOT / PAGE, read_protocol(ROOT / DEFAULT), quick=False)
    for folder in FOLDERS:
        policy = folder.relative_to(ROOT).as_posix()
        own = {name: board.agents[policy] for name, board in scores.boards.items() if policy in board.agents}
        card = (folder / "README.md").read_text(encoding="utf-8")
        found = card.partition(BEGIN)[2].partition(END)[0].strip().splitlines()
        assert found == (card_lines(scores.protocol, own) if own else []), policy
        config = f"configs/{folder.parent.name}/{folder.name}.yaml"
        assert f"[{config}](../../../{config}), seed 0" in card
        assert "| licence | MIT |" in card


def test_the_page_shows_a_measured_win_for_every_level() -> None:
    _, steps = tables(section(text_of(PAGE), "Levels"))
    assert [cells[0] for cells in steps] == [name for t in OWN for name, variant in t.variants.items() if variant.board]
    references = read_references(read_protocol(ROOT / "configs/edge-bench-v1.yaml"))
    for name, *returns in steps:
        measured = [cell for cell in returns if cell]
        assert len(measured) == len(load_game(name).levels) - 1
        for level, cell in enumerate(measured, start=1):
            mean, half_width = (float(text) for text in cell.split(" ± "))
            assert mean - half_width > 0
            if not load_game(name).levels[level].startswith("trained:"):
                assert cell == returns_over(references[name], level)


def test_calls_of_language_models_are_listed_for_every_board_of_the_protocol() -> None:
    protocol = read_protocol(ROOT / "configs/edge-bench-v1.yaml")
    (listed,) = tables(section(text_of("docs/text.md"), "Test a language model"))
    assert [cells[0] for cells in listed] == list(protocol.boards)
    assert all(float(cell.replace(",", "")) > 0 for cells in listed for cell in cells[1:])


def test_the_page_begins_with_what_to_report() -> None:
    first = "\n".join(text_of(PAGE).splitlines()[:10])
    for words in ("edge-bench v1", "interquartile mean", "normalized score", "interval", "probability of improvement"):
        assert words in first
    assert BEGIN in text_of(PAGE)
    assert END in text_of(PAGE)
