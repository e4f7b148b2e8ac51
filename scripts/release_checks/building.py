"""Build and check the wheel and the sdist of a tree, and determine the lowest versions of its dependencies."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

from scripts.release_checks.pythons import Environment, StepError, run

PACKAGE = "edge_envs"


def built_wheel(root: Path, folder: Path) -> Path:
    """Build the wheel of a tree and return its path. Raises StepError if the wheel or the sdist fails a check."""
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
        raise StepError("the wheel built from the sdist differs from the wheel built from the tree")
    check_contents(root, wheel)
    return wheel


def unpacked(folder: Path, wheel: Path) -> Path:
    """Return the folder in which `built_wheel` has unpacked the sdist of a wheel."""
    return folder / "unpacked" / "-".join(wheel.name.split("-")[:2])


def check_contents(root: Path, wheel: Path) -> None:
    """Raise StepError unless the wheel contains exactly the package files in the repository."""
    tracked = set(run(["git", "ls-files", PACKAGE], root).splitlines())
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    if packed != tracked:
        raise StepError(f"the wheel and the repository differ in {', '.join(sorted(packed ^ tracked))}")


def lowest_versions(root: Path, python: Path, extras: list[str], folder: Path) -> Path:
    """Write pins with the lowest version of each dependency that has a wheel for this Python; return their file."""
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
