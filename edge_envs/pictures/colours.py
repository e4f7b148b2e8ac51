"""Colours of pictures, each for a light and a dark theme.

Players have the colours of Okabe and Ito. With two players they can be distinguished with every kind of colour
blindness, with more players nearly so. Pictures therefore never rely on colour alone: pieces have numbers, and land has
a texture.

Source: M. Okabe, K. Ito, "Color Universal Design" (jfly.uni-koeln.de/color).
"""

from __future__ import annotations

from typing import NamedTuple

THEMES = ("light", "dark")


class Colour(NamedTuple):
    """A colour in both themes, as `#rrggbb`; create it with `colour`."""

    light: str
    dark: str

    def of(self, theme: str) -> str:
        """Return the colour in a theme."""
        return self.light if theme == "light" else self.dark


_ALL: dict[str, Colour] = {}


def colour(light: str, dark: str | None = None) -> Colour:
    """Create a colour; by default `dark` is the same as `light`.

    Pages in the dark theme look up colours by their light values, so each light value must have one dark value.

    Raises:
        ValueError: if the light value already has another dark value.
    """
    made = Colour(light, light if dark is None else dark)
    if _ALL.setdefault(light, made) != made:
        raise ValueError(f"{light} is already {_ALL[light].dark} in the dark theme, so it cannot be {made.dark}")
    return made


def dark_style(within: str = "svg", shown: str | None = None) -> str:
    """Return CSS that recolours light-theme pictures below the selector `within` for the dark theme.

    If `shown` is given, only the colours that occur in this string are included.
    """
    return "\n".join(
        f'{within} [{paint}="{one.light}"] {{ {paint}: {one.dark} }}'
        for one in _ALL.values()
        if one.light != one.dark and (shown is None or one.light in shown)
        for paint in ("fill", "stroke")
    )


PAPER = colour("#fbf8f1", "#1d2023")
INK = colour("#2b2b2b", "#e8e6e0")
FAINT = colour("#8a8577", "#9a9588")
CARD = colour("#fffdf8", "#2a2e33")
SEA = colour("#a9cfe2", "#24404d")
SHALLOWS = colour("#d8eaf2", "#31586a")
LAND = colour("#dbc38a", "#8d7748")
SHORE = colour("#8a6d33", "#d6bd85")
VOID = colour("#1d2833", "#0d1014")
STAR = colour("#f4f6f8")
GOLD = colour("#f2c230")
MARK = colour("#c2185b", "#ff5c9a")
LAST = colour("#b34700", "#ff9a4d")
WHITE = colour("#ffffff")
BLACK = colour("#111111")
PLAYERS = tuple(colour(one) for one in ("#e69f00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"))
ON_PLAYERS = (BLACK, WHITE, WHITE, BLACK, BLACK, WHITE)
"""Colours of text on the players' colours."""
