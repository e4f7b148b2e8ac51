"""What a game's own folder tells a person: the sections of its page, and what the signs in its pictures mean."""

from __future__ import annotations

import importlib
import re

from rich.console import Console
from rich.markdown import Markdown

from edge_envs import Game
from edge_envs.docstrings import docstring
from scripts.playing.window import fit

RULES = "Description"
"""The section of a page that holds the rules."""


def sections(game: Game) -> dict[str, str]:
    """The sections of a game's page by their headings, in Markdown."""
    page = docstring(importlib.import_module(game.type.package))
    _, *parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def rules(game: Game, named: str, width: int) -> str:
    """The section of a game's page whose heading begins as `named`, in any case; or which sections there are."""
    known = sections(game)
    found = [heading for heading in known if heading.casefold().startswith((named or RULES).casefold())]
    if not found:
        return f"There is no such section. Possible are: {', '.join(known) or 'none'}."
    others = ", ".join(heading for heading in known if heading != found[0])
    text = rendered(f"# {game.type.title}: {found[0]}\n\n{known[found[0]]}", width)
    return f"{text}\n\nOther sections, by `:rules NAME`: {others}."


def rendered(markdown: str, width: int) -> str:
    """Markdown as plain text for a window; blocks of code are kept as they are, or shown in parts like a picture."""
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
    """What the signs in a game's picture mean, or else what the picture shows."""
    draw = game.type.module("draw")
    signs = getattr(draw, "LEGEND", None) or docstring(draw.picture) or "This game has no legend."
    return signs if isinstance(signs, str) else "\n".join(signs)
