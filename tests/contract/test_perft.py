"""Perft: the number of nodes at each depth of every game is pinned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edge_envs import Game
from tests.contract import perft as module
from tests.contract.cases import case_name
from tests.contract.perft import perft, pinned


def test_node_counts_match_the_pinned_counts(game: Game) -> None:
    counts = pinned()[case_name(game)]  # a missing entry: see tests/contract/perft.py
    assert len(counts) >= 1
    assert perft(game, len(counts)) == counts


def test_write_updates_only_the_named_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = module.FILE.read_text(encoding="utf-8")
    wrong = {case: [0] for case in pinned()}
    monkeypatch.setattr(module, "FILE", tmp_path / "perft.json")
    module.FILE.write_text(json.dumps({**wrong, "gone": [0]}), encoding="utf-8")
    module.write(["kuhn"])
    true = json.loads(before)
    assert pinned() == {case: true[case] if case.split(",")[0] == "kuhn" else [0] for case in true}
    module.FILE.write_text(before, encoding="utf-8")
    module.write(["tic_tac_toe"])
    assert module.FILE.read_text(encoding="utf-8") == before
