"""How long a fresh process waits: for the import, and for its first batch with a warm kernel cache. Wall clock."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from scripts.benchmarks.measure import Budget, Row, Tick

IMPORT = "import edge_envs"
FIRST_KERNEL = "first kernel, warm cache"

# What a process is told to run; argv[1] is a game. The clock starts in a bare interpreter. The first kernels are those
# of a vector env's reset and first step, `import edge_envs` and numba's own import included.
_PROGRAM = """
import json, sys, time
start = time.perf_counter()
import edge_envs
imported = time.perf_counter() - start
env = edge_envs.vector_env(sys.argv[1], num_envs=1)
batch = env.reset(seed=0)
env.step([int(batch.action_mask[0].argmax())])
print(json.dumps([imported, time.perf_counter() - start]))
"""


def startup(game: str, budget: Budget, tick: Tick) -> list[Row]:
    """Both rows of a game, from the same processes; one process before them fills the cache."""
    samples = []
    for i in range(budget.processes + 1):
        tick(f"{IMPORT}, process {i}")
        samples.append(_process(game))
    imports, kernels = zip(*samples[1:], strict=True)
    after_import = statistics.median(end - start for start, end in samples[1:])
    return [
        Row(IMPORT, "s", "wall", {"wall": imports}, {}),
        Row(FIRST_KERNEL, "s", "wall", {"wall": kernels}, {"after_import_median": after_import}),
    ]


def ticks(budget: Budget) -> int:
    """How often `startup` calls `tick`."""
    return budget.processes + 1


def _process(game: str) -> tuple[float, float]:
    command = [sys.executable, "-c", _PROGRAM, game]
    imported, first = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return imported, first
