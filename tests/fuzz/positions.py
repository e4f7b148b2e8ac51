"""Fuzz positions: they are rejected with a key, or playable."""

from __future__ import annotations

from random import Random
from typing import Any

from edge_envs import InvalidPositionError
from tests.fuzz.mutation import mutated, odd_value
from tests.fuzz.playing import check_round_trip, play_on, positions_of
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace

TRANSITIONS = 25


class Positions(Target):
    """Positions of games with changes, some with parts of other positions."""

    apis = ("State",)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Read a damaged position, and play from it if it is accepted."""
        game = self.some_game(rng)
        one, other = (rng.choice(positions_of(game)) for _ in range(2))
        d: Any = mutated(rng, one, other) if rng.random() < 0.98 else odd_value(rng)
        trace.add(f"{game!r} reads", d)
        before = text_of(d)
        try:
            state = game.state_from_dict(d, seed=rng.getrandbits(64))
        except InvalidPositionError as error:
            check_names_a_key(str(error), [d, *positions_of(game)])
            return REJECTED
        finally:
            assert text_of(d) == before, "reading a position changed it"
        check_round_trip(state)
        play_on(state, rng, TRANSITIONS)
        return ACCEPTED


def check_names_a_key(message: str, positions: list[Any]) -> None:
    """Check that an error starts with a key of positions, unless the position is not an object."""
    keys = {str(key) for position in positions if isinstance(position, dict) for key in position}
    begun = message.partition(":")[0]
    known = begun in keys or any(message.startswith(f"{key}:") for key in keys)
    assert known or message.startswith("a position is a JSON object"), f"the error does not name a key: {message}"


def text_of(value: Any) -> str:
    """Return the repr of a value; unlike values, reprs of NaN are equal."""
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an integer with too many digits, or too deep
        return ""
