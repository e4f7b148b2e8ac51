"""Test `python -m agents.collect`: the content of the files, reproducibility, resuming, invalid input."""

from __future__ import annotations

import functools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest
from safetensors.numpy import load_file

from agents.collect import main
from agents.collection.episodes import episodes
from edge_envs import load_game, read_records, replay, seat_env, view_of
from tests.programs import ROOT, Here, Outcome, program

EXTERNAL = "tests.arena.external_agents"
THREE = (
    "--game", "falling_off", "--param", "num_players=3", "--agents", "random", "heuristic", f"{EXTERNAL}:first",
    "--games", "40", "--shard", "16",
)  # fmt: skip
GAMES: list[tuple[str, tuple[str, ...]]] = [
    ("falling_off", ("num_players=3",)), ("beyond_maps", ("size=6",)), ("over_the_edge", ("map=pond",)),
    ("ghost_ship", ("creation=random",)),
]  # fmt: skip


@pytest.fixture
def collect(here: Here) -> Any:
    def call(*arguments: object) -> Outcome:
        outcome = here(main, *arguments, "--workers", 1)
        assert outcome.code == 0, outcome.err
        return outcome

    return call


@pytest.fixture
def fails(here: Here) -> Any:
    return functools.partial(here.fails, main)


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate a data set with two workers; tests must not write to its folder."""
    out = tmp_path_factory.mktemp("collect") / "data"
    done = program("-m", "agents.collect", *THREE, "--workers", "2", "--out", str(out))
    assert done.returncode == 0, done.stderr
    return out


def contents(folder: Path) -> dict[str, bytes]:
    """Read all files except the lock."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def arrays_of(folder: Path) -> dict[str, Any]:
    """Concatenate the arrays of all files."""
    files = [load_file(path) for path in sorted(folder.glob("*.safetensors"))]
    return {key: np.concatenate([file[key] for file in files]) for key in files[0]}


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_arrays_contain_observations_actions_and_returns(
    name: str, params: tuple[str, ...], tmp_path: Path, collect: Any
) -> None:
    arguments = ("--game", name, "--param", *params, "--agents", "heuristic", "--games", 3, "--shard", 2)
    for kind in ("arrays", "records"):
        collect(*arguments, "--noise", 0.5, "--format", kind, "--out", tmp_path / kind)
    arrays = arrays_of(tmp_path / "arrays")
    records = [record for path in sorted((tmp_path / "records").glob("*.jsonl")) for record in read_records(path)]
    assert len(records) == 3
    row = 0
    for number, record in enumerate(records):
        replay(record)
        row = check_rows(arrays, row, number, record)
    assert row == len(arrays["action"]) == json.loads((tmp_path / "arrays/card.json").read_text("utf-8"))["decisions"]


def check_rows(arrays: Mapping[str, Any], row: int, number: int, record: Mapping[str, Any]) -> int:
    """Compare the rows of a game, from `row` on, with its replay; return the row after its last one."""
    game = load_game(record["game"], **record["params"])
    state, rng, step = game.new_initial_state(record["seed"]), np.random.default_rng(0), 0
    masks = np.unpackbits(arrays["action_mask"], axis=1, count=game.num_distinct_actions)
    for player, action in record["history"]:
        if player >= 0:
            for seen in (state, state.resample(player, rng)):
                assert np.array_equal(arrays["observation"][row], seen.observation_tensor(player))
            assert np.array_equal(masks[row], state.legal_action_mask())
            assert (arrays["game"][row], arrays["step"][row]) == (number, step)
            assert (arrays["player"][row], arrays["action"][row]) == (player, action)
            to_come = record["returns"][player] - state.returns()[player]
            assert arrays["returns"][row] == pytest.approx(to_come, abs=1e-6)
            row, step = row + 1, step + 1
        state.apply_action(action)
    assert arrays["game_returns"][number] == pytest.approx(record["returns"], abs=1e-6)
    for player in range(game.num_players):
        assert np.array_equal(arrays["last_observation"][number, player], state.observation_tensor(player))
    return row


