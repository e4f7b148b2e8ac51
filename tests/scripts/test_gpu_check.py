"""Test `scripts/gpu_check.py` on the CPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import scripts.gpu_check
from agents.programs.table import PROGRAMS
from scripts.gpu_check import TRAINERS
from tests.programs import Here


def test_without_a_gpu_the_check_is_a_one_line_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    line = Here(capsys).fails(scripts.gpu_check.main, "--out", tmp_path / "results.json")
    assert "PyTorch finds no CUDA device" in line
    assert not list(tmp_path.iterdir())


def test_every_trainer_with_a_device_is_checked() -> None:
    trainers = {name: program() for name, program in PROGRAMS.items()}
    with_device = {name for name, one in trainers.items() if one.train and "device" in one.config.model_fields}
    assert with_device == set(TRAINERS)


def test_quick_check_on_the_cpu_writes_all_results(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    done = Here(capsys)(scripts.gpu_check.main, "--device", "cpu", "--quick", "--game", "falling_off", "--out", out)
    assert done.code == 0, done.err
    document = json.loads(out.read_text(encoding="utf-8"))
    assert document["passed"]
    assert [row["program"] for row in document["trainers"]] == [f"agents.{name}" for name in TRAINERS]
    assert [row["game"] for row in document["agreement"]] == ["falling_off"]
    assert [row["frames_per_second"] > 0 for row in document["training"]] == [True, True]
    assert "| falling_off | perceptron |" in done.out


def test_an_error_fails_its_row_and_the_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def breaks(*given: object) -> None:
        raise RuntimeError("no kernel image\nis available")

    for name in ("compare", "check_trainer", "measure"):
        monkeypatch.setattr(scripts.gpu_check, name, breaks)
    out = tmp_path / "results.json"
    done = Here(capsys)(scripts.gpu_check.main, "--device", "cpu", "--game", "falling_off", "--out", out)
    assert (done.code, done.err) == (1, "error: not all checks passed\n")
    document = json.loads(out.read_text(encoding="utf-8"))
    (row,) = document["agreement"]
    assert (row["game"], row["error"]) == ("falling_off", "RuntimeError: no kernel image is available")
    assert not document["passed"]
    assert "FAILED: agents.teach: RuntimeError: no kernel image is available" in done.out
