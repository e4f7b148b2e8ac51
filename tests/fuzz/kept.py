"""What programs have kept and read again: transcripts of language models, folders of data sets, paths in files."""

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
from tests.fuzz.documents import policy_folders, refused_by, some_file
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.mutation import ODD_TEXTS, damaged_bytes, mutated


class Transcripts(Door):
    """Transcripts of language models, of which tokens are counted."""

    def attempt(self, rng: Random, story: Story) -> str:
        """Count what is in damaged transcripts."""
        path = self.folder / "transcripts.jsonl"
        rows: Any = [_decision(rng) for _ in range(rng.randrange(1, 4))]
        if rng.random() < 0.5:
            rows = mutated(rng, rows)
        lines = "".join(f"{_written(row)}\n" for row in (rows if isinstance(rows, list) else [rows]))
        content = lines.encode("utf-8", "surrogatepass")
        path.write_bytes(damaged_bytes(rng, content) if rng.random() < 0.7 else content)
        story.tell("transcripts", path.read_bytes())
        counted: list[dict[str, Any]] = []
        config = ChatConfig(url="http://here/v1", model="a", price_in=1.5, price_out=1e6, transcripts=str(path))
        end = refused_by(lambda: counted.append(usage(config)), path)
        for totals in counted:
            assert all(totals[key] >= 0 for key in ("decisions", "given_up", "broken_off", *COUNTED))
            assert totals["cost"] >= 0.0
        return end


def _decision(rng: Random) -> dict[str, Any]:
    """What is kept of a decision."""
    return {
        "game": "kuhn", "params": {}, "model": "a", "player": 0, "action": rng.choice((None, 1)),
        "text": rng.choice((None, "bet")), "end": rng.choice(("decided", "broken off")),
        **{key: rng.randrange(100) for key in COUNTED},
        "messages": [{"role": "user", "content": rng.choice(ODD_TEXTS)}],
    }  # fmt: skip


def _written(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):  # an integer of too many digits, too deep
        return "[" * 100_000


class DataSets(Door):
    """Folders of data sets, in which a collection goes on."""

    apis = ("State", "vector")

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        given = {"game": games[0], "agents": ["random"], "games": 6, "shard": 2, "format": "npz"}
        self._config = parse(CollectionConfig, given, "fuzz")
        self._whole = folder / "whole"

    def prepare(self) -> None:
        """Make a data set."""
        super().prepare()
        self._whole.mkdir(exist_ok=True)
        collect(self._config, self._whole)

    def attempt(self, rng: Random, story: Story) -> str:
        """Go on in a damaged folder: it is refused, or ends in the same data set."""
        folder = self.folder / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._whole, folder)
        names = sorted(
            path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (".json", ".npz", ".md")
        )
        for name in rng.sample(names, rng.choice((1, 1, 2))):
            content = some_file(rng, self._whole / name, self._whole / rng.choice(names))
            story.tell(str(name), content)
            (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
        end = refused_by(lambda: collect(self._config, folder), folder)
        if end == TAKEN:
            for name in names:
                assert _content(folder / name) == _content(self._whole / name), f"{name} is another"
        return end


def _content(path: Path) -> Any:
    """What a file says; keys of JSON may be in another order."""
    return json.loads(path.read_bytes()) if path.suffix == ".json" else path.read_bytes()


class Paths(Door):
    """Records and policies in which a parameter is the path of a file, which nobody may open."""

    ends = (REFUSED,)

    def prepare(self) -> None:
        """A pipe without an end, a file, and an eye on what is opened."""
        os.mkfifo(self.folder / "pipe")
        (self.folder / "file").write_text("{}", encoding="utf-8")
        sys.addaudithook(_watch)

    def attempt(self, rng: Random, story: Story) -> str:
        """Replay or load; it is refused, and the file stays closed."""
        game = GAMES[rng.choice(self.names)]
        name = rng.choice([*game.parameters, "map"])
        own = [str(self.folder / file) for file in ("pipe", "file", "gone", "")]
        path = rng.choice(
            (*own, "/dev/zero", "/dev/stdin", "/etc/passwd", "/proc/self/mem", "~", "../..", "file:///dev/zero")
        )
        story.tell(f"{game.name} with {name}", path)
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
            return _refused(lambda: load_policy(policy), path, name)
        return _refused(lambda: replay(record), path, name)


_forbidden: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """See what is opened in this process from now on."""
    if event == "open" and _forbidden and str(arguments[0]) in _forbidden:
        raise AssertionError(f"{arguments[0]} was opened")


def _refused(read: Callable[[], object], path: str, name: str) -> str:
    _forbidden[:] = [path, os.path.expanduser(path)]
    try:
        read()
    except ValueError as error:
        assert name in str(error), f"names no parameter: {error}"
        return REFUSED
    finally:
        _forbidden.clear()
    return TAKEN
