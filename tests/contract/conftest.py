"""Parametrise the contract tests over the enrolled games."""

from __future__ import annotations

import pytest

from tests import tiers
from tests.contract.cases import FIXTURES, case_name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise a test; a module with `NEEDS`, an optional module of a game, runs with the games that have it."""
    needed = getattr(metafunc.module, "NEEDS", None)
    for name in FIXTURES.keys() & set(metafunc.fixturenames):
        item = metafunc.definition
        tier = "all" if tiers.is_named(item, metafunc.config) else metafunc.config.getoption("--tier")
        cases = [game for game in FIXTURES[name]() if needed is None or game.type.has_module(needed)]
        metafunc.parametrize(name, tiers.share(cases, item.name, tier), ids=case_name)
