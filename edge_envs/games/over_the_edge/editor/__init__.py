"""The editor of maps of `over_the_edge`: land, spaces, brown lines and ports, by clicks on the disc.

It can draw and open every map with at most `MOST_RINGS` rings, `MOST_SECTORS` sectors and `MOST_CELLS` cells (see
`draft`). Use a text editor for larger maps. A new space is numbered by the position of its first cell among the others.
The editor cannot create another order of spaces, but it can open one.

| module | purpose |
|---|---|
| `draft` | a map whose cells can change their owner |
| `drawing` | the tools, the places to click, and the picture |
"""

from __future__ import annotations

from edge_envs.games.over_the_edge import GAME
from edge_envs.games.over_the_edge.editor.drawing import MapEditor

EDITOR = MapEditor(GAME)
