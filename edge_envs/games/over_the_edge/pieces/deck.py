"""The kinds of cards, and the parameter for their numbers.

The package of the game imports this module before it has a `GAME`, so it must not contain kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import ParameterError, in_short
from edge_envs.core.spec import Parameter

KINDS = (
    "fair_weather",
    "favorable_winds",
    "mutiny",
    "scurvy",
    "stormy_seas",
    "severe_damage",
    "dead_calm",
    "loyal_crew",
)
NUM_KINDS = len(KINDS)
COUNTS = (16, 8, 8, 8, 8, 8, 8, 8)
MOST_OF_A_KIND = 127


class CardsParameter(Parameter):
    """A parameter that is a dict of card counts by kind. It becomes a new dict with all kinds, in order."""

    @property
    def possible(self) -> str:
        """The accepted values, in words."""
        return (
            f"a dict of counts, 0 to {MOST_OF_A_KIND}, by the kinds {', '.join(KINDS)}, at least one card in all; "
            "kinds that are left out keep their counts"
        )

    @property
    def annotation(self) -> str:
        """The accepted values, as a type annotation."""
        return "Mapping[str, int]"

    def check(self, game: str, value: Any) -> dict[str, int]:
        """Return the dict.

        Raises:
            ParameterError: if the value is invalid.
        """
        counts = _read_counts(value)
        if counts is None:
            raise ParameterError(f"{game}: invalid {self.name}={in_short(value)}: expected {self.possible}")
        return counts

    def format_value(self, value: Any) -> str:
        """Return valid counts that differ from the usual ones, such as {'mutiny':4}."""
        counts = _read_counts(value)
        if counts is None:
            return in_short(value)
        texts = (f"{kind!r}:{counts[kind]}" for kind, usual in zip(KINDS, COUNTS, strict=True) if counts[kind] != usual)
        return f"{{{','.join(texts)}}}"

    def same(self, one: Any, other: Any) -> bool:
        """Return whether two values give the same counts."""
        return _read_counts(one) == _read_counts(other)


def _read_counts(value: Any) -> dict[str, int] | None:
    """Return the counts of all kinds, or None if they are invalid."""
    if not isinstance(value, Mapping) or not all(kind in KINDS for kind in value):
        return None
    given = {kind: integer_of(count) for kind, count in value.items()}
    found = {kind: given.get(kind, usual) for kind, usual in zip(KINDS, COUNTS, strict=True)}
    counts = {kind: count for kind, count in found.items() if count is not None and 0 <= count <= MOST_OF_A_KIND}
    return counts if len(counts) == NUM_KINDS and any(counts.values()) else None
