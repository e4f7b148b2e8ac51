"""Every function of the package is fully annotated, except kernels, whose arguments the compiler infers.

mypy is configured to accept functions without annotations in `edge_envs.core` and `edge_envs.games`, because any
module there may contain kernels. This test checks that only kernels use this exception.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILER = "edge_envs.core.compiler.jit"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def root_of(expression: ast.expr) -> str:
    """Return the leftmost name of an expression such as `kernel` or `kernel_of(folder)`."""
    while isinstance(expression, ast.Call | ast.Attribute):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return expression.id if isinstance(expression, ast.Name) else ""


def kernel_decorators(tree: ast.Module) -> set[str]:
    """Return the names in a module that are imported from the compiler's module, made with one, or typed by one."""
    found = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module == COMPILER or alias.name == "decorator_of"
    }
    made = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and root_of(node.value) in found
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    given = {
        argument.arg
        for argument in ast.walk(tree)
        if isinstance(argument, ast.arg) and argument.annotation and root_of(argument.annotation) in found
    }
    return found | made | given


def of_complete_kernels(expression: ast.expr) -> bool:
    """Return whether an expression is a decorator of `CompleteKernels`: `rules.compiled` or `rules.named(name)`."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    return isinstance(called, ast.Attribute) and called.attr in ("compiled", "named")


def named_decorators(tree: ast.Module) -> set[str]:
    """Return the names in a module to which a decorator of `CompleteKernels` is assigned."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            names, values = node.targets, [node.value]
            if isinstance(names[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                names, values = names[0].elts, node.value.elts
            pairs = zip(names, values, strict=False)
            found |= {name.id for name, value in pairs if isinstance(name, ast.Name) and of_complete_kernels(value)}
    return found


def methods(tree: ast.Module) -> Iterator[Function]:
    """Return the methods, whose first argument needs no annotation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, Function) and "staticmethod" not in map(root_of, inner.decorator_list):
                    yield inner


def unannotated(source: str) -> list[str]:
    """Return the functions of a module, except kernels, that lack an annotation of an argument or the result."""
    tree = ast.parse(source)
    decorators, with_self = kernel_decorators(tree) | named_decorators(tree), set(methods(tree))
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, Function) or any(of_complete_kernels(one) for one in node.decorator_list):
            continue
        if decorators & set(map(root_of, node.decorator_list)):
            continue
        arguments = [*node.args.posonlyargs, *node.args.args][node in with_self :]
        rest = [argument for argument in (node.args.vararg, node.args.kwarg) if argument]
        if not node.returns or not all(a.annotation for a in (*arguments, *node.args.kwonlyargs, *rest)):
            found.append(node.name)
    return found


@pytest.mark.parametrize("file", sorted((ROOT / "edge_envs").rglob("*.py")), ids=lambda f: str(f.relative_to(ROOT)))
def test_all_functions_except_kernels_are_annotated(file: Path) -> None:
    assert unannotated(file.read_text(encoding="utf-8")) == []


def test_kernels_are_distinguished_from_other_functions() -> None:
    source = """
from edge_envs.core.compiler.jit import Decorator, kernel, kernel_of
compiled = kernel_of(folder)
def make(given: Decorator) -> None:
    @given
    def a_given_loop(states): ...
@kernel
def a_kernel(state): ...
@compiled
def a_loop(states): ...
@kernel_of(folder, name="x")
def another_loop(states): ...
@rules.compiled
def a_loop_of_rules(states): ...
@rules.named("x")
def a_named_loop(states): ...
made, other = rules.compiled, rules.apply
@made
def one_more_loop(states): ...
@other
def no_kernel(states): ...
@functools.cache
def cached(n): ...
def no_return(n: int): ...
def half(n, m: int) -> int: ...
class Thing:
    def method(self) -> None: ...
    @staticmethod
    def static(n) -> None: ...
"""
    assert unannotated(source) == ["no_kernel", "cached", "no_return", "half", "static"]
