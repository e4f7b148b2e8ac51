"""Kernels keep their scratch arrays alive while they use them.

The compiler frees an array after the last use of its name, even if a record of it is still in use. A kernel that
creates an array of records must therefore pass on the array, not a record. In a loop that uses it, the array stays
alive.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import edge_envs

PACKAGE = Path(edge_envs.__file__).parent
MAKERS = {"empty", "zeros", "ones"}


def kernels() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every kernel of the package with its location."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(one) for one in node.decorator_list):
                yield f"{path.relative_to(PACKAGE)}: {node.name}", node


def makes_records(value: ast.expr) -> bool:
    """Return whether an expression creates an array of records, such as `np.empty(1, STATE)`."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in MAKERS
        and len(value.args) == 2
        and isinstance(value.args[1], ast.Name)
    )


def own_records(function: ast.FunctionDef) -> dict[str, ast.Assign]:
    """Return the names of the arrays of records that a function creates, with the assignments."""
    made: dict[str, ast.Assign] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            names, values = node.targets, [node.value]
            if isinstance(names[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                names, values = names[0].elts, node.value.elts
            made |= {ast.unparse(names[k]): node for k, value in enumerate(values) if makes_records(value)}
    return made


def test_some_kernels_create_records() -> None:
    assert any(own_records(function) for _, function in kernels())


def stays_alive(function: ast.FunctionDef, use: ast.AST, making: ast.AST) -> bool:
    """Return whether a use is inside a loop that starts after the array was created."""
    loops = (set(ast.walk(node)) for node in ast.walk(function) if isinstance(node, ast.For | ast.While))
    return any(use in loop and making not in loop for loop in loops)


def records_of_freed_arrays(function: ast.FunctionDef) -> list[str]:
    """Return the records that a function takes from its own arrays at the last use of the array."""
    found = []
    for name, making in own_records(function).items():
        uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
        last = max(uses, key=lambda node: (node.lineno, node.col_offset))
        entries = [node for node in ast.walk(function) if isinstance(node, ast.Subscript) and node.value is last]
        found += [ast.unparse(entry) for entry in entries if not stays_alive(function, last, making)]
    return found


def test_kernels_do_not_use_records_of_freed_arrays() -> None:
    for where, function in kernels():
        assert not records_of_freed_arrays(function), where


SNIPPETS = {
    "a = np.empty(1, PLAN)\nf(a[0])": ["a[0]"],
    "a, b = np.empty(1, PLAN), np.empty(1, CHART)\nf(a, b[0])": ["b[0]"],
    "for i in x:\n    a = np.empty(1, PLAN)\n    f(a[0])": ["a[0]"],
    "a = np.empty(1, PLAN)\nf(a)": [],
    "a = np.empty(1, PLAN)\nf(a[0])\nf(a)": [],
    "a = np.empty(1, PLAN)\nfor i in x:\n    f(a[0])": [],
    "a = np.empty(1)\nf(a[0])": [],
}


@pytest.mark.parametrize("text", SNIPPETS)
def test_records_of_freed_arrays_are_detected(text: str) -> None:
    function = ast.parse(f"def kernel():\n{textwrap.indent(text, '    ')}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert records_of_freed_arrays(function) == SNIPPETS[text]
