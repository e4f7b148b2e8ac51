"""Show how often a language model was called, and what it cost.

    python -m agents.chat configs/chat/local.yaml
    python -m agents.tournament --game falling_off --agents random heuristic chat:configs/chat/local.yaml --games 96

Tournaments and evaluations play games with the agent `chat:FILE`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import run

if TYPE_CHECKING:
    import typer


def main(
    file: Annotated[Path, typer.Argument(help="configuration file of the model, such as configs/chat/local.yaml")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object instead of lines")] = False,
) -> None:
    """Show how often a language model was called, its tokens and their cost.

    \b
    Example:
      python -m agents.chat configs/chat/local.yaml
    """
    from agents.external.chat import read_chat, usage
    from edge_envs.core.errors import printable

    totals = usage(read_chat(file))
    if as_json:
        print(json.dumps(totals))
        return
    labels = {"given_up": "forfeited", "broken_off": "interrupted"}
    for key, value in totals.items():
        label = labels.get(key, key.replace("_", " "))
        print(f"{label:>17}  {f'{value:,.4f}' if key == 'cost' else printable(str(value))}")


if __name__ == "__main__":
    run(main)
