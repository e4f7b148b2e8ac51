"""The commit in results."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from agents.common.checkout import CHANGED, commit


def git(folder: Path, *arguments: str) -> str:
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    return subprocess.run(
        ["git", *author, *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_commit_of_a_checkout_marks_changes(tmp_path: Path) -> None:
    module = tmp_path / "edge_envs" / "__init__.py"
    module.parent.mkdir()
    module.write_text("", encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    head = git(tmp_path, "rev-parse", "HEAD")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    assert commit(tmp_path) == head
    module.write_text("x = 1\n", encoding="utf-8")
    assert commit(tmp_path) == head + CHANGED


def test_package_that_the_repository_does_not_track_has_no_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "readme").write_text("", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "edge_envs").mkdir()
    (tmp_path / "edge_envs" / "__init__.py").write_text("", encoding="utf-8")
    assert commit(tmp_path) is None


def test_without_git_there_is_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert commit() is None
