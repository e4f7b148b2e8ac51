"""Test the policies that a training keeps for learning curves, with `keep_policies`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents import tuples, values
from tests.agents.test_tuples import TINY as TUPLES
from tests.agents.test_values import TINY as VALUES
from tests.programs import Here


@pytest.mark.parametrize(("main", "text"), [(tuples.main, TUPLES), (values.main, VALUES)], ids=["tuples", "values"])
def test_each_kept_policy_has_the_weights_of_its_step(here: Here, tmp_path: Path, main: Any, text: str) -> None:
    """Also between evaluations, for which the player is prepared."""
    config, out = tmp_path / "tiny.yaml", tmp_path / "run"
    config.write_text(text, encoding="utf-8")
    late = "evaluation.every=1000000"
    assert here(main, "--config", config, "--out", out, "--set", "keep_policies=3", late).code == 0
    weights = [(kept / "policy.safetensors").read_bytes() for kept in sorted((out / "policies").iterdir())]
    assert len(weights) == len(set(weights)) == 4
    assert weights[-1] == (out / "policy" / "policy.safetensors").read_bytes()
