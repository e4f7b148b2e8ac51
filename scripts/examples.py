"""Run the examples with other libraries, and write their pages.

    python scripts/examples.py [NAME ...] [--docs docs]

Each example tells in its header what it needs. Where that is not installed it gets an environment of its own, in
`.venvs`. An example ends with its win rate against random play, and fails unless that is clearly better than chance.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import fail, fail_politely, run

if TYPE_CHECKING:
    import typer


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="which; default: all")] = None,
    docs: Annotated[Path | None, typer.Option(help="the folder to write their pages and the table to")] = None,
    venvs: Annotated[Path, typer.Option(help="where environments are made")] = Path(".venvs"),
) -> None:
    """Run examples; exit code 1 if one fails."""
    with fail_politely():
        from scripts.recipes.pages import write
        from scripts.recipes.recipe import recipes

        known = recipes()
        if unknown := set(names or ()) - {recipe.name for recipe in known}:
            possible = ", ".join(recipe.name for recipe in known)
            raise ValueError(f"there is no example {', '.join(sorted(unknown))}; possible are {possible}")
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
