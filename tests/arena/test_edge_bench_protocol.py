"""Test the shipped protocol of `python -m agents.benchmark`, and how its games are divided."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.arena.leaderboard import LeaderboardConfig
from agents.arena.match_task import MatchPlayer, MatchTask
from agents.benchmark import main
from agents.benchmarking import store
from agents.benchmarking.protocol import CELL_SEEDS, SLOW_BLOCK, Protocol, blocks_of, read_protocol
from agents.benchmarking.publish import measure_all, published_agents
from agents.benchmarking.references import read_references, reference_cells, references_of
from agents.benchmarking.store import BenchmarkFolder
from agents.common.configuration import parse, read_mapping
from agents.players import digests
from agents.workers.opening import open_workers
from edge_envs import load_game
from edge_envs.players.perfect import is_solved
from edge_envs.players.random import RandomAgent
from tests.docs.test_docs import FINISHED as OWN
from tests.programs import ROOT, Here


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Protocol:
    monkeypatch.chdir(ROOT)
    return read_protocol("configs/edge-bench-v1.yaml")


def test_shipped_protocol_has_the_leaderboards_boards_and_all_levels_but_trained_ones(shipped: Protocol) -> None:
    leaderboard = parse(LeaderboardConfig, read_mapping("configs/leaderboard.yaml"), "leaderboard")
    assert list(shipped.boards) == list(leaderboard.boards)
    assert sorted(shipped.boards) == sorted(
        name for game_type in OWN for name, variant in game_type.variants.items() if variant.board
    )
    for name in shipped.boards:
        game = load_game(name)
        levels = [f"level:{number}" for number, agent in enumerate(game.levels, 1) if not agent.startswith("trained:")]
        assert shipped.opponents(name) == [*levels, *(["perfect"] if is_solved(game) else [])]


def test_shipped_protocol_uses_seeds_of_its_own(shipped: Protocol) -> None:
    leaderboard = parse(LeaderboardConfig, read_mapping("configs/leaderboard.yaml"), "leaderboard")
    cells = [cell for name in shipped.boards for cell in shipped.cells(name, "random", quick=False)]
    assert all(cell.per_seat <= CELL_SEEDS for cell in cells)
    last = shipped.seed + max(cell.first for cell in cells) + CELL_SEEDS
    assert last <= 21_000_000 <= shipped.references.seed < leaderboard.seed


def test_shipped_references_fit_the_protocol(shipped: Protocol) -> None:
    boards = read_references(shipped)
    for name in boards:
        known = references_of(shipped, boards, name, load_game(name))
        assert known is not None, f"{name}: python -m agents.benchmark --references --boards {name}"
        ratings = [points for points, _, _ in boards[name].ratings]
        assert ratings[0] < ratings[-1]


def test_the_shipped_protocol_has_its_references_in_any_folder(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = json.loads(here(main, "--agent", "random", "--dry-run", "--json").out)
    assert (len(plan["boards"]), plan["unscored"]) == (15, [])


def test_policies_are_measured_on_the_boards_that_they_were_made_for(shipped: Protocol) -> None:
    agents = published_agents(list(shipped.boards))
    assert agents["policies/falling_off/ppo"] == ["falling_off"]
    assert agents["policies/over_the_edge/flat_earth_4"] == ["over_the_edge_4p"]
    assert agents["policies/beyond_maps/from_rules_12x12"] == ["beyond_maps_12x12"]
    assert "policies/beyond_maps/5x5" not in agents  # its board is not in the protocol


# Blocks, and statistics.


def test_slow_opponents_have_fewer_games(shipped: Protocol) -> None:
    (board,) = (name for name, board in shipped.boards.items() if board.games_against)
    for cell in shipped.cells(board, "random", quick=False):
        assert cell.games == shipped.boards[board].games_against.get(cell.opponent, shipped.games)
    assert {cell.games for cell in shipped.cells(board, "random", quick=True)} == {shipped.quick_games}
    for cell in reference_cells(shipped, board, 600):
        assert cell.games == (240 if "level:6" in (cell.agent, cell.opponent) else 600)


def test_a_run_with_a_model_keeps_its_id_before_the_first_finished_game(
    shipped: Protocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "is_chat", lambda name: True)
    cells = {"falling_off": shipped.cells("falling_off", "random", quick=True)}
    first, second, other = (BenchmarkFolder(tmp_path) for _ in range(3))
    first.open({"agent": "chat"}, cells)
    second.open({"agent": "chat"}, cells)
    assert first.begun == second.begun != ""
    other.open({"agent": "another"}, cells)
    assert other.begun != first.begun


def test_every_block_of_a_model_has_an_id_of_its_own() -> None:
    game, ids = load_game("falling_off"), []

    class Joining(RandomAgent):
        def join_match(self, begun: str, match: str) -> None:
            ids.append(match)

    task = MatchTask(game.name, game.params_dict(), game.min_utility, 0, None, ("random",), "run", SLOW_BLOCK)
    player = MatchPlayer(task)
    player._agents["random"] = Joining()
    for first in (0, 1, SLOW_BLOCK, 2 * SLOW_BLOCK):  # the second is what is left of the first block
        player.play(("random", "random"), [first])
    assert ids[::2] == ["random random 0", "random random 0", "random random 1", "random random 2"]


def test_a_board_without_policies_cannot_be_published(shipped: Protocol) -> None:
    message = "no policy in policies plays ghost_ship_small"
    with open_workers(1) as team, pytest.raises(ValueError, match=message):
        measure_all(shipped, ["ghost_ship_small"], True, None, team, lambda what, done, total: None, "")


def test_what_plays_a_trained_policy_is_part_of_its_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def sources(folder: Path) -> bytes:
        seen.append(folder.name)
        return b""

    monkeypatch.setattr(digests, "_sources", sources)
    digests.made_of("trained", load_game("beyond_maps_8x8"))
    assert {"core", "beyond_maps", "trained", "ntuple", "search"} <= set(seen)


def test_blocks_cover_every_game_once(shipped: Protocol) -> None:
    for board in ("falling_off", "falling_off_6p"):
        for agent in ("random", "chat:model.yaml"):
            cells = shipped.cells(board, agent, quick=True)
            keys = [(b.cell.opponent, b.seat, number) for b in blocks_of(cells) for number in b.numbers]
            assert len(set(keys)) == len(keys) == sum(cell.total for cell in cells)
            assert all(block.seats[block.seat] == agent for block in blocks_of(cells))
    cells = shipped.cells("falling_off", "chat:model.yaml", quick=True)
    assert {block.cell.opponent for block in blocks_of(cells)[: 2 * len(cells)]} == {cell.opponent for cell in cells}
