"""Run the examples with other libraries and write their pages.

    python scripts/examples.py [NAME ...] [--docs docs]

The header of each example lists its requirements. If they are not installed, the example gets its own virtual
environment in `.venvs`. An example prints its win rate against random play, and fails unless that is significantly
better than chance.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import fail, fail_politely, run

if TYPE_CHECKING:
    import typer


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="examples to run; default: all")] = None,
    docs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="write the pages and their table to this folder")
    ] = None,
    venvs: Annotated[Path, typer.Option(metavar="FOLDER", help="folder for virtual environments")] = Path(".venvs"),
) -> None:
    """Run the examples with other libraries. The exit code is 1 if one fails.

    Example: python scripts/examples.py cleanrl_selfplay --docs docs
    """
    with fail_politely():
        from scripts.recipes.pages import write
        from scripts.recipes.recipe import recipes

        known = recipes()
        if unknown := set(names or ()) - {recipe.name for recipe in known}:
            choices = ", ".join(recipe.name for recipe in known)
            raise ValueError(f"unknown example {', '.join(map(repr, sorted(unknown)))} (choose from {choices})")
        failed = []
        for recipe in known:
            if names and recipe.name not in names:
                continue
            outcome = recipe.run(venvs)
            print(f"{recipe.name:28} {outcome.verdict()}, {outcome.seconds:.0f} s", flush=True)
            if outcome.code:
                failed.append(recipe.name)
            if docs is not None:
                write({recipe: outcome}, known, docs)
    if failed:
        fail(f"{', '.join(failed)}: failed", code=1)


if __name__ == "__main__":
    run(main)
