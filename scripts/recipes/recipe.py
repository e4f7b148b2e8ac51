"""Read an example's file, set up an environment with its requirements, and run it."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import resource
import subprocess
import sys
import sysconfig
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TIMEOUT = 600.0

_HEADER = re.compile(r"(?m)^# /// script\n((?:^#.*\n)*?)^# ///\n")
_VERDICT = re.compile(r": won (\S+) (\(\S+ to \S+\)) of [\d,]+ games against random$", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """Result of a run: exit code, stdout, stderr, processor time in seconds, and versions of its requirements."""

    code: int
    output: str
    errors: str
    seconds: float
    versions: dict[str, str]

    def verdict(self) -> str:
        """Return a short verdict: the result against random play, or the last line of the error."""
        found = _VERDICT.search(self.output)
        if self.code == 0 and found:
            return f"won {found[1]} {found[2]}"
        if found:
            return f"does not beat random: won {found[1]}"
        lines = self.errors.strip().splitlines()
        return f"fails: {lines[-1] if lines else f'exit code {self.code}'}"


@dataclass(frozen=True)
class Recipe:
    """An example and its file."""

    path: Path

    @property
    def name(self) -> str:
        """Name of the file without its suffix."""
        return self.path.stem

    @cached_property
    def text(self) -> str:
        """Content of the file."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def doc(self) -> tuple[str, str]:
        """First sentence of the docstring without the full stop, and the rest of the docstring."""
        title, _, rest = (ast.get_docstring(ast.parse(self.text)) or "").partition("\n")
        return title.removesuffix("."), rest.strip()

    @cached_property
    def requirements(self) -> list[Requirement]:
        """Requirements in the header, without this package."""
        header = _HEADER.search(self.text)
        if header is None:
            raise ValueError(f"{self.path}: expected a header '# /// script'")
        metadata = tomllib.loads(re.sub(r"(?m)^# ?", "", header[1]))
        found = [Requirement(line) for line in metadata["dependencies"]]
        return [requirement for requirement in found if requirement.name != "edge-envs"]

    def is_satisfied(self) -> bool:
        """Return whether all requirements are installed in suitable versions."""
        return all(_is_installed(requirement) for requirement in self.requirements)

    def python(self, venvs: Path) -> Path:
        """Return a Python with all requirements: the current one, or that of a virtual environment in `venvs`.

        The environment is created if necessary. It also sees the packages installed here, so that only the differences
        are downloaded.
        """
        if self.is_satisfied():
            return Path(sys.executable)
        folder, wanted = (venvs / self.name).resolve(), "\n".join(map(str, self.requirements))
        python, done = folder / "bin" / "python", folder / "installed"
        if not done.exists() or done.read_text(encoding="utf-8") != wanted:
            _install(sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder))
            here = Path(sysconfig.get_path("purelib"))
            there = folder / here.relative_to(Path(sys.prefix))
            (there / "here.pth").write_text(f"{here}\n", encoding="utf-8")
            _install(str(python), "-m", "pip", "install", "--quiet", *wanted.splitlines())
            done.write_text(wanted, encoding="utf-8")
        return python

    def run(self, venvs: Path) -> Outcome:
        """Run the example as a user does, in the root of the repository."""
        python = str(self.python(venvs))
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        surroundings = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "EDGE_ENVS_QUIET": "1"}
        before = _processor_time()
        try:
            done = subprocess.run(
                [python, str(self.path)],
                cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False, timeout=TIMEOUT,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess([], 1, "", f"timed out after {TIMEOUT:g} s")
        seconds = _processor_time() - before
        return Outcome(done.returncode, done.stdout, done.stderr, seconds, self._versions(python))

    def _versions(self, python: str) -> dict[str, str]:
        names = [requirement.name for requirement in self.requirements]
        program = "import sys, importlib.metadata as m; print(*map(m.version, sys.argv[1:]))"
        found = subprocess.run([python, "-c", program, *names], capture_output=True, text=True, check=True)
        return dict(zip(names, found.stdout.split(), strict=True))


def recipes() -> list[Recipe]:
    """Return all examples, sorted by name."""
    return [Recipe(path) for path in sorted(EXAMPLES.glob("*.py"))]


def _install(*command: str) -> None:
    """Create an environment or install into it. Raises ValueError with the last line of the output on failure."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise ValueError(f"{' '.join(command)}: {output[-1]}")


def _is_installed(requirement: Requirement) -> bool:
    try:
        return importlib.metadata.version(requirement.name) in requirement.specifier
    except importlib.metadata.PackageNotFoundError:
        return False


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
