"""Pictures as arrays of pixels, and a window that shows them: what the render modes of all environments do.

pygame-ce, the extra `render`, draws the SVG. It is imported when a frame is first wanted; no display is needed but for
the window.
"""

from __future__ import annotations

import functools
import importlib
import io
import os
import re
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from edge_envs.core.errors import MissingExtraError
from edge_envs.core.game import Game
from edge_envs.core.nodes import CHANCE, REVEALED, TERMINAL
from edge_envs.core.spec import Array, Records
from edge_envs.envs.options import check_render_mode

RENDER_FPS = 4
_TOP = '<g data-layer="top">'
_GROUNDS = 8  # of pictures that are drawn one after the other, such as those of several games
DRAWN = ("rgb_array", "human")  # the modes that need the extra


class MissingRenderError(MissingExtraError, gymnasium.error.DependencyNotInstalled):
    """Pictures of pixels are wanted, and what draws them is not installed; the message says how to install it."""


def frame(svg: str, width: int | None = None) -> Array:
    """The pixels (height, width, 3) uint8 of a picture whose letters are outlines, by default at its own size.

    Raises MissingRenderError without the extra `render`.
    """
    surface = _surface(svg if width is None else _resized(svg, width))
    width, height = surface.get_size()
    return np.frombuffer(_pygame().image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3).copy()


def png(svg: str, width: int | None = None) -> bytes:
    """A PNG file of a picture whose letters are outlines, `width` pixels wide, by default at its own size.

    Raises MissingRenderError without the extra `render`.
    """
    file = io.BytesIO()
    _pygame().image.save(_surface(svg if width is None else _resized(svg, width)), file, "picture.png")
    return file.getvalue()


def _resized(svg: str, width: int) -> str:
    """The same picture with another width, and a height that fits."""
    own_width, own_height = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])
    size = f'width="{width}" height="{max(1, round(own_height * width / own_width))}"'
    return re.sub(r'width="\S+" height="\S+"', size, svg, count=1)


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # else it prints a line on stdout
    try:
        return importlib.import_module("pygame")
    except ImportError as error:
        raise MissingRenderError("drawing frames", "pygame-ce", "render") from error


def _surface(svg: str) -> Any:
    """The pixels of a picture, its ground and what lies on it, see `Canvas.rise`."""
    split = svg.find(_TOP)
    if split < 0:
        return _load(svg)
    surface = _ground(svg[:split] + "</svg>").copy()
    surface.blit(_load(svg[: svg.index(">") + 1] + svg[split:]), (0, 0))
    return surface


@functools.lru_cache(maxsize=_GROUNDS)
def _ground(svg: str) -> Any:
    return _load(svg)


def _load(svg: str) -> Any:
    return _pygame().image.load(io.BytesIO(svg.encode()), "picture.svg")


class Renderer:
    """What an environment shows in its render mode.

    `ansi` is text, `rgb_array` a frame, always of the same even size; `human` shows frames in a window. All tell what
    the last decision, and chance until the next one, brought about beyond the action itself.
    """

    def __init__(self, game: Game, mode: str | None, modes: Sequence[str]) -> None:
        self._game = game
        self.mode = check_render_mode(mode, modes)
        self._before: Records = None
        self._action = -1
        self._window: Window | None = None
        if mode in DRAWN:
            _pygame()

    def forget(self) -> None:
        """A new game begins: there is no last move."""
        self._before = None

    def copy_of(self, records: Records) -> Records:
        """The records as they are before a decision, for `remember`; None where nothing is drawn."""
        return None if self.mode is None else records.copy()

    def remember(self, before: Records, action: int) -> None:
        """This decision was made; pictures will mark it."""
        self._before, self._action = before, action

    def render(self, records: Records, viewer: int | None) -> str | Array | None:
        """The first of the records as `viewer` (None: the public) sees it: a text, a frame, or None without either."""
        if self.mode == "ansi":
            return "\n".join([self._game.picture(records[0]).rstrip("\n"), *self._news(records, None)])
        return frame(self._svg(records, viewer)) if self.mode == "rgb_array" else None

    def show(self, records: Records, viewer: int | None) -> None:
        """Draw in the window if this is the mode `human`; RuntimeError if there can be no window."""
        if self.mode == "human":
            self._window = self._window or Window(self._game.type.title)
            self._window.show(_surface(self._svg(records, viewer)))

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()

    def _svg(self, records: Records, viewer: int | None) -> str:
        seen_by = self._seen_by(records, viewer)
        last = () if self._before is None else self._game.touched(self._before[0], self._action, seen_by)
        caption = " ".join(self._news(records, viewer))
        return self._game.svg(records[0], viewer, last=last, caption=caption, outlines=True)

    def _seen_by(self, records: Records, viewer: int | None) -> int | None:
        """The viewer, or `REVEALED` once the game is over."""
        return REVEALED if self._game.compiled.kernels.current_player(records[0]) == TERMINAL else viewer

    def _news(self, records: Records, viewer: int | None) -> list[str]:
        """The events of the last decision, and of chance after it, which the position's own generator draws again."""
        if self._before is None:
            return []
        game, kernels, loops = self._game, self._game.compiled.kernels, self._game.compiled.loops
        seen_by, told = self._seen_by(records, viewer), list[str]()
        again, action = self._before.copy(), self._action
        while True:
            before = again.copy()
            kernels.apply(again[0], action)
            told += game.events(before[0], action, again[0], seen_by)
            if kernels.current_player(again[0]) != CHANCE:
                return told
            action = int(loops.sample(again))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}


class Window:
    """A window on the screen. If its user closes it, nothing is drawn any more, and the game goes on."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._pygame = _pygame()
        self._clock = self._pygame.time.Clock()
        self._window: Any = None
        self._is_closed = False

    def show(self, surface: Any) -> None:
        """Draw a picture, and wait so that there are `RENDER_FPS` in a second; RuntimeError without a display."""
        if self._is_closed:
            return
        if self._window is None:
            self._window = self._open(surface.get_size())
        for event in self._pygame.event.get():
            if event.type == self._pygame.WINDOWCLOSE and event.window in (self._window, None):
                self.close()
                return
        self._window.get_surface().blit(surface, (0, 0))
        self._window.flip()
        self._clock.tick(RENDER_FPS)

    def _open(self, size: tuple[int, int]) -> Any:
        pygame = self._pygame
        try:
            pygame.display.init()
            return pygame.Window(self._title, size)
        except pygame.error as error:
            raise RuntimeError(
                f"no window can be opened here: {error}; render_mode='rgb_array' needs no display, and with "
                "SDL_VIDEODRIVER=dummy in the environment windows are opened but not seen"
            ) from error

    def close(self) -> None:
        """Close it for good."""
        self._is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None
