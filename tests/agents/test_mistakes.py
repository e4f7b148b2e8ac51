"""Test common mistakes on command lines: each error is one line that says what to type instead."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import agents.benchmark
import agents.collect
import agents.evaluate
import agents.leaderboard
import agents.selfplay.__main__
import agents.teach
import agents.tournament
import agents.train
import agents.tune
import agents.tuples
import agents.values
from agents.common.command_lines import check_line
from agents.common.configuration import ConfigError
from agents.players.agent import check_agent
from agents.programs.table import PROGRAMS
from tests.agents.players import untrained
from tests.programs import ROOT, Here, program

EIGHT = "policies/beyond_maps/8x8_long"
PARTS = {
    "no": "no such option:",
    "write": "; for this parameter of a game write",
    "whole": "Input should be a valid integer: write",
    "plain": ", without a point or an exponent",
}
"""Long parts of messages."""
BEYOND = "--agent random --against random --game beyond_maps"
GAME = ("--game", "kuhn", "--against", "random")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder of a run with its policy."""
    import edge_envs

    untrained(edge_envs.load_game("kuhn")).save(tmp_path / "runs" / "x" / "policy")
    monkeypatch.chdir(tmp_path)
    return Path("runs") / "x"


def test_run_folder_error_names_its_policy(run: Path, here: Here) -> None:
    line = here.fails(agents.evaluate.main, "--agent", run, *GAME)
    assert line == "error: runs/x: this is the folder of a run; its policy is runs/x/policy"
    line = here.fails(agents.evaluate.main, "--agent", f"search:20:{run}", *GAME)
    assert line == "error: runs/x: this is the folder of a run; its policy is runs/x/policy"
    assert here(agents.evaluate.main, "--agent", run / "policy", *GAME, "--games", 4).code == 0


def test_folder_of_policies_error_lists_them(run: Path, here: Here) -> None:
    shutil.copytree(run / "policy", Path("policies") / "y")
    line = here.fails(agents.evaluate.main, "--agent", "policies/", *GAME)
    assert line.endswith("choose from policies/y")
    line = here.fails(agents.evaluate.main, "--agent", "policies/yy", *GAME)
    assert line == "error: policies/yy: no such folder; did you mean 'policies/y'?"
    line = here.fails(agents.evaluate.main, "--agent", "policies/y/policy.json", *GAME)
    assert line.endswith("name its folder, policies/y")
    Path("empty").mkdir()
    line = here.fails(agents.evaluate.main, "--agent", "empty", *GAME)
    assert line == "error: empty: this folder has no policy.json"


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("name", ["model.zip", "./model.zip", "search:20:model.zip"])
def test_sb3_model_requires_a_prefix(run: Path, here: Here, exists: bool, name: str) -> None:
    if exists:
        Path("model.zip").write_bytes(b"PK")
    for arguments in (GAME, ("--against", "random")):
        line = here.fails(agents.evaluate.main, "--agent", name, *arguments)
        assert "model.zip: this is not a policy folder; to play a Stable-Baselines3 model, write sb3:" in line
        assert "pickle" in line
    with pytest.raises(ValueError, match="Stable-Baselines3"):
        check_agent(name)


