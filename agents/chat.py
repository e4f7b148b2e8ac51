"""What was asked of a language model, and what it cost.

    python -m agents.chat configs/chat/local.yaml
    python -m agents.tournament --game falling_off --agents random heuristic chat:configs/chat/local.yaml --games 96

Games are played by tournaments and evaluations: `chat:FILE` is an agent like any other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import run

if TYPE_CHECKING:
    import typer


def main(
    file: Annotated[Path, typer.Argument(help="a YAML file that tells of a model, as configs/chat/local.yaml")],
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Tell what a language model was asked, and what it cost."""
    from agents.external.chat import read_chat, usage
    from edge_envs.core.errors import printable

    told = usage(read_chat(file))
    if as_json:
        print(json.dumps(told))
        return
    for key, value in told.items():
        print(f"{key.replace('_', ' '):>17}  {f'{value:,.4f}' if key == 'cost' else printable(str(value))}")


if __name__ == "__main__":
    run(main)
