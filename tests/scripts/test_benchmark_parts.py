"""Test parts of `scripts/benchmark.py`: selection of rows, ratios, and invalid arguments."""

from __future__ import annotations

import pytest

from scripts.benchmarks import startup
from scripts.benchmarks.goals import judge
from scripts.benchmarks.measure import Budget, Row
from scripts.benchmarks.suite import plan
from tests.scripts.test_benchmark import benchmark


def test_selected_rows_are_measured_with_their_comparison_rows() -> None:
    (group,) = plan("falling_off", Budget(), "training frames").groups
    assert {side.name for side in group} <= {"training frames", "training frames, MaskablePPO alone"}
    (group,) = plan("falling_off", Budget(), "seat vector env").groups
    assert {side.name for side in group} >= {"seat env", "seat vector env, 1,024 games"}
    with pytest.raises(ValueError, match=r"^no row of falling_off contains 'speed' in its name$"):
        plan("falling_off", Budget(), "speed")


def test_training_on_a_gpu_is_compared_with_the_cpu_or_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    names = [f"training frames, 12×12, {network}" for network in ("perceptron", "convolutions")]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    planned = plan("beyond_maps", Budget(), "training frames", "cuda")
    assert list(planned.skipped) == [f"{name}, GPU" for name in names]
    assert all("PyTorch finds no CUDA device" in reason for reason in planned.skipped.values())
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    groups = plan("beyond_maps", Budget(), "training frames", "cuda").groups
    assert [[side.name for side in group] for group in groups[1:]] == [[f"{n}, CPU", f"{n}, GPU"] for n in names]
    assert len(plan("beyond_maps", Budget(), "training frames").groups) == 1


def test_ratio_of_gpu_and_cpu_is_only_reported_if_both_were_measured() -> None:
    names = [f"training frames, perceptron, {device}" for device in ("CPU", "GPU")]
    rows = [Row(name, "frames/s", "wall", {"wall": [rate]}, {}) for name, rate in zip(names, (2.0, 8.0), strict=True)]
    ratios = {ratio["name"]: ratio for ratio in judge("falling_off", rows)}
    assert ratios["training frames, GPU ÷ CPU, perceptron"]["value"] == 4.0
    assert ratios["training frames, GPU ÷ CPU, perceptron"]["met"]
    assert not any("GPU" in ratio["name"] for ratio in judge("falling_off", rows[:1]))


def test_playouts_are_compared_with_openspiel_by_decisions_and_by_games() -> None:
    rows = [
        Row("playouts", "decisions/s", "cpu", {"cpu": [10.0, 20.0, 30.0]}, {}, {"cpu": [1.0, 2.0, 3.0]}),
        Row(
            "OpenSpiel pig, C++ rollouts", "decisions/s", "cpu", {"cpu": [5.0, 5.0, 5.0]}, {}, {"cpu": [2.0, 2.0, 4.0]}
        ),
    ]
    ratios = {ratio["name"]: ratio for ratio in judge("falling_off", rows)}
    values = [
        tuple(ratios[f"playouts ÷ OpenSpiel pig, C++ rollouts{ending}"][key] for key in ("value", "low", "high"))
        for ending in ("", ", by games")
    ]
    assert values == [(4.0, 2.0, 6.0), (0.75, 0.5, 1.0)]


def test_a_repeat_without_a_finished_unit_is_reported() -> None:
    row = Row("playouts", "decisions/s", "cpu", {"cpu": [0.0], "wall": [0.0], "process": [0.0]}, {})
    assert row.to_dict()["cores"] is None


def test_ratio_by_games_requires_game_counts() -> None:
    rows = [Row(name, "decisions/s", "cpu", {"cpu": [1.0]}, {}) for name in ("playouts", "OpenSpiel pig, C++ rollouts")]
    (ratio,) = [ratio for ratio in judge("falling_off", rows) if ratio["name"].endswith(", by games")]
    assert ratio["value"] is None


def test_two_output_formats_are_rejected() -> None:
    done = benchmark("--game", "falling_off", "--json", "--markdown")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_unknown_game_is_a_one_line_error() -> None:
    done = benchmark("--game", "falling_off", "--game", "chess")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "chess" in line
    assert "falling_off" in line


def test_second_api_in_one_process_compiles_less() -> None:
    alone = startup._first_steps("falling_off", "AEC")
    state, after = startup._first_steps("falling_off", "State", "AEC")
    assert 0.0 < after < min(alone[0], state)


def test_first_steps_are_measured_in_process_time() -> None:
    row = startup._compiled(startup.first_step("AEC"), 2.5)
    (ratio,) = (ratio for ratio in judge("falling_off", [row]) if ratio["met"] is not None)
    assert (ratio["name"], ratio["value"], ratio["clock"], ratio["met"]) == (row.name, 2.5, "process", True)
