"""Information states: what a player remembers of a game.

That is each transition as the player saw it, and the player's private information whenever it changed.
"""

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
    """A transition as a viewer saw it.

    | field | meaning |
    |---|---|
    | `text` | the actor, the action as the viewer saw it, and the events; None at the start, before any transition |
    | `private` | the viewer's private lines after the transition, () if they have not changed |
    | `events` | the events alone |
    """

    text: str | None
    private: tuple[str, ...]
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class Past:
    """The time before a position was resampled: `player` remembers its own view, all others the public one.

    It holds strings instead of records, so it cannot reveal what the player did not see.
    """

    player: int
    own: tuple[Moment, ...]
    public: tuple[Moment, ...]


class InformationState:
    """The memory of one viewer of a state, updated by `after`.

    In a finished game it is `revealed`: all transitions are shown again with nothing hidden. Memories from before a
    resampling stay as they were.
    """

    def __init__(
        self, game: Game, first: Records, viewer: int | None, past: Past | None, revealed: bool = False
    ) -> None:
        """Begin at the first position of a state.

        Args:
            game: The game.
            first: The position, an array of one record.
            viewer: A player, or None for the public.
            past: The memories from before a resampling, if any.
            revealed: Whether the game is finished, so that nothing is hidden.
        """
        self._game = game
        self._viewer = REVEALED if revealed else viewer
        self._records = first.copy()
        self._private = self._private_lines()
        self._seen = 0
        if past is not None and viewer == past.player:
            self._moments = list(past.own)
        else:
            self._moments = [*(past.public if past else ()), Moment(None, self._private)]

    def copy(self) -> InformationState:
        """Return an independent copy."""
        other = copy(self)
        other._records, other._moments = self._records.copy(), self._moments.copy()
        return other

    def after(self, history: Sequence[tuple[int, int]]) -> list[Moment]:
        """Return all moments, after adding those of the transitions since the last call."""
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
