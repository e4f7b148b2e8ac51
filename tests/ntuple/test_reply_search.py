"""The search of replies, and of turns after them, against a slow reference."""

from __future__ import annotations

import numpy as np
import pytest

from edge_envs import Game
from edge_envs.ntuple.agent import TurnsAgent
from edge_envs.ntuple.network import TupleSpec
from edge_envs.ntuple.reply_search import MAX_KILLERS
from edge_envs.ntuple.turn_search import MAX_LEAVES, TurnSearch
from tests.contract.play import decisions
from tests.ntuple.test_turn_search import NOUGHTS, SPECS, acting, network_with_weights, share, values_of
from tests.toy import kuhn


def test_replies_lower_the_value_of_a_turn_to_that_after_the_best_reply() -> None:
    network, weights, slow = network_with_weights(NOUGHTS, SPECS, 3)
    agent = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9, replies=MAX_LEAVES)
    for state in decisions(NOUGHTS, 15):
        player, found = state.current_player(), values_of(agent, state)
        after_turn = {path[0]: slow.after_reply(end, player)[player] for path, end in slow.turns(state)}
        best = max(after_turn.values())
        for action, value in after_turn.items():  # also of turns that a reply refutes
            assert share(NOUGHTS, found[action]) == pytest.approx(value, abs=1e-5)
        chosen = int(agent.act(*acting(state))[0])
        after = state.clone()
        after.apply_action(chosen)
        assert slow.after_reply(after, player)[player] == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("answers", [1, 3, MAX_LEAVES])
def test_replies_are_compared_by_the_best_turns_after_them(answers: int) -> None:
    network, weights, slow = network_with_weights(NOUGHTS, SPECS, 4)
    agent = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9, replies=MAX_LEAVES, answers=answers)
    for state in decisions(NOUGHTS, 15):
        player, found = state.current_player(), values_of(agent, state)
        for path, end in slow.turns(state):
            value = slow.after_reply(end, player, answers)[player]
            assert share(NOUGHTS, found[path[0]]) == pytest.approx(value, abs=1e-5)
        assert int(agent.act(*acting(state))[0]) == slow.three_turns(state, answers, MAX_KILLERS)


@pytest.mark.parametrize("answers", [0, 2])
def test_chance_after_a_turn_is_averaged_over_all_outcomes(answers: int) -> None:
    game = Game(kuhn.GAME, {})
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    network, weights, slow = network_with_weights(game, [TupleSpec(cells=tuple(f.name for f in layout.fields))])
    agent = TurnsAgent(game, network, weights, beam=100, depth=8, replies=MAX_LEAVES, answers=answers)
    for state in decisions(game, 20):
        player = state.current_player()
        best = max(slow.after_reply(end, player, answers)[player] for _, end in slow.turns(state))
        assert share(game, float(np.nanmax(values_of(agent, state)))) == pytest.approx(best, abs=1e-5)


def test_a_search_that_stops_early_leaves_an_empty_table_of_positions() -> None:
    network, weights, _ = network_with_weights(NOUGHTS, SPECS, 3)
    agent = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9, replies=MAX_LEAVES)
    for state in decisions(NOUGHTS, 15):
        agent.act(*acting(state))
        replies = agent._replies
        assert isinstance(replies, TurnSearch)
        assert (replies.slots == -1).all()
