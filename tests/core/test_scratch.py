"""Kernels own their scratch for as long as they use it.

The compiler frees an array after the last use of its name, even if a record was taken from it: who makes an array of
records hands on the array, and who gets it takes the record. In a loop that uses it the array lives on.
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


def own_records(function: ast.FunctionDef) -> dict[str, ast.Assign]:
    """The names of the arrays of records that a function makes, and where."""
    made: dict[str, ast.Assign] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            names, values = node.targets, [node.value]
            if isinstance(names[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                names, values = names[0].elts, node.value.elts
            made |= {ast.unparse(names[k]): node for k, value in enumerate(values) if makes_records(value)}
    return made


def test_there_are_kernels_that_make_records() -> None:
    assert any(own_records(function) for _, function in kernels())


def lives_on(function: ast.FunctionDef, use: ast.AST, making: ast.AST) -> bool:
    """Whether a use stands in a loop that goes on with what was made before it."""
    loops = (set(ast.walk(node)) for node in ast.walk(function) if isinstance(node, ast.For | ast.While))
    return any(use in loop and making not in loop for loop in loops)


def taken_too_late(function: ast.FunctionDef) -> list[str]:
    """The records that a function takes out of its own arrays when these are used for the last time."""
    found = []
    for name, making in own_records(function).items():
        uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
        last = max(uses, key=lambda node: (node.lineno, node.col_offset))
        entries = [node for node in ast.walk(function) if isinstance(node, ast.Subscript) and node.value is last]
        found += [ast.unparse(entry) for entry in entries if not lives_on(function, last, making)]
    return found


def test_no_kernel_ends_with_a_record_out_of_an_array_that_it_made() -> None:
    for where, function in kernels():
        assert not taken_too_late(function), where


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
def test_such_records_are_found(text: str) -> None:
    function = ast.parse(f"def kernel():\n{textwrap.indent(text, '    ')}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert taken_too_late(function) == SNIPPETS[text]
