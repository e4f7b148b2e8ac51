"""Scenes of tutorials. The shipped games have files of scenes drawn in advance, which need no compiled game.

After a change of a tutorial, of its rules or of its pictures, draw them again:

    python -m edge_envs.web.tutorials
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from edge_envs import GAMES
from edge_envs.core.game_type import GameType
from edge_envs.core.interactive import tutorials
from edge_envs.replays import packed_pictures, unpacked_pictures

FOLDER = Path(__file__).parent / "tutorials"


def drawn_in_advance(kind: GameType) -> list[dict[str, Any]] | None:
    """Return the scenes of a game from its file, or None if it has no file."""
    file = FOLDER / f"{kind.name}.json"
    if not file.is_file():
        return None
    document = json.loads(file.read_text(encoding="ascii"))
    pictures = unpacked_pictures(document["pictures"])
    return [{**scene, "svg": svg} for scene, svg in zip(document["scenes"], pictures, strict=True)]


def draw(kind: GameType) -> list[dict[str, Any]]:
    """Draw the scenes of a game, which uses its compiled rules."""
    return [asdict(scene) for scene in tutorials.scenes(kind)]


def main() -> None:
    """Write the files of all games with a tutorial."""
    FOLDER.mkdir(exist_ok=True)
    for kind in GAMES.values():
        if kind.has_module("tutorial"):
            scenes = draw(kind)
            pictures = packed_pictures([scene.pop("svg") for scene in scenes])
            document = {"scenes": scenes, "pictures": pictures}
            (FOLDER / f"{kind.name}.json").write_text(json.dumps(document, separators=(",", ":")) + "\n", "ascii")


if __name__ == "__main__":
    main()
