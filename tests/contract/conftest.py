"""Parametrises the contract tests over the enrolled games."""

from __future__ import annotations

import pytest

from tests.contract.cases import FIXTURES, case_name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name in FIXTURES.keys() & set(metafunc.fixturenames):
        metafunc.parametrize(name, FIXTURES[name](), ids=case_name)