@pytest.mark.parametrize(
    ("main", "arguments", "line"),
    [
        ("train", "--config {ppo} --set total_steps=1e6", "{ppo}: total_steps: {whole} 1_000_000{plain}"),
        ("train", "--config {ppo} --set ppo.epochs=4.0", "{ppo}: ppo.epochs: {whole} 4{plain}"),
        ("train", "--config {ppo} --set total_steps 10", "--set total_steps 10: write --set total_steps=10"),
        (
            "train",
            "--config {ppo} --set total_steps",
            "--set total_steps: write key=value, for example --set total_steps=4",
        ),
        ("train", "--config {ppo} --set seed=1 seed=2", "duplicate --set seed"),
        (
            "train",
            "--config {ppo} --size 8",
            "{no} --size{write} --set params.size=8, or name the game beyond_maps_8x8",
        ),
        ("evaluate", "{beyond} --size 8", "{no} --size{write} --param size=8, or name the game beyond_maps_8x8"),
        ("evaluate", "{beyond} --size=7", "{no} --size{write} --param size=7"),
        ("evaluate", "{beyond} --dice", "{no} --dice{write} --param dice=VALUE"),
        ("evaluate", "{beyond} --sea-range 3", "{no} --sea-range{write} --param sea_range=3"),
        (
            "evaluate",
            "--agent random --against random --game kuhn --param num_players 3",
            "--param num_players 3: write --param num_players=3",
        ),
        ("evaluate", "{beyond} --out=", "--out: the value is empty"),
        (
            "evaluate",
            "--agent random --against random,perfect --game falling_off",
            "random,perfect: separate agents by spaces, not commas: random perfect",
        ),
        (
            "tournament",
            "--agents random,heuristic --game kuhn",
            "random,heuristic: separate agents by spaces, not commas: random heuristic",
        ),
        (
            "collect",
            "--agents random,heuristic --game kuhn --games 2 --out x",
            "random,heuristic: separate agents by spaces, not commas: random heuristic",
        ),
        (
            "train",
            "--config configs/falling_off/pp.yaml",
            "configs/falling_off/pp.yaml: no such file; did you mean 'configs/falling_off/ppo.yaml'?",
        ),
    ],
)
def test_error_says_what_to_type(here: Here, main: str, arguments: str, line: str) -> None:
    ppo = "configs/falling_off/ppo.yaml"
    words = arguments.format(ppo=ppo, beyond=BEYOND).split()
    assert here.fails(getattr(agents, main).main, *words) == f"error: {line.format(ppo=ppo, **PARTS)}"


@pytest.mark.parametrize(
    ("main", "arguments", "ending"),
    [
        ("train", "--config {ppo} --set total_step=10", "; did you mean 'total_steps'?"),
        ("train", "--config {ppo} --set ppo.epoch=10", "; did you mean 'epochs'?"),
        ("train", "--config {ppo} --set evaluation.against=[heurstic]", "; did you mean 'heuristic'?"),
        ("evaluate", "--agent heurstic --against random --game kuhn", "; did you mean 'heuristic'?"),
        ("evaluate", "--agent serch:50 --against random --game kuhn", "; did you mean 'search'?"),
        ("evaluate", "--agent random --against random --game kuhm", "; did you mean 'kuhn'?"),
        (
            "evaluate",
            "--agent random --against random --game kuhn --param num_player=3",
            "; did you mean 'num_players'?",
        ),
        (
            "leaderboard",
            "--config configs/leaderboard.yaml --boards beyond_maps_8x9",
            "; did you mean 'beyond_maps_8x8'?",
        ),
        ("benchmark", "--agent random --boards beyond_maps_8x9", "; did you mean 'beyond_maps_8x8'?"),
        ("benchmark", "--agent heurstic", "; did you mean 'heuristic'?"),
    ],
)
def test_misspelled_name_gets_a_suggestion(here: Here, main: str, arguments: str, ending: str) -> None:
    words = arguments.format(ppo="configs/falling_off/ppo.yaml").split()
    assert here.fails(getattr(agents, main).main, *words).endswith(ending)


@pytest.mark.parametrize("words", [["--out", ""], ["--seed", "1", "--out="], ["--against", "random", ""]])
def test_empty_values_are_refused(words: list[str]) -> None:
    flag = next(word.strip("=") for word in reversed(words) if word.startswith("--"))
    with pytest.raises(ValueError, match=f"^{flag}: the value is empty$"):
        check_line(words, lambda: ["--out", "--seed", "--against"])
    with pytest.raises(ValueError, match="unknown agent ''"):
        check_agent("")


def test_valid_command_lines_pass() -> None:
    def options() -> list[str]:
        return ["--seed", "--set", "--param"]

    for line in (
        "--set a=1",
        "--set a",
        "--set a --seed 3",
        "--set",
        "--unheard-of 3",
        "-- --size 8",
        "--param size=8",
    ):
        check_line(line.split(), options)
    check_line(["--size", "8"], lambda: ["--size"])


