"""The wheel and the sdist of a tree, built and checked, and the lowest versions of what it needs."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

from scripts.release_checks.pythons import Environment, StepError, run

PACKAGE = "edge_envs"


def built_wheel(root: Path, folder: Path) -> Path:
    """The wheel of a tree; StepError unless it and the sdist are as they should be."""
    tools = Environment.make(Path(sys.executable), folder / "tools")
    tools.install("build", "twine", "uv")
    build: list[str | Path] = [tools.program("python"), "-m", "build", "--outdir"]
    run([*build, folder / "dist", "--sdist", "--wheel", root], folder)
    (sdist,), (wheel,) = ((folder / "dist").glob(pattern) for pattern in ("*.tar.gz", "*.whl"))
    run([tools.program("python"), "-m", "twine", "check", "--strict", sdist, wheel], folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    run([*build, folder / "again", "--wheel", folder / "unpacked" / sdist.name.removesuffix(".tar.gz")], folder)
    if (folder / "again" / wheel.name).read_bytes() != wheel.read_bytes():
        raise StepError("the sdist builds another wheel than the tree")
    check_contents(root, wheel)
    return wheel


def unpacked(folder: Path, wheel: Path) -> Path:
    """Where `built_wheel` has unpacked the sdist that belongs to a wheel."""
    return folder / "unpacked" / "-".join(wheel.name.split("-")[:2])


def check_contents(root: Path, wheel: Path) -> None:
    """StepError unless the wheel holds the package as it is kept in the repository, and nothing else."""
    kept = set(run(["git", "ls-files", PACKAGE], root).splitlines())
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    if held != kept:
        raise StepError(f"the wheel and the repository differ in {', '.join(sorted(held ^ kept))}")


def lowest_versions(root: Path, python: Path, extras: list[str], folder: Path) -> Path:
    """A file of pins: of each package that is declared the lowest version that has a wheel for this Python."""
    pins = folder / f"lowest-{'-'.join(extras) or 'plain'}.txt"
    compile_: list[str | Path] = [
        folder.parent / "tools/bin/uv",
        "pip",
        "compile",
        "--system-certs",
        "--python",
        python,
    ]
    lowest: list[str | Path] = ["--resolution", "lowest-direct", "--no-build", "--output-file", pins]
    chosen = [word for extra in extras for word in ("--extra", extra)]
    run([*compile_, *lowest, *chosen, root / "pyproject.toml"], folder)
    return pins
