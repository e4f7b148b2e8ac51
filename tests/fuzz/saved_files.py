"""Fuzz saved files: transcripts of language models, data sets, and paths in records and policies."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from agents.collection.config import CollectionConfig
from agents.collection.run import collect
from agents.common.configuration import parse
from agents.external.chat import COUNTED, ChatConfig, usage
from agents.players.agent import load_policy
from edge_envs import GAMES, replay
from tests.fuzz.documents import policy_folders, read_outcome, some_file
from tests.fuzz.mutation import ODD_TEXTS, damaged_bytes, mutated
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace


class Transcripts(Target):
    """Transcripts of language models, whose tokens are counted."""

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Count the tokens of damaged transcripts."""
        path = self.folder / "transcripts.jsonl"
        rows: Any = [_decision(rng) for _ in range(rng.randrange(1, 4))]
        if rng.random() < 0.5:
            rows = mutated(rng, rows)
        lines = "".join(f"{_json_line(row)}\n" for row in (rows if isinstance(rows, list) else [rows]))
        content = lines.encode("utf-8", "surrogatepass")
        path.write_bytes(damaged_bytes(rng, content) if rng.random() < 0.7 else content)
        trace.add("transcripts", path.read_bytes())
        counted: list[dict[str, Any]] = []
        config = ChatConfig(url="http://here/v1", model="a", price_in=1.5, price_out=1e6, transcripts=str(path))
        outcome = read_outcome(lambda: counted.append(usage(config)), path)
        for totals in counted:
            assert all(totals[key] >= 0 for key in ("decisions", "given_up", "broken_off", *COUNTED))
            assert totals["cost"] >= 0.0
        return outcome


def _decision(rng: Random) -> dict[str, Any]:
    """Return the row of a decision."""
    return {
        "game": "kuhn", "params": {}, "model": "a", "player": 0, "action": rng.choice((None, 1)),
        "text": rng.choice((None, "bet")), "end": rng.choice(("decided", "broken off")),
        **{key: rng.randrange(100) for key in COUNTED},
        "messages": [{"role": "user", "content": rng.choice(ODD_TEXTS)}],
    }  # fmt: skip


def _json_line(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):  # an integer with too many digits, or too deep
        return "[" * 100_000


class DataSets(Target):
    """Folders of data sets in which a collection is resumed."""

    apis = ("State", "vector")

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        given = {"game": games[0], "agents": ["random"], "games": 6, "shard": 2, "format": "npz"}
        self._config = parse(CollectionConfig, given, "fuzz")
        self._whole = folder / "whole"

    def prepare(self) -> None:
        """Collect a data set."""
        super().prepare()
        self._whole.mkdir(exist_ok=True)
        collect(self._config, self._whole)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Resume in a damaged folder: it is rejected or results in the same data set."""
        folder = self.folder / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._whole, folder)
        names = sorted(
            path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (".json", ".npz", ".md")
        )
        for name in rng.sample(names, rng.choice((1, 1, 2))):
            content = some_file(rng, self._whole / name, self._whole / rng.choice(names))
            trace.add(str(name), content)
            (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
        outcome = read_outcome(lambda: collect(self._config, folder), folder)
        if outcome == ACCEPTED:
            for name in names:
                assert _content(folder / name) == _content(self._whole / name), f"{name} differs"
        return outcome


def _content(path: Path) -> Any:
    """Return the content of a file; the order of JSON keys does not matter."""
    return json.loads(path.read_bytes()) if path.suffix == ".json" else path.read_bytes()


class Paths(Target):
    """Records and policies with a path as a parameter, which must not be opened."""

    outcomes = (REJECTED,)

    def prepare(self) -> None:
        """Create a pipe and a file, and watch which files are opened."""
        os.mkfifo(self.folder / "pipe")
        (self.folder / "file").write_text("{}", encoding="utf-8")
        sys.addaudithook(_watch)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Replay a record or load a policy: it is rejected, and the file is not opened."""
        game = GAMES[rng.choice(self.names)]
        name = rng.choice([*game.parameters, "map"])
        own = [str(self.folder / file) for file in ("pipe", "file", "gone", "")]
        path = rng.choice(
            (*own, "/dev/zero", "/dev/stdin", "/etc/passwd", "/proc/self/mem", "~", "../..", "file:///dev/zero")
        )
        trace.add(f"{game.name} with {name}", path)
        params = {name: path}
        folders = [folder for folder in policy_folders() if folder.parent.name == game.name]
        record = {
            "game": game.name, "version": game.version, "params": params, "seed": 0, "position": None, "history": [],
            "returns": [0.0] * 2,
        }  # fmt: skip
        policy = self.folder / "policy"
        if folders and rng.random() < 0.5:
            shutil.rmtree(policy, ignore_errors=True)
            shutil.copytree(rng.choice(folders), policy)
            document = json.loads((policy / "policy.json").read_text(encoding="utf-8"))
            document["params"] |= params
            (policy / "policy.json").write_text(json.dumps(document), encoding="utf-8")
            return _outcome(lambda: load_policy(policy), path, name)
        return _outcome(lambda: replay(record), path, name)


_forbidden: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Fail if a forbidden file is opened."""
    if event == "open" and _forbidden and str(arguments[0]) in _forbidden:
        raise AssertionError(f"{arguments[0]} was opened")


def _outcome(read: Callable[[], object], path: str, name: str) -> str:
    _forbidden[:] = [path, os.path.expanduser(path)]
    try:
        read()
    except ValueError as error:
        assert name in str(error), f"the error does not name the parameter: {error}"
        return REJECTED
    finally:
        _forbidden.clear()
    return ACCEPTED
