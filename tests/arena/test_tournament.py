"""Test `python -m agents.tournament`: results, resuming, joining agents, forfeits, invalid input."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.arena.lines import Reader
from agents.arena.match import Played
from agents.arena.match_task import MOST_ENDS, MatchPlayer, MatchTask, play_matches
from agents.arena.pairings import MAX_GROUPS, SEEDS_PER_MATCH, MatchSpec, groups, groups_of_round, seat_orders
from agents.arena.plots import draw_matrix, draw_ratings
from agents.arena.store import Store
from agents.arena.tournament import Rounds, TournamentConfig, play_tournament
from agents.common.configuration import parse, read_mapping
from agents.players import digests
from agents.players.agent import is_policy_folder, make_agent
from agents.players.digests import files_hash, made_of
from agents.tournament import main
from agents.workers.opening import open_workers
from agents.workers.task import DiedError
from edge_envs import load_game, read_records, replay
from edge_envs.replays import scenes
from tests.programs import ROOT, Here, Outcome, program

EXTERNAL = "tests.arena.external_agents"
GAME = ("--game", "falling_off", "--workers", "1")
SAVED_MESSAGES = {
    "surrogate_error": "ValueError: half \\ud800",
    "unprintable_error": "UnprintableError: it cannot say why",
    "long_error": "ValueError: " + "x" * 285 + "...",
}


@pytest.fixture
def tournament(here: Here) -> Any:
    def call(*arguments: object) -> Outcome:
        return here(main, *arguments)

    return call


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a tournament; tests must not write to its folder."""
    out = tmp_path_factory.mktemp("finished") / "tournament"
    arguments = ("--agents", "random", "heuristic", f"{EXTERNAL}:first", "--games", "200", "--out", str(out))
    done = program("-m", "agents.tournament", *GAME, *arguments)
    assert done.returncode == 0, done.stderr
    return out


def lines(folder: Path, name: str = "games") -> list[Any]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


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


def test_same_command_reuses_the_existing_games(finished: Path, tmp_path: Path, tournament: Any) -> None:
    shutil.copytree(finished, tmp_path / "again")
    before = (tmp_path / "again" / "games.jsonl").stat()
    arguments = ("--agents", "random", "heuristic", f"{EXTERNAL}:first", "--games", 200, "--out", tmp_path / "again")
    outcome = tournament(*GAME, *arguments, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out) == json.loads((finished / "standings.json").read_text(encoding="utf-8"))
    assert (tmp_path / "again" / "games.jsonl").read_bytes() == (finished / "games.jsonl").read_bytes()
    assert before.st_size == (finished / "games.jsonl").stat().st_size


