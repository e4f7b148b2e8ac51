"""Fuzz files of all kinds: pipes, devices, link loops, endless files, damaged arrays."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from safetensors.numpy import load as load_weights
from safetensors.numpy import save as save_weights

import edge_envs
from agents.common.configuration import read_mapping
from agents.common.files import read_json, whole_lines
from agents.external.chat import read_chat
from agents.players.agent import load_policy
from agents.players.games import read_position
from agents.players.roster import PolicyRoster
from agents.training.monitor import read_rows
from edge_envs.core.checks.files import read_arrays, read_tensors
from edge_envs.core.solving.certificates import read_certificate
from tests.fuzz.documents import no_code_executed, pickled, policy_folders
from tests.fuzz.mutation import damaged_bytes, mutated, nested
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace
from tests.untrusted import HOSTILE, make_hostile

READERS: dict[str, Callable[[Path], Any]] = {
    "records": lambda path: list(edge_envs.read_records(path)),
    "certificate": read_certificate,
    "arrays": read_arrays,
    "tensors": read_tensors,
    "JSON": read_json,
    "configuration": read_mapping,
    "chat": read_chat,
    "lines": whole_lines,
    "rows": lambda path: read_rows(path, 10**9),
    "position": lambda path: read_position(path, [], "falling_off", {}, 0),
    "map": lambda path: edge_envs.load_game("over_the_edge", map=str(path)),
}


class Files(Target):
    """A file of any kind for each reader of files."""

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._path = folder / "file"

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Read a file: it is accepted, or rejected with an error that names it. Arrays are not larger than the file."""
        self._clear()
        if rng.random() < 0.2:
            return self._list_policies(rng, trace)
        kind, reader = rng.choice([*HOSTILE, *["damaged"] * len(HOSTILE)]), rng.choice(list(READERS))
        path, read = self._path, READERS[reader]
        if rng.random() < 0.2:
            reader, read = "policy", lambda path: load_policy(path.parent)
            path = self._policy(rng)
        if kind == "damaged":
            path.write_bytes(some_content(rng, path))
            trace.add(f"{reader} from", path.read_bytes()[:3000])
        else:
            make_hostile(kind, path)
            trace.add(f"{reader} from {kind}")
        try:
            with no_code_executed():
                result = read(path)
        except (OSError, ValueError) as error:
            assert str(path) in str(error) or reader in ("arrays", "tensors", "map"), (
                f"the error does not name the file: {error}"
            )
            assert isinstance(error, ValueError) or error.strerror, f"without a reason: {error!r}"
            return REJECTED
        if reader == "arrays":
            assert sum(array.nbytes for array in result.values()) <= path.stat().st_size
        return ACCEPTED

    def _policy(self, rng: Random) -> Path:
        """Copy a policy and return one of its files."""
        shutil.copytree(rng.choice(policy_folders()), self.folder / "policies" / "game" / "policy")
        return self.folder / "policies" / "game" / "policy" / rng.choice(("policy.json", "policy.safetensors"))

    def _list_policies(self, rng: Random, trace: Trace) -> str:
        """List the policies of a folder, as the web app does when it starts."""
        path = self._policy(rng)
        kind = rng.choice(list(HOSTILE))
        place = rng.choice((path, path.parent, path.parent.parent, path.parent.parent.parent / "another"))
        trace.add(f"list {place} as {kind}")
        with contextlib.suppress(OSError):
            shutil.rmtree(place)
        make_hostile(kind, place)
        roster = PolicyRoster(self.folder / "policies")
        return ACCEPTED if any(roster.agents_of(game) for game in edge_envs.GAMES) else REJECTED

    def _clear(self) -> None:
        shutil.rmtree(self.folder / "policies", ignore_errors=True)
        if self._path.is_dir() and not self._path.is_symlink():
            shutil.rmtree(self._path)
        self._path.unlink(missing_ok=True)


def some_content(rng: Random, path: Path) -> bytes:
    """Return contents for a file: damaged arrays, weights or JSON, a decompression bomb, or a pickle."""
    kind = rng.randrange(8)
    if kind == 0:
        return pickled()
    if kind == 1:
        return rng.choice((b"", b"[" * 100_000, b'{"a":' * 100_000, b"- " * 5000 + b"a", b"\xff\xfe"))
    if kind == 2:
        return _json(mutated(rng, {"game": "kuhn", "params": {}, "a": [1, nested(3, 0)]}))
    if kind == 3 or path.suffix == ".safetensors":
        return _weights(rng, path)
    return _arrays(rng)


def _json(value: Any) -> bytes:
    try:
        return json.dumps(value).encode()
    except (ValueError, RecursionError):  # an integer with too many digits, or too deep
        return b"[" * 100_000


def _arrays(rng: Random) -> bytes:
    content = io.BytesIO()
    arrays: dict[str, Any] = {"about": np.arange(20, dtype=np.uint8), "positions_0": np.arange(9, dtype=np.uint64)}
    rng.choice((np.savez, np.savez_compressed))(content, **arrays)
    if rng.random() < 0.2:
        with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("bomb.npy", bytes(10**6))
    return damaged_bytes(rng, content.getvalue()) if rng.random() < 0.9 else content.getvalue()


def _weights(rng: Random, path: Path) -> bytes:
    """Return weights with a damaged header."""
    whole = path.read_bytes() if path.suffix == ".safetensors" else save_weights({"a": np.zeros((2, 3))})
    assert load_weights(whole)
    length = int.from_bytes(whole[:8], "little")
    header = _json(mutated(rng, json.loads(whole[8 : 8 + length])))
    declared_length = len(header) if rng.random() < 0.8 else rng.choice((0, 1, 2**20, 2**63, 2**64 - 1))
    return declared_length.to_bytes(8, "little") + header + whole[8 + length :]
