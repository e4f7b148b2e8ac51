"""The folder of a data set, whose files are written atomically, so that a killed run can be resumed.

<folder>/collection.json    the configuration, and a hash of each agent
<folder>/00000.safetensors  games, or with another extension
<folder>/done/00000.json    marks this file as complete: its hash and description, with a hash of both
<folder>/card.json, card.md the card, written at the end
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

from agents.collection.config import CollectionConfig
from agents.collection.formats import FORMATS
from agents.common.configuration import differences, parse
from agents.common.files import read_json, write_whole
from agents.common.runs import check_free
from agents.players.digests import made_of
from edge_envs import __version__
from edge_envs.core.checks.files import MOST_ARRAY_BYTES, read_bytes
from edge_envs.core.writing import replacing

Told = dict[str, Any]
WRITTEN = ("card.json", "card.md", "metadata.json", "main_data.hdf5")
"""Files that are written at the end, besides the files of games; the last two are those of Minari."""
_PARTIAL = re.compile(r"partial-\d+-(\d{5}\.\w+|collection\.json|card\.json|card\.md|metadata\.json|main_data\.hdf5)")


class Store:
    """The files of a data set."""

    def __init__(self, folder: Path, config: CollectionConfig) -> None:
        self._folder, self._config = folder, config

    def open(self) -> None:
        """Start or resume; ValueError if the folder has another data set, or if an agent has changed."""
        path = self._folder / "collection.json"
        check_free(self._folder, path.name, "[0-9][0-9][0-9][0-9][0-9].*", "done", *WRITTEN)
        game = self._config.load_game()
        document = {
            "package": __version__,
            "version": game.type.version,
            "config": self._config.model_dump(mode="json"),
            "policies": {agent: made_of(agent, game) for agent in self._config.names},
        }
        if path.exists():
            self._check_same(path, read_json(path), document)
        (self._folder / "done").mkdir(exist_ok=True)
        for partial in (*self._folder.glob("partial-*"), *self._folder.glob("done/partial-*")):  # of a killed run
            if _PARTIAL.fullmatch(partial.name):
                partial.unlink(missing_ok=True)
        write_whole(path, json.dumps(document, indent=1) + "\n")

    def _check_same(self, path: Path, before: Any, document: dict[str, Any]) -> None:
        if not isinstance(before, dict) or before.keys() != document.keys():
            raise ValueError(f"{path}: not the configuration of a data set")
        other = differences(self._config, parse(CollectionConfig, before["config"], str(path)))
        changed = [key for key in ("package", "version", "policies") if before[key] != document[key]]
        other = other or ", ".join(f"{key} is {document[key]} instead of {before[key]}" for key in changed)
        if other:
            raise ValueError(f"{path}: this folder has another data set: {other}; name another folder with --out")

    def known(self, shard: int) -> Told | None:
        """Return the description of a complete file; None if it must be made. ValueError if the file has changed."""
        file, told = self._paths(shard)
        if not file.exists() or not told.exists():
            return None
        document = _unsealed(read_json(told))
        if document is None or document["blake2b"] != digest(read_bytes(file, MOST_ARRAY_BYTES)):
            raise ValueError(f"{file}: changed since it was written; remove it, and the same command makes it again")
        return document

    def all_known(self) -> dict[int, Told]:
        """Return the descriptions of all complete files by shard. ValueError names every file that has changed."""
        told, faults = dict[int, Told](), list[str]()
        for shard in range(self._config.shards):
            try:
                known = self.known(shard)
            except ValueError as error:
                faults.append(str(error))
                continue
            if known is not None:
                told[shard] = known
        if faults:
            raise ValueError("; ".join(faults))
        return told

    def keep(self, shard: int, content: bytes, told: Told) -> Told:
        """Write a file, and then its description."""
        file, beside = self._paths(shard)
        whole = {"file": file.name, "bytes": len(content), "blake2b": digest(content), **told}
        _write(file, content)
        _write(beside, (json.dumps({**whole, "seal": _seal(whole)}) + "\n").encode())
        return whole

    def _paths(self, shard: int) -> tuple[Path, Path]:
        ending = FORMATS[self._config.format].ending
        return self._folder / f"{shard:05}.{ending}", self._folder / "done" / f"{shard:05}.json"


def digest(content: bytes) -> str:
    """Return the hash of a file."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _write(path: Path, content: bytes) -> None:
    """Write a file like `write_whole`, but wait until the disk has it, so that its description is never older."""
    with replacing(path) as partial, partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _seal(told: Told) -> str:
    return digest(json.dumps(told, sort_keys=True).encode())


def _unsealed(document: Any) -> Told | None:
    """Return the description that `keep` wrote; None if the document is damaged."""
    if not isinstance(document, dict):
        return None
    told = {key: value for key, value in document.items() if key != "seal"}
    return told if document.get("seal") == _seal(told) else None