@pytest.mark.parametrize("cut", [1, 700, 5000])
def test_interrupted_tournament_resumes_to_the_same_games(
    finished: Path, tmp_path: Path, tournament: Any, cut: int
) -> None:
    folder = tmp_path / "cut"
    shutil.copytree(finished, folder)
    for name, more in (("games", 0), ("times", 40)):
        data = (finished / f"{name}.jsonl").read_bytes()
        (folder / f"{name}.jsonl").write_bytes(data[: max(0, len(data) * 2 // 3 - cut + more)])
    arguments = ("--agents", "random", "heuristic", f"{EXTERNAL}:first", "--games", 200, "--out", folder)
    assert tournament(*GAME, *arguments).code == 0
    assert (folder / "games.jsonl").read_bytes() == (finished / "games.jsonl").read_bytes()
    assert len(lines(folder, "times")) == len(lines(folder))


def test_killed_tournament_resumes_to_the_same_games_with_other_workers(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    arguments = ["--agents", "random", "heuristic", f"{EXTERNAL}:first", "--games", "200", "--out", str(folder)]
    command = [sys.executable, "-m", "agents.tournament", "--game", "falling_off", *arguments, "--workers", "2"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while not (folder / "games.jsonl").exists():
                assert process.poll() is None
                time.sleep(0.01)
        finally:
            os.kill(process.pid, signal.SIGKILL)
    done = program(*command[1:])
    assert done.returncode == 0, done.stderr
    assert (folder / "games.jsonl").read_bytes() == (finished / "games.jsonl").read_bytes()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 1.0])
def test_planned_rounds_do_not_depend_on_interruptions(tmp_path: Path, share: float) -> None:
    config = TournamentConfig(game="falling_off", agents=["random", "heuristic", "turn", "perfect"], games=4000)
    whole, cut = (Store(tmp_path / name, Reader(config.load_game(), 0)) for name in ("whole", "cut"))
    for store in (whole, cut):
        store.folder.mkdir()
        store.open({}, dict.fromkeys(config.agents, ""))
    planned = simulate_rounds(config, whole)
    assert len(planned) > 3
    matches = [match for some in planned for match in some]
    for match in matches[: int(share * len(matches))]:
        cut.add(match, simulate_match(match))
    assert simulate_rounds(config, cut) == planned
    assert cut.lines == whole.lines


def simulate_rounds(config: TournamentConfig, store: Store) -> list[list[MatchSpec]]:
    """Simulate a tournament; return the matches of each round."""
    rounds, planned = Rounds(config, 2), []
    while matches := rounds.next(store):
        planned.append(matches)
        for match in matches:
            if not store.knows(match):
                store.add(match, simulate_match(match))
    return planned


def simulate_match(match: MatchSpec) -> list[Played]:
    """Simulate games that the alphabetically later agent wins slightly more often, deterministically."""
    rng = random.Random(f"{match.seats} {match.first}")
    first = 0.5 + 0.03 * ((match.seats[0] > match.seats[1]) - (match.seats[0] < match.seats[1]))
    wins = (2.0 * (rng.random() < first) - 1.0 for _ in range(SEEDS_PER_MATCH))
    return [Played(deal, [win, -win], [1, 1], [0.0, 0.0], []) for deal, win in zip(match.numbers, wins, strict=True)]


def test_matches_finished_out_of_order_survive_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One match is slow; the program is killed before it ends, right after it, and while files are written."""
    config = TournamentConfig(
        game="falling_off", agents=["random", "heuristic"], games=16 * SEEDS_PER_MATCH, record=True
    )

    def play(folder: Path, config: TournamentConfig = config) -> None:
        with open_workers(1) as workers:
            play_tournament(config, folder, workers, lambda text, done, total: None)

    play(tmp_path / "whole")
    whole, folder = files_of(tmp_path / "whole"), tmp_path / "cut"
    finished_matches: list[MatchSpec] = []

    def last_first(rules: MatchTask, matches: Sequence[MatchSpec], workers: Any) -> Any:
        for match in matches[:0:-1][:3]:
            finished_matches.append(match)
            yield match, MatchPlayer(rules).play(match.seats, match.numbers)
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.arena.tournament.play_matches", last_first)
    for kept in (3, 6, 7):
        with pytest.raises(KeyboardInterrupt):
            play(folder)
        assert not (folder / "games.jsonl").exists()
        assert (
            len((folder / "early.jsonl").read_text(encoding="utf-8").splitlines()) == kept == len(set(finished_matches))
        )
    early = (folder / "early.jsonl").read_text(encoding="utf-8")
    monkeypatch.undo()
    with pytest.raises(ValueError, match="this folder has another tournament: time_limit was null and is 5"):
        play(folder, config.model_copy(update={"time_limit": 5.0}))
    with (folder / "early.jsonl").open("a", encoding="utf-8") as file:
        file.write(early[:100])  # cut off
    play(folder)
    assert files_of(folder) == whole
    (folder / "early.jsonl").write_text(early, encoding="utf-8")  # killed before the file was removed
    play(folder)
    assert files_of(folder) == whole
    for wrong in ("{}", "[1]", early.splitlines()[0].replace('\\"deal\\": ', '\\"deal\\": 9', 1), early[:100]):
        (folder / "early.jsonl").write_text(wrong + "\n", encoding="utf-8")
        with pytest.raises(ValueError, match=r"early\.jsonl:1: "):
            play(folder)


def files_of(folder: Path) -> dict[str, str]:
    """Read the files of a folder, except the times."""
    names = {path.name for path in folder.iterdir()} - {"times.jsonl"}
    return {name: (folder / name).read_text(encoding="utf-8") for name in names}


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


def test_joining_agents_play_only_their_own_games(finished: Path, tmp_path: Path, tournament: Any) -> None:
    folder = tmp_path / "joined"
    shutil.copytree(finished, folder)
    arguments = ("--agents", "random", "heuristic", f"{EXTERNAL}:first", f"{EXTERNAL}:breaks_rules")
    outcome = tournament(*GAME, *arguments, "--games", 300, "--out", folder, "--json")
    assert outcome.code == 0
    before, after = lines(finished), lines(folder)
    assert after[: len(before)] == before
    added = after[len(before) :]
    assert all(f"{EXTERNAL}:breaks_rules" in line["seats"] for line in added)
    row = next(row for row in json.loads(outcome.out)["agents"] if row["agent"].endswith("breaks_rules"))
    assert row["forfeits"] == row["games"] == len(added)
    assert sum(row["forfeit_reasons"].values()) == len(added)
    standings = (folder / "standings.md").read_text(encoding="utf-8")
    for why, games in row["forfeit_reasons"].items():
        assert why
        assert re.search(rf"breaks_rules` *\| *{games} \| `{re.escape(why)}", standings)


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


def test_record_of_a_forfeited_game_names_the_forfeiting_seat(tmp_path: Path, tournament: Any) -> None:
    arguments = (
        "--agents",
        "random",
        f"{EXTERNAL}:breaks_rules",
        "--games",
        2 * SEEDS_PER_MATCH,
        "--record",
        "--out",
        tmp_path,
    )
    assert tournament(*GAME, *arguments, "--workers", 1).code == 0
    for line, record in zip(lines(tmp_path), read_records(tmp_path / "records.jsonl"), strict=True):
        assert record["forfeit"] == line["forfeit"]
        assert record["returns"] == line["returns"]
        assert len([player for player, _ in record["history"] if player >= 0]) == line["length"]
        assert not replay(record).is_terminal()
        *_, end = scenes(record)
        assert end.texts[-1] == f"forfeited by player {line['forfeit']['seat']}"


def test_truncated_records_are_repaired(tmp_path: Path, tournament: Any) -> None:
    arguments = (
        *GAME,
        "--agents",
        "random",
        "heuristic",
        "--games",
        2 * SEEDS_PER_MATCH,
        "--record",
        "--out",
        tmp_path,
    )
    assert tournament(*arguments).code == 0
    whole = {name: (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("games", "times", "records")}
    for name in ("games", "times"):
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(whole[name].splitlines(keepends=True)[:SEEDS_PER_MATCH]), encoding="utf-8"
        )
    cut = len("".join(whole["records"].splitlines(keepends=True)[:SEEDS_PER_MATCH])) + 50
    (tmp_path / "records.jsonl").write_text(whole["records"][:cut], encoding="utf-8")
    assert tournament(*arguments).code == 0
    assert {name: (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("games", "records")} == {
        name: whole[name] for name in ("games", "records")
    }


def rules(limit: float | None = None) -> MatchTask:
    game = load_game("falling_off")
    return MatchTask(game.name, game.params_dict(), game.min_utility, 0, limit)


def test_agent_that_ends_the_process_forfeits_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = 2  # a new process starts after each
    monkeypatch.setattr("agents.arena.pairings.SEEDS_PER_MATCH", numbers)
    matches = [MatchSpec((f"{EXTERNAL}:dies", "heuristic"), 0), MatchSpec(("heuristic", "random"), 0)]
    with open_workers(2) as workers:
        games = dict(play_matches(rules(), matches, workers))
    died, others = (games[match] for match in matches)
    assert [(one.forfeit, one.returns) for one in died] == [(0, [-1.0, 1.0])] * numbers
    assert died[0].why == "ended the process that asked it"
    assert [one.forfeit for one in others] == [None] * numbers


@pytest.mark.parametrize(
    ("factory", "whys"),
    [
        ("dies_in_factory", ["ended the process that asked it"] * 3),
        ("hangs_in_factory", ["never came back", *["never came back in a game before"] * 2]),
        ("hangs", ["never came back", *["never came back in a game before"] * 2]),
    ],
)
def test_agent_that_exits_or_hangs_forfeits(monkeypatch: pytest.MonkeyPatch, factory: str, whys: list[str]) -> None:
    """A hanging agent times out twice per match: in all parallel games, and in the first game alone."""
    monkeypatch.setattr("agents.arena.pairings.SEEDS_PER_MATCH", 3)
    monkeypatch.setattr(MatchTask, "timeout", 2.0)
    with open_workers(1) as workers:
        ((_, played),) = play_matches(rules(), [MatchSpec(("random", f"{EXTERNAL}:{factory}"), 0)], workers)
    assert [one.why for one in played] == whys
    assert [(one.seed, one.forfeit, one.returns) for one in played] == [(deal, 1, [1.0, -1.0]) for deal in range(3)]


def test_agent_that_keeps_ending_the_process_forfeits_the_rest_of_the_match() -> None:
    processes, match = 0, MatchSpec((f"{EXTERNAL}:dies", "heuristic"), 0)

    def submit(job: Any) -> list[Played]:
        nonlocal processes
        processes += 1
        raise DiedError(0, hung=False)

    played = rules().run(submit, match)
    whys = ["ended the process that asked it"] * MOST_ENDS
    assert [one.why for one in played] == whys + ["ended the process in 3 games before"] * (SEEDS_PER_MATCH - MOST_ENDS)
    assert [(one.seed, one.forfeit, one.returns) for one in played] == [
        (deal, 0, [-1.0, 1.0]) for deal in range(SEEDS_PER_MATCH)
    ]
    assert processes == 2 + MOST_ENDS


def test_agent_that_occasionally_ends_the_process_forfeits_only_these_games() -> None:
    player, match = MatchPlayer(rules()), MatchSpec(("random", "heuristic"), 0)

    def submit(job: Any) -> list[Played]:
        seats, numbers = job
        if len(numbers) > 1 or numbers[0] % 3 < MOST_ENDS - 1:
            raise DiedError(1, hung=False)
        return player.play(seats, numbers)

    forfeits = [one.forfeit for one in rules().run(submit, match)]
    assert forfeits == [1 if deal % 3 < MOST_ENDS - 1 else None for deal in range(SEEDS_PER_MATCH)]


@pytest.mark.parametrize(
    ("factory", "why"),
    [("raises_base", "CancelledError: cancelled"), ("interrupts", "ended the process that asked it")],
)
def test_errors_of_agents_print_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], factory: str, why: str
) -> None:
    monkeypatch.setattr("agents.arena.pairings.SEEDS_PER_MATCH", 1)
    with open_workers(1) as workers:
        ((_, played),) = play_matches(rules(), [MatchSpec(("random", f"{EXTERNAL}:{factory}"), 0)], workers)
    assert {(one.forfeit, one.why) for one in played} == {(1, why)}
    assert "Traceback" not in capfd.readouterr().err


def suspend(processes: Sequence[int], seconds: float) -> None:
    """Suspend processes for some seconds."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    time.sleep(seconds)
    for process in processes:
        os.kill(process, signal.SIGCONT)


def wait_for_pid(path: Path) -> int:
    """Wait for the process id that an agent writes at a decision."""
    while not (path.exists() and path.read_text(encoding="utf-8")):
        time.sleep(0.02)
    return int(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("whole", [True, False], ids=["with its workers", "alone"])
def test_suspending_the_program_causes_no_forfeit(tmp_path: Path, whole: bool) -> None:
    arguments = (
        "--agents",
        "random",
        f"{EXTERNAL}:reports_pid",
        "--games",
        2 * SEEDS_PER_MATCH,
        "--time-limit",
        2,
        "--out",
        tmp_path,
    )
    command = [sys.executable, "-m", "agents.tournament", *GAME, *map(str, arguments)]
    file = tmp_path / "pid"
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PID_FILE": str(file)}) as process:
        worker = wait_for_pid(file)
        suspend([process.pid, worker] if whole else [process.pid], 3.5)
    assert process.returncode == 0
    assert [line.get("forfeit") for line in lines(tmp_path)] == [None] * 2 * SEEDS_PER_MATCH


def test_suspended_worker_does_not_count_as_hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pid"
    monkeypatch.setattr("agents.arena.pairings.SEEDS_PER_MATCH", 2)
    monkeypatch.setattr(MatchTask, "timeout", 1.5)
    monkeypatch.setenv("PID_FILE", str(file))
    other = threading.Thread(target=lambda: suspend([wait_for_pid(file)], 4.0))
    other.start()
    with open_workers(1) as workers:
        ((_, played),) = play_matches(rules(), [MatchSpec(("random", f"{EXTERNAL}:reports_pid"), 0)], workers)
    other.join()
    assert [one.forfeit for one in played] == [None, None]


def test_raw_writes_of_agents_do_not_reach_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    with open_workers(1) as workers:
        ((_, played),) = play_matches(rules(), [MatchSpec(("random", f"{EXTERNAL}:writes_to_stdout"), 0)], workers)
    assert [one.forfeit for one in played] == [None] * len(played)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "I scribble" in captured.err


def test_process_killed_once_changes_no_game() -> None:
    match = MatchSpec(("random", "heuristic"), 0)
    player = MatchPlayer(rules())
    answers: list[Any] = [DiedError(0, hung=False)]

    def submit(job: Any) -> list[Played]:
        if answers:
            raise answers.pop()
        return player.play(*job)

    played = rules().run(submit, match)
    assert [one.actions for one in played] == [one.actions for one in player.play(match.seats, match.numbers)]


@pytest.mark.parametrize("error", ["surrogate_error", "unprintable_error", "long_error"])
def test_error_message_of_an_agent_is_saved_as_one_short_line(tmp_path: Path, tournament: Any, error: str) -> None:
    agents = ("--agents", "random", f"{EXTERNAL}:{error}")
    assert tournament(*GAME, *agents, "--games", 2 * SEEDS_PER_MATCH, "--out", tmp_path).code == 0
    messages = {line["forfeit"]["why"] for line in lines(tmp_path)}
    assert messages == {SAVED_MESSAGES[error]}


def test_output_of_agents_does_not_mix_with_json(tmp_path: Path, tournament: Any) -> None:
    outcome = tournament(
        *GAME, "--agents", "random", f"{EXTERNAL}:prints", "--games", 2 * SEEDS_PER_MATCH, "--out", tmp_path, "--json"
    )
    assert {row["agent"] for row in json.loads(outcome.out)["agents"]} == {"random", f"{EXTERNAL}:prints"}


def test_late_agent_forfeits() -> None:
    with open_workers(1) as workers:
        ((_, played),) = play_matches(rules(0.05), [MatchSpec(("heuristic", f"{EXTERNAL}:sleeps"), 0)], workers)
    assert {(one.forfeit, one.why) for one in played} == {(1, "more than 0.05 s for a decision")}


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


def test_rejected_start_does_not_block_the_folder(tmp_path: Path, here: Here, tournament: Any) -> None:
    arguments = (*GAME, "--agents", "random", "heuristic", "--out", tmp_path)
    here.fails(main, *arguments, "--games", 1)
    assert (tmp_path / "rules.json").exists()
    tournament(*arguments, "--seed", 1, "--games", 32)
    assert len(lines(tmp_path)) == 32


def test_folder_of_another_tournament_is_rejected(finished: Path, tmp_path: Path, here: Here) -> None:
    folder = tmp_path / "other"
    shutil.copytree(finished, folder)
    arguments = ("--agents", "random", "heuristic", "--out", folder)
    line = here.fails(main, *GAME, *arguments, "--seed", 1)
    assert "this folder has another tournament: seed was 0 and is 1" in line
    with (folder / "games.jsonl").open("r+", encoding="utf-8") as file:
        file.write("{nothing}")
    line = here.fails(main, *GAME, *arguments)
    assert "games.jsonl:1: not JSON" in line


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ([], "Input should be an object"),
        ({"decisions": []}, "decisions: 0 values for 2 players"),
        ({"decisions": [1, -1]}, "decisions.1: "),
        ({"decisions": [1.5, 1]}, "decisions.0: "),
        ({"length": 10**6}, "length: these are "),
        ({"seats": ["random"]}, "seats: 1 values for 2 players"),
        ({"seats": ["random", 5]}, "seats.1: "),
        ({"returns": [1.0, -1.0, 0.0]}, "returns: 3 values for 2 players"),
        ({"returns": [float("nan"), 1.0]}, "returns.0: "),
        ({"returns": [float("inf"), 1.0]}, "returns.0: "),
        ({"returns": [1e308, -1.0]}, "returns: expected -1 to 1"),
        ({"returns": [True, False]}, "returns.0: "),
        ({"seed": 7}, "seed: deal 0 has the seed 9223372036854775808"),
        ({"deal": -1}, "deal: "),
        ({"forfeit": {"seat": "x", "why": ""}}, "forfeit.seat: "),
        ({"forfeit": {"seat": 2, "why": ""}}, "forfeit.seat: expected 0 to 1"),
        ({"forfeit": 5}, "forfeit: "),
        ({"more": 5}, "more: "),
    ],
)
def test_invalid_game_line_is_named(finished: Path, tmp_path: Path, here: Here, change: Any, message: str) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(finished, folder)
    first, *others = lines(finished)
    damaged = first | change if change else change
    (folder / "games.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (damaged, *others)), "utf-8")
    arguments = ("--agents", "random", "heuristic", "--games", 64, "--out", folder)
    line = here.fails(main, *GAME, *arguments)
    assert f"games.jsonl:1: {message}" in line


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([], "seconds: 0 values for 2 players"),
        ({}, "seconds: "),
        ([0.1, -1.0], "seconds.1: "),
        ([0.1, float("nan")], "seconds.1: "),
        ([0.1, "1"], "seconds.1: "),
    ],
)
def test_invalid_times_line_is_named(finished: Path, tmp_path: Path, here: Here, times: Any, message: str) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(finished, folder)
    first, _, *others = lines(finished, "times")
    (folder / "times.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (first, times, *others)), "utf-8")
    arguments = ("--agents", "random", "heuristic", "--games", 64, "--out", folder)
    assert f"times.jsonl:2: {message}" in here.fails(main, *GAME, *arguments)


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


def test_inconsistent_files_lose_no_game(tmp_path: Path, here: Here, tournament: Any) -> None:
    arguments = (
        *GAME,
        "--agents",
        "random",
        "heuristic",
        "--games",
        2 * SEEDS_PER_MATCH,
        "--record",
        "--out",
        tmp_path,
    )
    assert tournament(*arguments).code == 0
    games, records = ((tmp_path / f"{name}.jsonl").read_bytes() for name in ("games", "records"))
    (tmp_path / "records.jsonl").write_bytes(b"".join(records.splitlines(keepends=True)[: SEEDS_PER_MATCH + 3]))
    assert tournament(*arguments).code == 0
    assert [(tmp_path / f"{name}.jsonl").read_bytes() for name in ("games", "records")] == [games, records]
    for name in ("times", "records"):
        kept = (tmp_path / f"{name}.jsonl").rename(tmp_path / "elsewhere")
        assert f"{name}.jsonl: missing file" in here.fails(main, *arguments)
        assert (tmp_path / "games.jsonl").read_bytes() == games
        kept.rename(tmp_path / f"{name}.jsonl")


def test_search_with_a_policy_is_identified_by_its_weights() -> None:
    game, shipped = load_game("falling_off"), "policies/falling_off/ppo"
    assert files_hash(f"search:50:{shipped}") == files_hash(shipped) == made_of(shipped, game) != ""
    assert made_of(f"search:50:{shipped}", game) not in (made_of("search:50", game), made_of(shipped, game), "")


def test_external_agent_is_identified_by_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: Here, tournament: Any
) -> None:
    game = load_game("falling_off")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "inner").mkdir()
    module, bot, net = tmp_path / "inner" / "known_by_file.py", tmp_path / "bot.py", tmp_path / "net.bin"
    module.write_text("from tests.arena.external_agents import first\n", encoding="utf-8")
    bot.write_text("1", encoding="utf-8")
    net.write_text("1", encoding="utf-8")
    function, program = "inner.known_by_file:first", f"program:{sys.executable} bot.py --net=net.bin"
    assert made_of("program:true", game) == made_of("no_such.module:first", game) == ""
    before = made_of(function, game), made_of(program, game)
    assert "inner.known_by_file" not in sys.modules
    arguments = (*GAME, "--agents", "random", function, "--games", 2 * SEEDS_PER_MATCH, "--out", tmp_path / "out")
    assert tournament(*arguments).code == 0
    module.write_text("from tests.arena.external_agents import first  # better\n", encoding="utf-8")
    assert made_of(function, game) != before[0] != ""
    for file in (bot, net):
        file.write_text("2", encoding="utf-8")
        assert made_of(program, game) != before[1] != ""
        file.write_text("1", encoding="utf-8")
    assert made_of(program, game) == before[1]
    line = here.fails(main, *arguments)
    assert f"{function}: changed since its games in" in line