class Replayed:
    """An opponent that replays recorded actions."""

    needs_states = False

    def __init__(self, actions: list[int]) -> None:
        self._actions = iter(actions)

    def act(self, observations: Any, action_masks: Any, states: Any, players: Any, rng: Any) -> Any:
        return np.array([next(self._actions)])


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_episodes_match_the_seat_environment(name: str, params: tuple[str, ...], tmp_path: Path, collect: Any) -> None:
    arguments = ("--game", name, "--param", *params, "--agents", "heuristic", "--games", 5, "--shard", 3)
    collect(*arguments, "--noise", 0.2, "--out", tmp_path / "data")
    card = json.loads((tmp_path / "data/card.json").read_text(encoding="utf-8"))
    arrays = load_file(tmp_path / "data/00001.safetensors")
    made = list(episodes(arrays, card["actions"]))
    assert {(one.game, one.player) for one in made} == set(zip(arrays["game"], arrays["player"], strict=True))
    for one in made:
        others = arrays["action"][(arrays["game"] == one.game) & (arrays["player"] != one.player)]
        env = seat_env(card["game"], opponents=Replayed(others.tolist()), seat=one.player, **card["params"])
        observation, info = env.reset(seed=card["first_seed"] + one.game)
        for number, action in enumerate(one.actions):
            assert np.array_equal(observation, one.observations[number])
            assert np.array_equal(info["action_mask"], one.action_masks[number])
            observation, reward, over, _, info = env.step(action)
            assert reward == pytest.approx(one.rewards[number], abs=1e-6)
            assert over == (number == len(one.actions) - 1)
        assert np.array_equal(observation, one.observations[-1])
        assert not one.action_masks[-1].any()


@pytest.mark.parametrize("kind", ["arrays", "npz"])
def test_viewer_option_keeps_only_the_rows_of_that_seat(kind: str, tmp_path: Path, collect: Any) -> None:
    everything = {"out": THREE, "own": (*THREE, "--viewer", 1)}
    for name, arguments in everything.items():
        collect(*arguments, "--format", kind, "--out", tmp_path / name)
    card = json.loads((tmp_path / "own/card.json").read_text(encoding="utf-8"))
    assert card["hidden"].startswith("The files contain only what the player in seat 1 saw.")
    assert "--viewer 1" in card["command"]
    decisions = 0
    for path in sorted((tmp_path / "own").glob("0*")):
        own, of_all = (dict(load(tmp_path / name / path.name).items()) for name in ("own", "out"))
        rows = of_all["player"] == 1
        decisions += int(rows.sum())
        assert own.keys() == of_all.keys()
        for key in own:
            if key == "last_observation":
                assert np.array_equal(own[key], of_all[key][:, 1:2])
            elif key in ("game_number", "game_returns"):
                assert np.array_equal(own[key], of_all[key])
            else:
                assert np.array_equal(own[key], of_all[key][rows])
        ours = [one for one in episodes(of_all, card["actions"]) if one.player == 1]
        for one, other in zip(episodes(own, card["actions"]), ours, strict=True):
            assert (one.game, one.player, one.agent) == (other.game, other.player, other.agent)
            assert np.array_equal(one.observations, other.observations)
            assert np.array_equal(one.rewards, other.rewards)
    assert card["decisions"] == decisions


def load(path: Path) -> Any:
    return np.load(path) if path.suffix == ".npz" else load_file(path)


def test_records_for_a_viewer_contain_only_its_information(tmp_path: Path, collect: Any) -> None:
    arguments = ("--game", "kuhn", "--agents", "random", "--games", 20, "--format", "records")
    collect(*arguments, "--out", tmp_path / "all")
    collect(*arguments, "--viewer", 1, "--out", tmp_path / "own")
    views = list(read_records(tmp_path / "own/00000.jsonl"))
    assert views == [view_of(replay(record), 1) for record in read_records(tmp_path / "all/00000.jsonl")]
    for view in views:
        assert re.fullmatch(r"player 0: deal \d", view["history"][0])  # the game is over, so its cards are open
        with pytest.raises(ValueError, match="the record has no key 'seed'"):
            replay(view)


@pytest.mark.parametrize("games", [0, 15])
def test_games_without_a_decision_have_no_episode(data_set: Path, games: int) -> None:
    actions = json.loads((data_set / "card.json").read_text(encoding="utf-8"))["actions"]
    arrays = load_file(data_set / "00001.safetensors")
    kept = np.flatnonzero(arrays["game"] >= 32 - games)
    few = arrays | {key: array[kept] for key, array in arrays.items() if len(array) == len(arrays["game"])}
    expected = [one for one in episodes(arrays, actions) if one.game >= 32 - games]
    assert len(expected) == 3 * games
    for one, other in zip(episodes(few, actions), expected, strict=True):
        assert (one.game, one.player) == (other.game, other.player)
        assert np.array_equal(one.observations, other.observations)


def test_agents_rotate_seats_from_game_to_game(data_set: Path) -> None:
    arrays = arrays_of(data_set)
    assert set(arrays["agent"]) == {0, 1, 2}
    assert np.array_equal(arrays["agent"], (arrays["player"] + arrays["game"]) % 3)
    first_legal = np.unpackbits(arrays["action_mask"], axis=1).argmax(axis=1)
    by_first = arrays["agent"] == 2
    assert np.array_equal(arrays["action"][by_first], first_legal[by_first])
    assert (arrays["action"] != first_legal).any()


