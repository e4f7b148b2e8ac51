"""Render positions as pixels or in a window; implements the render modes of all environments.

pygame-ce, from the extra `render`, rasterizes the SVG. It is imported for the first frame. Only the window needs a
display.
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
from edge_envs.envs.options import check_render_mode, forfeited_by

RENDER_FPS = 4
_TOP = '<g data-layer="top">'
_BACKGROUNDS = 8  # cached, for loops that render several games in turn
NOTEBOOK_LANES = 4  # of a vector environment, drawn in a notebook
_NOTEBOOK_WIDTH = 320  # of such a picture, in pixels
DRAWN = ("rgb_array", "human")  # render modes that need the extra


class MissingRenderError(MissingExtraError, gymnasium.error.DependencyNotInstalled):
    """Raised if frames are requested and the extra `render` is not installed. The message says how to install it."""


def frame(svg: str, width: int | None = None) -> Array:
    """Rasterize an SVG picture into pixels.

    Args:
        svg: The picture, with letters as outlines.
        width: Width in pixels; None keeps the size of the picture.

    Returns:
        uint8 array of shape (height, width, 3).

    Raises:
        MissingRenderError: if the extra `render` is not installed.
    """
    surface = _surface(svg if width is None else _resized(svg, width))
    width, height = surface.get_size()
    return np.frombuffer(_pygame().image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3).copy()


def png(svg: str, width: int | None = None) -> bytes:
    """Rasterize an SVG picture into the bytes of a PNG file.

    Args:
        svg: The picture, with letters as outlines.
        width: Width in pixels; None keeps the size of the picture.

    Raises:
        MissingRenderError: if the extra `render` is not installed.
    """
    file = io.BytesIO()
    _pygame().image.save(_surface(svg if width is None else _resized(svg, width)), file, "picture.png")
    return file.getvalue()


def _resized(svg: str, width: int) -> str:
    """Change the width of a picture and scale its height to match."""
    own_width, own_height = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])
    size = f'width="{width}" height="{max(1, round(own_height * width / own_width))}"'
    return re.sub(r'width="\S+" height="\S+"', size, svg, count=1)


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame prints a line on stdout otherwise
    try:
        return importlib.import_module("pygame")
    except ImportError as error:
        raise MissingRenderError("drawing frames", "pygame-ce", "render") from error


def _surface(svg: str) -> Any:
    """Rasterize a picture. Its background is cached; the layer on top (see `Canvas.rise`) is drawn anew."""
    split = svg.find(_TOP)
    if split < 0:
        return _load(svg)
    surface = _background(svg[:split] + "</svg>").copy()
    surface.blit(_load(svg[: svg.index(">") + 1] + svg[split:]), (0, 0))
    return surface


@functools.lru_cache(maxsize=_BACKGROUNDS)
def _background(svg: str) -> Any:
    return _load(svg)


def _load(svg: str) -> Any:
    return _pygame().image.load(io.BytesIO(svg.encode()), "picture.svg")


def pictures_in_notebook(pictures: Sequence[str], count: int) -> str:
    """Return HTML that shows the SVG pictures of the first lanes of an environment with `count` lanes."""
    boxes = "".join(f'<div style="flex: 0 1 320px">{_resized(svg, _NOTEBOOK_WIDTH)}</div>' for svg in pictures)
    rest = f"<p>{len(pictures)} of {count} games</p>" if count > len(pictures) else ""
    return f'<div style="display: flex; flex-wrap: wrap; gap: 8px">{boxes}</div>{rest}'


class Renderer:
    """Render the positions of an environment in its render mode.

    `ansi` gives a string, `rgb_array` a frame of constant, even size, and `human` shows frames in a window. All modes
    also describe the events caused by the last decision and by the chance events after it, or name the player who
    forfeited.
    """

    def __init__(self, game: Game, mode: str | None, modes: Sequence[str]) -> None:
        self._game = game
        self.mode = check_render_mode(mode, modes)
        self._before: Records = None
        self._action = -1
        self._forfeit = ""
        self._window: Window | None = None
        if mode in DRAWN:
            _pygame()

    def forget(self) -> None:
        """Start a new game: drop the last decision."""
        self._before, self._forfeit = None, ""

    def copy_of(self, records: Records) -> Records:
        """Copy the records before a decision, for `remember`. Return None without a render mode."""
        return None if self.mode is None else records.copy()

    def remember(self, before: Records, action: int) -> None:
        """Store a legal decision, which the following pictures mark."""
        self._before, self._action = before, action

    def remember_forfeit(self, seat: int) -> None:
        """Store that a seat forfeited the game, which the following pictures say instead of the last decision."""
        self._before, self._forfeit = None, forfeited_by(seat)

    def render(self, records: Records, viewer: int | None) -> str | Array | None:
        """Render the first record as seat `viewer` sees it (None: public information).

        Returns a string, a frame, or None, depending on the render mode.
        """
        if self.mode == "ansi":
            return "\n".join([self._game.picture(records[0]).rstrip("\n"), *self._events(records, None)])
        return frame(self.svg(records, viewer)) if self.mode == "rgb_array" else None

    def show(self, records: Records, viewer: int | None) -> None:
        """Draw in the window if the mode is `human`. Raises RuntimeError if no window can be opened."""
        if self.mode == "human":
            self._window = self._window or Window(self._game.type.title)
            self._window.show(_surface(self.svg(records, viewer)))

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()

    def svg(self, records: Records, viewer: int | None, outlines: bool = True) -> str:
        """Draw the first record as seat `viewer` sees it (None: public information).

        Without a render mode no decision is remembered, so the picture marks none.
        """
        seen_by = self._seen_by(records, viewer)
        last = () if self._before is None else self._game.touched(self._before[0], self._action, seen_by)
        caption = " ".join(self._events(records, viewer))
        return self._game.svg(records[0], viewer, last=last, caption=caption, outlines=outlines)

    def _seen_by(self, records: Records, viewer: int | None) -> int | None:
        """Return the viewer, or `REVEALED` once the game is over."""
        return REVEALED if self._game.compiled.kernels.current_player(records[0]) == TERMINAL else viewer

    def _events(self, records: Records, viewer: int | None) -> list[str]:
        """Describe the events of the last decision and of the chance events after it.

        The chance events are replayed: the word in the record before the decision draws the same outcomes again.
        """
        if self._before is None:
            return [self._forfeit] if self._forfeit else []
        game, kernels, loops = self._game, self._game.compiled.kernels, self._game.compiled.loops
        seen_by, events = self._seen_by(records, viewer), list[str]()
        again, action = self._before.copy(), self._action
        while True:
            before = again.copy()
            kernels.apply(again[0], action)
            events += game.events(before[0], action, again[0], seen_by)
            if kernels.current_player(again[0]) != CHANCE:
                return events
            action = int(loops.sample_chance(again))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}


class Window:
    """Show frames in a window on the screen. After the user closes the window, the game continues without it."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._pygame = _pygame()
        self._clock = self._pygame.time.Clock()
        self._window: Any = None
        self._is_closed = False

    def show(self, surface: Any) -> None:
        """Draw a frame, then wait to keep to `RENDER_FPS` frames per second.

        Raises:
            RuntimeError: if no display is available.
        """
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
                f"cannot open a window: {error}; use render_mode='rgb_array', which needs no display, or set "
                "SDL_VIDEODRIVER=dummy in the environment to open invisible windows"
            ) from error

    def close(self) -> None:
        """Close the window permanently."""
        self._is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None
