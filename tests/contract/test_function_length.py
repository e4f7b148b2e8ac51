"""Functions have a limited length."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 80
"""Maximum number of lines from `def` to the end, with docstring and inner functions."""


def test_no_function_is_longer_than_80_lines() -> None:
    files = [file for folder in ("edge_envs", "agents", "scripts") for file in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 500
    found = {
        f"{file.relative_to(ROOT)}: {node.name}": node.end_lineno - node.lineno + 1
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    }
    assert {name: lines for name, lines in found.items() if lines > LONGEST} == {}
