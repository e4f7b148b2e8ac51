"""A resumable search for the value of a game's start, with checkpoints in a file.

An interrupted run loses a few minutes of work. The next run resumes from the checkpoint, which has the proof and
disproof numbers of the positions with the most work.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
import numpy as np

from edge_envs.core.checks.files import read_arrays
from edge_envs.core.compiler.cache_dirs import cache_folder
from edge_envs.core.compiler.sources import source_hash
from edge_envs.core.solving.proof_table import memory_for
from edge_envs.core.solving.prover import Claim, Prover, ValueSearch, start_of
from edge_envs.core.solving.tables import write_arrays
from edge_envs.moved import moved_names

if TYPE_CHECKING:
    from edge_envs.core.game import Game
    from edge_envs.core.solving.df_pn import ProofKernels

_SAVE_EVERY = 300.0  # seconds
_MOST_KEPT = 1 << 23  # positions
_KEPT = ("wins", "stages", "numbers", "effort")  # of the search for the value of the start


class ResumableSearch:
    """A search for the return of player 0 from the start under optimal play, with bounds so far."""

    def __init__(self, game: Game, kernels: ProofKernels, slots: int) -> None:
        """Start without results; see `resume`.

        Args:
            game: A game as `Prover` requires it.
            kernels: The game's kernels for proofs.
            slots: The number of rows of the table, a power of two.
        """
        self.game = game
        self.prover = Prover(game, kernels, slots)
        self.start = ValueSearch(self.prover, start_of(game)[0])
        self.seconds = 0.0
        """The search time of all runs."""

    @property
    def path(self) -> Path | None:
        """The checkpoint file, named after the game's sources and parameters; None if the cache cannot be written."""
        folder, sources = cache_folder("proofs"), source_hash(self.game.type.folder)
        if folder is None or sources is None:
            return None
        params = hashlib.sha256(json.dumps(self.game.params_dict(), sort_keys=True).encode()).hexdigest()[:12]
        return folder / f"{self.game.name}-{params}-{sources}.npz"

    def search(self, seconds: float, progress: Callable[[str], None] = lambda text: None) -> None:
        """Search until the value is known or the time is over, and save the results.

        Args:
            seconds: The search time; with 0 nothing is searched or written.
            progress: Called with a description of the progress.
        """
        began = saved = time.perf_counter()
        before, is_new = self.seconds, False
        for _ in self.start.steps() if seconds > 0 else ():
            now, is_new = time.perf_counter(), True
            self.seconds = before + now - began
            progress(self.summary())
            if now - began > seconds:
                break
            if now - saved > _SAVE_EVERY:
                self.save()
                saved, is_new = time.perf_counter(), False
        if is_new:
            self.save()

    def summary(self) -> str:
        """Describe the work done and the open claims in a line."""
        work = (f"{claim}: {proof:,} / {disproof:,}" for claim, (proof, disproof) in self._open().items())
        return f"{self.prover.positions:,} positions; left to prove / refute: {', '.join(work) or 'nothing'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds and the open claims as a dict for JSON."""
        return {
            "low": self.start.low,
            "high": self.start.high,
            "positions": self.prover.positions,
            "seconds": self.seconds,
            "open": {str(claim): {"proof": one, "disproof": other} for claim, (one, other) in self._open().items()},
        }

    def _open(self) -> dict[Claim, tuple[int, int]]:
        """Return the open claims with their proof and disproof numbers."""
        start = self.start
        players = [player for player in (0, 1) if start.wins[player] is None and start.low < start.high]
        return {start.claim(player): start.numbers[player] for player in players}

    def save(self) -> None:
        """Write the checkpoint, if the cache can be written."""
        if self.path is None:
            return
        story = {name: getattr(self.start, name) for name in _KEPT}
        story |= {"positions": self.prover.positions, "seconds": self.seconds}
        in_bytes = np.frombuffer(json.dumps(story).encode(), np.uint8)
        write_arrays(self.path, {"rows": self.prover.rows(_MOST_KEPT), "story": in_bytes})

    def resume(self) -> bool:
        """Read the checkpoint of an earlier run with the same sources.

        Returns:
            Whether there was a valid checkpoint.

        Raises:
            ValueError: if the table is smaller than the checkpoint, because the next `save` would lose rows.
        """
        try:
            assert self.path is not None
            saved = read_arrays(self.path)
            rows, story = saved["rows"], json.loads(saved["story"].tobytes())
            kept = {name: story[name] for name in _KEPT}
            positions, seconds = int(story["positions"]), float(story["seconds"])
            if rows.dtype != np.uint64 or rows.shape[1:] != self.prover.table.shape[1:]:
                return False
        except Exception:  # the readers of zip, npy and JSON raise half a dozen types for a damaged file
            return False
        if len(rows) > len(self.prover.table):
            raise ValueError(
                f"{self.path} has {len(rows):,} positions, more than fit into the table; "
                f"at least {memory_for(len(rows)):g} gigabytes of memory are needed"
            )
        self.prover.take_rows(rows)
        self.prover.positions, self.seconds = positions, seconds
        for name, value in kept.items():
            setattr(self.start, name, value)
        return True

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes from working on this value within a context.

        A process that dies releases its lock; its partial files are removed.

        Raises:
            ValueError: if another process is working on it.
        """
        with contextlib.ExitStack() as held:
            if self.path is not None:
                try:
                    held.enter_context(filelock.FileLock(self.path.with_suffix(".lock"), timeout=0))
                    for left in self.path.parent.glob(f"{self.path.stem}*.tmp"):
                        left.unlink(missing_ok=True)
                except filelock.Timeout:
                    raise ValueError(f"{self.path}: another process is working on this value") from None
                except (OSError, NotImplementedError):  # not every file system has locks
                    pass
            yield


__getattr__ = moved_names(__name__, {"Pursuit": "edge_envs.core.solving.resumable.ResumableSearch"})
