"""Positions of `kuhn` as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.positions import check, check_keys, entries, integers, one_of
from edge_envs.core.spec import Record
from tests.toy.kuhn import rules
from tests.toy.kuhn.state import WORDS, dealing, words


def to_dict(record: Record) -> dict[str, Any]:
    """Return the position without `game` and `params`: the cards and the decisions."""
    return {"cards": record.cards[: record.num_dealt].tolist(), "betting": words(record)}


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Play the position in a record of a new game; InvalidPositionError names the invalid key."""
    check_keys(d, ("cards", "betting"))
    players = int(record.num_players)
    cards = integers(d["cards"], "cards", 1, players + 1)
    check(len(cards) <= players and len(set(cards)) == len(cards), "cards", f"{cards} are not {players} cards at most")
    if not record.deal_last:
        _deal(record, cards)
    for word in entries(d["betting"], "betting"):
        check(rules.current_player(record) >= 0, "betting", f"{word!r}: nobody is to decide")
        possible = WORDS[int(record.bettor >= 0)]
        rules.apply(record, possible.index(one_of(word, "betting", possible)))
    if record.deal_last:
        _deal(record, cards)


def _deal(record: Record, cards: list[int]) -> None:
    for card in cards:
        check(dealing(record), "cards", "no card is dealt yet")
        rules.apply(record, card - 1)
