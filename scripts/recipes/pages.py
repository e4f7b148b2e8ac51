"""Generate the pages of the examples, with code and output, and the table of all examples."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from agents.common.files import write_whole
from scripts.recipes.recipe import Outcome, Recipe

TABLE = re.compile(r"(?s)(<!-- made by scripts/examples.py -->\n).*?(<!-- end -->\n)")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # which some logs print even to a file
HEAD = "| example | tested with | against random play | CPU seconds |\n|---|---|---|---|\n"


def page(recipe: Recipe, outcome: Outcome) -> str:
    """Return the page of an example: its description, how to run it, its code and its output."""
    title, rest = recipe.doc
    install = " ".join(['pip install -e ".[train]"', *(f'"{one}"' for one in recipe.requirements)])
    return f"""\
# {title}

{rest}

```sh
{install}
python examples/{recipe.name}.py
```

```python
{recipe.text}```

It prints:

```text
{_COLOURS.sub("", outcome.output.rstrip())}
```

Run with Python {platform.python_version()}, {_versions(outcome)}, in {outcome.seconds:.0f} s of processor time.

## Next step

[All examples](../examples.md), or [measure your agent](../benchmark.md) on all boards.
"""


def with_rows(text: str, outcomes: dict[Recipe, Outcome], known: list[Recipe]) -> str:
    """Return the index page with the rows of these outcomes updated; the rows of other examples stay."""
    table = TABLE.search(text)
    if table is None:
        raise ValueError("the page has no markers for the table")
    rows = dict(re.findall(r"(?m)^(\| \[.*?\]\(examples/(\w+)\.md\).*)$", table[0]))
    rows = {name: row for row, name in rows.items()}
    rows |= {recipe.name: _row(recipe, outcome) for recipe, outcome in outcomes.items()}
    kept = "".join(f"{rows[recipe.name]}\n" for recipe in known if recipe.name in rows)
    return TABLE.sub(lambda found: f"{found[1]}\n{HEAD}{kept}\n{found[2]}", text)


def write(outcomes: dict[Recipe, Outcome], known: list[Recipe], docs: Path) -> None:
    """Write the pages of the successful examples, and the table."""
    folder, index = docs / "examples", docs / "examples.md"
    folder.mkdir(exist_ok=True)
    for recipe, outcome in outcomes.items():
        if outcome.code == 0:
            write_whole(folder / f"{recipe.name}.md", page(recipe, outcome))
    write_whole(index, with_rows(index.read_text(encoding="utf-8"), outcomes, known))


def _row(recipe: Recipe, outcome: Outcome) -> str:
    cells = [f"[{recipe.doc[0]}](examples/{recipe.name}.md)", _versions(outcome), outcome.verdict()]
    return f"| {' | '.join(cells)} | {outcome.seconds:.0f} |"


def _versions(outcome: Outcome) -> str:
    return ", ".join(f"{name} {version}" for name, version in outcome.versions.items())
