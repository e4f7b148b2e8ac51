"""Test learning with n-tuple networks: runs, files and agents."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import edge_envs
from agents import evaluate, tuples
from agents.common.configuration import parse, read_mapping
from agents.players.agent import check_agent, load_policy, make_agent
from agents.players.roster import PolicyRoster
from agents.training.divergence import DivergedError
from agents.training.monitor import Monitor
from agents.tuple_learning.config import TuplesConfig, make_network
from agents.tuple_learning.learner import MOST_WEIGHT, TupleLearner
from agents.tuple_learning.policy import TuplesAgent, TupleTables
from edge_envs import Game
from edge_envs.ntuple.policy import LARGEST_GAP, SMALLEST
from edge_envs.ntuple.self_play import SelfPlay
from edge_envs.play.appraisal import Adviser, judge_by
from edge_envs.players import built_in_agent
from edge_envs.search.agent import SearchAgent
from tests.contract.play import decisions
from tests.ntuple.test_turn_search import acting
from tests.programs import Here

TINY = """\
game: tic_tac_toe
total_steps: 3000
tuples:
  - {window: [3, 3]}
  - {window: [1, 3], cells: [turns_left]}
step_size: [1.0, 0.1]
averaging: 0.5
games: 20
most_turns: 20
play: {beam: 16, depth: 2, replies: 4}
evaluation: {every: 1500, games: 10, against: [random]}
checkpoint_every: 500
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Write the configuration of a short run."""
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


def parsed(**changes: Any) -> TuplesConfig:
    return parse(TuplesConfig, {**read_yaml(), **changes}, "test")


def read_yaml() -> dict[str, Any]:
    import yaml

    data: dict[str, Any] = yaml.safe_load(TINY)
    return data


def learn(learner: TupleLearner, steps: int) -> None:
    while learner.step < steps:
        learner.learn()


def random_agent(name: str = "tuples") -> TuplesAgent:
    """Return an agent with random weights, most of which are 0."""
    config = parsed()
    learner, game = TupleLearner(config, config.load_game()), config.load_game()
    rng = np.random.default_rng(0)
    learner.weights[:] = rng.normal(size=len(learner.weights)) * (rng.random(len(learner.weights)) < 0.3)
    tables = TupleTables(tuples=config.tuples, play=config.play)
    return TuplesAgent(game, tables, learner.network, learner.weights, name)


# Learning


def test_weights_are_averaged_over_the_last_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.tuple_learning.learner.AVERAGED", 6)
    config = parsed()
    learner, seen = TupleLearner(config, config.load_game()), []
    while learner.step < config.total_steps:
        before = learner.averaged_over
        learner.learn()
        learner.update_player()
        np.testing.assert_array_equal(learner.playing, learner.average if learner.averaged_over else learner.weights)
        assert (learner.averaged_over > 0) == (learner.step >= 0.5 * config.total_steps)
        if learner.averaged_over > before:
            seen.append(learner.weights.copy())
    assert learner.averaged_over == len(seen) == 7
    np.testing.assert_allclose(learner.average, np.mean(seen, axis=0), atol=1e-5)


def test_replies_are_searched_in_the_last_part() -> None:
    found = []
    for late in (1.0, 0.0):
        learner = TupleLearner(parsed(late_from=late, late_replies=4), parsed().load_game())
        found.append(learner.learn()["positions_per_turn"])
    assert found[1] > 2 * found[0]


LESSON: dict[str, Any] = {"params": {"max_turns": 6}, "turns": 600}


def test_boards_of_the_curriculum_are_learned_first() -> None:
    config = parsed(curriculum=[LESSON], averaging=1.0)
    learner = TupleLearner(config, config.load_game())
    boards, tables = [], 3**9
    while learner.step < config.total_steps:
        before = learner.weights.copy()
        began = learner.step
        boards.append(learner.learn()["board"])
        assert boards[-1] == int(began >= LESSON["turns"])
        if boards[-2:] == [0, 1]:
            assert len(learner.weights) > len(before), "the table with the turns that are left is new"
        if boards[-1] == 0:
            assert learner.averaged_over == 0
            learner.update_player()
            assert len(learner.weights) == tables, "only tables that are carried over are learned"
            np.testing.assert_array_equal(learner.playing[:tables], learner.weights)
            assert not learner.playing[tables:].any(), "the number of turns that are left has another range"
    assert boards == sorted(boards)
    assert set(boards) == {0, 1}


def test_copies_of_the_weights_are_kept_to_play_against() -> None:
    config = parsed(against_snapshots=1.0, snapshots={"every": 200, "keep": 2})
    learner = TupleLearner(config, config.load_game())
    learn(learner, 1000)
    first, second = learner.snapshots
    assert not np.array_equal(first, second)


def test_one_seat_learns_against_the_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    opponents: list[bool] = []
    learn_alone = SelfPlay.learn

    def recorded(play: SelfPlay, *args: Any, **options: Any) -> tuple[int, int, float]:
        opponents.append(options["heuristic"])
        return learn_alone(play, *args, **options)

    monkeypatch.setattr(SelfPlay, "learn", recorded)
    for share in (0.0, 0.5, 1.0):
        opponents.clear()
        config = parsed(against_heuristic=share)
        learn(TupleLearner(config, config.load_game()), 3000)
        assert set(opponents) == {0.0: {False}, 0.5: {False, True}, 1.0: {True}}[share]


def test_shares_of_opponents_add_up_to_at_most_one() -> None:
    with pytest.raises(ValueError, match="against_snapshots and against_heuristic add up to more than 1"):
        parsed(against_snapshots=0.6, against_heuristic=0.6)


def test_a_run_starts_with_the_weights_of_a_policy(tmp_path: Path) -> None:
    config = parsed()
    game = config.load_game()
    learner = TupleLearner(config, game)
    learn(learner, 600)
    learner.playing[:] = np.round(learner.weights, 2)
    agent = TuplesAgent(game, TupleTables(tuples=config.tuples), learner.network, learner.playing)
    agent.save(tmp_path / "policy")

    continued = parsed(start=str(tmp_path / "policy")).checked()
    started = TupleLearner(continued, game).weights
    np.testing.assert_allclose(started, learner.playing, atol=2e-3)
    assert started.any()
    with pytest.raises(ValueError, match=r"start: .*policy has other tuples"):
        parsed(start=str(tmp_path / "policy"), tuples=[{"window": [3, 3]}]).checked()
    with pytest.raises(ValueError, match="start and curriculum exclude each other"):
        parsed(start=str(tmp_path / "policy"), curriculum=[{"params": {"max_turns": 6}, "turns": 600}])


def test_several_threads_share_the_weights() -> None:
    config = parsed(threads=3, total_steps=600)
    learner = TupleLearner(config, config.load_game())
    words = learner.words.copy()
    learn(learner, config.total_steps)
    assert learner.games % config.games == 0
    assert not (learner.words == words).any(), "every thread plays"
    assert learner.weights.any()


def test_diverged_weights_stop_the_run() -> None:
    config = parsed()
    learner = TupleLearner(config, config.load_game())
    learner.weights[5] = 2 * MOST_WEIGHT
    with pytest.raises(DivergedError):
        learn(learner, config.total_steps // 10)
    with pytest.raises(DivergedError):
        learner.update_player()


# Runs


def test_run_writes_a_policy_that_plays(here: Here, config: Path) -> None:
    run = config.parent / "run"
    done = here(tuples.main, "--config", config, "--out", run)
    assert done.code == 0, done
    names = {path.name for path in run.iterdir()}
    assert {"config.json", "evaluations.jsonl", "curves.png", "index.html", "policy", "checkpoints"} <= names
    for name in (str(run / "policy"), f"turns:0:{run / 'policy'}"):
        shown = here(evaluate.main, "--game", "tic_tac_toe", "--agent", name, "--against", "random", "--games", "20")
        assert shown.code == 0, shown
        assert "Forfeits: 0" in shown.out


MORE = """\
curriculum: [{params: {max_turns: 6}, turns: 600}]
against_snapshots: 0.5
against_heuristic: 0.3
snapshots: {every: 300, keep: 2}
"""


class KilledError(Exception):
    """Simulates a kill."""


def test_killed_run_resumes_to_the_same_result(here: Here, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text(TINY + MORE, encoding="utf-8")
    whole, killed = config.parent / "whole", config.parent / "killed"
    assert here(tuples.main, "--config", config, "--out", whole).code == 0

    def kill(monitor: Monitor, step: int) -> None:
        if step >= 1800:
            raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(Monitor, "advance", kill)
        with pytest.raises(KilledError):
            tuples.main(config=config, out=killed)
    assert here(tuples.main, "--out", killed, "--resume").code == 0
    for name in ("policy.json", "policy.safetensors"):
        assert (killed / "policy" / name).read_bytes() == (whole / "policy" / name).read_bytes()


WRONG = {
    "game=two_boxes": ["two_boxes declares no cells"],
    "tuples=[]": ["tuples", "at least 1"],
    "tuples=[{window: [9, 1]}]": ["tuples.0.window", "less than or equal to 8"],
    "tuples=[{window: [4, 1]}]": ["no window of 4x1 fits"],
    "tuples=[{cells: [wind]}]": ["unknown cell 'wind' (choose from board, turns_left)"],
    "tuples=[{shape: [2, 2]}]": ["tuples.0.shape", "choose from window, around, cells"],
    "trace=1.5": ["trace", "less than or equal to 1"],
    "step_size=[-1, 0]": ["step_size", "must not be negative"],
    "late_from=0.5": ["late_from needs late_replies"],
    "curriculum=[{turns: 3000}]": ["the curriculum has total_steps turns or more"],
    "curriculum=[{params: {max_turns: 10}, turns: 1}]": [
        "curriculum.0",
        "invalid max_turns=10: expected an integer from 1 to 9",
    ],
    "curriculum=[{params: {width: 3}, turns: 1}]": ["curriculum.0", "width"],
    "against_snapshots=2": ["against_snapshots", "less than or equal to 1"],
    "against_heuristic=-1": ["against_heuristic", "greater than or equal to 0"],
    "start=nowhere": ["start", "nowhere"],
    "threads=0": ["threads", "greater than 0"],
    "play.replies=65": ["play.replies", "less than or equal to 64"],
    "search.beam=0": ["search.beam", "greater than 0"],
    "evaluation.against=[nobody]": ["unknown agent 'nobody'"],
}


@pytest.mark.parametrize("override", WRONG)
def test_invalid_value_is_a_one_line_error_naming_the_key(here: Here, config: Path, override: str) -> None:
    here.refuses(tuples.main, config, override, WRONG[override])


def test_a_part_of_a_search_keeps_the_other_defaults() -> None:
    config = parsed(search={"depth": 4}, play={"beam": 32})
    assert (config.search.beam, config.search.depth, config.search.replies) == (12, 4, 0)
    assert (config.play.beam, config.play.depth, config.play.replies) == (32, 8, 16)


def test_a_discount_needs_a_lead() -> None:
    with pytest.raises(ValueError, match="no cell 'lead', which a discount needs"):
        parsed(discount=0.9).checked()


def test_shipped_configurations_are_valid() -> None:
    root = Path(__file__).resolve().parents[2]
    found = 0
    for path in sorted(root.glob("configs/*/*.yaml")):
        data = read_mapping(path)
        if "tuples" in data:
            parse(TuplesConfig, data, str(path))
            found += 1
    assert found > 0


# Files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Save random weights; tests may modify the folder."""
    path = tmp_path / "tuples"
    random_agent().save(path)
    return path


