"""What the bridge to RLlib says where RLlib is not installed; `rllib_suite.py` has its other tests."""

from __future__ import annotations

import pytest

from tests.programs import program


@pytest.mark.parametrize("missing", ["ray", "tree"])
def test_without_rllib_the_extra_is_named(missing: str) -> None:
    """Ray may be installed without all that RLlib needs, as with the extra `ray`."""
    done = program("-c", f"import sys; sys.modules['{missing}'] = None; import edge_envs.bridges.rllib")
    assert f"MissingExtraError: the bridge to RLlib needs {missing}" in done.stderr
    assert 'pip install "edge-envs[rllib]"' in done.stderr
