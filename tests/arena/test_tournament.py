"""Test `python -m agents.tournament`: results, pairings, records, invalid input."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents.arena.lines import Reader
from agents.arena.match import Played
from agents.arena.pairings import MAX_GROUPS, SEEDS_PER_MATCH, groups, groups_of_round, seat_orders
from agents.arena.plots import draw_matrix, draw_ratings
from agents.arena.store import Store
from agents.arena.tournament import Rounds, TournamentConfig
from agents.common.configuration import parse, read_mapping
from agents.players.agent import is_policy_folder, make_agent
from agents.tournament import main
from edge_envs import read_records, replay
from tests.arena.tournaments import EXTERNAL, GAME, lines
from tests.programs import ROOT, Here


def test_every_group_plays_every_seating_with_the_same_seeds(finished: Path) -> None:
    found = Counter((tuple(line["seats"]), line["deal"]) for line in lines(finished))
    agents = ["random", "heuristic", f"{EXTERNAL}:first"]
    assert set(found.values()) == {1}
    assert {seats for seats, _ in found} == set(itertools.permutations(agents, 2))
    for seats, deal in found:
        assert (seats[::-1], deal) in found
    assert {line["seed"] - line["deal"] for line in lines(finished)} == {2**63}
    assert len(lines(finished, "times")) == len(lines(finished)) <= 200


def test_standings_match_the_games(finished: Path) -> None:
    document = json.loads((finished / "standings.json").read_text(encoding="utf-8"))
    games = lines(finished)
    assert document["games"] == len(games)
    assert document["agents"][0]["agent"] == "heuristic"
    for row in document["agents"]:
        own = [line["returns"][line["seats"].index(row["agent"])] for line in games if row["agent"] in line["seats"]]
        assert (row["games"], row["wins"]) == (len(own), sum(value > 0 for value in own))
        assert row["mean_return"] == pytest.approx(sum(own) / len(own), abs=1e-4)
        assert row["low"] <= row["rating"] <= row["high"]
    for pair in document["pairs"]:
        both = [line for line in games if {pair["agent"], pair["other"]} == set(line["seats"])]
        won = sum(line["returns"][line["seats"].index(pair["agent"])] > 0 for line in both)
        assert (pair["games"], pair["score"]) == (len(both), pytest.approx(won / len(both), abs=1e-4))
    text = (finished / "standings.md").read_text(encoding="utf-8")
    assert "| `heuristic`" in text
    for name in ("ratings", "matrix"):
        assert (finished / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (finished / f"{name}.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")


@pytest.mark.parametrize(("share", "continues"), [(1.0, False), (0.5, True)])
def test_pair_plays_more_games_until_it_is_separated(tmp_path: Path, share: float, continues: bool) -> None:
    """If one agent always wins, the interval is wide, but the order is certain."""
    config = TournamentConfig(game="falling_off", agents=["random", "heuristic"], games=4000)
    store, rounds = Store(tmp_path, Reader(config.load_game(), 0)), Rounds(config, 2)
    store.open({}, dict.fromkeys(config.agents, ""))
    for match in rounds.next(store):
        won = [(deal % 2 < 2 * share) == (match.seats[0] == "random") for deal in match.numbers]
        returns = ([1.0, -1.0] if first else [-1.0, 1.0] for first in won)
        store.add(match, [Played(0, two, [1, 1], [0.0, 0.0], []) for two in returns])
    assert bool(rounds.next(store)) == continues


def test_standings_do_not_depend_on_other_games_in_the_folder(tmp_path: Path, tournament: Any) -> None:
    few = (*GAME, "--agents", "noisy:0.02", "noisy:0.05", "--games", 64, "--json")
    more = (*GAME, "--agents", "noisy:0.02", "noisy:0.05", "random", "--games", 300)
    alone = json.loads(tournament(*few, "--out", tmp_path / "alone").out)
    assert tournament(*more, "--out", tmp_path / "shared").code == 0
    before = lines(tmp_path / "shared")
    after = json.loads(tournament(*few, "--out", tmp_path / "shared").out)
    assert lines(tmp_path / "shared") == before
    for row in (*alone["agents"], *after["agents"]):
        del row["ms_per_decision"]
    assert after == alone
    assert alone["games"] <= 64 < len(before)


def test_games_are_saved_as_records(tmp_path: Path, tournament: Any) -> None:
    folder = tmp_path / "recorded"
    arguments = (
        "--agents",
        "heuristic",
        f"{EXTERNAL}:first",
        "--games",
        2 * SEEDS_PER_MATCH,
        "--record",
        "--out",
        folder,
    )
    assert tournament("--game", "beyond_maps", "--param", "size=6", "--workers", 1, *arguments).code == 0
    for line, record in zip(lines(folder), read_records(folder / "records.jsonl"), strict=True):
        assert replay(record).returns() == pytest.approx(line["returns"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--agents", "heuristic"), "agents"),
        (("--agents", "heuristic", "heuristic"), "each is named once"),
        (("--agents", "heuristic", "nobody"), "unknown agent 'nobody'"),
        (("--agents", "heuristic", "policies/nobody"), "no such folder"),
        (("--agents", "heuristic", "no_module:here"), "No module named 'no_module'"),
        (("--agents", "heuristic", f"{EXTERNAL}:nothing"), "has no function nothing"),
        (("--agents", "heuristic", f"{EXTERNAL}:raises_in_factory"), "KeyError"),
        (("--agents", "heuristic", f"{EXTERNAL}:returns_no_agent"), "no method act"),
        (("--agents", "heuristic", f"{EXTERNAL}:fails_at_needs_states"), "KeyError: 'needs_states'"),
        (("--agents", "heuristic", "program:no-such-program"), "program no-such-program not found"),
        (("--agents", "heuristic", "program:"), "expected program:COMMAND"),
        (("--agents", "heuristic", "random", "--games", 31), "one round of these agents has 32"),
        (("--agents", "heuristic", "random", "--precision", 0), "precision"),
        (("--agents", "heuristic", "random", "--time-limit", -1), "time_limit"),
        (("--agents", "heuristic", "random", "--param", "num_players=9"), "num_players"),
        ((), "no agents: name two or more"),
    ],
)
def test_invalid_input_is_a_one_line_error(
    here: Here, tmp_path: Path, arguments: tuple[object, ...], message: str
) -> None:
    line = here.fails(main, *GAME, *arguments, "--out", tmp_path / "out")
    assert message in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("agents: 5", "agents: "),
        ("agents: [random, 5]", "agents"),
        ("agents: [random, heuristic]\nparams: [1]", "params: "),
        ("agents: [random, heuristic]\ngame: [1]", "game: "),
    ],
)
@pytest.mark.parametrize("more", [(), ("--param", "num_players=2")])
def test_invalid_configuration_is_a_one_line_error(
    here: Here, tmp_path: Path, text: str, message: str, more: tuple[str, ...]
) -> None:
    file = tmp_path / "tournament.yaml"
    file.write_text(text, encoding="utf-8")
    assert message in here.fails(main, "--config", file, *more, "--out", tmp_path / "out")


@pytest.mark.parametrize(("agents", "players"), [(2, 2), (5, 2), (3, 3), (2, 4), (3, 4), (6, 4), (7, 6), (1, 2)])
def test_groups_fill_all_seats_and_seatings_are_balanced(agents: int, players: int) -> None:
    found = groups(agents, players)
    assert len(set(found)) == len(found)
    for numbers in found:
        assert len(numbers) == players
        assert max(Counter(numbers).values()) - min(Counter(numbers).values()) <= 1
        group = [f"agent {one}" for one in numbers]
        for number in range(3):
            drawn = seat_orders(group, number, 0)
            assert drawn == seat_orders(group[::-1], number, 0)
            counts = Counter((agent, seat) for seating in drawn for seat, agent in enumerate(seating))
            for agent in set(group):
                assert len({counts[agent, seat] for seat in range(players)}) == 1


@pytest.mark.parametrize(("agents", "players"), [(12, 4), (20, 2), (9, 5)])
def test_sampled_groups_are_balanced_over_pairs(agents: int, players: int) -> None:
    found = groups_of_round(agents, players, 0, 0)
    assert len(found) <= MAX_GROUPS
    met = Counter(pair for group in found for pair in itertools.combinations(group, 2))
    plays = Counter(agent for group in found for agent in group)
    assert max(plays.values()) - min(plays[agent] for agent in range(agents)) <= 2
    mean = sum(met.values()) / (agents * (agents - 1) / 2)
    assert max(met.values()) <= mean + 3
    assert len(set(found)) == len(found)
    assert all({2, 5} <= set(group) for group in groups_of_round(agents, players, 3, 0, [(2, 5)]))


def test_open_pairs_among_many_agents_play_once_per_round() -> None:
    assert groups_of_round(20, 2, 3, 0, [(7, 2), (2, 5)]) == [(2, 5), (2, 7)]
    some = groups_of_round(12, 4, 3, 0, [(2, 5), (7, 8)])
    assert len(set(some)) == len(some)
    meetings = [sum(set(pair) <= set(group) for group in some) for pair in ((2, 5), (7, 8))]
    usual = MAX_GROUPS * 6 / 66  # games per pair if all agents play
    assert min(meetings) >= usual
    assert max(meetings) <= usual + 2
    everybody = list(itertools.combinations(range(12), 2))
    assert len(groups_of_round(12, 4, 3, 0, everybody)) <= MAX_GROUPS


@pytest.mark.parametrize(
    "config", sorted((ROOT / "configs").rglob("tournament*.yaml")), ids=lambda path: path.parent.name
)
def test_shipped_configurations_are_playable(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    checked = parse(TournamentConfig, read_mapping(config), str(config))
    assert checked.game == config.parent.name
    game = checked.load_game()
    for name in checked.agents:
        if is_policy_folder(name):
            assert make_agent(name, game).name == name
    first_round = groups_of_round(len(checked.agents), game.num_players, 0, checked.seed)
    tables = [[checked.agents[one] for one in group] for group in first_round]
    needed = sum(len(seat_orders(table, 0, checked.seed)) for table in tables) * SEEDS_PER_MATCH
    assert 2 * needed <= checked.games, needed


def test_agent_names_are_not_parsed_as_mathtext(tmp_path: Path) -> None:
    row = {"rating": 1000.0, "low": 900.0, "high": 1100.0}
    names = ["program:./bot --k $^_$", "$a\\q$"]
    agents = [{"agent": name, **row} for name in names]
    pairs = [{"agent": names[0], "other": names[1], "score": 0.5}]
    document = {"agents": agents, "anchor": names[0], "pairs": pairs}
    draw_ratings(document, "title", tmp_path)
    draw_matrix(document, "title", tmp_path)
    assert "$^_$" in (tmp_path / "ratings.svg").read_text(encoding="utf-8")
