"""Moved modules, names and attributes can be used by their old names for one release."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import edge_envs
from edge_envs import core
from edge_envs.core import spec
from edge_envs.core.checks import seeds
from edge_envs.core.compiled import compiled_game
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
def test_old_module_name_imports_the_same_module_and_warns(package: str, old: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        module = importlib.import_module(f"{package}.{old}")
    assert module is importlib.import_module(f"{package}.new.part")
    assert module.__spec__ is not None
    assert module.__spec__.name == f"{package}.new.part"
    assert f"{package}.{old} is now {package}.new.part; the old name will be removed" in str(warned[-1].message)
    assert {warning.category for warning in warned} == {DeprecationWarning}
    assert {warning.filename for warning in warned} == {importlib.__file__}  # the importing line


def test_unknown_submodule_error_contains_the_new_name(package: str) -> None:
    with (
        pytest.warns(DeprecationWarning, match="is now moving.new"),
        pytest.raises(ModuleNotFoundError, match=r"moving\.new\.nothing"),
    ):
        importlib.import_module(f"{package}.old.nothing")


def test_other_names_are_not_affected(package: str) -> None:
    assert new_name(f"{package}.older") is None
    assert new_name("numpy") is None
    with pytest.raises(ModuleNotFoundError, match="older"):
        importlib.import_module(f"{package}.older")


@pytest.mark.parametrize(("old", "new"), core._MOVED.items())
def test_modules_of_core_keep_their_old_names(old: str, new: str) -> None:
    sys.modules.pop(f"edge_envs.core.{old}", None)
    with pytest.warns(DeprecationWarning, match=f"edge_envs.core.{old} is now edge_envs.core.{new}; the old name"):
        module = importlib.import_module(f"edge_envs.core.{old}")
    assert module is sys.modules[f"edge_envs.core.{new}"]


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        *(("game", name, f"spec.{name}") for name in ("Kernels", "ObservationField", "Parameter", "Variant")),
        *(("game", name, f"checks.seeds.{name}") for name in ("SEEDS", "check_seed", "fresh_seed")),
        ("game", "new_records", "game_type.GameType.new_records"),
        ("solving.tables", "Solver", "solver.Solver"),
        ("features", "Thoughts", "features.Estimates"),
        ("opponent", "Asking", "opponent.OpponentCalls"),
        ("solving.df_pn", "Hints", "solving.df_pn.ProofKernels"),
        ("solving.resumable", "Pursuit", "solving.resumable.ResumableSearch"),
    ],
)
def test_moved_and_renamed_names_still_work(module: str, old: str, new: str) -> None:
    home = importlib.import_module(f"edge_envs.core.{module}")
    with pytest.warns(DeprecationWarning, match=rf"edge_envs\.core\.{module}\.{old} is now edge_envs\.core\.{new};"):
        found = getattr(home, old)
    assert found is pkgutil.resolve_name(f"edge_envs.core.{new}")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        home.nothing  # noqa: B018  expected to raise


def test_declared_types_can_be_imported_from_the_game_module() -> None:
    """Names that the module itself uses do not warn."""
    game = importlib.import_module("edge_envs.core.game")
    assert (game.GameType, game.Spec, game.Layout) == (edge_envs.GameType, spec.Spec, spec.Layout)
    assert seeds.SEEDS == 2**64


@pytest.mark.parametrize(
    ("old", "new"),
    [("kernels", "declared"), ("ruleset", "kernels"), ("loops", "loops"), ("value_loops", "value_loops")],
)
def test_game_type_still_provides_compiled_attributes(old: str, new: str) -> None:
    game_type = next(one for one in edge_envs.GAMES.values() if one.values is not None)
    with pytest.warns(DeprecationWarning, match=rf"GameType\.{old} is now Game\.compiled\.{new}; the old name"):
        found = getattr(game_type, old)
    assert found is getattr(compiled_game(game_type), new)
