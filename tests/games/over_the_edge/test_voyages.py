"""The table of turns to the next port, checked against its decision problem in plain Python and against games.

A hand is three counts: fair weather, favorable winds, others. Counts above the range of the table are clipped.
"""

from __future__ import annotations

import itertools
import random
import statistics
from collections.abc import Callable

import numpy as np
import pytest

from edge_envs.games.over_the_edge.player.voyage_times import (
    AT_SEA,
    EXTRA_COST,
    IN_PORT,
    LONGEST,
    MOST_FAIR,
    MOST_OTHERS,
    MOST_WINDS,
    ON_ARRIVAL,
    TURNS,
    USUAL_OTHERS,
    USUAL_WAY,
)

Hand = tuple[int, int, int]
Value = Callable[[Hand], float]

CHANCES = [2 / 9, 1 / 9, 6 / 9]
MOST = (MOST_FAIR, MOST_WINDS, MOST_OTHERS)
HANDS: list[Hand] = list(itertools.product(range(MOST_FAIR + 1), range(MOST_WINDS + 1), range(MOST_OTHERS + 1)))
WAYS = range(1, LONGEST + 1)
CLOSE = 1e-4  # the convergence of the table's sweeps


def with_card(hand: Hand, kind: int) -> Hand:
    """Return a hand with one more card."""
    fair, winds, others = (min(n + (k == kind), MOST[k]) for k, n in enumerate(hand))
    return fair, winds, others


def without_cards(hand: Hand) -> list[Hand]:
    """Return the possible hands after a discard."""
    fair, winds, others = hand
    less = [(fair - 1, winds, others), (fair, winds - 1, others), (fair, winds, others - 1)]
    return [after for after in less if min(after) >= 0] or [hand]


def drawn(value: Value, hand: Hand) -> float:
    """Return the mean over the card drawn."""
    return sum(chance * value(with_card(hand, kind)) for kind, chance in enumerate(CHANCES))


def sailings(steps: int, hand: Hand) -> list[tuple[int, Hand]]:
    """Return the remaining steps and the hand after each card to sail with."""
    fair, winds, others = hand
    after = [(steps - 1, (fair - 1, winds, others))] if fair else []
    return after + ([(steps - 2, (fair, winds - 1, others))] if winds and steps >= 2 else [])


def sailed(steps: int, hand: Hand) -> list[float]:
    """Return the remaining turns after each card to sail with."""
    return [turns(AT_SEA, left, rest) for left, rest in sailings(steps, hand)]


def turns(where: int, steps: int, hand: Hand) -> float:
    """Return an entry of the table."""
    return float(TURNS[where, steps, *hand])


def test_all_entries_are_finite() -> None:
    assert np.isfinite(TURNS).all()
    assert (TURNS[:, 1:].min(axis=(2, 3, 4)) < TURNS[:, 1:].max(axis=(2, 3, 4))).all()


def test_more_sailing_cards_never_take_longer() -> None:
    for kind in (2, 3):
        assert (np.diff(TURNS, axis=kind) <= 1e-9).all()


def test_other_cards_never_shorten_a_voyage() -> None:
    assert (np.diff(TURNS[[AT_SEA, ON_ARRIVAL]], axis=4) >= -1e-9).all()


def test_a_longer_route_takes_longer() -> None:
    without_winds = TURNS[[AT_SEA, ON_ARRIVAL], 1:, :, 0]
    assert (np.diff(without_winds, axis=1) > 0).all()
    of_all = TURNS[[AT_SEA, ON_ARRIVAL], 1:]  # favorable winds cannot be used for a single step
    assert (of_all[:, 2:] - of_all[:, :-2] > 0).all()


def test_arrival_is_valued_by_the_turns_saved_on_the_usual_next_route() -> None:
    least = turns(ON_ARRIVAL, USUAL_WAY, (0, 0, USUAL_OTHERS))
    for hand in HANDS:
        assert turns(AT_SEA, 0, hand) == pytest.approx(turns(ON_ARRIVAL, USUAL_WAY, hand) - least, abs=CLOSE)


@pytest.mark.parametrize("steps", WAYS)
def test_a_turn_at_sea_is_a_card_and_then_sailing_or_waiting(steps: int) -> None:
    for hand in HANDS:
        best = drawn(lambda after: min([turns(AT_SEA, steps, after), *sailed(steps, after)]), hand)
        assert turns(AT_SEA, steps, hand) == pytest.approx(1 + EXTRA_COST[hand[2]] + best, abs=CLOSE)


@pytest.mark.parametrize("steps", WAYS)
def test_a_turn_in_port_is_a_card_a_discard_and_then_sailing_or_staying(steps: int) -> None:
    def leaving(hand: Hand) -> float:
        return min([turns(IN_PORT, steps, hand), *sailed(steps, hand)])

    for hand in HANDS:
        if sum(hand) == 5:
            best = drawn(lambda after: min(leaving(rest) for rest in without_cards(after)), hand)
            assert turns(IN_PORT, steps, hand) == pytest.approx(1 + best, abs=CLOSE)


@pytest.mark.parametrize("steps", WAYS)
def test_on_arrival_a_hand_is_brought_to_five_cards(steps: int) -> None:
    for hand in HANDS:
        wanted = turns(IN_PORT, steps, hand)
        if sum(hand) < 5 and hand[1] == MOST_WINDS:
            continue  # the table clips counts, so this hand may still draw the clipped card
        if sum(hand) < 5:
            wanted = drawn(lambda after: turns(ON_ARRIVAL, steps, after), hand)
        elif sum(hand) > 5:
            wanted = min(turns(ON_ARRIVAL, steps, after) for after in without_cards(hand))
        assert turns(ON_ARRIVAL, steps, hand) == pytest.approx(wanted, abs=CLOSE)


def voyage(rng: random.Random, where: int, steps: int, hand: Hand) -> float:
    """Play a voyage by the table and return its turns, minus the value of its arrival."""
    taken = 0.0
    while steps:
        taken += 1 + (EXTRA_COST[hand[2]] if where == AT_SEA else 0)
        hand = with_card(hand, rng.choices(range(3), CHANCES)[0])
        options = [(where, steps, rest) for rest in ([hand] if where == AT_SEA else without_cards(hand))]
        options += [(AT_SEA, *after) for _, _, rest in options for after in sailings(steps, rest)]
        where, steps, hand = min(options, key=lambda option: turns(*option))
    return taken + turns(AT_SEA, 0, hand)


@pytest.mark.parametrize(
    ("where", "steps", "hand"), [(AT_SEA, 3, (1, 0, 2)), (AT_SEA, 2, (0, 0, 0)), (IN_PORT, 4, (1, 1, 3))]
)
def test_voyages_take_as_long_as_the_table_says(where: int, steps: int, hand: Hand) -> None:
    rng, count = random.Random(0), 2000
    taken = [voyage(rng, where, steps, hand) for _ in range(count)]
    error = statistics.stdev(taken) / count**0.5
    assert statistics.mean(taken) == pytest.approx(turns(where, steps, hand), abs=4 * error)