@pytest.mark.parametrize(
    ("main", "config", "right"),
    [
        (agents.train.main, "falling_off/selfplay", "selfplay"),
        (agents.train.main, "falling_off/values", "values"),
        (agents.train.main, "beyond_maps/teach", "teach"),
        (agents.train.main, "ghost_ship/tour_weights", "tune"),
        (agents.train.main, "falling_off/tournament", "tournament"),
        (agents.train.main, "leaderboard", "leaderboard"),
        (agents.train.main, "edge-bench-v1", "benchmark"),
        (agents.selfplay.__main__.main, "falling_off/values", "values"),
        (agents.selfplay.__main__.main, "beyond_maps/8x8", "train"),
        (agents.teach.main, "falling_off/ppo", "train"),
        (agents.values.main, "falling_off/ppo", "train"),
        (agents.tuples.main, "falling_off/ppo", "train"),
        (agents.values.main, "beyond_maps/from_rules_8x8", "tuples"),
        (agents.tune.main, "falling_off/ppo", "train"),
        (agents.tournament.main, "falling_off/ppo", "train"),
        (agents.leaderboard.main, "falling_off/tournament", "tournament"),
    ],
)
def test_configuration_of_another_program_is_recognized(here: Here, main: object, config: str, right: str) -> None:
    path = f"configs/{config}.yaml"
    line = here.fails(main, "--config", path, "--out", "runs/nothing")  # type: ignore[arg-type]  # a program
    assert line.endswith(f"; it has the keys of a configuration for python -m agents.{right} --config {path}")
    assert right in PROGRAMS


def test_run_of_another_program_is_recognized(here: Here, finished_run: Path) -> None:
    line = here.fails(agents.values.main, "--resume", "--out", finished_run)
    assert f"; it has the keys of a configuration for python -m agents.train --config {finished_run}" in line


def test_language_model_configuration_is_recognized(here: Here) -> None:
    line = here.fails(agents.train.main, "--config", "configs/chat/local.yaml")
    assert line.endswith("; it has the keys of a language model, which is the agent chat:configs/chat/local.yaml")


def test_policy_determines_the_parameters_of_a_named_game(here: Here) -> None:
    options = ("--agent", EIGHT, "--against", "random", "--games", 2, "--json")
    outcome = here(agents.evaluate.main, *options, "--game", "beyond_maps")
    assert outcome.code == 0
    assert f"note: beyond_maps is played with size=8, like {EIGHT}: --game beyond_maps_8x8\n" in outcome.err
    for named in ((), ("--game", "beyond_maps_8x8"), ("--game", "beyond_maps", "--param", "size=8")):
        assert "note:" not in here(agents.evaluate.main, *options, *named).err
    line = here.fails(agents.evaluate.main, *options, "--game", "beyond_maps_12x12")
    assert line.endswith("made for size=8 instead of this game's size=12; its game is --game beyond_maps_8x8")


def test_programs_accept_environment_ids(here: Here) -> None:
    named = (
        "--game",
        "edge_envs/falling_off-v0",
        "--agent",
        "random",
        "--against",
        "heuristic",
        "--games",
        2,
        "--json",
    )
    assert '"game": "falling_off"' in here(agents.evaluate.main, *named).out
    line = here.fails(agents.evaluate.main, "--game", "falling_off-v7", *named[2:])
    assert line == "error: unknown version of falling_off in 'falling_off-v7' (this release has falling_off-v0)"
    done = program("-m", "edge_envs", "rules", "edge_envs/beyond_maps_8x8-v0")
    assert done.stdout == program("-m", "edge_envs", "rules", "beyond_maps").stdout != ""


def test_configuration_accepts_an_environment_id(tmp_path: Path) -> None:
    """The run folder and all output use the plain name."""
    from agents.arena.tournament import TournamentConfig
    from agents.common.configuration import parse, read_mapping
    from agents.training.config import RunConfig

    made = parse(RunConfig, {"game": "edge_envs/beyond_maps_8x8-v0", "total_steps": 10}, "run")
    assert (made.game, made.load_game().params["size"]) == ("beyond_maps_8x8", 8)
    data = read_mapping(ROOT / "configs" / "falling_off" / "tournament.yaml") | {"game": "falling_off-v0"}
    assert parse(TournamentConfig, data, "tournament").game == "falling_off"
    with pytest.raises(ConfigError, match=r"run: game: unknown version of kuhn"):
        parse(RunConfig, {"game": "kuhn-v5", "total_steps": 10}, "run")
