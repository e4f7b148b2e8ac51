"""What a player remembers of a game: each transition as it saw it, and what was private to it whenever that changed."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from edge_envs.core.game import Records

if TYPE_CHECKING:
    from edge_envs.core.game import Game


@dataclass(frozen=True)
class Moment:
    """A transition as a viewer saw it, and the viewer's private lines after it, () if they are as before.

    `text` is None where a memory begins: there is no transition, only what is private.
    """

    text: str | None
    private: tuple[str, ...]


@dataclass(frozen=True)
class Past:
    """The time before a position was resampled: `player` remembers all that it saw, all others what was public.

    It holds texts and no records, so that it tells nothing that the player did not see.
    """

    player: int
    own: tuple[Moment, ...]
    public: tuple[Moment, ...]


class Memory:
    """The memory of one viewer of a state, None being the public; it is brought up to date when it is asked for."""

    def __init__(self, game: Game, first: Records, viewer: int | None, past: Past | None) -> None:
        """Begin at the state's first position, an array of one record, with what the viewer remembers from before."""
        self._game = game
        self._viewer = viewer
        self._records = first.copy()
        self._private = self._private_lines()
        self._seen = 0
        if past is not None and viewer == past.player:
            self._moments = list(past.own)
        else:
            self._moments = [*(past.public if past else ()), Moment(None, self._private)]

    def copy(self) -> Memory:
        """An independent memory of the same moments."""
        other = copy(self)
        other._records, other._moments = self._records.copy(), self._moments.copy()
        return other

    def after(self, history: Sequence[tuple[int, int]]) -> list[Moment]:
        """All moments, those of the transitions that have come since the last call included."""
        record = self._records[0]
        for _, action in history[self._seen :]:
            text = self._game.action_as_seen(record, action, self._viewer)
            self._game.type.kernels.apply(record, action)
            before, self._private = self._private, self._private_lines()
            self._moments.append(Moment(text, self._private if self._private != before else ()))
        self._seen = len(history)
        return self._moments

    def _private_lines(self) -> tuple[str, ...]:
        if self._viewer is None or self._game.perfect_information:
            return ()
        return tuple(self._game.private(self._records[0], self._viewer))
