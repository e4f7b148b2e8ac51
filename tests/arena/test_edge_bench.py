"""Test `python -m agents.benchmark`: results, resuming, comparisons, references, costs of language models, input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agents.arena.anchored import AnchoredScale, Tally, outcomes_of
from agents.arena.leaderboard import LeaderboardConfig
from agents.arena.match_task import MatchPlayer, MatchTask
from agents.benchmark import main
from agents.benchmarking import store
from agents.benchmarking.model_costs import sample_calls
from agents.benchmarking.protocol import CELL_SEEDS, SLOW_BLOCK, Protocol, blocks_of, read_protocol
from agents.benchmarking.publish import measure_all, published_agents
from agents.benchmarking.references import read_references, reference_cells, references_of
from agents.benchmarking.scores import BoardGames, CellGames, Side, aggregate, bootstrap, improvement
from agents.benchmarking.store import BenchmarkFolder
from agents.common.configuration import parse, read_mapping
from agents.common.pages import BEGIN, END
from agents.players import digests
from agents.workers.opening import open_workers
from edge_envs import load_game
from edge_envs.players.perfect import is_solved
from edge_envs.players.random import RandomAgent
from tests.agents.players import untrained
from tests.arena.fake_server import KEY, FakeServer, legal_answer
from tests.docs.test_docs import FINISHED as OWN
from tests.programs import ROOT, Here, Outcome

PROTOCOL = """\
name: toy-bench
version: 3
seed: 1000
games: 8
quick_games: 4
references: {{file: {folder}/references.json, seed: 5000000, games: 20}}
everywhere: ["level:1", "level:4", "level:5"]
anchor: "level:5"
boards:
  falling_off: {{opponents: [perfect]}}
  falling_off_3p: {{games: 6}}
"""
EXTERNAL = "tests.arena.external_agents"


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small protocol with its references."""
    folder = tmp_path_factory.mktemp("protocol")
    path = folder / "protocol.yaml"
    path.write_text(PROTOCOL.format(folder=folder), encoding="utf-8")
    from agents.common.console import run

    with pytest.raises(SystemExit) as stopped:
        run(main, ["--references", "--config", str(path), "--workers", "1", "--out", str(folder / "games")])
    assert stopped.value.code == 0
    return path


@pytest.fixture
def bench(here: Here, protocol: Path, tmp_path: Path) -> Any:
    def call(*arguments: object, out: str = "run") -> Outcome:
        return here(main, "--config", protocol, "--workers", 1, "--out", tmp_path / out, *arguments)

    return call


