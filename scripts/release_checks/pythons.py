"""Find the installed Pythons, and create clean environments with an installed package."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class StepError(Exception):
    """Raised if a step of the check fails. The message contains the command and the end of its output."""


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """Run a command in a folder, without variables that make other packages visible, and return its stdout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env={**kept, **environment}, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        output = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise StepError(f"{' '.join(words)}\n{output}")
    return done.stdout


def find_python(version: str) -> Path | None:
    """Return a working Python of a version such as 3.12 that can create environments, or None if there is none."""
    root = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    found = shutil.which(f"python{version}")
    for path in [*([Path(found)] if found else []), *sorted(root.glob(f"{version}.*/bin/python"), reverse=True)]:
        try:
            found_version = run([path, "-c", "import ensurepip, sys, venv; print(sys.version_info[:2])"], Path.cwd())
        except (StepError, OSError):
            continue
        if found_version.strip() == str(tuple(map(int, version.split(".")))):
            return path
    return None


@dataclass
class Environment:
    """A clean virtual environment in a folder."""

    folder: Path

    @classmethod
    def make(cls, python: Path, folder: Path) -> Environment:
        """Create a new environment."""
        run([python, "-m", "venv", "--clear", folder], folder.parent)
        return cls(folder)

    def program(self, name: str) -> Path:
        """Return the path of one of its programs."""
        return self.folder / "bin" / name

    def install(self, *what: str | Path) -> None:
        """Install packages with pip, only from wheels, except for chess, a pure Python package without a wheel."""
        pip = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--no-binary", "chess"]
        run([self.program("python"), *pip, *what], self.folder)

    def versions(self, names: Sequence[str]) -> list[str]:
        """Return the installed versions of some packages."""
        program = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
        return run([self.program("python"), "-c", program, *names], self.folder).split()
