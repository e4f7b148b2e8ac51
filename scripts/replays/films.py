"""Write animations: a GIF with Pillow, an MP4 with moviepy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from edge_envs.core.errors import MissingExtraError
from edge_envs.core.writing import replacing
from edge_envs.envs.frames import frame
from edge_envs.replays.animation import gif

Track = Callable[[Iterable[str]], Iterable[str]]
"""A function that wraps the pictures to show the progress."""


def write_gif(path: Path, pictures: Sequence[str], fps: float, track: Track = iter) -> None:
    """Write SVG pictures, with letters as outlines, as a looping GIF. Raises MissingExtraError without Pillow."""
    animation = gif(pictures, fps, track=track)
    with replacing(path) as partial:
        partial.write_bytes(animation)


def write_mp4(path: Path, pictures: Sequence[str], fps: float, track: Track = iter) -> None:
    """Write SVG pictures, with letters as outlines, as an MP4. Raises MissingExtraError without moviepy."""
    try:
        from moviepy import ImageSequenceClip
    except ImportError as error:
        raise MissingExtraError("an MP4", "moviepy", "film") from error
    clip = ImageSequenceClip([frame(svg) for svg in track(pictures)], fps=fps)
    try:
        with replacing(path) as partial:
            clip.write_videofile(str(partial), codec="libx264", audio=False, logger=None)
    finally:
        clip.close()
