"""Write animations: a GIF with Pillow, an MP4 with moviepy."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from agents.common.files import replacing
from edge_envs.core.errors import MissingExtraError
from edge_envs.envs.frames import frame

_LAST_SECONDS = 3.0  # duration of the last picture of a GIF


def write_gif(path: Path, pictures: Iterable[str], fps: float) -> None:
    """Write SVG pictures, with letters as outlines, as a looping GIF. Raises MissingExtraError without Pillow."""
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("a GIF", "Pillow", "render") from error
    frames = [frame(svg) for svg in pictures]
    some = np.concatenate([frames[0], frames[len(frames) // 2], frames[-1]])
    palette = Image.fromarray(some).quantize(256, dither=Image.Dither.NONE)  # one palette for all frames avoids flicker
    images = [Image.fromarray(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in frames]
    milliseconds = [round(1000 / fps)] * len(images)
    milliseconds[-1] = round(1000 * _LAST_SECONDS)
    more = {"append_images": images[1:], "duration": milliseconds, "loop": 0, "optimize": True}
    with replacing(path) as partial:
        images[0].save(partial, format="gif", save_all=True, **more)


def write_mp4(path: Path, pictures: Iterable[str], fps: float) -> None:
    """Write SVG pictures, with letters as outlines, as an MP4. Raises MissingExtraError without moviepy."""
    try:
        from moviepy import ImageSequenceClip
    except ImportError as error:
        raise MissingExtraError("an MP4", "moviepy", "film") from error
    clip = ImageSequenceClip([frame(svg) for svg in pictures], fps=fps)
    try:
        with replacing(path) as partial:
            clip.write_videofile(str(partial), codec="libx264", audio=False, logger=None)
    finally:
        clip.close()
