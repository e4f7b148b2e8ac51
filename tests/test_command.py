"""The command `edge-envs`: warm, games, rules, and exit codes."""

from __future__ import annotations

import inspect
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import edge_envs
from edge_envs.__main__ import _parser, main
from edge_envs.text import short_rules

ROOT = Path(__file__).resolve().parents[1]

COMMAND = """
import sys
from tests.toy import enrol; enrol()
from edge_envs.__main__ import main
sys.exit(main())
"""
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))\n"
FOREIGN = "import os; os.getuid = lambda: 12345\n"

USE_ALL = """
from tests.toy import enrol; enrol()
import edge_envs
from edge_envs.text import short_rules
from edge_envs.core.compiler.jit import compilations
for name in ("kuhn", "tic_tac_toe"):
    state = edge_envs.load_game(name).new_initial_state(seed=3)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    print(state, state.observation_string(0), edge_envs.replay(edge_envs.record_of(state)))
    env = edge_envs.aec_env(name, render_mode="ansi")
    env.reset(seed=3)
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else int(seen["action_mask"].argmax()))
    env = edge_envs.vector_env(name, num_envs=5, num_threads=2)
    env.step(env.reset(seed=3).action_mask.argmax(axis=1))
    env = edge_envs.seat_env(name)
    env.reset(seed=3)
    env.step(int(env.action_masks().argmax()))
    for mode in ("SameStep", "NextStep"):
        env = edge_envs.seat_vector_env(name, num_envs=3, opponents="heuristic", autoreset_mode=mode, random_opening=1)
        env.reset(seed=3)
        for _ in range(20):
            env.step(env.action_masks().argmax(axis=1))
print("compiled", compilations().kernels)
"""


