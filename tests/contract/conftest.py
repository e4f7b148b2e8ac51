"""Parametrise the contract tests over the registered games."""

from __future__ import annotations

import pytest

from tests import tiers
from tests.contract.cases import FIXTURES, case_name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise a test; if its file sets `NEEDS`, run it only with games that have this optional module."""
    needed = getattr(metafunc.module, "NEEDS", None)
    for name in FIXTURES.keys() & set(metafunc.fixturenames):
        item = metafunc.definition
        tier = "all" if tiers.is_named(item, metafunc.config) else metafunc.config.getoption("--tier")
        cases = [game for game in FIXTURES[name]() if needed is None or game.type.has_module(needed)]
        metafunc.parametrize(name, tiers.share(cases, item.name, tier), ids=case_name)
