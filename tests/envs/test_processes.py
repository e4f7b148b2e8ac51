"""Threads in forked processes, and interpreters without the compiler or without an extra."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.systems import needs_posix

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in which the toy games are registered and warnings are errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", f"from tests.toy import enrol; enrol()\n{program}"],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=SECONDS,
    )  # fmt: skip


FORKED = """
import multiprocessing, warnings
import edge_envs

def play(env):
    return env.step(env._batch.action_mask.argmax(axis=1)).action_mask.tolist()

def child(env, pipe):
    pipe.send(play(env))

warnings.simplefilter("ignore", DeprecationWarning)  # Python warns that threads are running, as intended
env = edge_envs.vector_env("tic_tac_toe", num_envs=4, num_threads=2)
env.reset(seed=0)
play(env)
fork = multiprocessing.get_context("fork")
here, there = fork.Pipe()
process = fork.Process(target=child, args=(env, there))
process.start()
answered = here.poll(30)
theirs = here.recv() if answered else "nothing"
process.join(5)
process.kill()
print(theirs == play(env), process.exitcode)
"""


@needs_posix
def test_a_forked_process_creates_its_own_threads() -> None:
    done = run(FORKED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "0"]


RECORDED = """
import json, sys
import edge_envs

for name in ("falling_off", "kuhn", "tic_tac_toe"):
    state = edge_envs.load_game(name).new_initial_state(seed=1)
    for _ in range(12):
        if not state.is_terminal():
            state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
    assert type(state.current_player()) is int
    record = json.loads(json.dumps(edge_envs.record_of(state)))
    again = edge_envs.replay(record)
    assert again.to_dict() == state.to_dict()
    assert json.loads(json.dumps(again.to_dict())) == state.to_dict()
    state.resample(0, __import__("numpy").random.default_rng(0))
    env = edge_envs.vector_env(name, num_envs=2)
    batch = env.reset(seed=0)
    for _ in range(5):
        batch = env.step(batch.action_mask.argmax(axis=1))
    seat = edge_envs.seat_env(name, opponents="heuristic")
    seat.reset(seed=0)
    seat.step(int(seat.action_masks().argmax()))
    aec = edge_envs.aec_env(name)
    aec.reset(seed=0)
    aec.step(int(aec.observe(aec.agent_selection)["action_mask"].argmax()))
print("whole")
"""


def test_without_the_compiler_records_are_json_and_no_warning_occurs() -> None:
    done = run(RECORDED, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["whole"]
    assert done.stderr == ""


WITHOUT_THE_EXTRA = """
import sys
sys.modules["stable_baselines3"] = None  # as if it were not installed
import edge_envs

for ask in (lambda: edge_envs.sb3_vec_env("tic_tac_toe"), lambda: edge_envs.SeatVecEnv):
    try:
        ask()
    except ImportError as error:
        print(type(error).__name__, "|", error)
"""


def test_without_the_extra_the_error_says_what_to_install() -> None:
    done = run(WITHOUT_THE_EXTRA)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("MissingExtraError | ")
        assert 'pip install "edge-envs[train]"' in line
        assert "stable_baselines3" in line or "Stable-Baselines3" in line
