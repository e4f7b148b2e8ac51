"""Parametrise the contract tests over the enrolled games."""

from __future__ import annotations

import pytest

from tests import tiers
from tests.contract.cases import FIXTURES, case_name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name in FIXTURES.keys() & set(metafunc.fixturenames):
        item = metafunc.definition
        tier = "all" if tiers.is_named(item, metafunc.config) else metafunc.config.getoption("--tier")
        metafunc.parametrize(name, tiers.share(FIXTURES[name](), item.name, tier), ids=case_name)
