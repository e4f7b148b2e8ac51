"""Hashes of the sources that kernels depend on, which name their folders in the disk cache.

numba's own disk cache looks at a kernel's own file only, so a caller would stay stale after an edit of a callee in
another file. Here a kernel depends on all sources that it can reach: those of `edge_envs.core` and of the folder of its
game, sub-folders included. An edit of another game changes nothing.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]
"""The folder of `edge_envs.core`."""


def home_of(module: str) -> Path:
    """Return the folder that a module's kernels belong to.

    That is the folder of its game, the whole of `edge_envs.core`, or else the module's own folder.
    """
    names = module.split(".")
    packages = [".".join(names[:end]) for end in range(1, len(names))]  # all are imported before the module is
    game = next((package for package in packages if hasattr(sys.modules.get(package), "GAME")), module)
    folder = Path(sys.modules[game].__file__ or ".").resolve().parent
    return CORE if folder.is_relative_to(CORE) else folder


@functools.cache
def source_hash(folder: Path) -> str | None:
    """Return the hash of the sources that kernels in or below `folder` can reach: those of `core` and its own.

    Returns:
        16 hexadecimal digits, or None if the sources are not there as files: then nothing that depends on them can be
        cached.
    """
    own = _digest(folder)
    if _CORE_DIGEST is None or own is None:
        return None
    return hashlib.sha256(_CORE_DIGEST + own).hexdigest()[:16]


def reached_hash(folder: Path, also: Path | tuple[Path, ...] | None) -> str | None:
    """Return the hash of the sources that kernels can reach which use those of several folders.

    Returns:
        As `source_hash`; with None for `also` it is that of `folder` alone.
    """
    others = (also,) if isinstance(also, Path) else also or ()
    hashes = [source_hash(one) for one in (folder, *others)]
    if None in hashes or not others:
        return None if others else hashes[0]
    return hashlib.sha256(":".join(map(str, hashes)).encode()).hexdigest()[:16]


def _digest(root: Path) -> bytes | None:
    """Return the digest of all sources in and below a folder, or None if there are none."""
    digest = hashlib.sha256()
    sources = sorted(root.rglob("*.py"))
    for source in sources:
        digest.update(f"{source.relative_to(root)}\0{source.stat().st_size}\0".encode())
        digest.update(source.read_bytes())
    return digest.digest() if sources else None


_CORE_DIGEST = _digest(CORE)  # taken on import, because the files may be edited while the process runs
