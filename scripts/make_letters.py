"""Write `edge_envs/pictures/letters.json`, the outlines of letters in pictures, from matplotlib's DejaVu Sans.

    python scripts/make_letters.py

Requires matplotlib and fonttools.
"""

from __future__ import annotations

import json
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.ttLib import TTFont

from agents.common.console import run

TARGET = Path(__file__).resolve().parents[1] / "edge_envs" / "pictures"
SIGNS = [*map(chr, range(32, 127)), *"ÄÖÜäöüßéèñçåøæ×÷±≤≥−–—·•…’“”←↑→↓✓✗⚓★½"]
EM = 1000


class _Pen(BasePen):  # type: ignore[misc]  # fontTools is untyped
    """Convert an outline to relative SVG path commands in whole units; the y axis points down."""

    def __init__(self, glyphs: object, scale: float) -> None:
        super().__init__(glyphs)
        self.commands: list[str] = []
        self._scale, self._at, self._start = scale, (0, 0), (0, 0)

    def _whole(self, point: tuple[float, float]) -> tuple[int, int]:
        return round(point[0] * self._scale), round(-point[1] * self._scale)

    def _write(self, letter: str, *points: tuple[float, float]) -> None:
        whole = [self._whole(point) for point in points]
        numbers = [number - at for point in whole for number, at in zip(point, self._at, strict=True)]
        self.commands.append(letter + " ".join(map(str, numbers)))
        self._at = whole[-1]

    def _moveTo(self, point: tuple[float, float]) -> None:
        self._write("m", point)
        self._start = self._at

    def _lineTo(self, point: tuple[float, float]) -> None:
        self._write("l", point)

    def _qCurveToOne(self, control: tuple[float, float], point: tuple[float, float]) -> None:
        self._write("q", control, point)

    def _closePath(self) -> None:
        self.commands.append("z")
        self._at = self._start


def outlines(file: Path) -> dict[str, list[object]]:
    """Return the advance width and the outline of each character."""
    font = TTFont(file)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale = EM / font["head"].unitsPerEm
    made: dict[str, list[object]] = {}
    for sign in SIGNS:
        if ord(sign) in names:
            pen = _Pen(glyphs, scale)
            glyph = glyphs[names[ord(sign)]]
            glyph.draw(Cu2QuPen(pen, max_err=1.0))
            made[sign] = [round(glyph.width * scale), "".join(pen.commands)]
    return made


def main() -> None:
    """Write the outlines of letters for pictures, in both weights, and the font's licence.

    Example: python scripts/make_letters.py
    """
    import matplotlib  # not at the top: `run` sets the backend first

    from agents.common.files import write_whole

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    both = {"regular": outlines(fonts / "DejaVuSans.ttf"), "bold": outlines(fonts / "DejaVuSans-Bold.ttf")}
    text = json.dumps(both, ensure_ascii=False, separators=(",", ":"))
    write_whole(TARGET / "letters.json", text + "\n")
    licence = (fonts / "LICENSE_DEJAVU").read_text(encoding="utf-8")
    write_whole(TARGET / "LICENSE_DEJAVU", licence)


if __name__ == "__main__":
    run(main)
