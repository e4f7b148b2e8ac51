"""A match between human players and agents: whose turn it is, choices of agents, and decisions that are taken back.

Nothing here reads input or prints. Several threads may use a match at once.
"""

from __future__ import annotations

import enum
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from edge_envs import CHANCE, Game, IllegalActionError, State
from edge_envs.core.checks.integers import integer_of
from edge_envs.core.checks.seeds import check_seed, fresh_seed
from edge_envs.core.errors import in_short
from edge_envs.core.opponent import check_made_for
from edge_envs.moved import REMOVED_IN
from edge_envs.players import Agent, decide
from edge_envs.records import record_of, start_of

Result = TypeVar("Result")


def _deprecated(old: str, new: str) -> None:
    warnings.warn(f"{old} is now {new}; the old name will be removed in version {REMOVED_IN}", DeprecationWarning, 3)


class Turn(enum.Enum):
    """The reason why a match waits."""

    CHANCE = "chance"
    AGENT = "agent"
    HUMAN = "human"
    HALTED = "halted"
    """An agent has failed; `Match.error` says why. Take back a decision, change the agent, or call `retry`."""
    OVER = "over"

    @property
    def is_automatic(self) -> bool:
        """Whether the next transition is made by `Match.advance`: a chance outcome, or an agent's decision."""
        return self in (Turn.CHANCE, Turn.AGENT)

    @property
    def goes_on(self) -> bool:
        """Deprecated: use `is_automatic`."""
        _deprecated("Turn.goes_on", "Turn.is_automatic")
        return self.is_automatic


class StaleError(ValueError):
    """A decision was made for another revision of the position."""


class RefusedError(ValueError):
    """A request is not allowed, or not possible now. The message says why."""


