"""Test a release: build the wheel and the sdist and use them in clean environments, with every installed Python.

    python scripts/release_check.py [--quick] [--python 3.11 3.12] [--extras render web] [--no-suites] [--keep FOLDER]
    python scripts/release_check.py --bounds [--python 3.11] [--extras train]
    python scripts/release_check.py --quick --publish

1. Build and check the wheel and the sdist. The sdist must build an identical wheel.
2. For each Python, install the wheel twice: with the newest versions of its dependencies, and with the lowest versions
   that `pyproject.toml` allows and that have wheels for this Python. Python 3.11 also uses the versions of
   `constraints.txt`. This tests the oldest, the newest and the pinned numba; the table says whether the linker was
   used. Each time, replay the golden playthroughs of all games, use all APIs, then the extras. This takes ten minutes
   per Python, because everything is compiled again.
3. With the first Python and the lowest versions of everything but numba, train a policy briefly from the sdist, and run
   the tests of all extras in the checkout. This takes half an hour and 8 GB of disk, because PyPI's PyTorch includes
   CUDA. The lowest numba would compile for hours; step 2 tests it.

The table lists Pythons that are not installed as missing. The exit code is 1 if a check fails or nothing was tested.

`--bounds` replaces steps 2 and 3: it tests each lower bound of `pyproject.toml` on its own, with the newest versions of
everything else, for the package and for each extra with the programs that use it.

`--quick` takes a minute: the current Python, the newest versions, one game, no extras and no tests.

`--publish` first checks that `pyproject.toml` contains the address of the repository and not a placeholder. The release
workflow uses it.
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
"""Extras, and the tests of the checkout that must pass with their lowest versions."""
TRAINING = [
    "-m", "agents.train", "--config", *(file.relative_to(ROOT).as_posix() for file in ROOT.glob("configs/*/demo.yaml")),
    "--out", "runs/short", "--set", "total_steps=32_768", "--set", "evaluation.games=100",
]  # fmt: skip
"""Command for Python in the unpacked sdist, with the extra `train`."""
NEWEST, LOWEST, PINNED = "newest", "lowest", "pinned"
PINNED_FOR = "3.11"
"""The Python for which the versions of `constraints.txt` are tested."""
SHOWN = ("numpy", "numba", "gymnasium", "pettingzoo")


def main(
    python: Annotated[
        list[str] | None,
        typer.Option(metavar="VERSION", help=f"Python versions to test; default: {' '.join(PYTHONS)}"),
    ] = None,
    extras: Annotated[
        list[str] | None, typer.Option(metavar="EXTRA", help=f"extras to test; default: {' '.join(EXTRAS)}")
    ] = None,
    suites: Annotated[bool, typer.Option(help="run the tests of the checkout with the lowest versions")] = True,
    quick: Annotated[
        bool, typer.Option("--quick", help="test only this Python, the newest versions and one game")
    ] = False,
    bounds: Annotated[
        bool,
        typer.Option("--bounds", help="test only each lower bound, with the newest versions of everything else"),
    ] = False,
    publish: Annotated[
        bool, typer.Option("--publish", help="fail if the address of the repository is still a placeholder")
    ] = False,
    keep: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="keep all files in this folder; default: a temporary folder")
    ] = None,
) -> None:
    """Test a release: build the wheel and the sdist and use them in clean environments, with every installed Python.

    Example: python scripts/release_check.py --quick
    """
    with fail_politely(), _folder(keep) as folder:
        from scripts.release_checks.bounds import CHECKS
        from scripts.release_checks.building import built_wheel, check_address
        from scripts.release_checks.pythons import StepError, find_python

        choices = [extra for extra in CHECKS if extra] if bounds else EXTRAS
        if unknown := [extra for extra in extras or [] if extra not in choices]:
            raise ValueError(f"--extras: unknown extra {unknown[0]!r} (choose from {', '.join(choices)})")
        if quick and (python or extras or bounds):
            raise ValueError("--quick cannot be combined with --python, --extras or --bounds")
        if publish:
            check_address(ROOT)
        own = {f"{sys.version_info.major}.{sys.version_info.minor}": Path(sys.executable)}
        pythons = own if quick else {version: find_python(version) for version in python or PYTHONS}
        try:
            wheel = built_wheel(ROOT, folder)
        except StepError as error:
            raise ValueError(f"building and checking the package failed: {error}") from None
        print(f"{wheel.name}: built and checked; the sdist builds an identical wheel\n")
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
    """What to test with each Python: which versions, which extras, and one game or all."""

    bounds: tuple[str, ...]
    extras: tuple[str, ...]
    one_game: bool = False


def _wheel_is_used(wheel: Path, pythons: Mapping[str, Path | None], wanted: Wanted, folder: Path) -> bool:
    """Test the wheel with each Python, print a table, and return whether everything works."""
    passed = True
    print(f"| Python | versions | {' | '.join(SHOWN)} | games and APIs | extras |")
    print("|---|---|" + "---|" * (len(SHOWN) + 2), flush=True)
    for version, found in pythons.items():
        if found is None:
            print(f"| {version} | not installed: not tested |" + " |" * (len(SHOWN) + 2), flush=True)
            continue
        for bounds in wanted.bounds:
            if bounds == PINNED and version != PINNED_FOR:
                continue
            cells, faults = _test_wheel(wheel, found, bounds, folder / f"{version}-{bounds}", wanted)
            print(f"| {version} | {bounds} | {' | '.join(cells)} |", flush=True)
            passed = _report(faults) and passed
    return passed


def _bounds_hold(wheel: Path, pythons: Mapping[str, Path | None], extras: list[str], folder: Path) -> bool:
    """Test each lower bound with the newest versions of everything else and return whether all of them work."""
    from scripts.release_checks.bounds import checked

    passed = any(pythons.values())
    print("| Python | extra | lower bound | result |\n|---|---|---|---|", flush=True)
    for version, found in pythons.items():
        if found is None:
            print(f"| {version} | not installed: not tested | | |", flush=True)
            continue
        for extra in extras:
            for pin, fault in checked(ROOT, wheel, found, extra, folder / f"{version}-{extra or 'plain'}"):
                print(f"| {version} | {extra} | {pin} | {'failed' if fault else 'works'} |", flush=True)
                passed = _report([fault] if fault else []) and passed
    return passed


def _suites_pass(wheel: Path, python: Path, folder: Path) -> bool:
    """Run the tests of the checkout with the lowest versions, print a table, and return whether they pass."""
    passed = True
    print("\n| tests of the checkout, with the lowest versions of | result |\n|---|---|", flush=True)
    for name in SUITES:
        result, faults = _run_suite(wheel, python, name, folder / f"suite-{name.replace(' ', '-')}")
        print(f"| {name} | {result} |", flush=True)
        passed = _report(faults) and passed
    return passed


def _report(faults: list[str]) -> bool:
    """Print the faults and return whether there are none."""
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


def _test_wheel(wheel: Path, python: Path, bounds: str, folder: Path, wanted: Wanted) -> tuple[list[str], list[str]]:
    """Use the wheel in a new environment, first without extras.

    Returns:
        The row of the table after its first two cells, and the faults.
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
            cells.append(_smoke(environment, extras, folder / "work", wanted.one_game))
        except StepError as error:
            cells.append("failed")
            errors.append(str(error))
    return cells + [""] * (not wanted.extras), errors


