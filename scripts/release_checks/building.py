"""Build and check the wheel and the sdist of a tree, and determine the lowest versions of its dependencies."""

from __future__ import annotations

import email
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from scripts.release_checks.pythons import Environment, StepError, run

PACKAGE = "edge_envs"
MOST_BYTES = 10_000_000
PLACEHOLDER = "https://github.com/OWNER/"
"""Start of the address of the repository as long as it has none."""


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
    check_size(wheel)
    check_description(wheel)
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


def check_size(wheel: Path) -> None:
    """Raise StepError if the wheel, which includes trained policies, has `MOST_BYTES` or more."""
    size = wheel.stat().st_size
    if size >= MOST_BYTES:
        raise StepError(f"the wheel has {size:,} bytes, but must have less than {MOST_BYTES:,}")


def check_description(wheel: Path) -> None:
    """Raise StepError if the description of the wheel, which PyPI shows, is empty or contains a relative link."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        description = email.message_from_bytes(archive.read(name)).get_payload()
    if not str(description).strip():
        raise StepError("the wheel has no description")
    targets = [target for pair in re.findall(_TARGETS, str(description)) for target in pair if target]
    if relative := [target for target in targets if not target.startswith(("https://", "#"))]:
        raise StepError(f"the description of the wheel contains the relative link {relative[0]}")


_TARGETS = r"\]\(\s*([^)\s]+)|\b(?:src|srcset|href)=\"([^\"]+)"
"""The target of a Markdown link, or of an HTML element."""


def repository_address(root: Path) -> str:
    """Return the address of the repository, which `pyproject.toml` contains."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"])


def check_address(root: Path) -> None:
    """Raise ValueError if the address of the repository is still the placeholder."""
    address = repository_address(root)
    if address.startswith(PLACEHOLDER):
        raise ValueError(
            f"cannot publish: the address of the repository is still the placeholder {address}; replace it in "
            "pyproject.toml under [tool.hatch.metadata.hooks.custom]"
        )


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


def pinned(root: Path, package: str) -> str:
    """Return the line of `constraints.txt` with the version of a package, such as `numba==0.68.1`."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith(f"{package}=="))
    return line
