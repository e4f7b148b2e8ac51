"""The network features of `over_the_edge`: hints and groups of actions."""

from __future__ import annotations

from typing import Any

import pytest

from edge_envs import load_game
from edge_envs.games.over_the_edge.features import OverTheEdgeFeatures
from tests.agents.players import assert_only_who_is_to_act_is_advised, decisions

each_game = pytest.mark.parametrize(
    "params", [{"map": "pond"}, {"map": "pond", "num_players": 4}, {"num_players": 3}], ids=str
)


@each_game
def test_hints_are_the_worst_for_a_viewer_who_does_not_act(params: dict[str, Any]) -> None:
    game = load_game("over_the_edge", **params)
    assert_only_who_is_to_act_is_advised(game, OverTheEdgeFeatures(game, hints=True))


@each_game
def test_every_verb_has_a_weight_of_its_own(params: dict[str, Any]) -> None:
    game = load_game("over_the_edge", **params)
    groups = OverTheEdgeFeatures(game, hints=True).action_groups
    verbs: dict[str, set[int]] = {}
    for state in decisions(game, games=6, heuristic=0.8):
        for action in state.legal_actions():
            verbs.setdefault(state.action_to_string(action).split()[0], set()).add(int(groups[action]))
    assert all(len(found) == 1 for found in verbs.values())
    together = [{"calm", "wait"}, {"accept", "refuse"}, {"board", "no"}]
    for one in verbs:
        for other in verbs:
            same = one == other or any({one, other} <= pair for pair in together)
            assert (verbs[one] == verbs[other]) == same
