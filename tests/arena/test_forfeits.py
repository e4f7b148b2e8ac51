"""Test forfeits of agents in a tournament: errors, exits, late answers, suspended processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.arena.match import Played
from agents.arena.match_task import MOST_ENDS, MatchPlayer, MatchTask, play_matches
from agents.arena.pairings import SEEDS_PER_MATCH, MatchSpec
from agents.workers.opening import open_workers
from agents.workers.task import DiedError
from edge_envs import read_records, replay
from edge_envs.replays import scenes
from tests.arena.tournaments import EXTERNAL, GAME, lines, rules
from tests.programs import ROOT

SAVED_MESSAGES = {
    "surrogate_error": "ValueError: half \\ud800",
    "unprintable_error": "UnprintableError: it cannot say why",
    "long_error": "ValueError: " + "x" * 285 + "...",
}


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
    [
        ("raises_base", "CancelledError: cancelled"),
        ("interrupts", "ended the process that asked it"),
        ("exits_in_message", "ExitingError: it cannot say why"),
        ("exits_in_answer", "SystemExit: no numbers"),
        ("exits_in_list", "SystemExit: no numbers"),
    ],
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
