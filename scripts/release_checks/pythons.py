"""The Pythons of a machine, and clean environments of them with an installed package."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class StepError(Exception):
    """A step of the check failed; the message has the command and the end of what it said."""


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """What a command prints, run in a folder and without what leads Python to other packages."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env={**kept, **environment}, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise StepError(f"{' '.join(words)}\n{said}")
    return done.stdout


def find_python(version: str) -> Path | None:
    """A Python of a version such as 3.12 that runs and can make environments; None if the machine has none."""
    root = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    found = shutil.which(f"python{version}")
    for path in [*([Path(found)] if found else []), *sorted(root.glob(f"{version}.*/bin/python"), reverse=True)]:
        try:
            told = run([path, "-c", "import ensurepip, sys, venv; print(sys.version_info[:2])"], Path.cwd())
        except (StepError, OSError):
            continue
        if told.strip() == str(tuple(map(int, version.split(".")))):
            return path
    return None


@dataclass
class Environment:
    """A clean environment in a folder."""

    folder: Path

    @classmethod
    def make(cls, python: Path, folder: Path) -> Environment:
        """A fresh one."""
        run([python, "-m", "venv", "--clear", folder], folder.parent)
        return cls(folder)

    def program(self, name: str) -> Path:
        """One of its programs."""
        return self.folder / "bin" / name

    def install(self, *what: str | Path) -> None:
        """Install packages by pip, from wheels alone but for chess, a pure Python package that has none."""
        pip = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--no-binary", "chess"]
        run([self.program("python"), *pip, *what], self.folder)

    def versions(self, names: Sequence[str]) -> list[str]:
        """The installed versions of some packages."""
        program = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
        return run([self.program("python"), "-c", program, *names], self.folder).split()
