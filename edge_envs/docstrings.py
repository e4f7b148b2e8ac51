"""Access to docstrings that programs show, such as game pages, even under `python -OO`, which removes them."""

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any


def docstring(thing: ModuleType | Callable[..., Any]) -> str:
    """Return the docstring of a module or function, read from its source if the interpreter has removed it.

    The result is empty if the object has no docstring, or if it was removed and the source is missing.
    """
    text = thing.__doc__
    if text is None:
        with contextlib.suppress(OSError, TypeError, SyntaxError):
            tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
            node = tree if isinstance(thing, ModuleType) else tree.body[0]
            text = ast.get_docstring(node) if isinstance(node, ast.Module | ast.FunctionDef) else None
    return inspect.cleandoc(text or "")