def test_card_summarizes_the_files(data_set: Path) -> None:
    card, arrays = json.loads((data_set / "card.json").read_text(encoding="utf-8")), arrays_of(data_set)
    assert (card["games"], card["decisions"]) == (40, len(arrays["action"]))
    assert [one["games"] for one in card["files"]] == [16, 16, 8]
    assert {key: one["dtype"] for key, one in card["arrays"].items()} == {
        key: str(array.dtype) for key, array in arrays.items()
    }
    seats = (np.arange(40)[:, None] + np.arange(3)) % 3
    for number, row in enumerate(card["agents"]):
        own = arrays["game_returns"][seats == number]
        assert (row["seats"], row["decisions"]) == (40, (arrays["agent"] == number).sum())
        assert row["win_rate"] == pytest.approx((own > 0).mean(), abs=1e-6)
        assert row["mean_return"] == pytest.approx(own.mean(), abs=1e-6)
    page = (data_set / "card.md").read_text(encoding="utf-8")
    made_of_files = [agent for agent in card["agents"] if agent["digest"]]
    assert [agent["agent"] for agent in made_of_files] == ["heuristic", "tests.arena.external_agents:first"]
    digests = [agent["digest"] for agent in made_of_files]
    for text in (card["command"], card["license"], card["citation"], card["hidden"], *digests):
        assert text in page
    for array in card["arrays"].values():
        assert f"| {array['meaning']} " in page


def test_card_names_author_and_code(tmp_path: Path, collect: Any) -> None:
    author = ("--author", "Ann", "--author-email", "ann@example.org", "--code-permalink", "https://example.org/1")
    game = ("--game", "falling_off", "--agents", "random", "--games", 2)
    collect(*game, *author, "--format", "minari", "--out", tmp_path)
    card = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    metadata = minari.MinariDataset(tmp_path).storage.metadata
    assert card["citation"].startswith("Ann: 2 games of falling_off-v0 by random.")
    assert (metadata["author"], metadata["author_email"]) == ({"Ann"}, {"ann@example.org"})
    assert metadata["code_permalink"] == "https://example.org/1"
    assert metadata["description"].startswith("2 games of falling_off")
    assert " ".join(map(str, author)) in card["command"]


def test_command_on_the_card_reproduces_the_files(data_set: Path, tmp_path: Path, collect: Any) -> None:
    command = json.loads((data_set / "card.json").read_text(encoding="utf-8"))["command"].split()
    assert command[:3] == ["python", "-m", "agents.collect"]
    assert command[-2:] == ["--out", "FOLDER"]
    collect(*command[3:-1], tmp_path / "one")
    assert contents(tmp_path / "one") == contents(data_set)


def test_command_on_the_card_has_all_digits_of_the_noise(tmp_path: Path, collect: Any) -> None:
    collect("--game", "falling_off", "--agents", "random", "--games", 2, "--noise", 0.1234567, "--out", tmp_path)
    command = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))["command"]
    assert " --noise 0.1234567 " in command
    collect(*command.split()[3:-1], tmp_path)  # otherwise the folder has another data set


def test_different_seeds_give_different_games(data_set: Path, tmp_path: Path, collect: Any) -> None:
    collect(*THREE, "--seed", 1, "--out", tmp_path / "other")
    assert (tmp_path / "other/00000.safetensors").read_bytes() != (data_set / "00000.safetensors").read_bytes()


def test_npz_files_have_the_same_arrays(data_set: Path, tmp_path: Path, collect: Any) -> None:
    collect(*THREE, "--format", "npz", "--out", tmp_path / "npz")
    for path in sorted(data_set.glob("*.safetensors")):
        arrays = load_file(path)
        with np.load(tmp_path / "npz" / f"{path.stem}.npz") as file:
            assert set(file) == set(arrays)
            for key, array in arrays.items():
                assert np.array_equal(file[key], array)
                assert file[key].dtype == array.dtype


def test_random_decisions_are_marked(tmp_path: Path, collect: Any) -> None:
    arguments = ("--game", "beyond_maps", "--param", "size=6", "--agents", f"{EXTERNAL}:first", "--games", 64)
    for noise in (0, 0.25):
        collect(*arguments, "--noise", noise, "--out", tmp_path / str(noise))
    still, noisy = (arrays_of(tmp_path / str(noise)) for noise in (0, 0.25))
    assert np.array_equal(still["drawn"], still["step"] < 2)
    assert noisy["drawn"][noisy["step"] >= 2].mean() == pytest.approx(0.25, abs=0.05)
    for arrays in (still, noisy):
        others = np.unpackbits(arrays["action_mask"], axis=1).argmax(axis=1) != arrays["action"]
        assert others.any()
        assert arrays["drawn"][others].all()


