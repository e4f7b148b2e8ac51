"""`Canvas`: an SVG picture that uses only a few kinds of elements, so that every viewer and rasterizer supports it."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from edge_envs.pictures import letters
from edge_envs.pictures.colours import INK, LAST, MARK, PAPER, THEMES, Colour

FONT = "DejaVu Sans, Verdana, sans-serif"
NAMESPACE = "http://www.w3.org/2000/svg"

_BAR = 24.0  # the height of a banner

Paint = Colour | None


class Canvas:
    """A picture of `width` × `height` units; 1 unit is 1 px at 100 %. `str(canvas)` is the SVG.

    Shapes accept a `fill` and a `stroke` (a colour or None) and these options: `stroke_width`, `opacity` of both,
    `dash` (a string such as `4 3`), `round=True` for round ends and joins, and `data`, attributes by their names after
    `data-`.

    Pages animate the changes from one picture to the next (`replays/viewer.js`). They use these attributes:

    | attribute | on | animation |
    |---|---|---|
    | `data-piece` | a group | a piece with this name slides from a place that such a piece has left |
    | `data-motion` | a piece | `fall`: it tumbles; `drift`: it moves slowly; `tumble`: it is rolled where it appears |
    | `data-stack`, `data-count` | a card | cards fly from stacks with this name that shrink to those that grow |
    | `data-land` | a path | new land rises; see `land_of` in `beyond_maps/picture.py` |
    | `data-sea` | the sea | its colour covers land before it rises |
    | `data-storm` | a group | lightning and thunder if the sum of these numbers increases |

    Args:
        width: the width in units.
        height: the height in units.
        theme: `light` or `dark`.
        outlines: draw letters as shapes, for viewers without fonts.
        keys: the places that get clickable elements, with the attribute `data-key`.
        last: the places that the last move touched; they get rings.
        marked: the places that can be chosen; they get rings.

    Raises:
        ValueError: if the theme is unknown.
    """

    def __init__(
        self,
        width: float,
        height: float,
        *,
        theme: str = "light",
        outlines: bool = False,
        keys: Collection[str] = (),
        last: Collection[str] = (),
        marked: Collection[str] = (),
    ) -> None:
        if theme not in THEMES:
            raise ValueError(f"unknown theme {theme!r} (choose from {', '.join(THEMES)})")
        self.width, self.height = width, height
        self.theme, self.outlines = theme, outlines
        self._keys, self._last, self._marked = frozenset(keys), frozenset(last), frozenset(marked)
        size = {
            "width": _number(width),
            "height": _number(height),
            "viewBox": f"0 0 {_number(width)} {_number(height)}",
        }
        font = {} if outlines else {"font-family": FONT}
        self._root = ElementTree.Element("svg", {"xmlns": NAMESPACE, **size, **font})
        self._inside = self._root
        self.rect(0, 0, width, height, fill=PAPER)
        self._inside = ElementTree.SubElement(self._root, "g")
        self._places = ElementTree.Element("g")  # on top of everything

    def rise(self) -> None:
        """Start the top layer: everything drawn so far is the same in many positions, and rasterizers cache it."""
        self._inside = ElementTree.SubElement(self._root, "g", {"data-layer": "top"})

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        radius: float = 0.0,
        fill: Paint = None,
        **options: Any,
    ) -> None:
        """Draw a rectangle, given its upper left corner, optionally with rounded corners."""
        numbers = {"x": x, "y": y, "width": width, "height": height, **({"rx": radius} if radius else {})}
        self._shape("rect", numbers, fill, options)

    def circle(self, x: float, y: float, radius: float, *, fill: Paint = None, **options: Any) -> None:
        """Draw a circle around a point."""
        self._shape("circle", {"cx": x, "cy": y, "r": radius}, fill, options)

    def line(self, x: float, y: float, to_x: float, to_y: float, **options: Any) -> None:
        """Draw a straight line between two points."""
        self._shape("line", {"x1": x, "y1": y, "x2": to_x, "y2": to_y}, None, options)

    def path(self, *commands: str | float, fill: Paint = None, **options: Any) -> None:
        """Draw a path of SVG commands, such as `path("M", 0, 0, "L", 5, 0, "Z")`."""
        self._shape("path", {"d": path_data(commands)}, fill, options)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12.0,
        fill: Colour = INK,
        anchor: str = "start",
        bold: bool = False,
        room: float | None = None,
    ) -> None:
        """Draw a line of text on the baseline `y`.

        `anchor` is `start`, `middle` or `end`. The text is scaled down to fit into the width `room`.
        """
        length = letters.length(text, size, bold)
        if room is not None and length > room:
            size, length = size * room / length, room
        if not text.strip():
            return
        if self.outlines:
            left = x - length * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            place = f"translate({_number(left)} {_number(y)}) scale({size / letters.EM:.5f})"
            self._add("path", {"transform": place, "d": letters.outline(text, bold), "fill": fill.of(self.theme)})
            return
        attributes = {"x": _number(x), "y": _number(y), "font-size": _number(size), "fill": fill.of(self.theme)}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
        self._add("text", attributes).text = text

    @contextlib.contextmanager
    def group(
        self,
        x: float = 0.0,
        y: float = 0.0,
        *,
        turn: float = 0.0,
        scale: float = 1.0,
        piece: str | None = None,
        motion: str | None = None,
        storm: int | None = None,
    ) -> Iterator[None]:
        """Translate everything drawn in this context by (x, y), rotate it by `turn` degrees and scale it.

        `piece` names the group, so that pages can animate it from one picture to the next. Pieces with the same name
        must look alike. `motion` and `storm` are the attributes described at `Canvas`.
        """
        parts = [f"translate({_number(x)} {_number(y)})"] if x or y or piece else []
        parts += [f"rotate({_number(turn)})"] if turn else []
        parts += [f"scale({_number(scale)})"] if scale != 1.0 else []
        attributes = {"transform": " ".join(parts)} if parts else {}
        data = {"data-piece": piece, "data-motion": motion, "data-storm": storm}
        attributes |= {name: str(value) for name, value in data.items() if value is not None}
        outside, self._inside = self._inside, self._add("g", attributes)
        try:
            yield
        finally:
            self._inside = outside

    def place(self, key: str, x: float, y: float, radius: float) -> None:
        """Add a round clickable place and its rings, if requested; later places are on top. Not for use in groups."""
        if self._is_wanted(key):
            self._place(key, "circle", {"cx": x, "cy": y, "r": radius}, self._last)

    def field(
        self, key: str, x: float, y: float, width: float, height: float, radius: float = 0.0, *, renewed: bool = False
    ) -> None:
        """Add a rectangular clickable place, like `place`.

        `renewed` means that the thing that the last move touched is gone, so the place gets no ring for the last move.
        """
        if self._is_wanted(key):
            numbers = {"x": x, "y": y, "width": width, "height": height, **({"rx": radius} if radius else {})}
            self._place(key, "rect", numbers, () if renewed else self._last)

    def area(self, key: str, *commands: str | float) -> None:
        """Add a clickable place of any shape, like `place`."""
        if self._is_wanted(key):
            self._place(key, "path", {"d": path_data(commands)}, self._last)

    def _is_wanted(self, key: str) -> bool:
        return key in self._keys or key in self._last or key in self._marked

    def _place(self, key: str, tag: str, numbers: Mapping[str, str | float], last: Collection[str]) -> None:
        form = {name: _number(value) for name, value in numbers.items()}
        for keys, colour in ((last, LAST), (self._marked, MARK)):
            if key in keys:
                for ring, width in (
                    (PAPER, "4.5"),
                    (colour, "2.5"),
                ):  # the pale ring makes the colour visible on any background
                    stroke = {"fill": "none", "stroke": ring.of(self.theme), "stroke-width": width}
                    ElementTree.SubElement(self._places, tag, {**form, **stroke})
        if key in self._keys:
            ElementTree.SubElement(
                self._places, tag, {**form, "fill": "none", "pointer-events": "all", "data-key": key}
            )

    def _shape(self, tag: str, numbers: Mapping[str, str | float], fill: Paint, options: Mapping[str, Any]) -> None:
        attributes = {name: _number(value) for name, value in numbers.items()}
        if tag != "line":
            attributes["fill"] = "none" if fill is None else fill.of(self.theme)
        attributes.update(self._options(fill is not None, **options))
        self._add(tag, attributes)

    def _options(
        self,
        filled: bool,
        stroke: Paint = None,
        stroke_width: float = 1.0,
        opacity: float = 1.0,
        dash: str | None = None,
        round: bool = False,
        data: Mapping[str, object] | None = None,
    ) -> dict[str, str]:
        attributes = {f"data-{name}": str(value) for name, value in (data or {}).items()}
        if filled and opacity != 1.0:
            attributes["fill-opacity"] = _number(opacity)
        if stroke is None:
            return attributes
        attributes.update({"stroke": stroke.of(self.theme), "stroke-width": _number(stroke_width)})
        if opacity != 1.0:
            attributes["stroke-opacity"] = _number(opacity)
        if dash is not None:
            attributes["stroke-dasharray"] = dash
        if round:
            attributes.update({"stroke-linecap": "round", "stroke-linejoin": "round"})
        return attributes

    def _add(self, tag: str, attributes: dict[str, str]) -> ElementTree.Element:
        return ElementTree.SubElement(self._inside, tag, attributes)

    def __str__(self) -> str:
        picture = ElementTree.Element(self._root.tag, self._root.attrib)
        picture.extend(self._root)
        if len(self._places):
            picture.append(self._places)
        return ElementTree.tostring(picture, encoding="unicode")


def bannered(svg: str, text: str, *, outlines: bool = False) -> str:
    """Return a light-theme picture with a banner along its upper edge, on top of everything."""
    width, height = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])
    canvas = Canvas(width, height, outlines=outlines)
    canvas.rect(0, 0, width, _BAR, fill=INK)
    room = width - _BAR
    canvas.text(width / 2, 0.72 * _BAR, text, size=0.6 * _BAR, fill=PAPER, anchor="middle", bold=True, room=room)
    drawn = str(canvas)
    return svg.removesuffix("</svg>") + drawn[drawn.index("<g>") :]


def path_data(commands: Collection[str | float]) -> str:
    """Return the commands of a path as a string."""
    return " ".join(map(_number, commands))


@functools.lru_cache(maxsize=16_384)
def _number(value: str | float) -> str:
    """Format a number with at most two decimals; strings are unchanged."""
    if isinstance(value, str):
        return value
    text = f"{value:.2f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
