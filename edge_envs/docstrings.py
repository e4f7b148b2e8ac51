"""Docstrings that programs show, such as the page of a game, also under `python -OO`, which drops them."""

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any


def docstring(thing: ModuleType | Callable[..., Any]) -> str:
    """Return the docstring of a module or function, from its source if the interpreter has dropped it.

    It is empty if there is none, or if it was dropped and the source is not there.
    """
    text = thing.__doc__
    if text is None:
        with contextlib.suppress(OSError, TypeError, SyntaxError):
            tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
            node = tree if isinstance(thing, ModuleType) else tree.body[0]
            text = ast.get_docstring(node) if isinstance(node, ast.Module | ast.FunctionDef) else None
    return inspect.cleandoc(text or "")
