"""Draw a position of a game as SVG or PNG.

    python scripts/picture.py falling_off --out start.svg
    python scripts/picture.py falling_off --position position.json --player 0 --theme dark --targets --out position.png

A file of a position is what `:save FILE` writes in `scripts/play.py`, or `State.to_dict()` as JSON. Without one the
start of a game is drawn.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import fail_politely, parse_params, run

if TYPE_CHECKING:
    import typer

    from edge_envs import State

ENDINGS = (".svg", ".png")


def main(
    game: Annotated[str, typer.Argument(help="the name of the game")],
    out: Annotated[Path, typer.Option(help="the file to write, P.svg or P.png; an older one is replaced")],
    position: Annotated[Path | None, typer.Option(help="a JSON file of the position; default: the start")] = None,
    param: Annotated[list[str] | None, typer.Option(help="of the game, as num_players=3")] = None,
    seed: Annotated[int, typer.Option(min=0, help="of the chance at the start of a game")] = 0,
    player: Annotated[int | None, typer.Option(min=0, help="who looks; default: the public")] = None,
    theme: Annotated[str, typer.Option(help="light or dark")] = "light",
    targets: Annotated[bool, typer.Option(help="mark what the player to act may choose")] = False,
    text: Annotated[bool, typer.Option(help="an SVG with letters as text, smaller, that needs a font")] = False,
    width: Annotated[int | None, typer.Option(min=16, max=8192, help="of a PNG in pixels; default: as drawn")] = None,
) -> None:
    """Draw a position of a game as SVG or PNG."""
    with fail_politely("render"):
        from agents.common.files import write_whole

        kind = out.suffix.lower()
        if kind not in ENDINGS:
            raise ValueError(f"--out {out}: name a file that ends in {' or '.join(ENDINGS)}")
        if width is not None and kind != ".png":
            raise ValueError("--width is for PNG; an SVG has any width")
        state = _state(game, position, parse_params(param), seed)
        svg = state.svg(player, theme=theme, outlines=kind == ".png" or not text, targets=targets)
        content: str | bytes = svg
        if kind == ".png":
            from edge_envs.envs.frames import png

            content = png(svg, width)
        write_whole(out, content)


def _state(game: str, position: Path | None, params: dict[str, object], seed: int) -> State:
    from agents.players.games import game_for, read_position

    if position is not None:
        return read_position(position, [], game, params, seed)
    state = game_for([], game, params).new_initial_state(seed)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    return state


if __name__ == "__main__":
    run(main, extra="play")
