"""A small protocol for tests of `python -m agents.benchmark`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PROTOCOL = """\
name: toy-bench
version: 3
seed: 1000
games: 8
quick_games: 4
references: {{file: {folder}/references.json, seed: 5000000, games: 20}}
everywhere: ["level:1", "level:4", "level:5"]
anchor: "level:5"
boards:
  falling_off: {{opponents: [perfect]}}
  falling_off_3p: {{games: 6}}
"""


def results_of(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))
