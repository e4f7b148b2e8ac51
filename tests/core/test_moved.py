"""Modules can be imported by their old names for one release."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from edge_envs.moved import _Finder, keep_old_names, new_name


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package whose subpackage `old` is now `new`, and whose module `single` is now `new.part`."""
    (tmp_path / "moving/new").mkdir(parents=True)
    (tmp_path / "moving/__init__.py").touch()
    (tmp_path / "moving/new/__init__.py").touch()
    (tmp_path / "moving/new/part.py").write_text("VALUE = object()\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = dict(_Finder.installed().moved)
    keep_old_names({"moving.old": "moving.new", "moving.single": "moving.new.part"})
    yield "moving"
    _Finder.installed().moved = before
    for name in [name for name in sys.modules if name.partition(".")[0] == "moving"]:
        del sys.modules[name]


@pytest.mark.parametrize("old", ["old.part", "single"])
def test_an_old_name_imports_the_same_module_and_warns(package: str, old: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        module = importlib.import_module(f"{package}.{old}")
    assert module is importlib.import_module(f"{package}.new.part")
    assert module.__spec__ is not None
    assert module.__spec__.name == f"{package}.new.part"
    assert f"{package}.{old} is now {package}.new.part; the old name will be removed" in str(warned[-1].message)
    assert {warning.category for warning in warned} == {DeprecationWarning}
    assert {warning.filename for warning in warned} == {importlib.__file__}  # the line that imports


def test_an_unknown_submodule_of_a_moved_package_is_named_by_its_new_name(package: str) -> None:
    with (
        pytest.warns(DeprecationWarning, match="is now moving.new"),
        pytest.raises(ModuleNotFoundError, match=r"moving\.new\.nothing"),
    ):
        importlib.import_module(f"{package}.old.nothing")


def test_names_that_have_not_moved_are_left_alone(package: str) -> None:
    assert new_name(f"{package}.older") is None
    assert new_name("numpy") is None
    with pytest.raises(ModuleNotFoundError, match="older"):
        importlib.import_module(f"{package}.older")
