"""Every game has a golden playthrough of its version, and still plays it."""

from __future__ import annotations

from edge_envs import Game
from tests.contract.golden import actions_of, file_of, playthrough


def test_the_golden_playthrough_is_played_again(plain_game: Game) -> None:
    golden = file_of(plain_game).read_text(encoding="utf-8")  # a missing file: see tests/contract/golden.py
    assert playthrough(plain_game, actions_of(golden)) == golden
