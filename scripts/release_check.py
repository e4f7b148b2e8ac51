"""Try what a release would be: its wheel and its sdist, in clean environments, with every Python that is there.

    python scripts/release_check.py [--python 3.11 3.12] [--extras render web] [--keep FOLDER]

The wheel and the sdist are built and checked, and the sdist has to build the same wheel. For each Python the wheel is
installed twice: with the newest versions of what it needs, and with the lowest that `pyproject.toml` allows and that
have wheels for this Python. Each time all games are used at all APIs, then the extras. That takes ten minutes for each
Python, since all is compiled anew. A Python that the machine does not have is told as missing. The exit code is 1 if
something failed.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agents.console import fail_politely, run

if TYPE_CHECKING:
    import typer

    from scripts.release_checks.pythons import Environment

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
EXTRAS = ["render", "film", "web", "openspiel"]
NEWEST, LOWEST = "newest", "lowest"
SHOWN = ("numpy", "numba", "gymnasium", "pettingzoo")


def main(
    python: Annotated[list[str] | None, typer.Option(help=f"versions; default: {' '.join(PYTHONS)}")] = None,
    extras: Annotated[list[str] | None, typer.Option(help=f"to try; default: {' '.join(EXTRAS)}")] = None,
    keep: Annotated[Path | None, typer.Option(help="a folder for what is made; default: one that is removed")] = None,
) -> None:
    """Try what a release would be: its wheel and its sdist, in clean environments, with every Python that is there."""
    with fail_politely(), _folder(keep) as folder:
        from scripts.release_checks.building import built_wheel
        from scripts.release_checks.pythons import StepError, find_python

        failed = False
        try:
            wheel = built_wheel(ROOT, folder)
        except StepError as error:
            raise ValueError(f"the package cannot be built and checked: {error}") from None
        print(f"{wheel.name}: built, checked, and built again from its sdist with the same bytes\n")
        print(f"| Python | versions | {' | '.join(SHOWN)} | games and APIs | extras |")
        print("|---|---|" + "---|" * (len(SHOWN) + 2), flush=True)
        for version in python or PYTHONS:
            found = find_python(version)
            if found is None:
                print(f"| {version} | missing on this machine: not tried |" + " |" * (len(SHOWN) + 2), flush=True)
                continue
            for bounds in (NEWEST, LOWEST):
                cells, faults = _tried(wheel, found, bounds, folder / f"{version}-{bounds}", extras or EXTRAS)
                print(f"| {version} | {bounds} | {' | '.join(cells)} |", flush=True)
                for fault in faults:
                    print(f"\n{fault}\n", flush=True)
                failed = failed or bool(faults)
        if failed:
            raise SystemExit(1)


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder).resolve()


def _tried(wheel: Path, python: Path, bounds: str, folder: Path, extras: list[str]) -> tuple[list[str], list[str]]:
    """A row of the table after its first two cells, and what went wrong.

    The wheel is used in a fresh environment, at first without extras.
    """
    from scripts.release_checks.building import lowest_versions
    from scripts.release_checks.pythons import Environment, StepError

    folder.mkdir(exist_ok=True)
    cells, errors = ["" for _ in SHOWN], []
    environment = Environment.make(python, folder / "venv")
    for wanted in ([], extras):
        name = f"{wheel}[{','.join(wanted)}]" if wanted else str(wheel)
        try:
            pins = ["-c", str(lowest_versions(ROOT, python, wanted, folder))] if bounds == LOWEST else []
            environment.install(name, *pins)
            if not wanted:
                cells = environment.versions(SHOWN)
            cells.append(_used(environment, wanted, folder / "work"))
        except StepError as error:
            cells.append("failed")
            errors.append(str(error))
    return cells, errors


def _used(environment: Environment, extras: list[str], work: Path) -> str:
    """What worked, and how long it took; StepError if something did not."""
    from scripts.release_checks.pythons import run as run_step

    work.mkdir(exist_ok=True)
    start = time.monotonic()
    smoke = ROOT / "scripts" / "release_checks" / "smoke.py"
    quiet = {"EDGE_ENVS_CACHE_DIR": str(work / "cache"), "EDGE_ENVS_QUIET": "1", "SDL_VIDEODRIVER": "dummy"}
    run_step([environment.program("python"), "-I", smoke, *extras], work, **quiet)
    return f"{', '.join(extras) or 'all'}, {time.monotonic() - start:.0f} s"


if __name__ == "__main__":
    run(main, several=("--python", "--extras"))
