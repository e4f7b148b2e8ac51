"""Test that moved modules can be imported by their old names."""

from __future__ import annotations

import importlib
import subprocess
import sys
import warnings

import pytest

from agents.common.old_names import MOVED
from edge_envs.moved import new_name

NEW_NAMES = {
    **MOVED,
    "agents.guests.chat": "agents.external.chat",
    "edge_envs.agents": "edge_envs.players",
    "edge_envs.agents.random": "edge_envs.players.random",
}


@pytest.mark.parametrize("old", NEW_NAMES)
def test_old_module_name_warns_and_imports_the_new_module(old: str) -> None:
    for name in filter(new_name, list(sys.modules)):
        del sys.modules[name]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        module = importlib.import_module(old)
    assert f"{old} is now" in str(warned[-1].message)
    assert {warning.category for warning in warned} == {DeprecationWarning}
    assert module is importlib.import_module(NEW_NAMES[old])


def test_programs_do_not_import_edge_envs_for_old_names() -> None:
    program = "import sys, agents.train, agents.evaluate; print('edge_envs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
