"""Test `python -m agents.evaluate` within this process: its table, JSON and errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents.players.agent
from agents.evaluate import main
from agents.evaluation.matches import play_match
from agents.evaluation.report import evaluate_against, rates
from agents.evaluation.tables import evaluation_table
from agents.external import objects
from agents.external.objects import ObjectAgent
from agents.players.agent import make_agent
from edge_envs import Game
from edge_envs.games.over_the_edge.map.charts import read_source
from tests.agents.players import Stubborn, untrained
from tests.arena.external_agents import CallbackAgent
from tests.programs import Here, Outcome

GAME = ("--game", "falling_off")
EXTERNAL = "tests.arena.external_agents"


MOVES = """
import os
import pathlib
import tempfile

os.chdir(os.path.dirname(__file__))

class Agent:
    needs_states = False

    def act(self, observations, action_masks, states, players, rng):
        assert pathlib.Path("weights.txt").read_text() == "1"
        os.chdir("..")
        os.chdir(os.path.dirname(__file__))
        return action_masks.argmax(axis=1)


def make(game):
    return Agent()


def leave(game):
    os.chdir("/")
    return Agent()


def vanish(game):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
    return Agent()
"""


@pytest.fixture
def evaluate(here: Here) -> Any:
    def call(*arguments: object) -> Outcome:
        return here(main, *arguments)

    return call


@pytest.fixture
def fails(here: Here) -> Any:
    def call(*arguments: object) -> str:
        return here.fails(main, *arguments)

    return call


def test_json_output_is_a_single_object(evaluate: Any) -> None:
    outcome = evaluate(
        *GAME, "--agent", "heuristic", "--against", "random", "heuristic", "perfect", "--games", 40, "--json"
    )
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 1
    d = json.loads(outcome.out)
    assert (d["game"], d["agent"], d["seed"], d["illegal"]) == ("falling_off", "heuristic", 0, 0)
    assert d["params"] == {"num_players": 2, "play_on": False}
    assert [row["opponent"] for row in d["against"]] == ["random", "heuristic", "perfect"]
    for row in d["against"]:
        assert [seat["games"] for seat in row["seats"]] == [20, 20]
        assert 0.0 <= row["low"] <= row["win_rate"] <= row["high"] <= 1.0
        assert row["games_per_second"] > 0
        assert ("estimate" in row) == (row["opponent"] == "perfect")
    assert [sorted(seat) for seat in d["against"][2]["estimate_seats"]] == [["estimate", "half_width"]] * 2


def test_table_is_plain_text_without_a_terminal(evaluate: Any) -> None:
    outcome = evaluate(*GAME, "--agent", "heuristic", "--against", "random", "--against", "perfect", "--games", 20)
    assert outcome.code == 0
    assert "\x1b" not in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    for words in ("heuristic plays falling_off", "random", "perfect", "  player 1", "±", "Forfeits: 0 in "):
        assert words in outcome.out
    assert re.search(r"^  all seats +20 [01]\.\d{3} +[01]\.\d{3} to [01]\.\d{3} ", outcome.out, re.MULTILINE)


def test_numbers_of_numpy_are_seeds_and_counts(falling_off: Game) -> None:
    agent = make_agent("random", falling_off)
    numbers: Any = np.int64(6), np.uint64(5)
    one, other = (evaluate_against(falling_off, agent, agent, *given).match for given in (numbers, (6, 5)))
    assert one.returns.tolist() == other.returns.tolist()
    assert rates([1.0, -1.0])["win_rate"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "invalid games=0: expected an integer from 1"),
        ({"games": -5}, "invalid games=-5"),
        ({"games": True}, "invalid games=True"),
        ({"games": 2.0}, r"invalid games=2\.0"),
        ({"games": 2, "seed": None}, r"invalid seed=None: expected an integer from 0 to 2\*\*64 - 1$"),
        ({"games": 2, "seed": -1}, "invalid seed=-1"),
    ],
)
def test_invalid_games_and_seeds_of_an_evaluation(falling_off: Game, arguments: Any, message: str) -> None:
    agent = make_agent("random", falling_off)
    with pytest.raises(ValueError, match=message):
        evaluate_against(falling_off, agent, agent, **arguments)


def test_a_mean_return_that_rounds_to_zero_has_no_minus_sign() -> None:
    results = {"games": 2, "win_rate": 0.5, "low": 0.1, "high": 0.9, "draws": 0, "mean_return": -1e-9}
    row = {**results, "opponent": "random", "games_per_second": 1.0, "seats": [{**results, "seat": 0}]}
    document = {"game": "falling_off", "params": {}, "agent": "random", "against": [row]}
    assert evaluation_table(document).count("+0.0000") == 2


@pytest.mark.parametrize("name", ["[/x]", "[bold]x[/bold]", "x\\"])
def test_map_name_with_markup_is_printed_verbatim(evaluate: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "own.json").write_text(json.dumps({**read_source("pond"), "name": name}), encoding="utf-8")
    outcome = evaluate(
        "--game", "over_the_edge", "--agent", "random", "--against", "random", "--games", 2,
        "--param", f"map={tmp_path / 'own.json'}", "max_turns=10",
    )  # fmt: skip
    assert outcome.code == 0
    title = outcome.out.splitlines()[0]
    assert title == f"random plays over_the_edge (num_players=2, map=<map {name!r}>, boarding=True, max_turns=10)"


def test_folder_name_with_markup_is_printed_verbatim(
    evaluate: Any, falling_off: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    untrained(falling_off).save("[/x]")
    outcome = evaluate("--agent", "[/x]", "--against", "[/x]", "--games", 2)
    assert outcome.code == 0
    first, *others = outcome.out.splitlines()
    assert first.startswith("[/x] plays falling_off")
    assert "against [/x]" in others


def test_long_policy_path_is_not_wrapped(evaluate: Any, falling_off: Game, tmp_path: Path) -> None:
    folder = tmp_path / ("a long name of many words " * 5) / "policy"
    untrained(falling_off).save(folder)
    lines = evaluate("--agent", folder, "--against", folder, "random", "--games", 2).out.splitlines()
    assert lines[0].startswith(f"{folder} plays falling_off")
    assert f"against {folder}" in lines
    assert all(len(line) <= 80 for line in lines if str(folder) not in line)


def test_evaluation_uses_its_own_seed_range(evaluate: Any, match_seeds: list[int]) -> None:
    for seed in (0, 7):
        assert evaluate(*GAME, "--agent", "random", "--against", "random", "--games", 4, "--seed", seed).code == 0
    assert match_seeds == [2**63, 2**63 + 7]


def test_estimates_appear_only_against_the_perfect_agent(evaluate: Any) -> None:
    assert "estimate" not in evaluate(*GAME, "--agent", "random", "--against", "random", "--games", 4).out


def test_game_parameters_are_applied(evaluate: Any) -> None:
    outcome = evaluate(
        *GAME, "--agent", "heuristic", "--against", "random", "--games", 6, "--json",
        "--param", "num_players=3", "play_on=true",
    )  # fmt: skip
    d = json.loads(outcome.out)
    assert d["params"] == {"num_players": 3, "play_on": True}
    assert [seat["games"] for seat in d["against"][0]["seats"]] == [2, 2, 2]


def test_game_defaults_to_that_of_the_policy(evaluate: Any, policy_folder: Path) -> None:
    d = json.loads(evaluate("--agent", policy_folder, "--against", "random", "--games", 10, "--json").out)
    assert (d["game"], d["agent"]) == ("falling_off", str(policy_folder))
    against = json.loads(evaluate("--agent", "random", "--against", policy_folder, "--games", 10, "--json").out)
    assert against["against"][0]["opponent"] == policy_folder.as_posix()


def test_seed_determines_the_games(evaluate: Any) -> None:
    def wins(seed: int) -> list[float]:
        outcome = evaluate(
            *GAME, "--agent", "heuristic", "--against", "heuristic", "--games", 60, "--json", "--seed", seed
        )
        return [seat["win_rate"] for seat in json.loads(outcome.out)["against"][0]["seats"]]

    assert wins(1) == wins(1)
    assert wins(1) != wins(1000)


def test_other_games_can_be_evaluated(evaluate: Any) -> None:
    outcome = evaluate("--game", "kuhn", "--agent", "heuristic", "--against", "random", "--games", 20, "--json")
    assert json.loads(outcome.out)["against"][0]["games"] == 20


def test_illegal_actions_are_reported_with_exit_code_1(
    evaluate: Any, falling_off: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = agents.players.agent.make_agent
    monkeypatch.setattr(
        agents.players.agent, "make_agent", lambda name, game: Stubborn(-1) if name == "stubborn" else make(name, game)
    )
    outcome = evaluate(*GAME, "--agent", "stubborn", "--against", "random", "perfect", "--games", 6, "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["illegal"] == 12
    assert outcome.err.splitlines()[-1] == "error: stubborn played 12 illegal actions"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", "chess", "--agent", "random", "--against", "random"), "unknown game 'chess'"),
        ((*GAME, "--agent", "godlike", "--against", "random"), "unknown agent 'godlike'"),
        ((*GAME, "--agent", "runs/nothing", "--against", "random"), "runs/nothing: no such folder"),
        ((*GAME, "--agent", "random", "--against", "./godlike"), "./godlike: no such folder"),
        ((*GAME, "--agent", "random", "--against", "random", "--seed", str(2**63)), "there are 2**63 games"),
        (
            (*GAME, "--agent", "random", "--against", "random", "--param", "play_on=!!bool x"),
            "--param play_on: not YAML",
        ),
        ((*GAME, "--agent", "random", "--against", "random", "--param", "num_players=1e999"), "num_players=inf"),
        ((*GAME, "--agent", "random", "--against", "random", "godlike"), "unknown agent 'godlike'"),
        (("--agent", "random", "--against", "random"), "no game: name one"),
        ((*GAME, "--agent", "random", "--against", "random", "--param", "speed=3"), "unknown parameter 'speed'"),
        ((*GAME, "--agent", "random", "--against", "random", "--param", "num_players=9"), "num_players=9"),
        ((*GAME, "--agent", "random", "--against", "random", "--param", "num_players"), "write name=value"),
        (
            (*GAME, "--agent", "random", "--against", "random", "--param", "num_players=3", "num_players=2"),
            "duplicate --param num_players",
        ),
        ((*GAME, "--agent", "random", "--against", "perfect", "--param", "num_players=3"), "no perfect player"),
        ((*GAME, "--agent", ".", "--against", "random"), ".: this folder has no policy.json"),
    ],
)
def test_invalid_arguments_are_one_line_errors(fails: Any, arguments: tuple[str, ...], message: str) -> None:
    assert message in fails(*arguments, "--games", 4)


def test_unusable_policy_is_a_one_line_error(fails: Any, policy_folder: Path) -> None:
    options = ("--agent", policy_folder, "--against", "random", "--games", 4)
    assert "made for the game 'falling_off'" in fails("--game", "kuhn", *options)
    assert "made for num_players=2 instead of this game's num_players=3" in fails(*options, "--param", "num_players=3")
    (policy_folder / "policy.safetensors").write_bytes(b"")
    assert "policy.safetensors: cannot be read" in fails(*options)
    (policy_folder / "policy.json").write_text("{", encoding="utf-8")
    assert "policy.json: not JSON" in fails(*options)


@pytest.mark.parametrize("arguments", [("--games", "0"), ("--games", "many"), ("--seed", "-1"), ("--colour", "red")])
def test_invalid_options_are_reported(evaluate: Any, arguments: tuple[str, ...]) -> None:
    outcome = evaluate(*GAME, "--agent", "random", "--against", "random", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert arguments[0] in outcome.err
    assert "Traceback" not in outcome.err


def test_failing_external_agent_forfeits_its_game(evaluate: Any) -> None:
    outcome = evaluate(*GAME, "--agent", f"{EXTERNAL}:fails_late", "--against", "heuristic", "--games", 6, "--json")
    document = json.loads(outcome.out)
    assert outcome.code == 1
    assert 0 < document["illegal"] <= 6
    assert document["against"][0]["losses"] >= document["illegal"]
    assert outcome.err.splitlines()[-1].endswith("illegal actions (KeyError: 'too long a game')")


@pytest.mark.parametrize(
    ("opponent", "message"),
    [
        (f"{EXTERNAL}:fails_late", "KeyError: 'too long a game'"),
        (f"{EXTERNAL}:breaks_rules", "illegal action"),
        (f"{EXTERNAL}:exits", "SystemExit: bye"),
        ("program:false", "ended with exit code 1"),
    ],
)
@pytest.mark.parametrize("game", [GAME, ("--game", "falling_off", "--param", "num_players=3")])
def test_failing_external_opponent_forfeits_its_games(
    evaluate: Any, game: tuple[str, ...], opponent: str, message: str
) -> None:
    arguments = (*game, "--agent", "heuristic", "--against", "random", opponent, "--games", 6)
    outcome = evaluate(*arguments, "--json")
    document = json.loads(outcome.out)
    other, row = document["against"]
    assert (outcome.code, document["illegal"], other["opponent_forfeits"]) == (0, 0, 0)
    assert row["games"] == 6
    assert 0 < row["opponent_forfeits"] <= row["wins"]
    assert message in row["opponent_why"]
    table = evaluate(*arguments).out
    assert f"{opponent} forfeited {row['opponent_forfeits']} games; the first: " in " ".join(table.split())


def test_forfeits_of_two_external_agents_are_counted_separately(evaluate: Any) -> None:
    arguments = (
        *GAME,
        "--agent",
        f"{EXTERNAL}:surrogate_error",
        "--against",
        f"{EXTERNAL}:unprintable_error",
        "--games",
        10,
        "--json",
    )
    outcome = evaluate(*arguments)
    row = json.loads(outcome.out)["against"][0]
    assert (row["illegal"], row["losses"], row["opponent_forfeits"], row["wins"]) == (5, 5, 5, 5)
    assert "no words" not in row["opponent_why"]
    assert "5 illegal actions (ValueError: half" in outcome.err


def test_external_agents_are_queried_only_in_counted_games(falling_off: Game) -> None:
    batch_sizes: list[int] = []
    agent = ObjectAgent("counted", CallbackAgent(lambda masks: batch_sizes.append(len(masks))))
    result = play_match(falling_off, agent, make_agent("random", falling_off), 2)
    assert sum(batch_sizes) == result.decisions > 0


@pytest.mark.parametrize("answer", ["nothing", "floats", "columns", "huge"])
def test_malformed_actions_forfeit_the_game(evaluate: Any, answer: str) -> None:
    outcome = evaluate(
        *GAME, "--agent", f"{EXTERNAL}:answers_{answer}", "--against", "heuristic", "--games", 4, "--json"
    )
    assert outcome.code == 1
    assert json.loads(outcome.out)["illegal"] == json.loads(outcome.out)["against"][0]["losses"] == 4
    assert "Traceback" not in outcome.err


def test_system_exit_in_an_agent_is_a_forfeit(evaluate: Any, fails: Any) -> None:
    outcome = evaluate(*GAME, "--agent", f"{EXTERNAL}:exits", "--against", "heuristic", "--games", 2, "--json")
    assert (outcome.code, json.loads(outcome.out)["illegal"]) == (1, 2)
    assert "SystemExit: bye" in outcome.err
    assert "SystemExit: bye" in fails(
        *GAME, "--agent", "random", "--against", f"{EXTERNAL}:exits_in_factory", "--games", 2
    )


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder, with modules of agents that change the working directory in another."""
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for folder in (theirs, ours):
        folder.mkdir()
    for name in ("moving_agent", "vanishing_agent"):
        (theirs / f"{name}.py").write_text(MOVES)
    (theirs / "weights.txt").write_text("1")
    monkeypatch.syspath_prepend(theirs)
    monkeypatch.chdir(ours)
    return ours


def test_an_agent_that_changes_the_working_directory_changes_its_own(ours: Path, evaluate: Any) -> None:
    outcome = evaluate(*GAME, "--agent", "moving_agent:make", "--against", "random", "--games", 20)
    assert "Forfeits: 0 in " in outcome.out
    assert Path.cwd() == ours
    outcome = evaluate(*GAME, "--agent", "moving_agent:leave", "--against", "random", "--games", 20)
    assert "weights.txt" in outcome.err
    assert Path.cwd() == ours


def test_an_agent_whose_folder_vanishes_leaves_the_program_in_its_own(ours: Path, evaluate: Any) -> None:
    outcome = evaluate(*GAME, "--agent", "vanishing_agent:vanish", "--against", "random", "--games", 20)
    assert "weights.txt" in outcome.err
    assert Path.cwd() == ours
    assert objects._FOLDERS.keys().isdisjoint({"vanishing_agent"})
