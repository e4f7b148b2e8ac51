"""Test each lower bound of `pyproject.toml` with the newest versions of everything else.

Testing all lowest versions together is not enough: an old package may work only with other packages of its time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from edge_envs import GAMES
from scripts.release_checks.building import lowest_versions
from scripts.release_checks.pythons import Environment, StepError, run

GAME = next(iter(GAMES))
SMOKE = Path(__file__).with_name("smoke.py")
TRAINING = [
    "-m", "agents.train", "--config", f"configs/{GAME}/demo.yaml", "--out", "{work}/run",
    "--set", "total_steps=8_192", "--set", "evaluation.games=20",
]  # fmt: skip
PLAYING = ["--game", GAME, "--agents", "random", "heuristic", "--out", "{work}/out"]


@dataclass(frozen=True)
class Check:
    """How to test an extra: other extras that it requires, and commands for Python in the unpacked sdist.

    `{work}` in a command stands for an empty folder. A command that starts with `smoke` runs `smoke.py` with the rest.
    """

    commands: Sequence[Sequence[str]]
    also: Sequence[str] = ()

    @classmethod
    def smoke(cls, extra: str) -> Check:
        """Return the check that runs `smoke.py` with the extra."""
        return cls([["smoke", extra]])


CHECKS: Mapping[str, Check] = {
    "": Check([["smoke", "--one-game"]]),
    "play": Check([
        ["scripts/play.py", "--help"],
        ["scripts/picture.py", GAME, "--out", "{work}/picture.svg"],
    ]),
    "render": Check.smoke("render"),
    "film": Check([["smoke", "film"]], also=["render"]),
    "web": Check.smoke("web"),
    "train": Check([
        TRAINING,
        ["-m", "agents.evaluate", "--agent", "{work}/run/policy", "--against", "random", "--games", "20"],
        ["-m", "agents.tournament", *PLAYING, "--games", "64", "--workers", "1"],
    ]),
    "bench": Check([["scripts/benchmark.py", "--quick", "--game", GAME, "--rows", "playouts"]], also=["train"]),
    "openspiel": Check.smoke("openspiel"),
    "textarena": Check.smoke("textarena"),
    "browser": Check([["-c", "import playwright.sync_api"]]),
    "chat": Check([["-c", "import agents.external.endpoint"]], also=["train"]),
    "minari": Check([["-m", "agents.collect", *PLAYING, "--games", "4", "--format", "minari"]], also=["train"]),
    "ray": Check([["-m", "agents.collect", *PLAYING, "--games", "4", "--ray", "--workers", "1"]], also=["train"]),
    "rllib": Check([["-c", "import edge_envs.bridges.rllib"]]),
    "docs": Check(
        [["-m", "sphinx", "-b", "dummy", "docs", "{work}/docs"]],
        also=["train", "web", "render", "chat", "openspiel", "textarena"],
    ),
    "dev": Check([
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "1", "tests/scripts/test_help.py", "-k", "letters"],
        ["-m", "ruff", "check", "scripts/replay.py"],
        ["-m", "mypy", "--version"],
        ["-c", "import tree, packaging, yaml"],
    ], also=["train"]),
}  # fmt: skip
"""All extras that users install. `examples` is missing because its versions are pinned."""


def direct(root: Path, extra: str) -> list[str]:
    """Return the dependencies that the package itself, or an extra, declares."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return [canonicalize_name(Requirement(line).name) for line in lines]


def checked(root: Path, wheel: Path, python: Path, extra: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Test each package of an extra in its lowest version; yield the pin, such as `typer==0.15`, and a fault or ""."""
    folder.mkdir(exist_ok=True)
    check = CHECKS[extra]
    extras = [name for name in (extra, *check.also) if name]
    lines = lowest_versions(root, python, extras, folder).read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if "==" in line and not line.lstrip().startswith("#")]
    pins: dict[str, str] = {name: f"{name}{one.specifier}" for one in pinned for name in [canonicalize_name(one.name)]}
    environment = Environment.make(python, folder / "venv")
    for name in direct(root, extra):
        try:
            _use(root, wheel, environment, check, extras, pins[name], folder)
        except StepError as error:
            yield pins[name], str(error)
        else:
            yield pins[name], ""


def _use(
    root: Path, wheel: Path, environment: Environment, check: Check, extras: Sequence[str], pin: str, folder: Path
) -> None:
    """Install the newest versions except for one pin, and run the commands of a check. Raises StepError on failure."""
    uv, python = folder.parent / "tools/bin/uv", environment.program("python")
    (folder / "pin.txt").write_text(f"{pin}\n", encoding="utf-8")
    newest = folder / "newest.txt"
    chosen = [word for extra in extras for word in ("--extra", extra)]
    options: list[str | Path] = ["--system-certs", "--python", python, "--no-build"]
    files: list[str | Path] = ["--constraint", folder / "pin.txt", "--output-file", newest]
    run([uv, "pip", "compile", *options, "--upgrade", *files, *chosen, root / "pyproject.toml"], folder)
    run([uv, "pip", "sync", *options, newest], folder)
    run([uv, "pip", "install", *options, "--no-deps", wheel], folder)
    work = folder / f"work-{pin}"
    work.mkdir(exist_ok=True)
    quiet = {"EDGE_ENVS_CACHE_DIR": str(folder.parent / "cache"), "EDGE_ENVS_QUIET": "1", "SDL_VIDEODRIVER": "dummy"}
    sources = folder.parent / "unpacked" / "-".join(wheel.name.split("-")[:2])
    for command in check.commands:
        if command[0] == "smoke":
            run([python, "-I", SMOKE, *command[1:]], work, **quiet)
        else:
            words = [word.replace("{work}", str(work)) for word in command]
            run([python, *words], sources, **quiet, PYTHONPATH=str(sources))