def start(program: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def output_of(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate()
    return process.returncode, out, err


def test_warmed_kernels_are_not_compiled_again(tmp_path: Path) -> None:
    cache = {"EDGE_ENVS_CACHE_DIR": str(tmp_path)}
    code, out, err = output_of(start(COMMAND, "warm", "kuhn", "tic_tac_toe", "kuhn", **cache))
    assert (code, err) == (0, "")
    seconds = r"State \d+\.\d s, AEC \d+\.\d s, vector \d+\.\d s, seat \d+\.\d s"
    assert re.fullmatch(rf"kuhn: {seconds}\ntic_tac_toe: {seconds}\ncached in {tmp_path}\n", out), out

    code, out, err = output_of(start(COMMAND, "warm", "kuhn", **cache))
    there = ", ".join(f"{api} already cached" for api in ("State", "AEC", "vector", "seat"))
    assert (code, out, err) == (0, f"kuhn: {there}\ncached in {tmp_path}\n", "")

    code, out, err = output_of(start(USE_ALL, **cache))
    assert code == 0, err
    assert out.splitlines()[-1] == "compiled 0"


def test_warming_compiles_agents_on_request(tmp_path: Path) -> None:
    cache = {"EDGE_ENVS_CACHE_DIR": str(tmp_path)}
    for seconds in (r"\d+\.\d s", "already cached"):
        code, out, err = output_of(start(COMMAND, "warm", "kuhn", "--agents", "search:2", **cache))
        assert (code, err) == (0, "")
        assert re.search(rf", search:2 {seconds}\ncached in", out), out
    code, out, err = output_of(start(COMMAND, "warm", "kuhn", "--agents", "godlike", **cache))
    assert code == 2
    assert err.startswith("error: unknown agent 'godlike'")
    assert out == ""
    code, _, err = output_of(start(COMMAND, "warm", "kuhn", "--agents", "trained", **cache))
    assert code == 2
    assert "has no trained policy" in err


def test_warming_an_unwritable_cache_is_an_error(tmp_path: Path) -> None:
    places = {"EDGE_ENVS_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    code, out, err = output_of(start(FULL + COMMAND, "warm", "kuhn", **places))
    assert code == 2
    assert re.fullmatch(rf"error: \d+ kernels were compiled but could not be cached in {tmp_path}/cache\n", err), err
    nowhere = {**places, "EDGE_ENVS_CACHE_DIR": "/dev/null", "XDG_CACHE_HOME": "/dev/null"}
    code, out, err = output_of(start(FOREIGN + COMMAND, "warm", "kuhn", **nowhere))
    assert (code, out) == (2, "")
    assert err == "error: your cache folder cannot be written; set EDGE_ENVS_CACHE_DIR to another folder\n"
    code, out, err = output_of(start(COMMAND, "warm", "kuhn", NUMBA_DISABLE_JIT="1", **places))
    assert (code, out, err) == (2, "", "error: NUMBA_DISABLE_JIT=1 switches the compiler off\n")


def test_warming_a_read_only_cache_reports_unsaved_kernels(tmp_path: Path) -> None:
    filled = tmp_path / "filled"
    places = {"XDG_CACHE_HOME": "/dev/null", "TMPDIR": str(tmp_path), "EDGE_ENVS_CACHE_DIR": str(filled)}
    program = COMMAND if os.getuid() else FOREIGN + COMMAND  # root can write anywhere
    assert output_of(start(COMMAND, "warm", "kuhn", **places))[0] == 0
    for path in (filled, *filled.rglob("*")):
        path.chmod(path.stat().st_mode & 0o555)
    code, out, err = output_of(start(program, "warm", "kuhn", **places))
    assert (code, err) == (0, "")
    assert out.endswith(f"seat already cached\ncached in {filled}\n")
    code, _, err = output_of(start(program, "warm", "tic_tac_toe", **places))
    assert code == 2
    assert re.fullmatch(
        r"error: \d+ kernels were compiled but could not be cached because your cache .* be written\n", err
    ), err
    for path in (filled, *filled.rglob("*")):
        path.chmod(0o755)


def test_interruption_prints_one_line(tmp_path: Path) -> None:
    process = start(COMMAND, "warm", "tic_tac_toe", EDGE_ENVS_CACHE_DIR=str(tmp_path))
    assert process.stdout is not None
    assert process.stdout.read(len("tic_tac_toe: State")) == "tic_tac_toe: State"
    process.send_signal(signal.SIGINT)
    code, _, err = output_of(process)
    assert (code, err) == (130, "interrupted\n")


def test_closed_pipe_is_not_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "edge_envs", "rules", "falling_off"],
        cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)
    assert done.stderr == ""


def test_games_command_lists_all_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    games = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert len(games) == len(edge_envs.GAMES)
    for game_type, text in zip(edge_envs.GAMES.values(), games, strict=True):
        heading, *lines = text.splitlines()
        assert heading.startswith(f"{game_type.name}: {game_type.title}, ")
        expected = [
            [f"  {p.name}={p.default!r}", f"    {p.type.__name__}: {p.possible}", f"    {p.description}"]
            for p in game_type.parameters.values()
        ]
        assert lines == [line for parameter in expected for line in parameter]


def test_games_command_shows_the_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    headings = [text.splitlines()[0] for text in capsys.readouterr().out.split("\n\n")]
    for game_type, heading in zip(edge_envs.GAMES.values(), headings, strict=True):
        number = game_type.parameters.get("num_players")
        assert heading.endswith(", 2 players" if number is None else f", {number.low} to {number.high} players")


def test_games_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    games = json.loads(capsys.readouterr().out)
    assert list(games) == list(edge_envs.GAMES)
    for name, facts in games.items():
        game_type = edge_envs.GAMES[name]
        assert (facts["title"], facts["version"]) == (game_type.title, game_type.version)
        for low in ("min_players", "max_players"):
            if "num_players" in game_type.parameters:
                edge_envs.load_game(name, num_players=facts[low])
        defaults = {p["name"]: p["default"] for p in facts["parameters"]}
        assert edge_envs.load_game(name, **defaults).params.keys() == defaults.keys()
        for listed, parameter in zip(facts["parameters"], game_type.parameters.values(), strict=True):
            assert listed["possible"] == parameter.possible
            assert (listed["low"], listed["high"], tuple(listed["choices"])) == (
                parameter.low, parameter.high, parameter.choices,
            )  # fmt: skip


@pytest.mark.parametrize("name", list(edge_envs.GAMES))
def test_rules_command_prints_the_games_docstring(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    page = inspect.getdoc(import_module(edge_envs.GAMES[name].package))
    assert page is not None
    assert capsys.readouterr().out == f"{page}\n"


@pytest.mark.parametrize("name", [name for name, kind in edge_envs.GAMES.items() if kind.has_module("short_rules")])
def test_short_rules_option_prints_the_short_rules(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name, "--short"]) == 0
    assert capsys.readouterr().out == f"{short_rules(edge_envs.load_game(name))}\n"


def test_short_rules_option_accepts_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    for typed in ("True", "true"):
        several = ("--param", "num_players=4", f"play_on={typed}")
        assert main(["rules", "falling_off", "--short", *several]) == 0
        game = edge_envs.load_game("falling_off", num_players=4, play_on=True)
        assert capsys.readouterr().out == f"{short_rules(game)}\n"
    chits = {1: 8, 2: 6, 3: 4, 4: 2}
    assert main(["rules", "ghost_ship", "--short", "--param", f"chits={json.dumps(chits)}"]) == 0
    assert capsys.readouterr().out == f"{short_rules(edge_envs.load_game('ghost_ship', chits=chits))}\n"
    assert main(["rules", "over_the_edge", "--short", "--param", "map=pond"]) == 0
    assert capsys.readouterr().out == f"{short_rules(edge_envs.load_game('over_the_edge', map='pond'))}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--short", "--param", "num_players"], "invalid --param 'num_players': expected NAME=VALUE"),
        (["--short", "--param", "num_players=9"], "an integer from 2 to 6"),
        (["--short", "--param", "num_players=two"], "an integer from 2 to 6"),
        (["--short", "--param", f"num_players={'[' * 100_000}"], "an integer from 2 to 6"),
        (["--short", "--param", "size=9"], "size"),
        (["--short", "--param", "num_players=3", "num_players=4"], "duplicate --param num_players"),
        (["--param", "num_players=2"], "--param needs --short"),
    ],
)
def test_invalid_rules_options_print_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "falling_off", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert message in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("command", ["warm", "rules"])
def test_unknown_game_prints_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "chess"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (
        "", f"error: unknown game 'chess' (choose from {', '.join(edge_envs.GAMES)})\n",
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [[], ["dance"], ["rules"], ["games", "falling_off"]])
def test_invalid_command_line_prints_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: edge-envs" in capsys.readouterr().err


