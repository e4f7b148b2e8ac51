"""Test `python -m agents.tournament` in a folder with games: resuming, joining agents, damaged and foreign files."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.arena.lines import Reader
from agents.arena.match import Played
from agents.arena.match_task import MatchPlayer, MatchTask
from agents.arena.pairings import SEEDS_PER_MATCH, MatchSpec
from agents.arena.store import Store
from agents.arena.tournament import Rounds, TournamentConfig, play_tournament
from agents.players import digests
from agents.players.digests import files_hash, made_of
from agents.tournament import main
from agents.workers.opening import open_workers
from edge_envs import load_game
from tests.arena.tournaments import EXTERNAL, GAME, lines
from tests.programs import ROOT, Here, program


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


def with_records(folder: Path) -> tuple[object, ...]:
    """Return the arguments of a short tournament that saves records."""
    players = ("--agents", "random", "heuristic")
    return (*GAME, *players, "--games", 2 * SEEDS_PER_MATCH, "--record", "--out", folder)


def test_truncated_records_are_repaired(tmp_path: Path, tournament: Any) -> None:
    arguments = with_records(tmp_path)
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


def test_inconsistent_files_lose_no_game(tmp_path: Path, here: Here, tournament: Any) -> None:
    arguments = with_records(tmp_path)
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
