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


def test_what_rllib_misses_itself_is_named() -> None:
    """It says so in words of its own; the package stands in the cause."""
    done = program("-c", "import sys; sys.modules['pyarrow'] = None; import edge_envs.bridges.rllib")
    assert "MissingExtraError: the bridge to RLlib needs" in done.stderr
    assert "needs ray," not in done.stderr
