"""Generate the command-line reference: what every program prints for `--help`."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[1]
PROGRAMS = {
    "Train": (
        "agents.train", "agents.selfplay", "agents.dqn", "agents.teach", "agents.values", "agents.tuples",
        "agents.tune",
    ),
    "Evaluate": (
        "agents.evaluate", "agents.tournament", "agents.leaderboard", "agents.benchmark", "agents.baselines",
        "agents.exploit", "agents.chat",
    ),
    "Data and values": ("agents.collect", "agents.fit"),
    "Play and draw": ("scripts/play.py", "scripts/replay.py", "scripts/picture.py", "scripts/map_report.py"),
    "Solve and measure": (
        "scripts/solve.py", "scripts/benchmark.py", "scripts/time_to_strength.py", "scripts/gpu_check.py",
    ),
}  # fmt: skip
"""The programs for users, in groups; scripts for maintainers are left out."""
WIDTH = 100
INTRODUCTION = """\
# Command-line reference

This page shows what each program prints for `--help`. It is generated from the programs. The wheel contains only
`edge-envs`; run the others in a clone with the extra `train`.
"""
NEXT = """\
## Next step

[Get started](../quick_start.md#programs) shows the programs at work.
"""


def cli_page() -> str:
    """Return the page as Markdown."""
    from edge_envs.__main__ import _parser

    lines = [INTRODUCTION, "## edge-envs\n", *_block(_parser().format_help())]
    for group, names in PROGRAMS.items():
        lines += [f"## {group}\n"]
        for name in names:
            call = f"python {name}" if name.endswith(".py") else f"python -m {name}"
            lines += [f"### {Path(name).name}\n", *_block(_help(_main_of(name), call))]
    return "\n".join([*lines, NEXT])


def _block(text: str) -> Iterator[str]:
    yield f"```text\n{text.rstrip()}\n```\n"


def _main_of(name: str) -> Callable[..., Any]:
    """Return the main function of a program, without running it."""
    path = ROOT / (name if name.endswith(".py") else f"{name.replace('.', '/')}.py")
    file = path if path.exists() else path.with_suffix("") / "__main__.py"
    with mock.patch("agents.common.console.run") as run:
        runpy.run_path(str(file), run_name="__main__")
    main: Callable[..., Any] = run.call_args.args[0]
    return main


def _help(main: Callable[..., Any], call: str) -> str:
    """Return the help of a program as it is printed in a wide terminal."""
    import typer

    from agents.common.console import make_app

    command = typer.main.get_command(make_app(main))
    context = command.context_class(command, info_name=call, terminal_width=WIDTH, max_content_width=WIDTH)
    return command.get_help(context)
