"""Kernels own their scratch for as long as they use it.

The compiler frees an array after the last use of its name, even if a record was taken from it: who makes an array of
records hands on the array, and who gets it takes the record. In a loop that uses it the array lives on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import edge_envs

PACKAGE = Path(edge_envs.__file__).parent
MAKERS = {"empty", "zeros", "ones"}


def kernels() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every kernel of the package, with where it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(one) for one in node.decorator_list):
                yield f"{path.relative_to(PACKAGE)}: {node.name}", node


def makes_records(value: ast.expr) -> bool:
    """Whether an expression is like `np.empty(1, STATE)`, whose entries are records."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in MAKERS
        and len(value.args) == 2
        and isinstance(value.args[1], ast.Name)
    )


def own_records(function: ast.FunctionDef) -> set[str]:
    """The names of the arrays of records that a function makes."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=True) if several else [(target, value)]  # type: ignore[attr-defined]
            names |= {ast.unparse(name) for name, made in pairs if makes_records(made)}
    return names


def test_there_are_kernels_that_make_records() -> None:
    assert any(own_records(function) for _, function in kernels())


def in_loops(function: ast.FunctionDef) -> set[ast.AST]:
    """All that stands in loops of a function, where every name lives until the loop ends."""
    loops = (node for node in ast.walk(function) if isinstance(node, ast.For | ast.While))
    return {inner for loop in loops for inner in ast.walk(loop)}


def test_no_kernel_ends_with_a_record_out_of_an_array_that_it_made() -> None:
    for where, function in kernels():
        made, looped = own_records(function), in_loops(function)
        for name in made:
            uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
            last = max(uses, key=lambda node: (node.lineno, node.col_offset))
            entries = [node for node in ast.walk(function) if isinstance(node, ast.Subscript) and node.value is last]
            assert not entries or last in looped, f"{where}: {ast.unparse(entries[0])}"