def test_documented_commands_exist() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = [line.split() for line in re.findall(r"^edge-envs ([^#\n]+)", text, re.MULTILINE)]
    assert {words[0] for words in named} == {"--version", "cells", "games", "play", "rules", "warm"}
    for words in named:
        if words != ["--version"]:
            _parser().parse_args(words)


def test_version_option_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"edge-envs {edge_envs.__version__}\n")


def test_wheel_declares_the_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"edge-envs": f"{main.__module__}:{main.__name__}"}


@pytest.mark.parametrize("name", [name for name, kind in edge_envs.GAMES.items() if kind.has_module("cells")])
def test_cells_are_listed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cells", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    game = edge_envs.load_game(name)
    layout = game.type.cell_layout(game.params)
    assert layout
    assert [line.split("|")[1].strip(" `") for line in lines[2:]] == [field.name for field in layout.fields]


def test_cells_depend_on_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cells", "beyond_maps", "--param", "size=8"]) == 0
    assert "| `board` | 8×8 | 5 |" in capsys.readouterr().out
    assert main(["cells", "falling_off", "--param", "size=8"]) == 2
    assert "unknown parameter 'size'" in capsys.readouterr().err


def test_unknown_keywords_of_environments_name_the_known_ones() -> None:
    with pytest.raises(edge_envs.ParameterError, match=r"choose from num_envs, .* did you mean 'num_envs'\?$"):
        edge_envs.sb3_vec_env("falling_off", num_envs=2, n_envs=4)
    with pytest.raises(edge_envs.ParameterError, match=r"keyword of vector_env, seat_vector_env, sb3_vec_env$"):
        edge_envs.seat_env("falling_off", num_envs=4)
    with pytest.raises(
        edge_envs.ParameterError, match=r"or from the parameters of falling_off: num_players, .*'pawns'"
    ):
        edge_envs.aec_env("falling_off", pawn=4)
