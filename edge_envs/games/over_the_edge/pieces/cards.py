"""Heaps of cards as 64-bit words: byte k holds the number of cards of kind k, at most 127.

Sets of kinds are also words: the high bit of byte k stands for kind k.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel
from edge_envs.core.kernels.bits import select_bit
from edge_envs.games.over_the_edge.pieces.deck import NUM_KINDS

FAIR_WEATHER, FAVORABLE_WINDS, MUTINY, SCURVY, STORMY_SEAS, SEVERE_DAMAGE, DEAD_CALM, LOYAL_CREW = range(NUM_KINDS)
SET = 3
"""The number of cards of a bad kind that take effect together."""


def packed(counts: Mapping[int, int]) -> np.uint64:
    """Return the word of a heap from its counts by kind."""
    return np.uint64(sum(count << 8 * kind for kind, count in counts.items()))


def counts_of(heap: int) -> list[int]:
    """Return the number of cards of each kind in a heap."""
    return list(int(heap).to_bytes(NUM_KINDS, "little"))


NO_CARDS = np.uint64(0)
CALM_CARDS = packed({DEAD_CALM: 3, STORMY_SEAS: 1})
"""The cards that the action `calm` discards."""
_BYTES, _HIGH = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_EVEN, _LAST = np.uint64(0x00FF00FF00FF00FF), np.uint64(0xFFFF)
_TO_HIGH, _TO_SET = np.uint64(0x7F) * _BYTES, np.uint64(0x80 - SET) * _BYTES
_1, _3, _8, _16, _32, _255 = (np.uint64(number) for number in (1, 3, 8, 16, 32, 255))
_MUTINY_BIT = np.uint64(0x80 << 8 * MUTINY)
_DRIFT_BITS = np.uint64(sum(0x80 << 8 * kind for kind in (SCURVY, STORMY_SEAS, SEVERE_DAMAGE)))
_CREW = np.uint64(0xFF << 8 * LOYAL_CREW)


@inlined_kernel
def cards_of(kind, count):
    """Return a heap with `count` cards of one kind."""
    return np.uint64(count) << (np.uint64(kind) << _3)


@inlined_kernel
def number_of(heap, kind):
    """Return the number of cards of a kind in a heap."""
    return np.int64((np.uint64(heap) >> (np.uint64(kind) << _3)) & _255)


@inlined_kernel
def size(heap):
    """Return the number of cards in a heap."""
    word = np.uint64(heap)
    pairs = (word & _EVEN) + ((word >> _8) & _EVEN)
    fours = pairs + (pairs >> _32)
    return np.int64((fours + (fours >> _16)) & _LAST)


@inlined_kernel
def kinds_in(heap):
    """Return the set of the kinds that occur in a heap."""
    return (np.uint64(heap) + _TO_HIGH) & _HIGH


@inlined_kernel
def acting_sets(hand):
    """Return the set of the kinds whose sets of three take effect at sea."""
    word = np.uint64(hand)
    threes = (word + _TO_SET) & _HIGH
    return threes & (_DRIFT_BITS if word & _CREW else _DRIFT_BITS | _MUTINY_BIT)


@inlined_kernel
def calm_can_save(hand):
    """Return whether a hand has three stormy seas that take effect at sea, and three dead calm against them."""
    return number_of(hand, STORMY_SEAS) >= SET and number_of(hand, DEAD_CALM) >= SET


@inlined_kernel
def has_kind(kinds, kind):
    """Return whether a kind is in a set of kinds."""
    return (kinds >> (np.uint64(kind) << _3)) & np.uint64(0x80) != 0


@inlined_kernel
def several(kinds):
    """Return whether a set has more than one kind."""
    return kinds & (kinds - _1) != 0


@inlined_kernel
def nth_kind(kinds, n):
    """Return kind number `n` of a set with more than `n` kinds."""
    return select_bit(kinds, n) >> 3


@inlined_kernel
def kind_of_card(heap, n):
    """Return the kind of card number `n` of a heap with more than `n` cards, ordered by kind."""
    rest, kind = np.int64(n), 0
    for k in range(NUM_KINDS):
        rest -= number_of(heap, k)
        kind += rest >= 0
    return kind
