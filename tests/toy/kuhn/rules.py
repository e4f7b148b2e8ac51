"""The rules of `kuhn` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.rng import below, draw
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Spec
from tests.toy.kuhn.actions import NUM_ACTIONS
from tests.toy.kuhn.state import BET, MAX_CARDS, MAX_DECISIONS, MAX_PLAYERS, dealing

MAX_CHANCE_OUTCOMES = MAX_CARDS


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes of the game with these parameters."""
    players = params["num_players"]
    return Spec(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=players + 1,
        max_game_length=2 * players - 1,
        min_utility=-2.0,
        max_utility=2.0 * (players - 1),
        utility_sum=0.0,
    )


@kernel
def new_game(state: Any) -> None:
    """Start with one chip per player and no cards."""
    state.num_dealt = 0
    state.num_decisions = 0
    state.bettor = -1
    state.turn = 0
    for i in range(MAX_DECISIONS):
        state.betting[i] = 0
    for p in range(MAX_PLAYERS):
        state.cards[p] = 0
        state.chips[p] = 1
        state.folded[p] = 0
        state.gain[p] = 0


@kernel
def current_player(state: Any) -> Any:
    """Return chance, the player to act, or terminal."""
    if dealing(state):
        return np.int64(CHANCE)
    if state.turn >= 0:
        return np.int64(state.turn)
    return np.int64(TERMINAL)


@kernel
def is_shown(state: Any, player: Any) -> Any:
    """Return whether the card of a player is public: at the end, or because it was dealt face up."""
    return state.cards[player] > 0 and (state.deal_last != 0 or state.turn < 0)


@kernel
def legal_action_mask(state: Any, out: Any) -> None:
    """Allow passing and betting."""
    out[:] = 1


@kernel
def is_dealt(state: Any, card: Any) -> Any:
    """Return whether a player has this card."""
    found = False
    for p in range(state.num_dealt):
        found = found or state.cards[p] == card
    return found


@kernel
def chance_probabilities(state: Any, out: Any) -> None:
    """Write the uniform distribution over the cards in the deck."""
    left = state.num_players + 1 - state.num_dealt
    for outcome in range(out.shape[0]):
        possible = outcome <= state.num_players and not is_dealt(state, outcome + 1)
        out[outcome] = 1.0 / left if possible else 0.0


@kernel
def apply(state: Any, action: Any) -> None:
    """Apply a deal or a decision."""
    for p in range(state.num_players):
        state.gain[p] = 0
    if dealing(state):
        state.cards[state.num_dealt] = action + 1
        state.num_dealt += 1
    else:
        _decide(state, action)
    if current_player(state) == TERMINAL:
        _settle(state)


@kernel
def _decide(state: Any, action: Any) -> None:
    player = state.turn
    state.betting[state.num_decisions] = action
    state.num_decisions += 1
    if action == BET:
        state.chips[player] += 1
        if state.pay_at_once:
            state.gain[player] = -1
        if state.bettor < 0:
            state.bettor = player
    elif state.bettor >= 0:
        state.folded[player] = 1
    following = (player + 1) % state.num_players
    state.turn = -1 if following == max(state.bettor, 0) else following


@kernel
def _settle(state: Any) -> None:
    """Pay all chips to the highest card that has not folded; a single remaining player needs no card."""
    winner, pot = -1, 0
    for p in range(state.num_players):
        pot += state.chips[p]
        if not state.folded[p] and (winner < 0 or state.cards[p] > state.cards[winner]):
            winner = p
    for p in range(state.num_players):
        state.gain[p] -= 1 if state.pay_at_once else state.chips[p]
    state.gain[winner] += pot


@kernel
def rewards(state: Any, out: Any) -> None:
    """Write the chips won or lost in the last transition."""
    for p in range(state.num_players):
        out[p] = state.gain[p]


@kernel
def resample(state: Any, player: Any) -> None:
    """Redeal the cards that are hidden from `player`, including those in the deck."""
    hidden = 0
    deck = np.empty(MAX_CARDS, np.int8)
    left = 0
    for card in range(1, state.num_players + 2):
        if not _is_seen(state, player, card):
            deck[left] = card
            left += 1
    for p in range(state.num_dealt):
        if p != player and not is_shown(state, p):
            pick = hidden + below(draw(state), left - hidden)
            deck[hidden], deck[pick] = deck[pick], deck[hidden]
            state.cards[p] = deck[hidden]
            hidden += 1


@kernel
def _is_seen(state: Any, player: Any, card: Any) -> Any:
    seen = False
    for p in range(state.num_dealt):
        seen = seen or (state.cards[p] == card and (p == player or is_shown(state, p)))
    return seen
