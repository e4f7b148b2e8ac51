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


def test_missing_dependency_of_rllib_is_named() -> None:
    """RLlib raises its own error, whose cause names the package."""
    done = program("-c", "import sys; sys.modules['pyarrow'] = None; import edge_envs.bridges.rllib")
    assert "MissingExtraError: the bridge to RLlib needs" in done.stderr
    assert "needs ray," not in done.stderr
