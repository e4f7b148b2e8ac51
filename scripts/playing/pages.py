"""Show the sections of a game's page and the legend of its pictures, from the game's own folder."""

from __future__ import annotations

import importlib
import re

from rich.console import Console
from rich.markdown import Markdown

from edge_envs import Game
from edge_envs.docstrings import docstring
from scripts.playing.window import fit

RULES = "Description"
"""Section of a page with the rules."""


def sections(game: Game) -> dict[str, str]:
    """Return the sections of a game's page by heading, in Markdown."""
    page = docstring(importlib.import_module(game.type.package))
    _, *parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def rules(game: Game, named: str, width: int) -> str:
    """Return the section of a game's page whose heading starts with `named`, in any case, or a list of sections."""
    known = sections(game)
    found = [heading for heading in known if heading.casefold().startswith((named or RULES).casefold())]
    if not found:
        return f"Unknown section. Choose from: {', '.join(known) or 'none'}."
    others = ", ".join(heading for heading in known if heading != found[0])
    text = rendered(f"# {game.type.title}: {found[0]}\n\n{known[found[0]]}", width)
    return f"{text}\n\nOther sections (type `:rules NAME`): {others}."


def rendered(markdown: str, width: int) -> str:
    """Render Markdown as plain text for a window. Code blocks keep their layout, or are split like a picture."""
    console = Console(width=width, color_system=None, force_terminal=False)
    lines: list[str] = []
    for number, part in enumerate(re.split(r"^```.*\n", markdown, flags=re.MULTILINE)):
        if number % 2:
            lines += ["", *fit(part.rstrip("\n"), width)[0].split("\n"), ""]
        elif part.strip():
            with console.capture() as capture:
                console.print(Markdown(part, hyperlinks=False))
            lines += [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]
    return "\n".join(lines)


def legend(game: Game) -> str:
    """Return the legend of a game's picture, or else its description."""
    draw = game.type.module("draw")
    signs = getattr(draw, "LEGEND", None) or docstring(draw.picture) or "This game has no legend."
    return signs if isinstance(signs, str) else "\n".join(signs)