def test_policy_survives_save_and_load(folder: Path, tmp_path: Path) -> None:
    loaded, agent = load_policy(folder), random_agent()
    assert isinstance(loaded, TuplesAgent)
    assert loaded.name == folder.as_posix()
    rounded = agent.weights.astype(np.float16).astype(np.float32)
    np.testing.assert_array_equal(loaded.weights, np.where(np.abs(rounded) < SMALLEST, 0.0, rounded))
    loaded.save(tmp_path / "again")
    for name in ("policy.json", "policy.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    assert (folder / "policy.safetensors").stat().st_size < 4 * len(agent.weights), "zeros are left out"
    check_agent(str(folder))


def test_weights_far_apart_survive_save_and_load(tmp_path: Path) -> None:
    agent = random_agent()
    tables = TupleTables.model_validate({"tuples": [{"window": [3, 3], "cells": ["turns_left"]}]})
    network = make_network(agent.game, tables.tuples)
    size = int(network.size[0])
    assert size > 2 * LARGEST_GAP
    weights = np.zeros(size, np.float32)
    weights[[0, 5, LARGEST_GAP + 7, size - 1]] = 0.5, -1.0, 2.0, 3.0
    TuplesAgent(agent.game, tables, network, weights).save(tmp_path)
    loaded = load_policy(tmp_path)
    assert isinstance(loaded, TuplesAgent)
    np.testing.assert_array_equal(loaded.weights, weights)


def test_names_set_the_number_of_replies(folder: Path) -> None:
    game = edge_envs.load_game("tic_tac_toe")
    own, agent = make_agent(str(folder), game), make_agent(f"turns:9:{folder}", game)
    assert isinstance(own, TuplesAgent)
    assert isinstance(agent, TuplesAgent)
    assert own.replies == 4
    assert (agent.replies, agent.name) == (9, f"turns:9:{folder.as_posix()}")
    check_agent(f"turns:0:{folder}")
    three = pickle.loads(pickle.dumps(make_agent(f"turns:9x2:{folder}", game)))
    assert (three.replies, three.answers, three.name) == (9, 2, f"turns:9x2:{folder.as_posix()}")
    scores = pickle.loads(pickle.dumps(make_agent("turns:9x2:score", edge_envs.load_game("beyond_maps_8x8"))))
    assert (scores.replies, scores.answers, scores.name) == (9, 2, "turns:9x2:score")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("turns:65:FOLDER", "expected 0 to 64 turns"),
        ("turns:x:FOLDER", "expected 0 to 64 turns"),
        ("turns:4:no/folder", "no/folder is not a policy folder"),
        ("turns:4:", "expected score or the folder of a policy"),
        ("turns:4x65:FOLDER", "from 1 to 64"),
        ("turns:4x0:FOLDER", "from 1 to 64"),
        ("turns:0x4:FOLDER", "from 1 to 64"),
        ("turns:4x:FOLDER", "from 1 to 64"),
        ("turns:4x4x4:FOLDER", "from 1 to 64"),
        ("search:x:FOLDER", "invalid search budget 'x'"),
        ("search:50:no/folder", "no/folder is not a policy folder"),
    ],
)
def test_invalid_names_are_one_line_errors(folder: Path, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(name.replace("FOLDER", str(folder)), edge_envs.load_game("tic_tac_toe"))


def with_architecture(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda d: d["architecture"].update(changes)


FAULTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "architecture.tuples": with_architecture(tuples=[]),
    "no window of 4x4 fits": with_architecture(tuples=[{"window": [4, 4]}]),
    "architecture.play.beam": with_architecture(play={"beam": 10**9}),
    "more than 33,554,432 weights": with_architecture(tuples=[{"window": [3, 3], "cells": ["turns_left"]}] * 200),
    "architecture.colour": with_architecture(colour="red"),
    "unknown game 'chess'": lambda d: d.update(game="chess"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_invalid_description_is_a_one_line_error(folder: Path, fault: str) -> None:
    path = folder / "policy.json"
    d = json.loads(path.read_text(encoding="utf-8"))
    FAULTS[fault](d)
    path.write_text(json.dumps(d), encoding="utf-8")
    with pytest.raises(ValueError) as error:  # noqa: PT011  the message is checked below
        load_policy(folder)
    assert str(error.value).startswith(str(path))
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


def change(name: str, function: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    return lambda arrays: arrays.update({name: function(arrays[name])})


WEIGHTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "names, shapes or dtypes differ": lambda arrays: arrays.pop("gaps"),
    "shapes or dtypes": change("gaps", lambda a: a[:-1]),
    "or dtypes differ": change("weights", lambda a: a.astype(np.float64)),
    "must rise and stay below": change("gaps", lambda a: a * np.uint16(0)),
    "and stay below": change("gaps", lambda a: a + np.uint16(60_000)),
    "not all weights are finite": change("weights", lambda a: a * np.float16(np.nan)),
}


@pytest.mark.parametrize("fault", WEIGHTS)
def test_invalid_weights_are_a_one_line_error(folder: Path, fault: str) -> None:
    path = folder / "policy.safetensors"
    arrays = load_file(path)
    WEIGHTS[fault](arrays)
    save_file(arrays, path)
    with pytest.raises(ValueError, match=fault):
        load_policy(folder)
    for content in (b"", b"nonsense"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="cannot be read as weights of tuples"):
            load_policy(folder)


# Agents


def test_agents_of_a_folder_need_no_module_of_agents(folder: Path) -> None:
    """`edge_envs` makes them by name: as opponents of an environment and as judges."""
    game = edge_envs.load_game("tic_tac_toe")
    state = game.new_initial_state()
    for name in (f"turns:4:{folder}", f"search:20:{folder}"):
        own, other = built_in_agent(name, game), make_agent(name, game)
        assert own.name == other.name == name
        for one in decisions(game, 6):
            assert own.act(*acting(one)).tolist() == other.act(*acting(one)).tolist()
        env = edge_envs.seat_env("tic_tac_toe", opponents=name, seat=1)
        assert env.reset(seed=0)[1]["action_mask"].sum() == 8
        judge = judge_by(own)
        assert np.isfinite(judge.values(state)).any()
        assert judge.name == f"The search {name}"
        assert name.split(":")[0] in Adviser(judge).hint(state)


@pytest.mark.parametrize("name", ["turns:4", "search:20"])
def test_edge_envs_names_a_policy_that_is_no_n_tuple_network(name: str) -> None:
    game = edge_envs.load_game("falling_off")
    with pytest.raises(ValueError, match=r"policy\.json: architecture\.kind: expected 'tuples'"):
        built_in_agent(f"{name}:policies/falling_off/ppo", game)


def test_web_page_offers_the_policy_and_a_search_with_it(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "policies" / "tic_tac_toe" / "from_rules"
    place.parent.mkdir(parents=True)
    folder.rename(place)
    roster = PolicyRoster(tmp_path / "policies")
    names = [place.as_posix(), f"search:50:{place.as_posix()}"]
    assert list(roster.agents_of("tic_tac_toe")) == names
    game = edge_envs.load_game("tic_tac_toe")
    assert [roster.make(name, game).name for name in names] == names


def test_search_plays_each_macro_action_of_a_deterministic_game_once(folder: Path) -> None:
    game = edge_envs.load_game("tic_tac_toe")
    agent = make_agent(f"search:30:{folder}", game)
    assert isinstance(agent, SearchAgent)
    values, visits = agent.values_and_visits(game.records_from_dict(game.new_initial_state().to_dict()))
    assert (visits == 1).all()  # a turn is one move
    assert (np.isfinite(values) == (visits > 0)).all()


def test_agents_are_deterministic_and_legal_and_survive_pickling() -> None:
    import pickle

    agent = random_agent()
    again = pickle.loads(pickle.dumps(agent))
    for state in decisions(agent.game, 12):
        action = int(agent.act(*acting(state))[0])
        assert action in state.legal_actions()
        assert int(again.act(*acting(state))[0]) == action


@pytest.mark.parametrize(("game", "params"), [("beyond_maps", {"size": 5}), ("falling_off", {"num_players": 3})])
def test_score_agent_plays_games_that_have_a_score(game: str, params: dict[str, Any]) -> None:
    played: Game = edge_envs.load_game(game, **params)
    if not played.type.has_score:
        with pytest.raises(ValueError, match=f"turns:2:score compares scores, but {game} has no kernel `score`"):
            make_agent("turns:2:score", played)
        return
    agent = make_agent("turns:2:score", played)
    assert agent.name == "turns:2:score"
    for state in decisions(played, 6):
        assert int(agent.act(*acting(state))[0]) in state.legal_actions()


def test_score_agent_takes_the_larger_lead() -> None:
    game = edge_envs.load_game("beyond_maps", size=5, max_turns=2)
    agent = make_agent("turns:0:score", game)
    for state in decisions(game, 20):
        if state._record.turn == 1 and state._record.sea_done:
            player = state.current_player()
            while not state.is_terminal():
                state.apply_action(int(agent.act(*acting(state))[0]))
            assert state.returns()[player] == 1.0
            return
    pytest.fail("no such position")