@pytest.fixture(scope="module")
def measured(protocol: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Measure the heuristic and noisy play; tests must not write to the folders."""
    from agents.common.console import run

    folder = tmp_path_factory.mktemp("measured")
    for agent in ("heuristic", "noisy:0.5"):
        out = str(folder / agent.replace(":", "-"))
        with pytest.raises(SystemExit) as stopped:
            run(main, ["--agent", agent, "--config", str(protocol), "--workers", "1", "--out", out])
        assert stopped.value.code == 0
    return folder


def results_of(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_results_have_rates_scores_and_regret(measured: Path, protocol: Path) -> None:
    document = results_of(measured / "heuristic")
    assert (document["protocol"], document["mode"], document["stopped"]) == ("toy-bench v3", "full", "")
    assert list(document["boards"]) == ["falling_off", "falling_off_3p"]
    assert document["left_out"] == []
    two, three = document["boards"].values()
    assert [row["opponent"] for row in two["opponents"]] == ["level:1", "level:4", "level:5", "perfect"]
    assert [row.get("agent") for row in two["opponents"]] == ["random", "noisy:0.1", "heuristic", None]
    for board, games in ((two, 8), (three, 6)):
        assert board["score_low"] < board["score"] < board["score_high"]
        assert board["rating"]["low"] < board["rating"]["points"] < board["rating"]["high"]
        assert board["forfeits"] == 0
        for row in board["opponents"]:
            assert row["games"] == sum(outcome["games"] for outcome in row["outcomes"]) == games
            assert row["low"] <= row["win_rate"] <= row["high"]
            assert {outcome["seat"] for outcome in row["outcomes"]} == set(range(len(row["outcomes"][0]["returns"])))
    assert 0.0 < two["regret"]["per_game"] < 0.5
    assert two["regret"]["games"] == 8
    assert "regret" not in three
    summary = document["summary"]
    assert summary["boards"] == 2
    assert summary["interquartile_mean"] == pytest.approx((two["score"] + three["score"]) / 2)
    assert summary["low"] < summary["interquartile_mean"] < summary["high"]


def test_report_and_plot_are_written(measured: Path) -> None:
    document, folder = results_of(measured / "noisy-0.5"), measured / "noisy-0.5"
    text = (folder / "results.md").read_text(encoding="utf-8")
    assert f"**{document['summary']['interquartile_mean']:.1f}**" in text
    for name, board in document["boards"].items():
        assert re.search(rf"^\| {name} +\| +{board['score']:.1f} \|", text, re.MULTILINE)
    assert "python -m agents.benchmark --agent noisy:0.5" in text
    assert (folder / "scores.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert (folder / "scores.png").read_bytes().startswith(b"\x89PNG")


def test_stronger_play_has_a_higher_score(measured: Path) -> None:
    strong, weak = (results_of(measured / name)["summary"] for name in ("heuristic", "noisy-0.5"))
    assert strong["low"] > weak["high"]
    assert 60 < strong["interquartile_mean"] < 140


def test_killed_run_resumes_to_the_same_results(bench: Any, measured: Path, tmp_path: Path) -> None:
    whole = bench("--agent", "noisy:0.5", "--boards", "edge_envs/falling_off-v0", "--json")
    assert whole.code == 0
    document, games = json.loads(whole.out), tmp_path / "run" / "falling_off.jsonl"
    before = games.read_bytes()
    assert (
        document["boards"]["falling_off"]["score"]
        == results_of(measured / "noisy-0.5")["boards"]["falling_off"]["score"]
    )
    lines = before.splitlines(keepends=True)
    games.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:20])
    again = bench("--agent", "noisy:0.5", "--boards", "falling_off", "--json")
    changing = {"command": "", "date": "", "kept_games": 0}
    for board in (one := json.loads(again.out))["boards"].values():
        board["ms_per_decision"] = document["boards"]["falling_off"]["ms_per_decision"]
    assert {**one, **changing} == {**document, **changing}
    assert (document["kept_games"], one["kept_games"]) == (0, len(lines) // 2)
    untimed = [re.sub(rb'"seconds": \[[^]]*\]', b"", line) for line in lines]
    assert sorted(
        re.sub(rb'"seconds": \[[^]]*\]', b"", line) for line in games.read_bytes().splitlines(True)
    ) == sorted(untimed)


def test_finished_games_are_not_played_again(bench: Any, here: Here, tmp_path: Path) -> None:
    assert bench("--agent", "random", "--boards", "falling_off", "--quick").code == 0
    games = tmp_path / "run" / "falling_off.jsonl"
    before = games.read_bytes()
    more = bench("--agent", "random", "--boards", "falling_off", "falling_off_3p", "--quick")
    assert more.code == 0
    assert f"note: {len(before.splitlines())} of " in more.err
    assert "games were played before and kept; if the agent has read other files since" in more.err
    assert games.read_bytes() == before
    assert results_of(tmp_path / "run")["mode"] == "quick"
    assert "results of --quick are for trying out" in here(main, "--compare", *[tmp_path / "run"] * 2).err
    assert "Quick mode" in (tmp_path / "run" / "results.md").read_text(encoding="utf-8")
    outcome = bench("--agent", "random", "--boards", "falling_off")
    assert outcome.code == 2
    assert 'mode was "quick" and is "full"; name another folder by --out' in outcome.err


def test_forfeits_are_counted_and_end_with_exit_code_1(bench: Any, tmp_path: Path) -> None:
    outcome = bench("--agent", f"{EXTERNAL}:breaks_rules", "--boards", "falling_off", "--quick")
    assert outcome.code == 1
    assert "forfeited 16 games" in outcome.err
    board = results_of(tmp_path / "run")["boards"]["falling_off"]
    assert (board["forfeits"], board["games"]) == (16, 16)
    assert "illegal action" in board["why"]
    assert board["regret"]["per_game"] == pytest.approx(0.5, abs=0.1)  # the chance before the first decision differs
    assert board["score"] < 0


def test_protocol_is_found_from_any_folder(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = here(main, "--agent", "random", "--boards", "falling_off", "--quick", "--dry-run")
    assert outcome.code == 0
    assert "168 games in 7 cells on 1 board" in outcome.out


def test_policy_is_measured_on_the_boards_that_it_can_play(bench: Any, tmp_path: Path) -> None:
    folder = tmp_path / "policy"
    untrained(load_game("falling_off")).save(folder)
    outcome = bench("--agent", folder, "--dry-run")
    assert outcome.code == 0
    assert "16 games" not in outcome.out
    assert "32 games in 4 cells on 1 board" in outcome.out
    assert "note: falling_off_3p is left out: " in outcome.out
    assert not (tmp_path / "run").exists()
    assert bench("--agent", folder, "--boards", "falling_off_3p").code == 2


def test_board_without_references_has_rates_but_no_score(here: Here, protocol: Path, tmp_path: Path) -> None:
    text = protocol.read_text(encoding="utf-8").replace("references.json", "missing.json")
    (tmp_path / "other.yaml").write_text(text, encoding="utf-8")
    outcome = here(
        main, "--config", tmp_path / "other.yaml", "--workers", 1, "--out", tmp_path / "run", "--agent", "random",
        "--boards", "falling_off", "--quick",
    )  # fmt: skip
    assert outcome.code == 0
    assert "--references --boards falling_off makes them" in outcome.err
    document = results_of(tmp_path / "run")
    assert (document["summary"], document["boards"]["falling_off"]["score"]) == (None, None)
    assert "no board has a normalized score" in here.fails(main, "--compare", tmp_path / "run", tmp_path / "run")


def test_comparison_has_the_probability_of_improvement(here: Here, measured: Path) -> None:
    strong, weak = measured / "heuristic", measured / "noisy-0.5" / "results.json"
    document = json.loads(here(main, "--compare", strong, weak, "--json").out)
    assert (document["samples"], document["a"]["agent"], document["b"]["agent"]) == ("games", "heuristic", "noisy:0.5")
    assert document["difference"]["low"] > 0
    assert 0.5 < document["improvement"]["low"] < document["improvement"]["estimate"] < document["improvement"]["high"]
    assert [row["board"] for row in document["boards"]] == ["falling_off", "falling_off_3p"]
    same = json.loads(here(main, "--compare", strong, strong, "--json").out)
    assert same["difference"]["estimate"] == 0
    assert same["improvement"]["estimate"] == pytest.approx(0.5)
    table = here(main, "--compare", strong, weak).out
    assert f"**{document['improvement']['estimate']:.3f}**" in table


@pytest.fixture
def three_runs(measured: Path, tmp_path: Path) -> Path:
    """Write the results of three runs, which differ by one point each."""
    text = (measured / "heuristic" / "results.json").read_text(encoding="utf-8")
    for number in range(3):
        document = json.loads(text)
        for board in document["boards"].values():
            board["score"] += number
        (tmp_path / "runs" / f"run-{number}").mkdir(parents=True)
        (tmp_path / "runs" / f"run-{number}" / "results.json").write_text(json.dumps(document), encoding="utf-8")
    return tmp_path / "runs"


def test_folders_of_several_runs_are_compared_by_runs(here: Here, measured: Path, three_runs: Path) -> None:
    document = json.loads(here(main, "--compare", three_runs, measured / "noisy-0.5", "--json").out)
    assert (document["samples"], document["a"]["runs"], document["b"]["runs"]) == ("runs", 3, 1)
    assert document["improvement"]["estimate"] == 1.0
    assert document["a"]["low"] < document["a"]["estimate"] < document["a"]["high"]


def test_runs_of_one_agent_are_aggregated(here: Here, measured: Path, three_runs: Path) -> None:
    document = json.loads(here(main, "--compare", three_runs, "--json").out)
    scores = [board["score"] for board in results_of(measured / "heuristic")["boards"].values()]
    assert (document["samples"], document["runs"], document["agent"]) == ("runs", 3, "heuristic")
    assert [row["estimate"] for row in document["boards"]] == pytest.approx([score + 1 for score in scores])
    assert document["low"] <= document["estimate"] <= document["high"]
    table = here(main, "--compare", three_runs).out
    assert f"over all boards and 3 runs: **{document['estimate']:.1f}**" in table
    one = json.loads(here(main, "--compare", measured / "heuristic", "--json").out)
    assert (one["samples"], one["runs"]) == ("games", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing to do: name one of --agent, --compare, --references, --publish"),
        (("--agent", "random", "--references"), "--agent and --references exclude each other"),
        (("--agent", "nobody"), "unknown agent 'nobody'"),
        (("--agent", "random", "--boards", "falling_of"), "did you mean 'falling_off'?"),
        (("--agent", "random", "--boards", "beyond_maps"), "choose from falling_off, falling_off_3p"),
        (("--agent", "perfect", "--boards", "falling_off_3p"), "falling_off_3p: no perfect player"),
        (("--agent", "random", "--games", 8), "--games needs --references"),
        (("--references", "--games", 100_001), "--games 100001: a pair of references has at most 100,000 games"),
        (("--references", "--dry-run"), "--dry-run needs --agent"),
        (("--compare", "here.json"), "here.json"),
        (("--compare", "a", "b", "c"), "expected one or two files or folders with results, not 3"),
        (("--compare", "here.json", "there.json"), "here.json"),
        (("--compare", "tests", "tests"), "tests: no results.json in this folder"),
        (("--publish", "README.md", "--agent", "random"), "--agent and --publish exclude each other"),
    ],
)
def test_invalid_input_is_a_one_line_error(bench: Any, arguments: tuple[object, ...], message: str) -> None:
    outcome = bench(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    (line,) = outcome.err.splitlines()
    assert line.startswith("error: ")
    assert message in line


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("anchor", '"level:2"', "anchor: 'level:2' is not in everywhere"),
        ("seed", "-1", "seed"),
        ("games", "0", "games"),
        ("games", "200_000", "at most 100,000 are possible"),
        ("boards", "{chess: {}}", "unknown game 'chess'"),
        ("boards", "{falling_off_3p: {opponents: ['level:6']}}", "unknown level 6"),
        ("boards", "{falling_off: {opponents: ['level:5']}}", "boards.falling_off: duplicate opponent"),
        ("boards", "{falling_off: {games_against: {perfect: 8}}}", "games_against: 'perfect' is not an opponent there"),
        ("colour", "red", "colour"),
    ],
)
def test_invalid_protocol_is_a_one_line_error(
    here: Here, protocol: Path, tmp_path: Path, key: str, value: str, message: str
) -> None:
    text = re.sub(rf"(?ms)^{key}: ?.*?(?=^\w|\Z)", "", protocol.read_text(encoding="utf-8"))
    (tmp_path / "wrong.yaml").write_text(f"{text}{key}: {value}\n", encoding="utf-8")
    assert message in here.fails(main, "--config", tmp_path / "wrong.yaml", "--agent", "random")


def with_outcome(document: Any, outcome: Any) -> Any:
    """Add an outcome to the references of a board."""
    document["boards"]["falling_off"]["outcomes"].append(outcome)
    return document


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d | {"protocol": "other v1"}, "these are the references of other v1, not of toy-bench v3"),
        (lambda d: d | {"boards": {"chess": d["boards"]["falling_off"]}}, "unknown game 'chess'"),
        (lambda d: with_outcome(d, [[0, 9], [0, 1], 1]), "boards.falling_off: invalid ratings or outcomes"),
        (lambda d: with_outcome(d, [[0, 1], [0, 1], -1]), "boards.falling_off"),
        (lambda d: [], "references.json"),
    ],
)  # fmt: skip
def test_invalid_references_are_a_one_line_error(
    here: Here, protocol: Path, tmp_path: Path, change: Any, message: str
) -> None:
    document = json.loads((protocol.parent / "references.json").read_text(encoding="utf-8"))
    (tmp_path / "references.json").write_text(json.dumps(change(document)), encoding="utf-8")
    (tmp_path / "p.yaml").write_text(PROTOCOL.format(folder=tmp_path), encoding="utf-8")
    assert message in here.fails(main, "--config", tmp_path / "p.yaml", "--agent", "random")


def test_damaged_games_are_a_one_line_error(bench: Any, tmp_path: Path) -> None:
    assert bench("--agent", "random", "--boards", "falling_off", "--quick").code == 0
    games = tmp_path / "run" / "falling_off.jsonl"
    line = json.loads(games.read_text(encoding="utf-8").splitlines()[0])
    for wrong in ({"seat": 2}, {"seed": 1}, {"opponent": "level:9"}, {"returns": [1.0]}, {"seconds": [-1.0, 0.0]}):
        games.write_text(f"{json.dumps({**line, **wrong})}\n", encoding="utf-8")
        outcome = bench("--agent", "random", "--boards", "falling_off", "--quick")
        assert outcome.code == 2
        assert f"{games}:1" in outcome.err.splitlines()[-1]


def test_references_of_other_boards_are_kept(here: Here, protocol: Path, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PROTOCOL.format(folder=tmp_path), encoding="utf-8")
    before = (protocol.parent / "references.json").read_bytes()
    (tmp_path / "references.json").write_bytes(before)
    arguments = ("--references", "--config", tmp_path / "p.yaml", "--workers", 1, "--out", tmp_path / "games")
    outcome = here(main, *arguments, "--boards", "falling_off_3p", "--games", 6)
    assert outcome.code == 0
    boards = read_references(read_protocol(tmp_path / "p.yaml"))
    assert {name: board.games_per_pair for name, board in boards.items()} == {"falling_off": 20, "falling_off_3p": 6}


def test_table_is_written_into_a_page(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = tmp_path / "page.md"
    page.write_text("# Page\n", encoding="utf-8")
    monkeypatch.setattr(
        "agents.benchmarking.publish.published_agents",
        lambda *_: {"heuristic": ["falling_off"]},
    )
    assert bench("--publish", page, "--boards", "falling_off", "--quick").code == 2
    page.write_text(f"# Page\n\n{BEGIN}\nold\n{END}\n\nend\n", encoding="utf-8")
    assert bench("--publish", page, "--boards", "falling_off", "--quick").code == 0
    text = page.read_text(encoding="utf-8")
    assert "old" not in text
    assert text.endswith("\nend\n")
    for name, score in (("level:1", r"0\.0"), ("perfect", r"100\.0"), ("heuristic", r"-?[0-9.]+ ± [0-9.]+")):
        assert re.search(rf"^\| `{name}` +\| +{score} +\|$", text, re.MULTILINE), name
    assert (tmp_path / "run" / "heuristic-quick" / "results.json").exists()


# The shipped protocol.


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


def duel_outcomes(rng: np.random.Generator, strengths: list[float], games: int) -> tuple[list[Any], list[Any]]:
    """Draw games of all pairs of agents with given strengths."""
    seats, returns = [], []
    for one in range(len(strengths)):
        for other in range(one):
            for game in range(games):
                pair = (one, other) if game % 2 else (other, one)
                first = rng.random() < 1 / (1 + np.exp(strengths[pair[1]] - strengths[pair[0]]))
                seats.append(pair)
                returns.append((1, -1) if first else (-1, 1))
    return seats, returns


def test_agent_is_placed_at_the_strength_of_an_equal_reference() -> None:
    rng = np.random.default_rng(1)
    strengths = [0.0, 1.0, 2.0]
    references = Tally.of(outcomes_of(*duel_outcomes(rng, strengths, 2000), 2))
    seats, returns = duel_outcomes(rng, [*strengths, 1.5], 2000)
    games = [at for at, pair in enumerate(seats) if 3 in pair]
    own = Tally.of(outcomes_of([seats[at] for at in games], [returns[at] for at in games], 2))
    scale = AnchoredScale(references, 3, 2, own.outcomes)
    strength = scale.place(own.counts)
    low, high = scale.interval(strength, own.counts)
    assert low < scale.strengths[0] + 1.5 < high
    assert high - low < 0.25
    assert scale.points(float(scale.strengths[2])) == pytest.approx(1000.0)
    lost = ((own.outcomes.seats == 3) & (own.outcomes.ranks == 1)).any(axis=1)
    assert scale.place(own.counts * np.where(lost, 3.0, 1.0)) < strength


def test_derivatives_are_those_of_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    returns = rng.choice([-1.0, 0.0, 1.0], size=(60, 1)) * np.array([1.0, -1.0])
    references = Tally.of(outcomes_of([(0, 1)] * 60, returns.tolist(), 2))
    possible = outcomes_of([(2, 0), (1, 2), (2, 1)], [(1, -1), (1, -1), (0, 0)], 2)
    scale = AnchoredScale(references, 2, 0, possible)
    for number in range(3):
        counts, step = np.eye(3)[number], 1e-4
        losses = [scale._loss(0.3 + side * step, counts) for side in (-1, 0, 1)]
        slopes, bends = scale.derivatives(0.3)
        numerical = -(losses[2] - losses[0]) / (2 * step) + scale.prior * 0.3
        assert slopes[number] == pytest.approx(numerical, abs=1e-5)
        curvature = (losses[2] - 2 * losses[1] + losses[0]) / step**2 - scale.prior
        assert bends[number] == pytest.approx(curvature, abs=1e-4)


def test_draws_that_references_never_had_are_possible() -> None:
    references = Tally.of(outcomes_of([(0, 1), (1, 0)], [(-1, 1), (1, -1)], 2))
    possible = outcomes_of([(2, 0), (2, 1)], [(0, 0), (0, 0)], 2)
    scale = AnchoredScale(references, 2, 1, possible)
    strength = scale.place(np.array([50.0, 50.0]))
    assert scale.strengths[0] < strength < scale.strengths[1]


def board(name: str, score: float, slopes: list[float], returns: list[float]) -> BoardGames:
    cell = CellGames(np.array(slopes), np.full(len(slopes), 0.25), np.array(returns))
    return BoardGames(name, score, 0.0, 0.0, -1.0, 2.0, (cell,))


def test_interquartile_mean_is_that_of_all_runs_and_boards() -> None:
    scores = np.random.default_rng(0).normal(size=(5, 6))
    side = Side([[board("b", score, [0.0, 0.0], [0.0, 0.0]) for score in column] for column in scores.T])
    mean, low, high = aggregate(side)
    assert mean == pytest.approx(stats.trim_mean(scores.ravel(), 0.25))
    assert low < mean < high


def test_interval_of_one_agent_is_that_of_its_resampled_games() -> None:
    slopes = [0.5] * 200 + [-0.5] * 200
    side = Side([[board("b", 50.0, slopes, slopes)]])
    mean, low, high = aggregate(side)
    assert mean == pytest.approx(50.0)
    deviation = 100.0 / 2.0 * 0.5 * 400**0.5 / (0.25 * 400)  # of the sum of slopes, by the information
    assert (high - low) / 2 == pytest.approx(1.96 * deviation, rel=0.1)


def test_probability_of_improvement_is_the_mann_whitney_statistic() -> None:
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 4, 30).astype(float), rng.integers(1, 4, 20).astype(float)
    one, other = (Side([[board("b", 0.0, [0.0] * len(x), x.tolist())]]) for x in (left, right))
    expected = stats.mannwhitneyu(left, right).statistic / (30 * 20)
    found, low, high = improvement(one, other)
    assert found == pytest.approx(expected)
    assert low < found < high


def test_single_samples_are_not_resampled() -> None:
    assert bootstrap([1, 1], lambda chosen: np.asarray(3.0)) == (3.0, 3.0, 3.0)


# Language models.


@pytest.fixture
def model(server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MODEL_KEY", KEY)

    def write(**more: Any) -> str:
        path = tmp_path / "model.yaml"
        lines = {
            "url": server.url, "model": "parrot", "key_variable": "MODEL_KEY", "price_in": 2.0, "price_out": 10.0,
            "transcripts": str(tmp_path / "transcript.jsonl"), **more,
        }  # fmt: skip
        path.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in lines.items()), encoding="utf-8")
        return f"chat:{path}"

    return write


def test_costs_of_a_model_are_estimated_before_any_call(bench: Any, server: FakeServer, model: Any) -> None:
    outcome = bench("--agent", model(max_cost=3.5), "--boards", "falling_off", "--quick", "--dry-run")
    assert (outcome.code, server.requests) == (0, [])
    row = next(line for line in outcome.out.splitlines() if line.startswith("| falling_off "))
    cells = [cell.strip().replace(",", "") for cell in row.strip("|").split("|")]
    games, letters, calls, prompt, answers, cost = (float(cells[at]) for at in (1, 3, 4, 5, 6, 7))
    assert games == 16
    sample = sample_calls(load_game("falling_off"))
    assert calls == pytest.approx(games * sample.calls, abs=1)
    assert prompt == pytest.approx(calls * letters / 4, rel=0.01)
    assert answers == pytest.approx(calls * 200, rel=0.01)
    assert cost == pytest.approx((2 * prompt + 10 * answers) / 1e6, abs=0.01)
    assert "max_cost 3.5" in outcome.out
    document = json.loads(bench("--agent", model(), "--boards", "falling_off", "--quick", "--dry-run", "--json").out)
    assert (document["games"], document["boards"]["falling_off"]["perfect"]) == (16, 4)
    assert [row["board"] for row in document["costs"]] == ["falling_off", "all"]
    assert server.requests == []


@pytest.mark.parametrize(
    ("limit", "most"), [("max_calls", 90), ("max_tokens", 9000), ("max_cost", 0.025)]
)  # 107 tokens and 0.00027 per call
def test_limit_stops_the_run_and_keeps_its_results(
    bench: Any, server: FakeServer, model: Any, tmp_path: Path, limit: str, most: float
) -> None:
    agent = model(**{limit: most})
    arguments = ("--agent", agent, "--boards", "falling_off", "--quick")
    outcome = bench(*arguments)
    assert outcome.code == 1
    assert f"{limit} {most:,} is reached by " in outcome.err.splitlines()[-1]
    assert 80 < len(server.requests) < 100
    document = results_of(tmp_path / "run")
    assert limit in document["stopped"]
    games = document["boards"]["falling_off"]["games"]
    assert 0 < games < document["boards"]["falling_off"]["planned_games"] == 16
    told = document["language_model"]
    assert (told["model"], told["retries"], told["answers"]) == ("parrot", 2, len(server.requests))
    report = (tmp_path / "run" / "results.md").read_text(encoding="utf-8")
    assert "Stopped before the end" in report
    assert re.search(rf"prompt tokens +\| `{100 * len(server.requests):,}` ", report)
    used = len(server.requests)
    assert bench(*arguments).code == 1
    assert len(server.requests) == used  # no new call, and paid answers are used again


@pytest.mark.parametrize("limit", [{"max_tokens": 9000}, {"max_cost": 0.025}])
def test_limit_that_the_server_does_not_report_stops_the_run(
    bench: Any, server: FakeServer, model: Any, limit: dict[str, float]
) -> None:
    def without_usage(request: dict[str, Any]) -> Any:
        status, headers, body = legal_answer(request)
        document = json.loads(body)
        del document["usage"]
        return status, headers, json.dumps(document).encode()

    server.answer = without_usage
    outcome = bench("--agent", model(**limit), "--boards", "falling_off", "--quick")
    assert outcome.code in (1, 2)
    assert "because the server reports no tokens" in outcome.err.splitlines()[-1]
    assert 0 < len(server.requests) <= 16  # those in flight at the first answer


@pytest.mark.parametrize("place", ["file/transcript.jsonl", "folder", "/proc/transcript.jsonl"])
def test_transcripts_that_cannot_be_written_are_an_error_before_any_call(
    bench: Any, server: FakeServer, model: Any, tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    outcome = bench("--agent", model(transcripts=str(tmp_path / place)), "--boards", "falling_off", "--quick")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1].startswith("error: ")
    assert str(tmp_path / place) in outcome.err.splitlines()[-1]
    assert server.requests == []


def test_raised_limit_continues_the_run(bench: Any, server: FakeServer, model: Any, tmp_path: Path) -> None:
    assert bench("--agent", model(max_calls=90), "--boards", "falling_off", "--quick").code == 1
    outcome = bench("--agent", model(), "--boards", "falling_off", "--quick", "--json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert document["boards"]["falling_off"]["games"] == 16
    assert document["stopped"] == ""
    assert len(server.requests) == document["boards"]["falling_off"]["decisions"]


def test_limit_without_a_finished_game_is_a_one_line_error(bench: Any, server: FakeServer, model: Any) -> None:
    outcome = bench("--agent", model(max_calls=3), "--boards", "falling_off", "--quick")
    assert (outcome.code, outcome.out) == (2, "")
    assert "max_calls 3 is reached by 3 calls" in outcome.err.splitlines()[-1]
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"max_calls": 5, "transcripts": None}, "max_calls: set transcripts also"),
        ({"max_cost": 5.0, "price_in": 0.0, "price_out": 0.0}, "max_cost: set price_in and price_out also"),
        ({"max_tokens": -1}, "max_tokens"),
    ],
)
def test_invalid_limit_is_a_one_line_error(bench: Any, model: Any, more: dict[str, Any], message: str) -> None:
    outcome = bench("--agent", model(**more), "--boards", "falling_off", "--quick")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err.splitlines()[-1]


def test_calls_of_a_game_are_decisions_of_the_seat() -> None:
    game = load_game("falling_off_3p")
    sample = sample_calls(game, games=3)
    assert 3 < sample.by_heuristic < 200
    assert sample.calls == max(sample.by_heuristic, sample.by_random)
    assert 1000 < sample.letters < 20_000
