"""What a player remembers of a game: each transition as it saw it, and what was private to it whenever that changed."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from edge_envs.core.nodes import REVEALED
from edge_envs.core.spec import Records

if TYPE_CHECKING:
    from edge_envs.core.game import Game


@dataclass(frozen=True)
class Moment:
    """A transition as a viewer saw it, and the viewer's private lines after it, () if they are as before.

    `text` names who acted, tells the action as the viewer saw it, and then the events, which `events` has alone. It is
    None where a memory begins: there is no transition, only what is private.
    """

    text: str | None
    private: tuple[str, ...]
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class Past:
    """The time before a position was resampled: `player` remembers all that it saw, all others what was public.

    It holds texts and no records, so that it tells nothing that the player did not see.
    """

    player: int
    own: tuple[Moment, ...]
    public: tuple[Moment, ...]


class Memory:
    """The memory of one viewer of a state, None being the public; it is brought up to date when it is asked for.

    A memory of a finished game is `revealed`: all transitions are told again with nothing hidden. What a resampled
    position remembers from before stays as it was.
    """

    def __init__(
        self, game: Game, first: Records, viewer: int | None, past: Past | None, revealed: bool = False
    ) -> None:
        """Begin at the state's first position, an array of one record, with what the viewer remembers from before."""
        self._game = game
        self._viewer = REVEALED if revealed else viewer
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
        game, record = self._game, self._records[0]
        for player, action in history[self._seen :]:
            before = self._records.copy()[0]
            text = f"{game.actor(record, player)}: {game.action_as_seen(record, action, self._viewer)}"
            game.compiled.kernels.apply(record, action)
            events = tuple(game.events(before, action, record, self._viewer))
            private, self._private = self._private, self._private_lines()
            news = self._private if self._private != private else ()
            self._moments.append(Moment(f"{text}. {' '.join(events)}" if events else text, news, events))
        self._seen = len(history)
        return self._moments

    def _private_lines(self) -> tuple[str, ...]:
        if self._viewer is None or self._viewer == REVEALED or self._game.perfect_information:
            return ()
        return tuple(self._game.private(self._records[0], self._viewer))
