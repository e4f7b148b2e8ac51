"""Test that imports are declared, declared packages are pinned, and the wheel contains its data."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from edge_envs.games.over_the_edge.map.charts import SCHEMA, SHIPPED

ROOT = Path(__file__).resolve().parents[2]
OWN = {"edge_envs", "agents", "scripts", "tests"}
NEEDS = {
    "edge_envs": (),
    "agents": ("train",),
    "scripts": ("train", "web", "render", "film", "browser", "bench", "textarena", "dev"),
    "tests": ("train", "web", "render", "film", "browser", "bench", "ray", "textarena", "minari", "dev"),
}
"""The extras that each folder may import."""

OPTIONAL = {
    "edge_envs": {
        "stable-baselines3",
        "llvmlite",
        "markdown-it-py",
        "starlette",
        "uvicorn",
        "open-spiel",
        "textarena",
        "ray",
        "h11",
        "segno",
        "pillow",
        "rich",
        "scipy",
    },
    "agents": {"certifi", "httpx", "ray", "h5py", "minari", "ipython"},
}
"""Packages that only one API, the web page, animations, a bridge, map reports, language models, Minari or Ray need,
each with an extra; the package that numba builds on and pins; and IPython, which runs the cells of a notebook."""

EXTRAS = (
    "play", "train", "web", "render", "film", "browser", "bench", "openspiel", "textarena", "minari", "ray", "rllib",
    "dev",
)  # fmt: skip
NOT_IMPORTED = {
    "tensorboard": "used by torch.utils.tensorboard",
    "pygame-ce": "imported by PettingZoo's connect_four",
    "dm-tree": "imported by OpenSpiel's DQN",
    "pytest-xdist": "`make tests` runs on all cores",
    "ipykernel": "runs the cells of notebooks",
    "ruff": "`make lint`",
    "mypy": "`make types`",
    "types-pyyaml": "types of yaml for mypy",
}


def project_file() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    return dict(project_file()["project"])


def declared(extras: tuple[str, ...]) -> list[Requirement]:
    """Return the requirements of the package and of some extras."""
    lines = [*project()["dependencies"], *(d for e in extras for d in project()["optional-dependencies"][e])]
    return [Requirement(line) for line in lines]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {normal(name): version for name, version in pins}


def imported(folder: str) -> set[str]:
    """Return the distributions that the files of a folder import, including imports in functions."""
    modules = {name for file in (ROOT / folder).rglob("*.py") for name in top_levels(file)}
    distributions = packages_distributions()
    third_party = modules - OWN - sys.stdlib_module_names
    return {normal(distributions[module][0]) for module in third_party if module in distributions}


def top_levels(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0]


def test_imports_are_declared() -> None:
    for folder, extras in NEEDS.items():
        names = {normal(requirement.name) for requirement in declared(extras)}
        assert imported(folder) - OPTIONAL.get(folder, set()) <= names, folder


def test_the_wheel_contains_the_package_with_its_data() -> None:
    assert project_file()["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["edge_envs"]}
    schema = Path(str(SCHEMA))
    data = [schema, *(schema.parent / "maps" / f"{name}.json" for name in SHIPPED)]
    assert all(file.is_relative_to(ROOT / "edge_envs") for file in data)
    ignored = [line for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if line]
    assert not [(file, line) for file in data for line in ignored if file.match(line)]


def test_declared_packages_are_used() -> None:
    names = {normal(requirement.name) for requirement in declared(EXTRAS)}
    assert names <= {name for folder in NEEDS for name in imported(folder)} | NOT_IMPORTED.keys()


def test_every_declared_package_is_pinned_within_its_range() -> None:
    pins = pinned()
    for requirement in declared(EXTRAS):
        assert pins[normal(requirement.name)] in requirement.specifier, requirement


def test_pins_are_plain_versions_that_any_index_has() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert line.startswith("#") or re.fullmatch(r"[\w.-]+==[\d.]+(b\d+|\.post\d+)?", line), line