class Match:
    """One game: its position, and the agents and human players in its seats.

    `revision` increases with every transition, decision taken back and change of seats, so that a decision can name the
    position for which it was made. Chance uses the generator of the position. The random numbers of an agent depend on
    the number of transitions before its decision. Taking a decision back and repeating it therefore leads to the same
    outcomes.
    """

    def __init__(
        self, state: State, agents: Sequence[Agent | None], seed: int | None = None, together: bool = False
    ) -> None:
        """Start from a position.

        Args:
            state: The position. The match takes it over.
            agents: The agent in each seat, or None for a human player.
            seed: The seed of the agents' random numbers; None for a random seed.
            together: Whether one human player has all human seats, and so may know the hidden information of each.

        Raises:
            ValueError: if the number of agents is not the number of seats, or if an agent was made for a game with
                another layout.
        """
        if len(agents) != state.game.num_players:
            raise ValueError(f"{len(agents)} seats were given; the game has {state.game.num_players}")
        for agent in agents:
            check_made_for(agent, state.game)
        self.game = state.game
        self.together = together
        self.error = ""
        self._agents = list(agents)
        self._first = state.clone()
        self._state = state
        self._seed = int(np.random.default_rng(seed).integers(2**63))
        self._revision = 0
        self._lock = threading.RLock()
        self._separate: set[int] = set()  # seats of human players who hid something from each other
        self._note_humans()
        self._thinking: dict[int, threading.Lock] = {}  # one for each agent, because agents need not be thread-safe

    @property
    def revision(self) -> int:
        """A number that is different for any two positions of this match."""
        return self._revision

    @property
    def agents(self) -> list[Agent | None]:
        """The agent in each seat, or None for a human player."""
        with self._lock:
            return list(self._agents)

    def look(self, see: Callable[[State], Result]) -> Result:
        """Call a function with the position and return its result. The function must not change the position."""
        with self._lock:
            return see(self._state)

    def copy(self) -> tuple[State, int]:
        """Return a copy of the position, and its revision."""
        with self._lock:
            return self._state.clone(), self._revision

    @property
    def turn(self) -> Turn:
        """The reason why the match waits."""
        with self._lock:
            player = self._state.current_player()
            if self._state.is_terminal():
                return Turn.OVER
            if player == CHANCE:
                return Turn.CHANCE
            if self._agents[player] is None:
                return Turn.HUMAN
            return Turn.HALTED if self.error else Turn.AGENT

    def advance(self) -> Turn:
        """Make one transition if a chance outcome or an agent's decision is due, and return what the match waits for.

        Other threads may use the match while an agent thinks. If they change the position, the agent's choice is
        dropped.
        """
        with self._lock:
            turn = self.turn
            if turn is Turn.CHANCE:
                self._apply(self._state.sample_chance())
            if turn is not Turn.AGENT:
                return self.turn
            agent = self._agents[self._state.current_player()]
            assert agent is not None  # else the turn would be HUMAN
            thinking = self._thinking.setdefault(id(agent), threading.Lock())
        with thinking:
            with self._lock:  # meanwhile another thread may have advanced the match
                if self.turn is not Turn.AGENT or self._agents[self._state.current_player()] is not agent:
                    return self.turn
                state, revision = self.copy()
            self._think(agent, state, revision)
        return self.turn

    def _think(self, agent: Agent, state: State, revision: int) -> None:
        """Ask an agent for an action, and apply it if the position is still the same."""
        error, action = "", -1
        try:
            rng = np.random.default_rng((self._seed, len(state.history())))
            action = decide(agent, state, rng)
        except Exception as failure:  # agents are arbitrary code
            # the message may contain hidden information
            why = f": {' '.join(str(failure).split()) or type(failure).__name__}" if self._may_show_all() else ""
            error = f"{agent.name} has failed{why}"
        with self._lock:
            if self._revision != revision:
                return
            if error:
                self.error = error
            else:
                self._apply(action)

    def _may_show_all(self) -> bool:
        return self.game.perfect_information or self.one_human_plays_all

    def _apply(self, action: int) -> None:
        self._state.apply_action(action)
        self._moved()

    def _moved(self) -> None:
        self._revision += 1
        self.error = ""

    def play(self, seat: int, action: int, revision: int) -> None:
        """Apply the decision of a human player.

        Args:
            seat: The player's seat.
            action: The action.
            revision: The revision for which the player decided.

        Raises:
            StaleError: if the match has another revision.
            RefusedError: if it is not this player's turn.
            IllegalActionError: if the action is illegal.
        """
        with self._lock:
            if revision != self._revision:
                raise StaleError(
                    f"this decision was made for revision {in_short(revision)}; the match is at {self._revision}"
                )
            if not self._is_human(seat) or self._state.current_player() != seat:
                raise RefusedError(f"it is not the turn of player {seat}")
            if isinstance(action, bool):
                raise IllegalActionError(f"{action} is not an action")
            self._apply(action)

    def stop(self, why: str) -> None:
        """Stop an agent that is thinking: its choice is dropped, and the match halts with `why` as its error."""
        with self._lock:
            if self.turn is Turn.AGENT:
                self._revision += 1
                self.error = why

    def retry(self) -> None:
        """Let an agent that has failed or was stopped try again."""
        with self._lock:
            self.error = ""

    def go_on(self) -> None:
        """Deprecated: use `retry`."""
        _deprecated("Match.go_on", "Match.retry")
        self.retry()

    # Taking back

    def _is_human(self, seat: int) -> bool:
        """Return whether a seat exists and has a human player."""
        return seat in self.human_seats()

    def human_seats(self) -> list[int]:
        """Return the seats of human players."""
        with self._lock:
            return [seat for seat, agent in enumerate(self._agents) if agent is None]

    @property
    def one_human_plays_all(self) -> bool:
        """Whether a single human player has all seats."""
        return len(self.human_seats()) == self.game.num_players and (self.together or self.game.num_players == 1)

    @property
    def needs_curtain(self) -> bool:
        """Whether several human players share the screen and hide something from each other."""
        return not (self.game.perfect_information or self.together) and len(self.human_seats()) > 1

    def persons(self) -> list[int]:
        """Deprecated: use `human_seats`."""
        _deprecated("Match.persons", "Match.human_seats")
        return self.human_seats()

    @property
    def one_plays_all(self) -> bool:
        """Deprecated: use `one_human_plays_all`."""
        _deprecated("Match.one_plays_all", "Match.one_human_plays_all")
        return self.one_human_plays_all

    @property
    def is_between_persons(self) -> bool:
        """Deprecated: use `needs_curtain`."""
        _deprecated("Match.is_between_persons", "Match.needs_curtain")
        return self.needs_curtain

    def can_take_back(self, seat: int) -> bool:
        """Return whether `take_back` is possible."""
        with self._lock:
            return not self.needs_curtain and self._is_human(seat) and self._last_decision(seat) is not None

    def take_back(self, seat: int) -> int:
        """Return to the position before a human player's last decision.

        Returns:
            The number of transitions before that decision.

        Raises:
            RefusedError: if the decision does not exist, or if human players hide something from each other.
        """
        with self._lock:
            if self.needs_curtain:
                raise RefusedError("decisions cannot be taken back between players who hide something from each other")
            number = self._last_decision(seat) if self._is_human(seat) else None
            if number is None:
                raise RefusedError(f"player {seat} has no decision to take back")
            self._state = _replayed(self._first, self._state.history()[len(self._first.history()) : number])
            self._moved()
            return number

    def _last_decision(self, seat: int) -> int | None:
        """Return the number of transitions before the last decision of a seat in this match, or None."""
        history, first = self._state.history(), len(self._first.history())
        return next((n for n in range(len(history) - 1, first - 1, -1) if history[n][0] == seat), None)

    # Saving

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the agents, for JSON, including seeds and hidden information; `from_dict` reads it."""
        with self._lock:
            return {
                "record": record_of(self._state),
                "seed": self._seed,
                "together": self.together,
                "separate": sorted(self._separate),
                "revision": self._revision,
            }

    @classmethod
    def from_dict(cls, d: Mapping[str, Any], agents: Callable[[Game], Sequence[Agent | None]]) -> Match:
        """Restore a match.

        Args:
            d: The result of `to_dict`.
            agents: Returns the agent in each seat, or None for a human player.

        Raises:
            ValueError, KeyError, TypeError: if `d` is not such a result.
        """
        first = start_of(d["record"])
        match = cls(first, agents(first.game), together=bool(d["together"]))
        match._seed, match._revision = check_seed(d["seed"]), int(d["revision"])
        match._separate.update(map(int, d["separate"]))
        match._state = _replayed(match._first, d["record"]["history"])
        return match

    def again(self) -> State:
        """Return the first position of this match, with a fresh seed."""
        seed = fresh_seed()
        position = self._first.start_dict()
        return self.game.new_initial_state(seed) if position is None else self.game.state_from_dict(position, seed)

    # Seats

    def change(self, seat: int, agent: Agent | None) -> None:
        """Put an agent, or with None a human player, in a seat.

        Raises:
            ValueError: if the seat does not exist, or if the agent was made for a game with another layout.
            RefusedError: if a human player would see what is hidden from another human player.
        """
        with self._lock:
            number = integer_of(seat)
            if number is None or not 0 <= number < self.game.num_players:
                raise ValueError(f"invalid seat={in_short(seat)}: expected 0 to {self.game.num_players - 1}")
            check_made_for(agent, self.game)
            taken_over = self.needs_curtain or number in self._separate
            if agent is None and taken_over and not self._state.is_terminal():
                raise RefusedError("players who hide something from each other cannot take over each other's seats")
            self._agents[number] = agent
            self._note_humans()
            self._moved()

    def _note_humans(self) -> None:
        """Remember the seats of human players who hide something from each other, so that nobody takes them over."""
        if self.needs_curtain:
            self._separate.update(self.human_seats())


def _replayed(first: State, history: Iterable[Sequence[int]]) -> State:
    """Return the position after some transitions, with the generator in the state that it had there."""
    state = first.clone()
    for player, action in history:
        if player == CHANCE:
            state.sample_chance()  # advances the generator as before
        state.apply_action(action)
    return state


def __getattr__(name: str) -> Any:
    """Return a class by its old name, with a DeprecationWarning."""
    if name == "Sitting":
        _deprecated("Sitting", "Match")
        return Match
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
