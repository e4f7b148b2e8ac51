"""Test the command lines of a user: train, evaluate, and play against the trained policy."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from agents.common.devices import FALLBACK
from tests.programs import program


def test_a_trained_policy_is_evaluated_and_played_against(finished_run: Path) -> None:
    policy = str(finished_run / "policy")
    evaluated = program(
        "-m", "agents.evaluate", "--game", "falling_off", "--agent", policy,
        "--against", "random", "heuristic", "perfect", "--games", "60", "--json",
    )  # fmt: skip
    assert evaluated.returncode == 0, evaluated.stderr
    assert evaluated.stderr == ("" if torch.cuda.is_available() else f"{FALLBACK}\n")
    d = json.loads(evaluated.stdout)
    assert (d["agent"], d["illegal"]) == (policy, 0)
    assert [row["games"] for row in d["against"]] == [60, 60, 60]
    assert 0.0 < d["against"][2]["half_width"] < 0.2

    played = program("scripts/play.py", "falling_off", "--against", policy, "--seat", "1", text="1\n1\n")
    assert played.returncode == 0, played.stderr
    assert f"player 0 ({policy})" in played.stdout
    assert "of winning probability" in played.stdout
