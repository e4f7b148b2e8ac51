"""GIFs of finished games. One thread makes them, so they never delay matches."""

from __future__ import annotations

import base64
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from edge_envs.core.errors import MissingExtraError
from edge_envs.replays import scenes
from edge_envs.replays.animation import gif
from edge_envs.web.analyses import digest_of
from edge_envs.web.guard import Refusal

WIDTH = 480  # pixels
FPS = 2.0
MOST_SCENES = 200
"""The number of scenes of a GIF; of longer games, scenes at equal distances."""
MOST_DECISIONS = 2000
"""The number of decisions of the longest game with a GIF."""
MOST_KEPT = 8
MOST_WAITING = 4


class CancelledError(Exception):
    """Raised in the thread of a film that is not needed any more."""


class Film:
    """One GIF: its progress and its result."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.decisions = sum(player >= 0 for player, _ in record["history"])
        self.done, self.of = 0, self.decisions + 1 + min(self.decisions + 1, MOST_SCENES)
        self.is_cancelled = False
        self.finished = threading.Event()
        self.error = ""
        self.data = b""

    def make(self) -> None:
        """Draw the scenes, and make a GIF of them."""
        try:
            last = self.decisions
            step = 1 + last // MOST_SCENES
            shown = enumerate(self._counted(scenes(self.record, outlines=True)))
            pictures = [scene.svg for number, scene in shown if number == last or number % step == 0]
            self.of = self.decisions + 1 + len(pictures)
            self.data = gif(pictures, FPS, WIDTH, self._counted)
        except MissingExtraError as error:
            self.error = str(error)
        except CancelledError:
            self.error = "cancelled"
        except Exception as error:  # pictures are code of a game
            self.error = f"this game cannot be drawn: {error}"
        self.finished.set()

    def _counted(self, things: Iterable[Any]) -> Iterator[Any]:
        """Yield things, and count them.

        Raises:
            CancelledError: if the film is not needed any more.
        """
        for thing in things:
            if self.is_cancelled:
                raise CancelledError
            yield thing
            self.done += 1

    def to_dict(self) -> dict[str, Any]:
        """Return the progress and, when it is complete, the GIF in base64."""
        is_ready = self.finished.is_set()
        data = base64.b64encode(self.data).decode() if is_ready else None
        return {"done": min(self.done, self.of), "of": self.of, "ready": is_ready, "gif": data}


class Films:
    """The newest films, by the digest of their record. They are made one after another."""

    def __init__(self) -> None:
        self._films: OrderedDict[str, Film] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "film")

    def of(self, record: Mapping[str, Any]) -> Film:
        """Return the film of a valid record of a finished game, and start it if it is new.

        Raises:
            Refusal: if the game is too long, or too many films are waiting.
        """
        digest = digest_of(record)
        if digest not in self._films:
            film = Film(record)
            if film.decisions > MOST_DECISIONS:
                raise Refusal(422, f"this game has more than {MOST_DECISIONS} decisions, too many for a GIF")
            if sum(not one.finished.is_set() for one in self._films.values()) >= MOST_WAITING:
                raise Refusal(429, "too many GIFs are waiting; try again later")
            self._films[digest] = film
            self._thread.submit(film.make)
            if len(self._films) > MOST_KEPT:
                self._films.popitem(last=False)
        self._films.move_to_end(digest)
        return self._films[digest]

    def close(self) -> None:
        """Cancel all films, and wait until the thread has ended."""
        for film in self._films.values():
            film.is_cancelled = True
        self._thread.shutdown(cancel_futures=True)
