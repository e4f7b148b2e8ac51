"""Animated GIFs of games, with Pillow from the extra `render`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from edge_envs.core.errors import MissingExtraError
from edge_envs.envs.frames import frame

LAST_SECONDS = 3.0
"""The duration of the last picture of a GIF."""


def gif(
    pictures: Sequence[str],
    fps: float,
    width: int | None = None,
    track: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> bytes:
    """Return SVG pictures, with letters as outlines, as a looping GIF.

    Args:
        pictures: the pictures, all of one size.
        fps: pictures per second; the last one is shown for longer.
        width: the width in pixels; None keeps the size of the pictures.
        track: wraps the pictures, to show or to stop the progress.

    Raises:
        MissingExtraError: without Pillow or pygame-ce.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("a GIF", "Pillow", "render") from error
    some = np.concatenate([frame(pictures[k], width) for k in (0, len(pictures) // 2, -1)])
    palette = Image.fromarray(some).quantize(256, dither=Image.Dither.NONE)  # one palette for all frames avoids flicker
    images = [
        Image.fromarray(frame(picture, width)).quantize(palette=palette, dither=Image.Dither.NONE)
        for picture in track(pictures)
    ]
    milliseconds = [round(1000 / fps)] * len(images)
    milliseconds[-1] = round(1000 * LAST_SECONDS)
    file = io.BytesIO()
    more = {"append_images": images[1:], "duration": milliseconds, "loop": 0, "optimize": True}
    images[0].save(file, format="gif", save_all=True, **more)
    return file.getvalue()
