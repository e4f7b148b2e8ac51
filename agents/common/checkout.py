"""The commit of the repository that a program runs from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import edge_envs

ROOT = Path(edge_envs.__file__).resolve().parents[1]
CHANGED = " with changes"


def commit(root: Path = ROOT) -> str | None:
    """Return the commit of the repository, or None if the package is installed or git is missing.

    Changes of tracked files are marked: `8a98f622… with changes`.

    Args:
        root: The folder that contains the package.
    """
    tracked = _git(root, "ls-files", "--error-unmatch", "edge_envs/__init__.py")
    found = _git(root, "rev-parse", "HEAD") if tracked else None
    if not found:
        return None
    return found + CHANGED if _git(root, "status", "--porcelain", "--untracked-files=no") else found


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
