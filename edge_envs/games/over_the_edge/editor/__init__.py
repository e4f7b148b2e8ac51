"""Maps of `over_the_edge` by clicks: land, spaces, brown lines and ports on the disc.

Every map can be drawn, and every map opened, that has at most `MOST_RINGS` rings, `MOST_SECTORS` sectors and
`MOST_CELLS` cells (see `draft`); larger maps are for a text editor. A new space is numbered by the place of its first
cell among the others, so another order cannot be made, only opened.

| module | |
|---|---|
| `draft` | a map whose cells change hands |
| `drawing` | the tools and places, and the picture |
"""

from __future__ import annotations

from edge_envs.games.over_the_edge import GAME
from edge_envs.games.over_the_edge.editor.drawing import MapEditor

EDITOR = MapEditor(GAME)
