"""Try what a release would be: its wheel and its sdist, in clean environments, with every Python that is there.

    python scripts/release_check.py [--quick] [--python 3.11 3.12] [--extras render web] [--no-suites] [--keep FOLDER]
    python scripts/release_check.py --bounds [--python 3.11] [--extras train]

The wheel and the sdist are built and checked, and the sdist has to build the same wheel. For each Python the wheel is
installed twice: with the newest versions of what it needs, and with the lowest that `pyproject.toml` allows and that
have wheels for this Python; with Python 3.11 also with those of `constraints.txt`. So the oldest, the newest and the
pinned numba are tried, with the linker or without, as the table says. Each time all games play their golden
playthroughs and are used at all APIs, then the extras. That takes ten minutes for each
Python, since all is compiled anew. Then, with the first Python, a policy is trained from the sdist for a moment, and
the tests of what all extras are for are run in the checkout, with the lowest versions: half an hour, and 8 GB of disk,
as PyPI's PyTorch brings CUDA. A Python that the machine does not have is told as missing. The exit code is 1 if
something failed, or if nothing was tried.

With `--bounds` nothing of that is tried after the build, but each lower bound of `pyproject.toml` alone, together with
the newest versions of everything else: the package, and each extra with the programs that need it.

With `--quick` it is a minute: the Python that runs this, the newest versions, one game, no extras and no tests.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.common.console import fail_politely, run

if TYPE_CHECKING:
    import typer

    from scripts.release_checks.pythons import Environment

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
EXTRAS = ["render", "film", "web", "openspiel", "textarena"]
CHECKOUT = [
    "play", "train", "web", "render", "film", "browser", "chat", "ray", "openspiel", "textarena", "minari",
    "docs", "dev", "bench", "examples",
]  # fmt: skip
SUITES = {
    "all extras but rllib": (
        CHECKOUT,
        [f"tests/{name}" for name in ("agents", "arena", "bridges", "docs", "scripts", "web")],
    ),
    "rllib": (["rllib", "dev"], ["tests/bridges/rllib_suite.py"]),
}
"""Extras, and the tests of the checkout that they have to pass with the lowest versions."""
TRAINING = [
    "-m", "agents.train", "--config", *(file.relative_to(ROOT).as_posix() for file in ROOT.glob("configs/*/demo.yaml")),
    "--out", "runs/short", "--set", "total_steps=32_768", "--set", "evaluation.games=100",
]  # fmt: skip
"""What is run in the unpacked sdist, where the extra `train` is installed."""
NEWEST, LOWEST, PINNED = "newest", "lowest", "pinned"
PINNED_FOR = "3.11"
"""The Python that the versions of `constraints.txt` were tried with."""
SHOWN = ("numpy", "numba", "gymnasium", "pettingzoo")


def main(
    python: Annotated[list[str] | None, typer.Option(help=f"versions; default: {' '.join(PYTHONS)}")] = None,
    extras: Annotated[list[str] | None, typer.Option(help=f"to try; default: {' '.join(EXTRAS)}")] = None,
    suites: Annotated[bool, typer.Option(help="run the tests of the checkout with the lowest versions")] = True,
    quick: Annotated[bool, typer.Option("--quick", help="this Python, the newest versions, one game")] = False,
    bounds: Annotated[
        bool, typer.Option("--bounds", help="only each lower bound, beside the newest of all else")
    ] = False,
    keep: Annotated[Path | None, typer.Option(help="a folder for what is made; default: one that is removed")] = None,
) -> None:
    """Try what a release would be: its wheel and its sdist, in clean environments, with every Python that is there."""
    with fail_politely(), _folder(keep) as folder:
        from scripts.release_checks.bounds import CHECKS
        from scripts.release_checks.building import built_wheel
        from scripts.release_checks.pythons import StepError, find_python

        possible = [extra for extra in CHECKS if extra] if bounds else EXTRAS
        if unknown := [extra for extra in extras or [] if extra not in possible]:
            raise ValueError(f"--extras: {unknown[0]!r} is not tried; possible are {', '.join(possible)}")
        if quick and (python or extras or bounds):
            raise ValueError("--quick is for this Python, for no extras and not for --bounds")
        own = {f"{sys.version_info.major}.{sys.version_info.minor}": Path(sys.executable)}
        pythons = own if quick else {version: find_python(version) for version in python or PYTHONS}
        try:
            wheel = built_wheel(ROOT, folder)
        except StepError as error:
            raise ValueError(f"the package cannot be built and checked: {error}") from None
        print(f"{wheel.name}: built, checked, and built again from its sdist with the same bytes\n")
        if bounds:
            raise SystemExit(0 if _bounds_hold(wheel, pythons, extras or list(CHECKS), folder) else 1)
        wanted = (
            Wanted((NEWEST,), (), one_game=True) if quick else Wanted((NEWEST, LOWEST, PINNED), tuple(extras or EXTRAS))
        )
        passed = _wheel_is_used(wheel, pythons, wanted, folder)
        oldest = next(filter(None, pythons.values()), None)
        if suites and not quick and oldest is not None:
            passed = _suites_pass(wheel, oldest, folder) and passed
        if not passed or oldest is None:
            raise SystemExit(1)


@dataclass(frozen=True)
class Wanted:
    """What is tried with each Python: which versions, which extras, and one game or all."""

    bounds: tuple[str, ...]
    extras: tuple[str, ...]
    one_game: bool = False


def _wheel_is_used(wheel: Path, pythons: Mapping[str, Path | None], wanted: Wanted, folder: Path) -> bool:
    """Print what the wheel does with each Python; whether all of it works."""
    passed = True
    print(f"| Python | versions | {' | '.join(SHOWN)} | games and APIs | extras |")
    print("|---|---|" + "---|" * (len(SHOWN) + 2), flush=True)
    for version, found in pythons.items():
        if found is None:
            print(f"| {version} | missing on this machine: not tried |" + " |" * (len(SHOWN) + 2), flush=True)
            continue
        for bounds in wanted.bounds:
            if bounds == PINNED and version != PINNED_FOR:
                continue
            cells, faults = _tried(wheel, found, bounds, folder / f"{version}-{bounds}", wanted)
            print(f"| {version} | {bounds} | {' | '.join(cells)} |", flush=True)
            passed = _tell(faults) and passed
    return passed


def _bounds_hold(wheel: Path, pythons: Mapping[str, Path | None], extras: list[str], folder: Path) -> bool:
    """Print what each lower bound does beside the newest versions of all else; whether all of them work."""
    from scripts.release_checks.bounds import checked

    passed = any(pythons.values())
    print("| Python | extra | lowest, all else newest | |\n|---|---|---|---|", flush=True)
    for version, found in pythons.items():
        if found is None:
            print(f"| {version} | missing on this machine: not tried | | |", flush=True)
            continue
        for extra in extras:
            for pin, fault in checked(ROOT, wheel, found, extra, folder / f"{version}-{extra or 'plain'}"):
                print(f"| {version} | {extra} | {pin} | {'failed' if fault else 'works'} |", flush=True)
                passed = _tell([fault] if fault else []) and passed
    return passed


def _suites_pass(wheel: Path, python: Path, folder: Path) -> bool:
    """Print what the tests in the checkout say with the lowest versions; whether they pass."""
    passed = True
    print("\n| tests in the checkout, with the lowest versions of | |\n|---|---|", flush=True)
    for name in SUITES:
        told, faults = _tested(wheel, python, name, folder / f"suite-{name.replace(' ', '-')}")
        print(f"| {name} | {told} |", flush=True)
        passed = _tell(faults) and passed
    return passed


def _tell(faults: list[str]) -> bool:
    """Print what went wrong; whether nothing did."""
    for fault in faults:
        print(f"\n{fault}\n", flush=True)
    return not faults


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder).resolve()


def _tried(wheel: Path, python: Path, bounds: str, folder: Path, wanted: Wanted) -> tuple[list[str], list[str]]:
    """A row of the table after its first two cells, and what went wrong.

    The wheel is used in a fresh environment, at first without extras.
    """
    from scripts.release_checks.building import lowest_versions
    from scripts.release_checks.pythons import Environment, StepError

    folder.mkdir(exist_ok=True)
    cells, errors = ["" for _ in SHOWN], []
    environment = Environment.make(python, folder / "venv")
    for extras in [[], list(wanted.extras)] if wanted.extras else [[]]:
        name = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
        try:
            pins = {NEWEST: None, PINNED: ROOT / "constraints.txt"}
            if bounds == LOWEST:
                pins[LOWEST] = lowest_versions(ROOT, python, extras, folder)
            environment.install(name, *([] if pins[bounds] is None else ["-c", str(pins[bounds])]))
            if not extras:
                cells = environment.versions(SHOWN)
            cells.append(_used(environment, extras, folder / "work", wanted.one_game))
        except StepError as error:
            cells.append("failed")
            errors.append(str(error))
    return cells + [""] * (not wanted.extras), errors


def _tested(wheel: Path, python: Path, name: str, folder: Path) -> tuple[str, list[str]]:
    """What the tests of a suite say, and what went wrong. With the extra `train` the sdist trains for a moment, too."""
    from scripts.release_checks.building import lowest_versions, unpacked
    from scripts.release_checks.pythons import Environment, StepError
    from scripts.release_checks.pythons import run as run_step

    folder.mkdir(exist_ok=True)
    extras, tests = SUITES[name]
    start = time.monotonic()
    # Old packages meet new ones that they do not bound, so warnings of what is deprecated are no errors here.
    pytest: list[str | Path] = ["-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", "-W", "default", *tests]
    try:
        environment = Environment.make(python, folder / "venv")
        pins = lowest_versions(ROOT, python, extras, folder)
        # As in a checkout, whose programs import each other.
        environment.install("-e", f"{ROOT}[{','.join(extras)}]", "-c", pins)
        program = environment.program("python")
        if "train" in extras:
            run_step([program, *TRAINING], unpacked(folder.parent, wheel), EDGE_ENVS_CACHE_DIR=str(folder / "cache"))
        said = run_step([program, *pytest], ROOT, EDGE_ENVS_CACHE_DIR=str(folder / "cache"))
    except StepError as error:
        return "failed", [str(error)]
    return f"{said.strip().splitlines()[-1].partition(' in ')[0]}, {time.monotonic() - start:.0f} s", []


def _used(environment: Environment, extras: list[str], work: Path, one_game: bool) -> str:
    """What worked, and how long it took; StepError if something did not."""
    from scripts.release_checks.pythons import run as run_step

    work.mkdir(exist_ok=True)
    start = time.monotonic()
    smoke = ROOT / "scripts" / "release_checks" / "smoke.py"
    quiet = {"EDGE_ENVS_CACHE_DIR": str(work / "cache"), "EDGE_ENVS_QUIET": "1", "SDL_VIDEODRIVER": "dummy"}
    arguments = ["--one-game"] if one_game else extras
    path = run_step([environment.program("python"), "-I", smoke, *arguments], work, **quiet).split("\n")[0]
    what = ", ".join(extras) or ("one game" if one_game else "all")
    return f"{what}, {f'{path}, ' if path else ''}{time.monotonic() - start:.0f} s"


if __name__ == "__main__":
    run(main)
