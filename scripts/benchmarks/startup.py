"""Time the import and the first step of a new process, with a warm and with an empty cache.

A warm start is measured in wall-clock time. Compilation with an empty cache is measured in processor seconds (user and
system, all threads), which hardly depend on other load of the machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

from scripts.benchmarks.measure import Budget, Row, Tick

IMPORT = "import edge_envs"
FIRST_KERNEL = "first kernel, warm cache"
APIS = ("State", "AEC", "vector env", "seat env")

# Program of a process with a warm cache; argv[1] is a game. The clock starts in a bare interpreter. The first kernels
# are those of the reset and first step of a vector env. The time includes the imports of `edge_envs` and numba.
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

# Program of a process with an empty cache: the first step of each named API in turn.
_FIRST_STEPS = """
import json, sys, time
import edge_envs

def state(game):
    state = edge_envs.load_game(game).new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    state.observation_tensor(state.current_player())
    state.apply_action(state.legal_actions()[0])

def aec(game):
    env = edge_envs.aec_env(game)
    env.reset(seed=0)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    env.last()

def vector(game):
    env = edge_envs.vector_env(game, num_envs=1)
    env.step([int(env.reset(seed=0).action_mask[0].argmax())])

def seat(game):
    env = edge_envs.seat_env(game, opponents="random")
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))

steps = {"State": state, "AEC": aec, "vector env": vector, "seat env": seat}
ends = [0.0]
for api in sys.argv[2:]:
    steps[api](sys.argv[1])
    ends.append(time.process_time())
print(json.dumps([end - start for start, end in zip(ends, ends[1:])]))
"""


def first_step(api: str) -> str:
    """Return the name of the row of an API that is the first in its process, with an empty cache."""
    return f"first step with an empty cache, {api}"


def further(api: str) -> str:
    """Return the name of the row of an API that follows another one in the same process."""
    return f"further first step, {api} after {_before(api)}"


def _before(api: str) -> str:
    return APIS[APIS.index(api) - 1]


def startup(game: str, budget: Budget, tick: Tick) -> list[Row]:
    """Return both warm rows of a game, from the same processes. One process before them fills the cache."""
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


def compilation(game: str, tick: Tick) -> list[Row]:
    """Return the rows of a game with an empty cache: each API in its own process, and after another API."""
    rows = []
    for api in APIS:
        tick(first_step(api))
        rows.append(_compiled(first_step(api), _first_steps(game, api)[0]))
    for api in APIS:
        tick(further(api))
        rows.append(_compiled(further(api), _first_steps(game, _before(api), api)[1]))
    return rows


def _compiled(name: str, seconds: float) -> Row:
    return Row(name, "s", "process", {"process": [seconds], "wall": [seconds]}, {})


def _first_steps(game: str, *apis: str) -> list[float]:
    """Return processor seconds to the first step of each API in one process with an empty cache.

    The first one includes the import.
    """
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", _FIRST_STEPS, game, *apis]
        environment = {**os.environ, "EDGE_ENVS_CACHE_DIR": cache}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    seconds: list[float] = json.loads(done.stdout)
    return seconds


def ticks(budget: Budget) -> int:
    """Return the number of calls of `tick` by `startup` and `compilation`."""
    return budget.processes + 1 + (2 * len(APIS) if budget.compile else 0)


def _process(game: str) -> tuple[float, float]:
    command = [sys.executable, "-c", _PROGRAM, game]
    imported, first = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return imported, first