def test_killed_run_resumes_to_identical_files(data_set: Path, tmp_path: Path, collect: Any) -> None:
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "agents.collect", *THREE, "--workers", "2", "--out", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while not list(folder.glob("done/0*.json")):
                assert process.poll() is None
                time.sleep(0.001)
        finally:
            os.kill(process.pid, signal.SIGKILL)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("0*.safetensors")}
    (folder / "partial-1-00009.safetensors").write_bytes(b"cut off")
    collect(*THREE, "--out", folder)
    assert contents(folder) == contents(data_set)
    assert any(path.stat().st_mtime_ns == before[path] for path in before)


def test_existing_files_are_not_generated_again(data_set: Path, tmp_path: Path, collect: Any) -> None:
    folder = tmp_path / "again"
    shutil.copytree(data_set, folder)
    (folder / "00001.safetensors").unlink()
    before = (folder / "00000.safetensors").stat().st_mtime_ns
    collect(*THREE, "--out", folder)
    assert contents(folder) == contents(data_set)
    assert (folder / "00000.safetensors").stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", [b"", b"x"])
def test_damaged_file_is_reported(data_set: Path, tmp_path: Path, fails: Any, collect: Any, damage: bytes) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(data_set, folder)
    data = (folder / "00001.safetensors").read_bytes()
    (folder / "00001.safetensors").write_bytes(data[:-1] + damage)
    line = fails(*THREE, "--out", folder)
    assert "00001.safetensors: changed since it was written; remove it" in line
    (folder / "00000.safetensors").write_bytes(b"x")
    line = fails(*THREE, "--out", folder)
    assert [number for number in range(3) if f"0000{number}.safetensors: changed since" in line] == [0, 1]
    for number in (0, 1):
        (folder / f"0000{number}.safetensors").unlink()
    collect(*THREE, "--out", folder)
    assert contents(folder) == contents(data_set)


@pytest.mark.parametrize("change", [{"agents": []}, {"games": 10**9}, {"arrays": 3}, {"seal": 0}])
def test_edited_metadata_of_a_file_is_detected(
    data_set: Path, tmp_path: Path, fails: Any, change: dict[str, Any]
) -> None:
    folder = tmp_path / "edited"
    shutil.copytree(data_set, folder)
    metadata = folder / "done" / "00001.json"
    metadata.write_text(json.dumps({**json.loads(metadata.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    assert "00001.safetensors: changed since it was written; remove it" in fails(*THREE, "--out", folder)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_full_disk_is_a_one_line_error(tmp_path: Path, workers: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agents.collect", *THREE, "--workers", workers, "--out", str(tmp_path / "data")],
        cwd=ROOT, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"error: {tmp_path / 'data'}")
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.safetensors"))


def test_folder_of_another_data_set_is_rejected(data_set: Path, tmp_path: Path, fails: Any) -> None:
    folder = tmp_path / "other"
    shutil.copytree(data_set, folder)
    assert "this folder has another data set: seed is 1 instead of 0" in fails(*THREE, "--seed", 1, "--out", folder)
    (folder / "collection.json").write_text("{}", encoding="utf-8")
    assert "collection.json: not the configuration of a data set" in fails(*THREE, "--out", folder)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--agents", "nobody"), "unknown agent 'nobody'"),
        (("--agents", "policies/nobody"), "no such folder"),
        (("--agents", "random", "random", "random"), "3 were given for 2 seats: name one for all or one for each"),
        (
            ("--agents", "random", "--format", "csv"),
            "unknown format 'csv' (choose from arrays, npz, minari",
        ),
        (("--agents", "random", "--noise", 1.5), "noise"),
        (("--agents", "random", "--param", "num_players=9"), "num_players"),
        (("--agents", "random", "--viewer", 2), "invalid viewer=2: expected a seat from 0 to 1"),
        (("--agents", f"{EXTERNAL}:breaks_rules"), "action of agent"),
        (("--agents", f"{EXTERNAL}:fails_late"), "fails_late: KeyError: 'too long a game'"),
        (("--agents", "program:no-such-program"), "program no-such-program not found"),
    ],
)
def test_invalid_input_is_a_one_line_error(
    fails: Any, tmp_path: Path, arguments: tuple[object, ...], message: str
) -> None:
    line = fails("--game", "falling_off", *arguments, "--games", 4, "--workers", 1, "--out", tmp_path / "out")
    assert message in line
    assert not list(tmp_path.rglob("*.safetensors"))
