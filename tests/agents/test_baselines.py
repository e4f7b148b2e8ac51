"""Test the baselines: the plan, statistics over seeds, reports, and a short run that is interrupted."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save
from scipy import stats
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents.baselines
from agents.baselining.cards import card, with_metadata
from agents.baselining.curves import curve_over_boards, half_widths, mean_curve
from agents.baselining.measuring import Measured, Point, measure_run
from agents.baselining.plan import BaselinePlan, Run, merged
from agents.baselining.publishing import mean_scores, publish, read_published
from agents.baselining.report import curve_csv, draw_all, draw_board, flat, table
from agents.baselining.training import TrainTask
from agents.benchmarking.references import level_scores
from agents.common.configuration import ConfigError, parse, read_mapping
from agents.common.pages import BEGIN, END
from agents.workers.opening import open_workers
from tests.programs import ROOT, Here

MINI: dict[str, Any] = {
    "seconds": 0.5, "seeds": [0, 1], "points": 1, "curve_games": 2, "final_games": 2,
    "protocol": str(ROOT / "configs/edge-bench-v1.yaml"),
    "boards": {"falling_off": {"features": "plain", "hidden": [8]}},
    "algorithms": {
        "dqn": {
            "title": "masked DQN", "program": "dqn",
            "config": {"num_envs": 8, "opponents": {"random": 1}, "dqn": {"buffer": 1000, "learn_from": 100}},
        },
    },
}  # fmt: skip


def plan_of(**changes: Any) -> BaselinePlan:
    return parse(BaselinePlan, merged(MINI, changes), "plan")


def measured(board: str, seed: int, scores: list[float | None]) -> Measured:
    points = [Point(100 * k, 10.0 * k, 0.1 * k + seed, score) for k, score in enumerate(scores)]
    run = Run("dqn", "dqn", board, seed, 0.5)
    return Measured(run, plan_of().config_of(run) if board == "falling_off" else {}, tuple(points), [])


def test_the_shipped_plan_is_valid_and_uses_no_hints() -> None:
    plan = parse(BaselinePlan, read_mapping(ROOT / "configs/baselines.yaml"), "configs/baselines.yaml")
    runs = plan.runs()
    assert len({run.name for run in runs}) == len(runs)
    for board in plan.boards:
        mine = [run for run in runs if run.board == board]
        assert len({run.algorithm for run in mine}) == 5
        assert len(mine) == 5 * len(plan.seeds) + 5
    assert "hint" not in json.dumps([plan.config_of(run) for run in runs])


def test_sections_of_a_configuration_are_merged() -> None:
    plan = plan_of(algorithms={"dqn": {"boards": {"falling_off": {"dqn": {"buffer": 500}}}}})
    config = plan.config_of(plan.runs()[0])
    assert config["dqn"] == {"buffer": 500, "learn_from": 100}
    assert (config["max_seconds"], config["keep_policies"], config["network"]["hidden"]) == (0.5, 1, [8])
    assert flat({"a": {"b": 1, "c": [1, 2]}, "d": "x"}) == {"a.b": 1, "a.c": "[1, 2]", "d": "x"}


def test_a_run_on_a_board_with_a_speed_ends_after_its_frames(tmp_path: Path) -> None:
    plan = plan_of(seeds=[0], algorithms={"dqn": {"speeds": {"falling_off": 1000}}})
    (run,) = plan.runs()
    config = plan.config_of(run)
    assert (config["total_steps"], config["checkpoint_every"], config.get("max_seconds")) == (500, 50, None)
    TrainTask(plan, tmp_path).prepare(lambda seat: None)(run)
    with open_workers(1, None) as workers:
        one = measure_run(plan, run, tmp_path, workers)
    assert (one.config, one.curve[0].seconds, one.curve[-1].step >= 500) == (config, 0.0, True)
    assert one.curve[-1].seconds == one.curve[-1].step / 1000
    about = {"algorithm": "DQN", "protocol": "P"}
    assert "as many frames as the reference machine makes in 0.5 seconds of processor time." in card(plan, one, about)
    timed = dataclasses.replace(one, config={"max_seconds": 0.5})
    assert "on one core, for 0.5 seconds of processor time." in card(plan, timed, about)


def test_an_invalid_plan_names_the_problem() -> None:
    for changes, message in (
        ({"algorithms": {"dqn": {"config": {"unknown": 1}}}}, "dqn on falling_off: unknown"),
        ({"algorithms": {"dqn": {"boards": {"pond": {}}}}}, "not one of the boards of the plan"),
        ({"algorithms": {"dqn": {"speeds": {"pond": 1}}}}, r"speeds\.pond: not one of the boards of the plan"),
        ({"algorithms": {"dqn": {"speeds": {"falling_off": 0}}}}, "speeds"),
        ({"boards": {"nowhere": {}}}, "nowhere"),
    ):
        with pytest.raises(ConfigError, match=message):
            plan_of(**changes)


def test_curves_are_means_over_seeds_with_t_intervals() -> None:
    runs = [measured("falling_off", seed, [0.0, 10.0 * (seed + 1), 20.0 * (seed + 1)]) for seed in range(4)]
    curve = mean_curve(runs, "score", "seconds")
    assert (curve.at[0], curve.at[-1]) == (0.0, 20.0)
    assert curve.mean[-1] == pytest.approx(50.0)
    low, high = stats.t.interval(0.95, 3, 50.0, stats.sem([20.0, 40.0, 60.0, 80.0]))
    assert (curve.low[-1], curve.high[-1]) == pytest.approx((low, high))
    assert not half_widths(np.ones((1, 3))).any()
    assert mean_curve(runs, "return", "frames").mean[0] == pytest.approx(1.5)


def test_the_curve_of_all_boards_is_an_interquartile_mean() -> None:
    boards = [[measured(f"b{b}", seed, [0.0, 10.0 * b + seed]) for seed in range(4)] for b in range(2)]
    curve = curve_over_boards(boards, places=3)
    values = sorted([0.0, 1.0, 2.0, 3.0, 10.0, 11.0, 12.0, 13.0])
    assert curve.mean[-1] == pytest.approx(np.mean(values[2:6]))
    assert curve.low[-1] < curve.mean[-1] < curve.high[-1]


def test_the_report_lists_runs_and_levels(tmp_path: Path) -> None:
    plan = plan_of()
    three = [measured("falling_off", seed, [0.0, 40.0 + seed]) for seed in range(3)]
    assert "| 3 | 100 | 41.0 ± 2.5 |" in table(plan, {("falling_off", "dqn", 0.5): three})
    runs = three[:2]
    groups = {("falling_off", "dqn", 0.5): runs}
    text = table(plan, groups)
    assert "| `falling_off` | masked DQN | 0.5 | 2 | 100 | 40.5 | 0.600 |" in text  # too few for an interval
    levels = level_scores(plan.read_protocol(), "falling_off")
    assert (levels["level:1"], levels["perfect"]) == (0.0, 100.0)
    rows = list(csv.DictReader(curve_csv(runs).splitlines()))
    assert rows[-1]["score"] == "41.0"
    assert len(rows) == 4
    draw_board(plan, groups, "falling_off", tmp_path / "board.png")
    draw_all(plan, groups, tmp_path / "all.png")
    assert (tmp_path / "all.png").stat().st_size > 5_000


def test_published_results_stay_while_their_runs_have_the_same_configuration(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{BEGIN}\nNot yet measured.\n{END}\n\nafter\n")
    first, second = (measured("falling_off", seed, [0.0, 40.0 + seed]) for seed in range(2))
    assert publish(plan_of(), [second], page) == [second]
    assert publish(plan_of(), [first], page) == [first, second]
    again = measured("falling_off", 0, [0.0, 50.0])
    assert publish(plan_of(), [again], page) == [again, second]
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "So far 2 of 2 runs." in text
    assert "masked DQN | 0.5 | 2 | 100 | 45.5 |" in text
    assert "](page/falling_off.png)" in text
    assert {file.name for file in (tmp_path / "page").iterdir()} == {
        "results.json", "curves.csv", "falling_off.png", "all.png",
    }  # fmt: skip
    other = plan_of(algorithms={"dqn": {"config": {"num_envs": 16}}})
    changed = dataclasses.replace(first, config=other.config_of(first.run))
    assert publish(other, [changed], page) == [changed]
    assert read_published(other, tmp_path / "page/results.json") == [changed]
    with_speed = plan_of(algorithms={"dqn": {"config": {"num_envs": 16}, "speeds": {"falling_off": 100}}})
    assert read_published(with_speed, tmp_path / "page/results.json") == [changed]
    (tmp_path / "page/results.json").write_text('{"protocol": "edge-bench v1", "runs": [{"name": 1}]}')
    with pytest.raises(ConfigError, match="runs"):
        publish(other, [first], page)


def test_published_results_become_logs_for_tensorboard(here: Here, tmp_path: Path) -> None:
    config, page = tmp_path / "plan.yaml", tmp_path / "page.md"
    config.write_text(json.dumps(MINI))
    page.write_text(f"{BEGIN}\n{END}\n")
    one = measured("falling_off", 1, [0.0, 40.0])
    publish(plan_of(), [one], page)
    arguments = ("--config", config, "--publish", page, "--tensorboard", tmp_path / "logs")
    assert "1 of 2 runs" in here(agents.baselines.main, *arguments).out
    curve = EventAccumulator(str(tmp_path / "logs" / one.run.name)).Reload()
    assert [event.value for event in curve.Scalars("curve/score")] == [0.0, 40.0]
    assert "1 of 2 runs" in here(agents.baselines.main, *arguments).out  # in place of the same logs
    assert "no results of these runs" in here.fails(agents.baselines.main, *arguments, "--seeds", 0)
    assert "leave out --dry-run" in here.fails(agents.baselines.main, *arguments, "--dry-run")
    training = tmp_path / "logs" / one.run.name / "training"
    training.mkdir()
    assert "training: this is not a TensorBoard log" in here.fails(agents.baselines.main, *arguments)
    assert training.exists()
    page.with_suffix("").rename(tmp_path / "moved")
    assert "results.json: no such file" in here.fails(agents.baselines.main, *arguments)


def test_publishing_baselines_updates_the_table_of_the_benchmark(tmp_path: Path, here: Here) -> None:
    page, table = tmp_path / "baselines.md", tmp_path / "benchmark.md"
    for file in (page, table):
        file.write_text(f"{BEGIN}\n{END}\n")
    (tmp_path / "plan.yaml").write_text(json.dumps(MINI | {"seeds": [0]}))
    arguments = ("--config", tmp_path / "plan.yaml", "--out", tmp_path / "out", "--publish", page, "--workers", 1)
    assert here(agents.baselines.main, *arguments).code == 0
    assert table.read_text() == f"{BEGIN}\n{END}\n"  # it has no scores
    scores = tmp_path / "benchmark" / "scores.json"
    scores.parent.mkdir()
    scores.write_text(json.dumps({"protocol": "edge-bench v1", "quick": False, "boards": {}}))
    assert "benchmark.md: mean scores of the baselines" in here(agents.baselines.main, *arguments).out
    assert "| masked DQN, 0.5 s | " in table.read_text()
    scores.write_text(json.dumps({"protocol": "edge-bench v1", "quick": True, "boards": {}}))
    assert "scores of the quick mode" in here(agents.baselines.main, *arguments).err


def test_the_mean_scores_of_baselines_have_intervals_from_three_seeds_on(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}\n{END}\n")
    plan = plan_of(seeds=[0, 1, 2])
    publish(plan, [measured("falling_off", seed, [0.0, 40.0 + seed]) for seed in range(2)], page)
    (row,) = mean_scores(plan, tmp_path / "page" / "results.json")
    assert row == {"title": "masked DQN, 0.5 s", "boards": {"falling_off": {"score": 40.5}}}
    publish(plan, [measured("falling_off", 2, [0.0, 42.0])], page)
    (row,) = mean_scores(plan, tmp_path / "page" / "results.json")
    half = stats.sem([40.0, 41.0, 42.0]) * stats.t.ppf(0.975, 2)
    assert row["boards"]["falling_off"] == pytest.approx(
        {"score": 41.0, "score_low": 41.0 - half, "score_high": 41.0 + half}
    )


def test_a_page_without_a_place_for_results_is_rejected_before_training(here: Here, tmp_path: Path) -> None:
    config, page = tmp_path / "plan.yaml", tmp_path / "page.md"
    config.write_text(json.dumps(MINI))
    page.write_text("# Page\n")
    arguments = ("--config", str(config), "--out", str(tmp_path / "out"), "--publish", str(page))
    outcome = here(agents.baselines.main, *arguments)
    assert outcome.code == 2
    assert "between which the results are written" in outcome.err
    assert not (tmp_path / "out").exists()


def test_boards_outside_the_protocol_have_no_scores(tmp_path: Path) -> None:
    protocol = read_mapping(ROOT / "configs/edge-bench-v1.yaml")
    protocol["boards"].pop("falling_off")
    protocol["references"]["file"] = str(ROOT / protocol["references"]["file"])
    (tmp_path / "protocol.yaml").write_text(json.dumps(protocol))
    plan = plan_of(protocol=str(tmp_path / "protocol.yaml"))
    assert plan.read_protocol().opponents("falling_off") == plan.read_protocol().everywhere
    assert level_scores(plan.read_protocol(), "falling_off") == {}


def test_metadata_is_added_to_weights(tmp_path: Path) -> None:
    file = tmp_path / "policy.safetensors"
    file.write_bytes(with_metadata(save({"w": np.arange(3.0)}), {"seed": "7"}))
    with safe_open(file, "numpy") as weights:
        assert weights.metadata() == {"seed": "7"}
        assert weights.get_tensor("w").tolist() == [0.0, 1.0, 2.0]
    file.write_bytes(with_metadata(save({"w": np.arange(3.0)}, {"format": "np"}), {"seed": "7"}))
    with safe_open(file, "numpy") as weights:
        assert weights.metadata() == {"format": "np", "seed": "7"}


def test_a_run_is_not_resumed_with_another_configuration(tmp_path: Path) -> None:
    plan = plan_of(seconds=0.5)
    run = plan.runs()[0]
    TrainTask(plan, tmp_path).prepare(lambda seat: None)(run)
    (tmp_path / run.name / "done.json").unlink()  # as if it had been killed
    changed = plan_of(algorithms={"dqn": {"config": {"num_envs": 16}}})
    with pytest.raises(ValueError, match=r"num_envs is 16 instead of 8"):
        TrainTask(changed, tmp_path).prepare(lambda seat: None)(run)


@pytest.mark.parametrize("option", ["--seeds", "--seconds"])
def test_unknown_seeds_and_seconds_are_rejected(here: Here, tmp_path: Path, option: str) -> None:
    config = tmp_path / "plan.yaml"
    config.write_text(json.dumps(MINI))
    error = here.fails(agents.baselines.main, "--config", str(config), option, "99", "--dry-run")
    assert f"{option}: unknown 99" in error


def test_an_interrupted_command_continues(here: Here, tmp_path: Path) -> None:
    config, out = tmp_path / "plan.yaml", tmp_path / "out"
    config.write_text(json.dumps(MINI))
    command = ("--config", str(config), "--out", str(out), "--workers", "1")
    assert "2 runs" in here(agents.baselines.main, *command, "--dry-run").out
    first = here(agents.baselines.main, *command, "--seeds", "0")
    assert first.code == 0, first.err
    name = "falling_off-dqn-0.5s-seed0"
    done = (out / name / "done.json").stat().st_mtime_ns
    (out / name.replace("seed0", "seed1")).mkdir()  # as if the second run had been killed at its start
    second = here(agents.baselines.main, *command)
    assert second.code == 0, second.err
    assert (out / name / "done.json").stat().st_mtime_ns == done
    assert "masked DQN | 0.5 | 2 |" in (out / "table.md").read_text()
    card = (out / "policies" / name / "README.md").read_text()
    assert "# masked DQN on falling_off, seed 0" in card
    assert "| licence | MIT |" in card
    assert any((out / "tensorboard" / name).iterdir())