def _run_suite(wheel: Path, python: Path, name: str, folder: Path) -> tuple[str, list[str]]:
    """Run the tests of a suite and, with the extra `train`, a short training in the sdist.

    Returns:
        The summary of the tests, and the faults.
    """
    from scripts.release_checks.building import lowest_versions, pinned, unpacked
    from scripts.release_checks.pythons import Environment, StepError
    from scripts.release_checks.pythons import run as run_step

    folder.mkdir(exist_ok=True)
    extras, tests = SUITES[name]
    start = time.monotonic()
    # Old packages run with newer dependencies without upper bounds, so deprecation warnings are not errors here.
    pytest: list[str | Path] = [
        *("-m", "pytest", "-q", "-n", "auto", "--tier", "all", "-p", "no:cacheprovider", "-W", "default"), *tests,
    ]  # fmt: skip
    try:
        environment = Environment.make(python, folder / "venv")
        pins = lowest_versions(ROOT, python, extras, folder)
        # Editable, because the programs of a checkout import each other.
        environment.install("-e", f"{ROOT}[{','.join(extras)}]", "-c", pins)
        environment.install(pinned(ROOT, "numba"))
        program = environment.program("python")
        if "train" in extras:
            run_step([program, *TRAINING], unpacked(folder.parent, wheel), EDGE_ENVS_CACHE_DIR=str(folder / "cache"))
        output = run_step([program, *pytest], ROOT, EDGE_ENVS_CACHE_DIR=str(folder / "cache"))
    except StepError as error:
        return "failed", [str(error)]
    return f"{output.strip().splitlines()[-1].partition(' in ')[0]}, {time.monotonic() - start:.0f} s", []


def _smoke(environment: Environment, extras: list[str], work: Path, one_game: bool) -> str:
    """Run smoke.py and return what worked and how long it took. Raises StepError if it fails."""
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
