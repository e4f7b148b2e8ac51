"""Initial inputs for fuzzing: the maps in the package."""

from __future__ import annotations

from typing import Any

from edge_envs.games.over_the_edge.map.charts import SHIPPED, read_source

SEEDS: dict[str, list[Any]] = {"map": [read_source(name) for name in SHIPPED]}
