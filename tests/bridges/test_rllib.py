"""The bridge to RLlib without RLlib installed; `rllib_suite.py` contains its other tests."""

from __future__ import annotations

import pytest

from tests.programs import program


@pytest.mark.parametrize("missing", ["ray", "tree"])
def test_without_rllib_the_extra_is_named(missing: str) -> None:
    """Ray may be installed without the dependencies of RLlib, as with the extra `ray`."""
    done = program("-c", f"import sys; sys.modules['{missing}'] = None; import edge_envs.bridges.rllib")
    assert f"MissingExtraError: the bridge to RLlib needs {missing}" in done.stderr
    assert 'pip install "edge-envs[rllib]"' in done.stderr


STUBS = """
import sys, types
import gymnasium
for name in ("ray", "ray.rllib", "ray.rllib.env", "ray.rllib.env.multi_agent_env", "ray.tune", "ray.tune.registry"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["ray.rllib.env.multi_agent_env"].MultiAgentEnv = gymnasium.Env
sys.modules["ray.tune.registry"].register_env = lambda name, create: None
"""
"""Enough of RLlib to import the bridge: a base class, and a registry."""

GAME = """
import edge_envs
from edge_envs.bridges.rllib import GameMultiAgentEnv
env = GameMultiAgentEnv(edge_envs.aec_env("over_the_edge_pond"))
seen, ended = env.reset(seed=1)[0], {"__all__": False}
while not ended["__all__"]:
    (agent,) = seen
    assert env.observation_spaces[agent].contains(seen[agent])
    seen, rewards, ended, _, _ = env.step({agent: int(seen[agent]["action_mask"].argmax())})
print(sorted(rewards.items()))
"""


def test_a_game_is_played_without_rllib() -> None:
    """RLlib needs a separate virtual environment, so this test replaces it by a stub."""
    done = program("-c", STUBS + GAME)
    assert done.returncode == 0, done.stderr
    assert "('player_0', " in done.stdout


def test_missing_dependency_of_rllib_is_named() -> None:
    """RLlib raises its own error, whose cause names the package."""
    done = program("-c", "import sys; sys.modules['pyarrow'] = None; import edge_envs.bridges.rllib")
    assert "MissingExtraError: the bridge to RLlib needs" in done.stderr
    assert "needs ray," not in done.stderr
