"""Test `python -m agents.benchmark`: results, resuming, comparisons, references, input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.benchmark import main
from agents.benchmarking.protocol import read_protocol
from agents.benchmarking.publish import PublishedBoard, PublishedScore, PublishedScores, publish, read_scores
from agents.benchmarking.references import read_references
from agents.common.console import run
from agents.common.pages import BEGIN, END
from edge_envs import load_game
from tests.agents.players import untrained
from tests.arena.edge_bench import PROTOCOL, results_of
from tests.programs import ROOT, Here

EXTERNAL = "tests.arena.external_agents"


@pytest.fixture(scope="module")
def measured(protocol: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Measure the heuristic and noisy play; tests must not write to the folders."""
    folder = tmp_path_factory.mktemp("measured")
    for agent in ("heuristic", "noisy:0.5"):
        out = str(folder / agent.replace(":", "-"))
        with pytest.raises(SystemExit) as stopped:
            run(main, ["--agent", agent, "--config", str(protocol), "--workers", "1", "--out", out])
        assert stopped.value.code == 0
    return folder


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
    assert 'mode was "quick" and is "full"; name another folder with --out' in outcome.err


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
    scores = json.loads((tmp_path / "page" / "scores.json").read_text(encoding="utf-8"))
    assert list(scores["boards"]) == ["falling_off"]
    assert list(scores["boards"]["falling_off"]["agents"]) == ["heuristic"]


def test_publishing_keeps_other_boards_and_updates_model_cards(
    bench: Any, protocol: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, card = tmp_path / "page.md", tmp_path / "policy" / "README.md"
    card.parent.mkdir()
    for file in (page, card):
        file.write_text(f"# Page\n\n{BEGIN}\n{END}\n", encoding="utf-8")
    rules, own = read_protocol(protocol), PublishedScore(score=50.0, half_width=2.0)
    kept = PublishedBoard(date="2026-01-01", command="by hand", agents={card.parent.as_posix(): own})
    quick, full = (
        PublishedScores(protocol=rules.title, quick=q, boards={"falling_off_3p": kept}) for q in (True, False)
    )
    before = card.read_text(encoding="utf-8")
    publish(rules, full, page)
    monkeypatch.setattr("agents.benchmarking.publish.PAGE", page)
    publish(rules, quick, page)
    assert card.read_text(encoding="utf-8") == before  # only the page of the documentation and the full mode count
    publish(rules, full, page)
    assert "| `falling_off_3p` | 50.0 ± 2.0 |" in card.read_text(encoding="utf-8")
    publish(rules, quick, page)
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("agents.benchmarking.publish.published_agents", lambda *_: {"heuristic": ["falling_off"]})
    assert bench("--publish", page, "--boards", "falling_off", "--quick").code == 0
    again = read_scores(page, rules, quick=True)
    assert again.boards["falling_off_3p"] == kept
    assert list(again.boards) == ["falling_off", "falling_off_3p"]
    assert "measured on 2026-01-01 by this command:" in page.read_text(encoding="utf-8")
    refused = bench("--publish", page, "--boards", "falling_off")
    assert f"these are scores of the quick mode under {rules.title}, not of the full mode" in refused.err
    other = page.rename(tmp_path / "page.txt")
    assert "ends with .md" in bench("--publish", other, "--boards", "falling_off", "--quick").err
