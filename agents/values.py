"""Learn what positions are worth: `python -m agents.values --config configs/falling_off/values.yaml [--resume]`.

For games in which a turn has few outcomes. Every seat plays by `turn` with the values learned so far.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.console import run

if TYPE_CHECKING:
    import typer


def main(
    config: Annotated[Path | None, typer.Option(help="a YAML file, as configs/GAME/values.yaml")] = None,
    out: Annotated[Path | None, typer.Option(help="the run's folder; default: runs/<game>/<name of the file>")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="override a value: key=value, as epochs=4")] = None,
    resume: Annotated[bool, typer.Option(help="go on from the last checkpoint of the run in --out")] = False,
) -> None:
    """Learn values of positions from games against itself."""
    from agents.value_learning.training import ValuesRun, learn_values

    with ValuesRun.open(config, out, set_, resume) as (folder, checked):
        learn_values(checked, folder, resume)
    print(f"policy: {folder.policy}\ncurves: {folder.folder / 'curves.png'}\npage: {folder.folder / 'index.html'}")


if __name__ == "__main__":
    run(main)
