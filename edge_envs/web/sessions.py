"""Sessions: matches with tokens, the loop that advances them, and their files."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from edge_envs import Game
from edge_envs.play.match import Match, Turn
from edge_envs.players import Agent
from edge_envs.web.catalog import HUMAN, LINKED
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.judging import Judging
from edge_envs.web.saves import Saves
from edge_envs.web.threads import Threads

SLICE = 0.05  # seconds that a thread advances a match before others have their turn
TOKEN_BYTES = 18
LONGEST_PAUSE = 10.0
UNKNOWN = "this match does not exist, or you have no access to it"

MakeAgent = Callable[[Any, Game], Agent | None]


def new_token() -> str:
    """Draw a token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> str:
    """Return the digest of a token. Sessions keep only digests."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Session:
    """One match, with a token for each human player's seat, a key for its creator, and invitations to open seats.

    An invitation is the code of a link to a seat. The first page that opens the link gets a new token for the seat, and
    the code is void. `version` increases with every change of the page, such as advice; `Match.revision` only with the
    position.
    """

    def __init__(self, match: Match, names: Sequence[str], threads: Threads, limits: Limits, saves: Saves) -> None:
        self.id = new_token()
        self.match = match
        self.names = list(names)
        self.gives_advice = False
        self.pause = 0.0
        self.version = 0
        self.is_closed = False
        self.used = time.monotonic()
        self.rematch: str | None = None
        self.judging = Judging(match, threads, limits, self.notify)
        self.listeners: set[asyncio.Event] = set()
        self.tokens: dict[int, str] = {}  # digests
        self.invitations: dict[int, str] = {}  # digests
        self._key = ""  # a digest
        self._threads, self._limits, self._saves = threads, limits, saves
        self._driver: asyncio.Task[None] | None = None
        self._resumed = False
        self._waiting_since = time.monotonic()
        self._seen_revision = match.revision
        self._saving: asyncio.Task[None] | None = None
        self._is_saved = False

    # Access

    def open_seats(self) -> dict[str, Any]:
        """Create the key, a token for each seat of a human player here, and an invitation for each linked seat."""
        key = new_token()
        self._key = digest_of(key)
        tokens, links = {}, {}
        for seat in self.match.human_seats():
            if self.names[seat] == LINKED:
                links[str(seat)] = self.invite(seat)
            else:
                tokens[str(seat)] = self._admit(seat)
        return {"id": self.id, "key": key, "tokens": tokens, "links": links}

    def _admit(self, seat: int) -> str:
        """Create a new token for a seat; earlier ones are void."""
        token = new_token()
        self.tokens[seat] = digest_of(token)
        self.invitations.pop(seat, None)
        self.names[seat] = HUMAN
        return token

    def invite(self, seat: int) -> str:
        """Create an invitation to a seat; earlier tokens and invitations are void."""
        code = new_token()
        self.invitations[seat] = digest_of(code)
        self.tokens.pop(seat, None)
        self.names[seat] = HUMAN
        return code

    def join(self, code: str) -> tuple[int, str]:
        """Accept an invitation: return its seat and a new token. The code is void from now on.

        Raises:
            Refusal: if the code is not an open invitation.
        """
        for seat, own in self.invitations.items():
            if hmac.compare_digest(own, digest_of(code)):
                token = self._admit(seat)
                self.resume()
                return seat, token
        raise Refusal(404, "this link was used before or is no longer valid; ask the host for a new one")

    def seat_of(self, token: str) -> int | None:
        """Return the seat of a token; None for the key.

        Raises:
            Refusal: if the token is neither.
        """
        self.used = time.monotonic()
        return seat_in(self.tokens, self._key, token)

    @property
    def is_open(self) -> bool:
        """Whether everybody may see everything: nothing is hidden, the game is over, or one human has all seats."""
        match = self.match
        return match.game.perfect_information or match.turn is Turn.OVER or match.one_human_plays_all

    def change(self, seat: int, name: str, agent: Agent | None, own: int | None) -> dict[str, Any]:
        """Change the player of a seat, which invalidates its token.

        Args:
            seat: The seat.
            name: The name of an agent, `human` for a human player here, or `linked` for one who follows a link.
            agent: The agent, or None for a human player.
            own: The seat that requests the change, or None for the creator of the match.

        Returns:
            The `token` of a new human player here, or the code of a `link`.

        Raises:
            Refusal: if another human player has this seat and should be replaced by a human player.
        """
        made: dict[str, Any] = {}
        if agent is None and seat in self.tokens and own != seat:
            raise Refusal(403, "a human player has this seat: only they can hand it on")
        if agent is not None or not (seat in self.tokens or seat in self.invitations):
            self.match.change(seat, agent)
            self.names[seat] = name
            self.tokens.pop(seat, None)
            self.invitations.pop(seat, None)
        if agent is None:
            made = {"link": self.invite(seat)} if name == LINKED else {"token": self._admit(seat)}
        self.restart()
        return made

    def succeed(self, before: Session) -> None:
        """Give the players of an earlier match the same access to this one."""
        self.tokens, self.invitations, self._key = dict(before.tokens), dict(before.invitations), before._key
        self.gives_advice, self.pause = before.gives_advice, before.pause
        before.rematch = self.id

    # Advancing

    def resume(self) -> None:
        """Notify the pages, and advance the match while chance or agents are to move."""
        self.notify()
        self._resumed = True
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    def restart(self) -> None:
        """Resume without waiting for an agent that is thinking; its choice is dropped if it was stopped or replaced."""
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None
        self.resume()

    def stop(self) -> None:
        """Stop an agent that is thinking."""
        name = self.names[self.match.look(lambda state: max(0, state.current_player()))]
        self.match.stop(f"{name} was stopped after {round(self.waiting)} s")
        self.restart()

    @property
    def waiting(self) -> float:
        """How long the match has waited for the current decision, in seconds."""
        return time.monotonic() - self._waiting_since

    async def _drive(self) -> None:
        while self._resumed and not self.is_closed:
            self._resumed = False
            turn = self.match.turn
            while turn.is_automatic and not self.is_closed:
                if self.match.revision > self._limits.transitions:
                    self.match.error = f"the game is longer than {self._limits.transitions} transitions"
                    break
                turn, by_agent = await self._threads.run("agents", self._move)
                self.notify()
                if by_agent and self.pause:
                    await asyncio.sleep(self.pause)

    def _move(self) -> tuple[Turn, bool]:
        """Make some transitions; with a pause, only one by an agent. Return the turn, and whether an agent moved."""
        until = time.monotonic() + SLICE
        turn, by_agent = self.match.turn, False
        while turn.is_automatic and time.monotonic() < until and not (by_agent and self.pause):
            before, by_agent = turn, turn is Turn.AGENT
            turn = self.match.advance()
            if turn is Turn.AGENT and before is Turn.CHANCE:
                break  # show the chance outcome while the agent thinks
        return turn, by_agent

    # Updates

    def notify(self) -> None:
        """Notify all pages of a new version, and save the match."""
        self.version += 1
        if self.match.revision != self._seen_revision:
            self._seen_revision, self._waiting_since = self.match.revision, time.monotonic()
        for listener in self.listeners:
            listener.set()
        self._is_saved = not self._saves.is_used
        if not self._is_saved and (self._saving is None or self._saving.done()):
            self._saving = asyncio.create_task(self._save())

    def close(self) -> None:
        """Close the match."""
        self.is_closed = True
        for listener in self.listeners:
            listener.set()

    # Saving

    async def _save(self) -> None:
        """Write the newest version; versions that follow meanwhile are written together."""
        while not self._is_saved and not self.is_closed:
            self._is_saved = True
            document = await self._threads.run("quick", self.to_dict)
            if not self.is_closed:
                await self._threads.run("files", partial(self._saves.write, self.id, document))

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is needed to continue the match."""
        return {
            "match": self.match.to_dict(),
            "names": self.names,
            "key": self._key,
            "tokens": {str(seat): token for seat, token in self.tokens.items()},
            "invitations": {str(seat): code for seat, code in self.invitations.items()},
            "settings": {"advice": self.gives_advice, "pause": self.pause},
            "version": self.version,
            "rematch": self.rematch,
            "about": self.about(),
        }

    def about(self) -> dict[str, Any]:
        """Describe the match in a list, without hidden information."""
        turn = self.match.turn
        return self.match.look(
            lambda state: {
                "title": state.game.type.title,
                "seats": list(self.names),
                "transitions": len(state.history()),
                "turn": turn.value,
                "player": max(-1, state.current_player()),
                "result": state.result() if state.is_terminal() else None,
                "saved": time.time(),
            }
        )

    @classmethod
    def from_dict(
        cls, number: str, d: Mapping[str, Any], make_agent: MakeAgent, threads: Threads, limits: Limits, saves: Saves
    ) -> Session:
        """Restore a session.

        Raises:
            ValueError, KeyError, TypeError: if `d` is not the result of `to_dict`.
        """
        names = [str(name) for name in d["names"]]
        match = Match.from_dict(d["match"], lambda game: [make_agent(name, game) for name in names])
        session = cls(match, names, threads, limits, saves)
        session.id, session._key, session.rematch = number, str(d["key"]), d["rematch"]
        session.tokens = {int(seat): str(token) for seat, token in d["tokens"].items()}
        session.invitations = {int(seat): str(code) for seat, code in d["invitations"].items()}
        session.gives_advice, session.pause = bool(d["settings"]["advice"]), float(d["settings"]["pause"])
        session.version = int(d["version"]) + 1
        seats = (*session.tokens, *session.invitations)
        if not 0.0 <= session.pause <= LONGEST_PAUSE or not all(0 <= seat < len(names) for seat in seats):
            raise ValueError("a pause or a seat is out of range")
        digests = session._key, *session.tokens.values(), *session.invitations.values()
        if not all(map(str.isascii, digests)):  # `hmac.compare_digest` raises an error for other strings
            raise ValueError("a digest is not ASCII")
        return session


