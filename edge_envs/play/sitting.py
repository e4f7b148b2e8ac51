"""A game between persons and agents: whose turn it is, what agents choose, and decisions that are taken back.

Nothing is asked or told here. Several threads may use a sitting at once.
"""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from edge_envs import CHANCE, IllegalActionError, State
from edge_envs.players import Agent, decide

Seen = TypeVar("Seen")


class Turn(enum.Enum):
    """What a sitting waits for."""

    CHANCE = "chance"
    AGENT = "agent"
    PERSON = "person"
    HALTED = "halted"
    """An agent has failed; `Sitting.error` says why. Taking back, another agent, or `go_on` lets the game go on."""
    OVER = "over"

    @property
    def goes_on(self) -> bool:
        """Whether `Sitting.advance` has something to do."""
        return self in (Turn.CHANCE, Turn.AGENT)


class StaleError(ValueError):
    """A decision was made for an earlier position."""


class RefusedError(ValueError):
    """Something is not allowed, or not possible now; the message says why."""


class Sitting:
    """One game: its position, and who sits where.

    `revision` is a number that grows with every transition, taking back and change of seats, so whoever decides can say
    for which position. Chance goes by the position's own word, and the random numbers of an agent by the number of
    transitions before its decision: who takes a decision back and makes it again meets the same luck.

    `together` says that all persons are one, who may know what is hidden from each seat.
    """

    def __init__(
        self, state: State, agents: Sequence[Agent | None], seed: int | None = None, together: bool = False
    ) -> None:
        """Take over a position, with an agent for each seat or None for a person; `seed` is that of the agents.

        ValueError if there are more or fewer seats in the game.
        """
        if len(agents) != state.game.num_players:
            raise ValueError(f"{len(agents)} seats were given; the game has {state.game.num_players}")
        self.game = state.game
        self.together = together
        self.error = ""
        self._agents = list(agents)
        self._first = state.clone()
        self._state = state
        self._seed = int(np.random.default_rng(seed).integers(2**63))
        self._revision = 0
        self._lock = threading.RLock()
        self._apart: set[int] = set()  # seats of persons who hid something from each other
        self._note_persons()
        self._thinking = threading.Lock()  # an agent need not bear two threads

    @property
    def revision(self) -> int:
        """A number that is never the same for two positions of this sitting."""
        return self._revision

    @property
    def agents(self) -> list[Agent | None]:
        """The agent in each seat, or None for a person."""
        with self._lock:
            return list(self._agents)

    def look(self, see: Callable[[State], Seen]) -> Seen:
        """What a function makes of the position, which does not change meanwhile and must not be changed."""
        with self._lock:
            return see(self._state)

    def copy(self) -> tuple[State, int]:
        """A copy of the position, and its revision."""
        with self._lock:
            return self._state.clone(), self._revision

    @property
    def turn(self) -> Turn:
        """What the sitting waits for."""
        with self._lock:
            player = self._state.current_player()
            if self._state.is_terminal():
                return Turn.OVER
            if player == CHANCE:
                return Turn.CHANCE
            if self._agents[player] is None:
                return Turn.PERSON
            return Turn.HALTED if self.error else Turn.AGENT

    def advance(self) -> Turn:
        """Make one transition, of chance or of an agent, if one is due; what the sitting waits for then.

        While an agent thinks the sitting may be used. If the revision has moved meanwhile its choice is dropped.
        """
        with self._thinking:
            with self._lock:
                turn = self.turn
                if turn is Turn.CHANCE:
                    self._apply(self._state.sample_chance())
                if turn is not Turn.AGENT:
                    return self.turn
                state, revision = self.copy()
                agent = self._agents[state.current_player()]
                assert agent is not None  # or a person would be to decide
            self._think(agent, state, revision)
        return self.turn

    def _think(self, agent: Agent, state: State, revision: int) -> None:
        """Let an agent choose, and take its choice if the position is still the same."""
        rng = np.random.default_rng((self._seed, len(state.history())))
        error, action = "", -1
        try:
            action = decide(agent, state, rng)
        except Exception as failure:  # agents are anything
            # what it says may tell what is hidden
            told = f": {' '.join(str(failure).split()) or type(failure).__name__}" if self._all_is_shown() else ""
            error = f"{agent.name} has failed{told}"
        with self._lock:
            if self._revision != revision:
                return
            if error:
                self.error = error
            else:
                self._apply(action)

    def _all_is_shown(self) -> bool:
        return self.game.perfect_information or self.one_plays_all

    def _apply(self, action: int) -> None:
        self._state.apply_action(action)
        self._moved()

    def _moved(self) -> None:
        self._revision += 1
        self.error = ""

    def play(self, seat: int, action: int, revision: int) -> None:
        """Decide for a person.

        Raises StaleError for another revision than this one, RefusedError if it is not the person's turn, and
        IllegalActionError.
        """
        with self._lock:
            if revision != self._revision:
                raise StaleError(f"this was decided for revision {revision}; it is {self._revision} now")
            if self._state.current_player() != seat or self._agents[seat] is not None:
                raise RefusedError(f"player {seat} is not to decide now")
            if isinstance(action, bool):
                raise IllegalActionError(f"{action} is no action")
            self._apply(action)

    def go_on(self) -> None:
        """Let an agent that has failed try again."""
        with self._lock:
            self.error = ""

    # Taking back

    def persons(self) -> list[int]:
        """The seats in which persons sit."""
        with self._lock:
            return [seat for seat, agent in enumerate(self._agents) if agent is None]

    @property
    def one_plays_all(self) -> bool:
        """Whether there is a single person, who sits in every seat."""
        return len(self.persons()) == self.game.num_players and (self.together or self.game.num_players == 1)

    @property
    def is_between_persons(self) -> bool:
        """Whether several persons play who hide something from each other."""
        return not (self.game.perfect_information or self.together) and len(self.persons()) > 1

    def can_take_back(self, seat: int) -> bool:
        """Whether `take_back` will do."""
        with self._lock:
            return not self.is_between_persons and self._last_decision(seat) is not None

    def take_back(self, seat: int) -> int:
        """Go back to before a person's last decision; how many transitions were before it.

        RefusedError if there is none, or if others have seen it who should not have.
        """
        with self._lock:
            if self.is_between_persons:
                raise RefusedError("nothing is taken back between persons who hide something from each other")
            number = self._last_decision(seat)
            if number is None or self._agents[seat] is not None:
                raise RefusedError(f"player {seat} has no decision to take back")
            state, history = self._first.clone(), self._state.history()
            for player, action in history[len(state.history()) : number]:
                if player == CHANCE:
                    state.sample_chance()  # the word moves on as it did
                state.apply_action(action)
            self._state = state
            self._moved()
            return number

    def _last_decision(self, seat: int) -> int | None:
        """How many transitions were before the last decision in a seat that was made in this sitting."""
        history, first = self._state.history(), len(self._first.history())
        return next((n for n in range(len(history) - 1, first - 1, -1) if history[n][0] == seat), None)

    # Seats

    def change(self, seat: int, agent: Agent | None) -> None:
        """Let an agent, or with None a person, sit in a seat from now on.

        RefusedError if a person would see there what is hidden from another person; ValueError if there is no such
        seat.
        """
        with self._lock:
            if not 0 <= seat < self.game.num_players:
                raise ValueError(f"there is no seat {seat}; possible are 0..{self.game.num_players - 1}")
            taken_over = self.is_between_persons or seat in self._apart
            if agent is None and taken_over and not self._state.is_terminal():
                raise RefusedError("persons who hide something from each other do not take over the seats of others")
            self._agents[seat] = agent
            self._note_persons()
            self._moved()

    def _note_persons(self) -> None:
        """Remember the seats of persons who hide something from each other: nobody takes them over later."""
        if self.is_between_persons:
            self._apart.update(self.persons())
