"""Draw a position of a game as SVG or PNG.

    python scripts/picture.py falling_off --out start.svg
    python scripts/picture.py falling_off --position position.json --player 0 --theme dark --targets --out position.png

A position file is JSON, as written by `:save FILE` in `scripts/play.py` or from `State.to_dict()`. Without one, the
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
    game: Annotated[str, typer.Argument(metavar="GAME", help="name of the game")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="file to write, ending in .svg or .png; an existing file is replaced")
    ],
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON file of the position; default: the start of a game")
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="parameter of the game, such as num_players=3; repeat for several"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="seed for chance events at the start of a game")] = 0,
    player: Annotated[
        int | None, typer.Option(min=0, metavar="SEAT", help="seat of the viewer; default: public information only")
    ] = None,
    theme: Annotated[str, typer.Option(metavar="THEME", help="colour theme: light or dark")] = "light",
    targets: Annotated[bool, typer.Option(help="mark the actions of the player to act")] = False,
    text: Annotated[
        bool, typer.Option(help="keep letters as text: a smaller SVG that depends on the viewer's fonts")
    ] = False,
    width: Annotated[
        int | None, typer.Option(min=16, max=8192, metavar="PIXELS", help="width of a PNG; default: as drawn")
    ] = None,
) -> None:
    """Draw a position of a game as SVG or PNG.

    Example: python scripts/picture.py falling_off --out start.svg
    """
    with fail_politely("render"):
        from agents.common.files import write_whole

        kind = out.suffix.lower()
        if kind not in ENDINGS:
            raise ValueError(f"invalid --out {out}: expected a file name ending in {' or '.join(ENDINGS)}")
        if width is not None and kind != ".png":
            raise ValueError("--width applies only to PNG files; an SVG scales to any width")
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
