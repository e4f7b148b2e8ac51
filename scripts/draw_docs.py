"""Draw the pictures of the documentation: each game in both themes, its cover, animations of all four boards, and the
game of game.jsonl as a GIF.

    python scripts/draw_docs.py

`SCENES` describes the positions. `--record` first plays a new game for the GIF, between a shipped policy and the
heuristic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import fail_politely, run

if TYPE_CHECKING:
    import typer
    from PIL.Image import Image

    from edge_envs import State

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SCENES = FOLDER / "scenes.json"
"""Parameters, seed and number of heuristic decisions for each game."""
COVER = "cover.svg"
RECORD, FILM = FOLDER / "game.jsonl", FOLDER / "game.gif"
FPS = 3.0
STRIP_FRAMES, STRIP_HEIGHT, STRIP_GAP, STRIP_MILLISECONDS = 16, 220, 10, 600


def main(
    record: Annotated[bool, typer.Option("--record", help="also play a new game for the GIF")] = False,
) -> None:
    """Draw the pictures of the documentation.

    Example: python scripts/draw_docs.py --record
    """
    with fail_politely("render"):
        from agents.common.files import write_whole
        from edge_envs import read_records
        from edge_envs.replays import scenes
        from scripts.replays.films import write_gif

        for name, svg in pictures():
            write_whole(FOLDER / name, svg)
        for path, svg in covers():
            write_whole(path, svg)
        for theme in ("light", "dark"):
            _write_strip(FOLDER / f"strip-{theme}.webp", strip(theme))
        if record:
            _play()
        (game,) = read_records(RECORD)
        write_gif(FILM, [scene.svg for scene in scenes(game, outlines=True)], FPS)


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the name and the content of every picture."""
    for game, scene in json.loads(SCENES.read_text(encoding="utf-8"))["games"].items():
        state = position_of(game, scene)
        for theme in ("light", "dark"):
            yield f"{game}-{theme}.svg", state.svg(theme=theme, outlines=True)


def covers() -> Iterator[tuple[Path, str]]:
    """Yield the path and the content of the cover in each game's folder, which the web page shows."""
    import edge_envs

    for game, scene in json.loads(SCENES.read_text(encoding="utf-8"))["games"].items():
        yield edge_envs.GAMES[game].folder / COVER, position_of(game, scene).svg()


def position_of(game: str, scene: Mapping[str, Any]) -> State:
    """Return the position of a scene, after a number of decisions of the heuristic."""
    import edge_envs

    state = edge_envs.load_game(game, **scene["params"]).new_initial_state(scene["seed"])
    _advance(state, scene["decisions"])
    return state


def _advance(state: State, decisions: int) -> None:
    """Play decisions of the heuristic, and the chance events before and after them, unless the game ends."""
    while not state.is_terminal() and (decisions or state.is_chance_node()):
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
        else:
            state.apply_action(state.heuristic_action())
            decisions -= 1


def strip(theme: str, count: int = STRIP_FRAMES) -> list[Image]:
    """Return the first frames of the animation of all four boards, each game starting from the middle."""
    from PIL import Image

    scenes = json.loads(SCENES.read_text(encoding="utf-8"))["strip"]
    rows = zip(*([*_panels(game, scene, theme, count)] for game, scene in scenes.items()), strict=True)
    frames = []
    for panels in rows:
        width = sum(panel.width for panel in panels) + STRIP_GAP * (len(panels) - 1)
        image, left = Image.new("RGBA", (width, STRIP_HEIGHT)), 0
        for panel in panels:
            image.paste(panel, (left, 0))
            left += panel.width + STRIP_GAP
        frames.append(image)
    return frames


def _panels(game: str, scene: Mapping[str, Any], theme: str, count: int) -> Iterator[Image]:
    """Yield the pictures of one game in the strip: the board without the text around it."""
    from PIL import Image

    from edge_envs.envs.frames import frame

    state = position_of(game, scene)
    for _ in range(count):
        board = Image.fromarray(frame(state.svg(theme=theme, outlines=True))).crop(scene["crop"])
        yield board.resize((board.width * STRIP_HEIGHT // board.height, STRIP_HEIGHT), Image.Resampling.LANCZOS)
        _advance(state, scene["every"])


def _write_strip(path: Path, frames: list[Image]) -> None:
    from edge_envs.core.writing import replacing

    more = {"append_images": frames[1:], "duration": STRIP_MILLISECONDS, "loop": 0, "quality": 75, "method": 6}
    with replacing(path) as partial:
        frames[0].save(partial, format="webp", save_all=True, **more)


def _play() -> None:
    """Play the game of the GIF: a shipped policy in seat 0 against the heuristic."""
    import edge_envs
    from agents.evaluation.single import play_game
    from agents.players.agent import make_agent

    film = json.loads(SCENES.read_text(encoding="utf-8"))["film"]
    game = edge_envs.load_game(film["game"], **film["params"])
    agents = {seat: make_agent(name, game) for seat, name in enumerate(film["agents"])}
    edge_envs.write_records(RECORD, [edge_envs.record_of(play_game(game, agents, film["seed"]))])


if __name__ == "__main__":
    run(main)
