"""Expected turns to the next port, from a Markov decision process of a single ship without opponents.

The only effect of bad and other cards is to make turns at sea more expensive. TURNS[where, n, f, w, o] is the expected
number of turns before a draw, with n steps to go, f cards of fair weather, w of favorable winds and o others. `where`
is 0 at sea, 1 in port with the hand at the end of a turn, and 2 in port on arrival, before the hand is brought to five
cards. In port the ship may wait for better cards. An arrival is valued by the turns that its hand saves on a next route
of USUAL_WAY steps, compared with an arrival with only USUAL_OTHERS other cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.games.over_the_edge.state import HAND

LONGEST, MOST_FAIR, MOST_WINDS, MOST_OTHERS = 8, 5, 4, 6
AT_SEA, IN_PORT, ON_ARRIVAL = range(3)
USUAL_WAY, USUAL_OTHERS = 4, 2
EXTRA_COST = np.array([0.0, 0.0, 0.0, 0.05, 0.1, 0.2, 0.25])  # of a turn at sea, by the number of other cards
FAIR, WINDS = 2 / 9, 1 / 9  # the probabilities of drawing them
SWEEPS = 100

Table = np.ndarray[Any, np.dtype[np.float64]]


def find_turns() -> Table:
    """Compute TURNS by value iteration."""
    turns = np.zeros((3, LONGEST + 1, MOST_FAIR + 1, MOST_WINDS + 1, MOST_OTHERS + 1))
    at_sea, in_port, on_arrival = turns
    for _ in range(SWEEPS):
        at_sea[0] = on_arrival[USUAL_WAY] - on_arrival[USUAL_WAY, 0, 0, USUAL_OTHERS]
        for steps in range(1, LONGEST + 1):
            sailing = _after_playing(at_sea, steps)
            at_sea[steps] = 1 + EXTRA_COST + _over_draws(np.minimum(sailing, at_sea[steps]))
            departing = np.minimum(sailing, in_port[steps])
            in_port[steps] = 1 + _over_draws(_discarding(departing))
            on_arrival[steps] = _filled_up(in_port[steps])
    return turns


def _after_playing(at_sea: Table, steps: int) -> Table:
    """Return the better of sailing with fair weather and with favorable winds, by the cards in hand."""
    result = np.full_like(at_sea[steps], np.inf)
    result[1:] = at_sea[steps - 1, :-1]
    if steps >= 2:
        result[:, 1:] = np.minimum(result[:, 1:], at_sea[steps - 2, :, :-1])
    return result


def _over_draws(after: Table) -> Table:
    """Return the mean over the card drawn, by the cards before the draw. Counts above the table's range are clipped."""
    fair = np.concatenate([after[1:], after[-1:]])
    winds = np.concatenate([after[:, 1:], after[:, -1:]], axis=1)
    others = np.concatenate([after[:, :, 1:], after[:, :, -1:]], axis=2)
    return FAIR * fair + WINDS * winds + (1 - FAIR - WINDS) * others


def _discarding(after: Table) -> Table:
    """Return the best result of discarding one card."""
    result = np.full_like(after, np.inf)
    result[1:] = after[:-1]
    result[:, 1:] = np.minimum(result[:, 1:], after[:, :-1])
    result[:, :, 1:] = np.minimum(result[:, :, 1:], after[:, :, :-1])
    result[0, 0, 0] = after[0, 0, 0]
    return result


def _filled_up(after: Table) -> Table:
    """Return the result before a hand is brought to five cards, by draws or by discards."""
    cards = np.add.outer(np.add.outer(np.arange(MOST_FAIR + 1), np.arange(MOST_WINDS + 1)), np.arange(MOST_OTHERS + 1))
    result = after.copy()
    for count in range(HAND - 1, -1, -1):
        drawn = _over_draws(result)
        result[cards == count] = drawn[cards == count]
    for count in range(HAND + 1, int(cards.max()) + 1):
        less = _discarding(result)
        result[cards == count] = less[cards == count]
    return result


TURNS = find_turns()
