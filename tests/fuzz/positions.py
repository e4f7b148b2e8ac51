"""Positions: refused with a key in front, or playable."""

from __future__ import annotations

from random import Random
from typing import Any

from edge_envs import InvalidPositionError
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.mutation import mutated, odd_value
from tests.fuzz.playing import check_kept, play_on, positions_of

TRANSITIONS = 25


class Positions(Door):
    """Positions of played games with changes, and with parts of each other."""

    apis = ("State",)

    def attempt(self, rng: Random, story: Story) -> str:
        """Read a damaged position; what is accepted is played on."""
        game = self.some_game(rng)
        one, other = (rng.choice(positions_of(game)) for _ in range(2))
        d: Any = mutated(rng, one, other) if rng.random() < 0.98 else odd_value(rng)
        story.tell(f"{game!r} reads", d)
        before = text_of(d)
        try:
            state = game.state_from_dict(d, seed=rng.getrandbits(64))
        except InvalidPositionError as error:
            check_names_a_key(str(error), [d, *positions_of(game)])
            return REFUSED
        finally:
            assert text_of(d) == before, "reading a position changed it"
        check_kept(state)
        play_on(state, rng, TRANSITIONS)
        return TAKEN


def check_names_a_key(message: str, positions: list[Any]) -> None:
    """A refusal begins with a key that the position or another of the game has, if it is an object at all."""
    keys = {str(key) for position in positions if isinstance(position, dict) for key in position}
    begun = message.partition(":")[0]
    known = begun in keys or any(message.startswith(f"{key}:") for key in keys)
    assert known or message.startswith("a position is a JSON object"), f"names no key: {message}"


def text_of(value: Any) -> str:
    """The value as text: unlike values themselves, texts of NaN are equal."""
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an integer of too many digits, too deep
        return ""