def seat_in(tokens: Mapping[int, str], key: str, token: str) -> int | None:
    """Return the seat of a token, given the digests; None for the key.

    Raises:
        Refusal: if the token is neither.
    """
    digest = digest_of(token)
    for seat, own in tokens.items():
        if hmac.compare_digest(own, digest):
            return seat
    if not hmac.compare_digest(key, digest):
        raise Refusal(404, UNKNOWN)
    return None


class Sessions:
    """All sessions. If there are too many, the one that has been idle for longest is closed; its file is kept."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def get(self, number: str) -> Session | None:
        """Return a session by its id, or None if it is not in memory."""
        return self._sessions.get(number)

    def add(self, session: Session) -> Session:
        """Add a session, and return it, or the one that another request has added under its id.

        Raises:
            Refusal: if there are too many, and all are in use.
        """
        if session.id in self._sessions:
            return self._sessions[session.id]
        if len(self._sessions) >= self._limits.sittings:
            oldest = min(self._sessions.values(), key=lambda one: (bool(one.listeners), one.used))
            if oldest.listeners or time.monotonic() - oldest.used < self._limits.idle:
                raise Refusal(429, f"too many matches: all {len(self._sessions)} are in use")
            self.remove(oldest)
        self._sessions[session.id] = session
        return session

    def remove(self, session: Session) -> None:
        """Close a session. Its file is kept."""
        self._sessions.pop(session.id, None)
        session.close()

    @contextlib.contextmanager
    def watched(self, numbers: Sequence[str], news: asyncio.Event) -> Iterator[list[Session]]:
        """Set an event after every change of some sessions while this context lasts."""
        sessions = [session for number in numbers if (session := self.get(number)) is not None]
        for session in sessions:
            session.listeners.add(news)
        try:
            yield sessions
        finally:
            for session in sessions:
                session.listeners.discard(news)
