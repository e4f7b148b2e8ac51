"""Environments, search and play use nothing that only POSIX systems have, as far as that can be tested on one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import ROOT, program

MODULES = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
OS = {
    "confstr", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getloadavg",
    "getpgid", "getpriority", "getsid", "getuid", "initgroups", "killpg", "lchown", "mkfifo", "mknod", "nice",
    "openpty", "pread", "pwrite", "register_at_fork", "sched_getaffinity", "setgid", "setgroups", "setpgid", "setsid",
    "setuid", "statvfs", "sysconf", "uname", "wait3", "wait4", "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW",
    "O_NONBLOCK",
}  # fmt: skip
SIGNAL = {
    "ITIMER_REAL", "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP",
    "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIG_BLOCK", "SIG_SETMASK", "alarm", "pause", "pthread_sigmask", "setitimer",
}  # fmt: skip
"""Modules and names that Windows lacks."""

PLAYED_WITH = ("edge_envs", "agents/common", "agents/players", "scripts/playing")
"""Folders of environments, search and play. `PROGRAM` also runs `scripts/play.py`."""

HIDE = f"""
import os, signal, sys, webbrowser
import asyncio, filelock, gymnasium, markdown_it, numba, pettingzoo, platformdirs, pydantic, rich.progress
import starlette.applications, typer, uvicorn, yaml  # these may use what their systems have

for name in {sorted(MODULES)}:
    sys.modules[name] = None  # importing it raises ImportError
for module, names in ((os, {sorted(OS)}), (signal, {sorted(SIGNAL)})):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
"""

USE = """
import io, threading, urllib.request
from contextlib import redirect_stdout

import edge_envs
from edge_envs.players import built_in_agent, decide
from tests.toy import enrol

enrol()
env = edge_envs.aec_env("kuhn")
env.reset(seed=1)
for agent in env.agent_iter():
    seen, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))
edge_envs.seat_env("tic_tac_toe", opponents="heuristic").reset(seed=1)
edge_envs.vector_env("tic_tac_toe", num_envs=4, num_threads=2).reset(seed=1)

import numpy as np

game = edge_envs.load_game("tic_tac_toe")
state = game.new_initial_state(seed=1)
assert decide(built_in_agent("search:20", game), state, np.random.default_rng(1)) in state.legal_actions()

from agents.common.console import run
from scripts.play import main

sys.stdin, shown = io.StringIO("1\\n" * 9), io.StringIO()
try:
    with redirect_stdout(shown):
        run(main, ["tic_tac_toe", "--against", "search:20", "--record", "games.jsonl"])
except SystemExit as ended:
    assert not ended.code, shown.getvalue()
(record,) = edge_envs.read_records("games.jsonl")
assert edge_envs.replay(record).is_terminal()

from edge_envs.web.server import Web

ready = threading.Event()
web = Web(begin=ready.set)
server = threading.Thread(target=web.serve_until_stopped, daemon=True)
server.start()
assert ready.wait(60)
with urllib.request.urlopen(f"{web.address}api/games", timeout=60) as reply:
    assert "tic_tac_toe" in reply.read().decode()
web.should_exit = web.force_exit = True
server.join(60)
print("played")
"""


def test_games_are_played_without_what_only_posix_has(tmp_path: Path) -> None:
    start = f"import os, sys\nsys.path.insert(0, {str(ROOT)!r})\nos.chdir({str(tmp_path)!r})\n"
    done = program("-c", f"{start}{HIDE}{USE}")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "played\n"


def faults(tree: ast.Module) -> Iterator[str]:
    """Yield imports and attributes that only POSIX has, except names that the module looks for with `hasattr`."""
    known = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr"):
            known |= {word.value for word in node.args if isinstance(word, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from sorted(MODULES & {alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            yield node.module
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            hidden = {"os": OS, "signal": SIGNAL}.get(node.value.id, set())
            if node.attr in hidden - known:
                yield f"{node.value.id}.{node.attr}"


def test_no_module_requires_what_only_posix_has() -> None:
    files = [path for folder in PLAYED_WITH for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 250
    found = {str(path): list(faults(ast.parse(path.read_text(encoding="utf-8")))) for path in files}
    assert {path: names for path, names in found.items() if set(names) - {"readline"}} == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, fcntl", ["fcntl"]),
        ("from resource import getrlimit", ["resource"]),
        ("import os\nos.killpg(1, 2)", ["os.killpg"]),
        ("import os\nif hasattr(os, 'getuid'): os.getuid()", []),
        ("import signal\nsignal.signal(signal.SIGHUP, f)", ["signal.SIGHUP"]),
        ("import signal\nsignal.signal(signal.SIGTERM, f)", []),
    ],
)
def test_what_only_posix_has_is_found(text: str, expected: list[str]) -> None:
    assert list(faults(ast.parse(text))) == expected