def test_built_in_agent_is_identified_by_its_sources(tmp_path: Path) -> None:
    game, others = load_game("falling_off"), load_game("beyond_maps")
    assert made_of("random", game) == made_of("level:1", game) == ""
    assert made_of("heuristic", game) == made_of("level:5", game) != made_of("heuristic", others)
    assert made_of("turn", game) == made_of("search:50", game) != made_of("heuristic", game)
    for name in ("rules.py", "pieces/dice.py", "search.json"):
        folder = tmp_path / name
        shutil.copytree(game.type.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
        before = digests._sources.__wrapped__(folder)
        (folder / "cover.svg").write_text("", encoding="utf-8")
        assert digests._sources.__wrapped__(folder) == before
        (folder / name).parent.mkdir(exist_ok=True)
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n")
        assert digests._sources.__wrapped__(folder) != before


@pytest.mark.parametrize("known", ["", "0123456789abcdef"])
def test_changed_built_in_agent_is_rejected(finished: Path, tmp_path: Path, here: Here, known: str) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(finished, folder)
    rules = json.loads((folder / "rules.json").read_text(encoding="utf-8"))
    rules["agents"]["heuristic"] = known
    (folder / "rules.json").write_text(json.dumps(rules), encoding="utf-8")
    arguments = ("--agents", "random", "heuristic", "--games", 64, "--out", folder)
    line = here.fails(main, *GAME, *arguments)
    assert "heuristic: changed since its games in" in line


def test_agent_names_are_not_parsed_as_mathtext(tmp_path: Path) -> None:
    row = {"rating": 1000.0, "low": 900.0, "high": 1100.0}
    names = ["program:./bot --k $^_$", "$a\\q$"]
    agents = [{"agent": name, **row} for name in names]
    pairs = [{"agent": names[0], "other": names[1], "score": 0.5}]
    document = {"agents": agents, "anchor": names[0], "pairs": pairs}
    draw_ratings(document, "title", tmp_path)
    draw_matrix(document, "title", tmp_path)
    assert "$^_$" in (tmp_path / "ratings.svg").read_text(encoding="utf-8")
