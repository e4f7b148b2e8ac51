"""Import rules: no cycles between layers, and heavy modules only when they are used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import edge_envs

ROOT = Path(__file__).resolve().parents[2]
LAYERS = [
    *("edge_envs.pictures", "edge_envs.core", "edge_envs.games", "edge_envs.search", "edge_envs.ntuple"),
    *(
        "edge_envs.trained",
        "edge_envs.envs",
        "edge_envs.players",
        "edge_envs.bridges",
        "edge_envs.play",
        "edge_envs.web",
        "agents",
        "scripts",
    ),
]
"""The layers: each may import itself and earlier ones."""

CORE = [
    ["errors", "nodes", "writing"],
    ["kernel_types"],
    ["checks"],
    ["spec", "values", "solver"],
    ["module_types", "cells"],
    ["game_type"],
    ["trained"],
    ["compiler"],
    ["kernels", "turn_tree"],
    ["loops"],
    ["compiled"],
    ["game", "state", "information_state"],
    ["features", "opponent"],
    ["solving"],
    ["interactive"],
]
"""The modules and packages of `edge_envs.core`: each may import those of earlier rows."""

CYCLE = {"game", "state", "information_state"}
"""The only import cycle: a game creates states, which refer to their game and to information states."""

HEAVY = ["numba", "torch", "stable_baselines3", "sb3_contrib", "scipy", "matplotlib", "pygame"]


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def named_by(file: Path, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every module that the import statements among these nodes of a file name."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = name_of(file).split(".")
                keep = len(package) - node.level + (file.name == "__init__.py")
                base = ".".join([*package[:keep], *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imports(file: Path) -> set[str]:
    """Return everything that a file may import, including lazy imports and imports for types."""
    return set(named_by(file, ast.walk(parsed(file))))


def imports_at_once(file: Path) -> set[str]:
    """Return what a file imports at once, without lazy imports and imports for types."""
    waiting: list[ast.AST] = [parsed(file)]
    nodes: list[ast.AST] = []
    while waiting:
        node = waiting.pop()
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if not for_types and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes.append(node)
            waiting += ast.iter_child_nodes(node)
    return set(named_by(file, nodes))


def inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def test_source_folders_are_found() -> None:
    assert len(modules("edge_envs/core")) > 5
    assert len(modules("edge_envs/games")) > 5
    assert len(modules("edge_envs/envs")) > 5


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_import_only_lower_layers(layer: str) -> None:
    later = LAYERS[LAYERS.index(layer) + 1 :]
    for file in modules(layer.replace(".", "/")):
        for module in imports(file):
            assert not any(inside(module, package) for package in later), f"{file} imports {module}"


def test_package_does_not_import_agents_scripts_or_tests() -> None:
    for file in modules("edge_envs"):
        for module in imports(file):
            assert module.split(".")[0] not in ("agents", "scripts", "tests", "configs"), f"{file} imports {module}"


def test_games_do_not_import_each_other() -> None:
    folders = [folder for folder in (ROOT / "edge_envs/games").iterdir() if (folder / "__init__.py").exists()]
    assert {folder.name for folder in folders} <= set(edge_envs.GAMES)
    for folder in folders:
        for file in folder.rglob("*.py"):
            for module in imports(file):
                others = [f"edge_envs.games.{other.name}" for other in folders if other != folder]
                assert not any(inside(module, other) for other in others), f"{file} imports {module}"


def named(file: Path) -> set[str]:
    """Return the games that a file names in strings or imports; docstrings and comments may name them."""
    nodes = list(ast.walk(parsed(file)))
    examples = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in examples]
    words = [*(text for text in texts if isinstance(text, str)), *named_by(file, nodes)]
    return {game for game in edge_envs.GAMES if any(re.search(rf"(?<![a-z_]){game}(?![a-z_])", word) for word in words)}


OF_CERTAIN_GAMES = (
    "scripts/map_report.py", "scripts/benchmarks/goals.py", "scripts/gpu_check.py", "scripts/shoot_docs.py",
    "scripts/static_pages/",
)  # fmt: skip
"""Exceptions: the program of a single game, peers and targets of the benchmark, what is measured on a GPU, and pictures
and stories of the documentation."""


def test_code_outside_its_folder_does_not_name_a_game() -> None:
    files = {
        file.relative_to(ROOT).as_posix(): file for part in ("edge_envs", "agents", "scripts") for file in modules(part)
    }
    generic = {
        name: file for name, file in files.items() if not name.startswith(("edge_envs/games/", *OF_CERTAIN_GAMES))
    }
    assert {name: games for name, file in generic.items() if (games := named(file))} == {}


def test_build_does_not_name_a_game() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert not [game for game in edge_envs.GAMES if game in text]


def test_names_of_games_are_detected() -> None:
    file = ROOT / "scripts" / "benchmarks" / "goals.py"
    assert named(file) == {game for game in edge_envs.GAMES if game in file.read_text(encoding="utf-8")} != set()


def part_of_core(module: str) -> str | None:
    """Return the module or package of `edge_envs.core` that a module belongs to, or None."""
    return module.split(".")[2] if inside(module, "edge_envs.core") and module != "edge_envs.core" else None


def test_core_modules_import_only_lower_modules() -> None:
    rows = {part: row for row, parts in enumerate(CORE) for part in parts}
    files = {name_of(file): file for file in modules("edge_envs/core")}
    assert {part_of_core(name) for name in files} - {None} == rows.keys()
    for name, file in files.items():
        part = part_of_core(name)
        for module in imports(file):
            other = part_of_core(module)
            if part and other in rows and part != other and not {part, other} <= CYCLE:
                assert rows[other] < rows[part], f"{name} imports {module}"


def test_core_has_one_import_cycle() -> None:
    """Imports inside functions and for types only are included."""
    files = {name_of(file): file for file in modules("edge_envs/core")}
    left = {name: imports(file) & files.keys() - {name} for name, file in files.items()}
    while ground := {name for name, uses in left.items() if not uses & left.keys()}:
        left = {name: uses for name, uses in left.items() if name not in ground}
    while tops := left.keys() - {used for uses in left.values() for used in uses}:
        left = {name: uses for name, uses in left.items() if name not in tops}
    assert left.keys() == {f"edge_envs.core.{name}" for name in CYCLE}


def test_spec_imports_only_errors_checks_and_types() -> None:
    found = {module for module in imports(ROOT / "edge_envs/core/spec.py") if inside(module, "edge_envs")}
    assert {part_of_core(module) for module in found} == {"checks", "errors", "kernel_types"}


@pytest.mark.parametrize("folder", ["agents", "edge_envs/envs", "edge_envs/search"])
def test_modules_have_no_import_cycles(folder: str) -> None:
    """Repeatedly removing modules that import none of the others must leave nothing."""
    left = {name_of(file): imports_at_once(file) for file in modules(folder)}
    while ground := {name for name, uses in left.items() if not (uses - {name}) & left.keys()}:
        left = {name: uses for name, uses in left.items() if name not in ground}
    assert not left


def test_only_one_module_uses_the_compilers_flags() -> None:
    compilers = {"jit", "njit", "vectorize", "guvectorize", "cfunc", "stencil"}
    for file in modules("edge_envs"):
        called = {node.attr for node in ast.walk(parsed(file)) if isinstance(node, ast.Attribute)}
        imported = {module.removeprefix("numba.") for module in imports(file) if inside(module, "numba")}
        assert name_of(file) == "edge_envs.core.compiler.plain" or not compilers & (called | imported), file


def test_only_the_sb3_api_needs_a_learning_library() -> None:
    heavy = {"torch", "stable_baselines3", "sb3_contrib"}
    users = {name_of(f) for f in modules("edge_envs") if heavy & {m.split(".")[0] for m in imports_at_once(f)}}
    assert users == {"edge_envs.envs.sb3"}


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("module", HEAVY)
def test_importing_the_package_loads_no_heavy_modules(module: str) -> None:
    assert run(f"import sys, edge_envs; print({module!r} in sys.modules)").split() == ["False"]


def test_importing_the_package_registers_every_game() -> None:
    program = (
        "import gymnasium, pettingzoo, edge_envs\n"
        "ids = [f'edge_envs/{n}-v{t.version}' for n, t in edge_envs.GAMES.items()]\n"
        "print(all(i in gymnasium.registry for i in ids), len(ids) > 0)\n"
    )
    assert run(program).split() == ["True", "True"]


def test_playing_needs_no_learning_library() -> None:
    program = (
        "import sys, edge_envs\n"
        "for name in edge_envs.GAMES:\n"
        "    edge_envs.vector_env(name, num_envs=1).reset(seed=0)\n"
        "    edge_envs.seat_env(name).reset(seed=0)\n"
        "    edge_envs.aec_env(name).reset(seed=0)\n"
        "print([m for m in ('torch', 'stable_baselines3', 'sb3_contrib') if m in sys.modules])\n"
    )
    assert run(program).split() == ["[]"]
