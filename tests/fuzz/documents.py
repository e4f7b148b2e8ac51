"""What programs read and do not trust: configurations, policies, the folders of runs. None of it may run code."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pickle
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml

from agents.common.configuration import GameConfig
from agents.common.runs import RunFolder
from agents.fitting.heuristic_weights import BLOCK, TuningConfig, TuningRun
from agents.players.agent import load_policy
from agents.players.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from agents.ppo.training import TrainingRun
from agents.selfplay.config import SelfPlayConfig
from agents.teaching.config import TeachingConfig
from agents.training.monitor import ROWS, read_rows
from agents.training.opponents import OpponentPool
from agents.value_learning.config import ValuesConfig
from agents.value_learning.policy import ValuesAgent
from edge_envs.players import decide
from tests.contract.play import settle
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.mutation import ODD_TEXTS, damaged_bytes, mutated, odd_value
from tests.programs import ROOT

MOST_ALIASES = 40

sung: list[str] = []


def sing(text: str = "sung") -> str:
    """What a pickle calls that is loaded, so that it is noticed."""
    sung.append(text)
    return text


class _Canary:
    """Sings when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[str]]:
        return sing, ("unpickled",)


def pickled() -> bytes:
    """A pickle with a canary."""
    return pickle.dumps({"weights": _Canary()})


def dangerous_yaml() -> str:
    """YAML that calls the canary where objects of Python are made."""
    return f"game: !!python/object/apply:{__name__}.sing [yaml]\n"


@contextlib.contextmanager
def nothing_sung() -> Iterator[None]:
    """Fail if anything inside has run code from a file."""
    sung.clear()
    yield
    assert not sung, f"code from a file was run: {sung}"


@contextlib.contextmanager
def at_root() -> Iterator[None]:
    """Paths in shipped configurations are relative to the checkout."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(before)


def refused_by(read: Callable[[], object], *names: Path) -> str:
    """How reading ends; a refusal is a ValueError that names one of the files, or the folder they lie in."""
    try:
        with nothing_sung(), at_root():
            read()
    except ValueError as error:
        assert any(str(name) in str(error) for name in names), f"names no file: {error}"
        return REFUSED
    return TAKEN


@functools.cache
def config_seeds() -> tuple[tuple[Path, type[GameConfig]], ...]:
    """The shipped configurations, with what they are of."""
    paths = sorted((ROOT / "configs").rglob("*.yaml"))
    return tuple((path, _kind(path)) for path in paths)


def _kind(path: Path) -> type[GameConfig]:
    if path.stem == "selfplay":
        return SelfPlayConfig
    if path.stem == "teach":
        return TeachingConfig
    if path.stem.startswith("values"):
        return ValuesConfig
    return TuningConfig if "weights:" in path.read_text().splitlines() else TrainingConfig


def config_text(rng: Random, path: Path) -> bytes:
    """A configuration with damage to its values or to its text, or one that is meant to do harm."""
    text = path.read_text(encoding="utf-8")
    kind = rng.randrange(12)
    if kind < 6:
        with contextlib.suppress(ValueError, RecursionError, yaml.YAMLError):
            other = rng.choice(config_seeds())[0].read_text(encoding="utf-8")
            return yaml.safe_dump(mutated(rng, yaml.safe_load(text), yaml.safe_load(other))).encode()
    if kind < 10:
        return damaged_bytes(rng, text.encode())
    return rng.choice((_aliases(), dangerous_yaml(), "- " * 2000 + "a", "{" * 2000, "? " * 2000, text * 2)).encode()


def _aliases() -> str:
    """A value that is vast when its aliases are written out."""
    lines = ["params:", "  a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"  a{k + 1}: &a{k + 1} [{', '.join([f'*a{k}'] * 8)}]" for k in range(MOST_ALIASES)]
    return "\n".join(lines) + "\n"


class Configurations(Door):
    """YAML files of trainings and searches."""

    def prepare(self) -> None:
        """Compile what the checks of configurations need."""
        from agents.common.configuration import parse, read_mapping

        super().prepare()
        for source, kind in config_seeds():
            with contextlib.suppress(ValueError):  # this machine may be too small
                parse(kind, read_mapping(source, []), str(source)).check_machine()

    def attempt(self, rng: Random, story: Story) -> str:
        """Read a damaged configuration, and look whether this machine can do what it asks for."""
        from agents.common.configuration import parse, read_mapping

        source, kind = rng.choice(config_seeds())
        path = self.folder / "fuzzed.yaml"
        path.write_bytes(config_text(rng, source))
        overrides = [some_override(rng, source)] if rng.random() < 0.3 else []
        story.tell(f"{kind.__name__} with {overrides} from", path.read_bytes())
        named = Path(*path.parts), *(Path(f"--set {override.partition('=')[0]}") for override in overrides)
        checked: list[GameConfig] = []
        end = refused_by(lambda: checked.append(parse(kind, read_mapping(path, overrides), str(path))), *named)
        for config in checked:
            with contextlib.suppress(ValueError):
                config.check_machine()
            assert kind.model_validate_json(config.model_dump_json()) == config
        return end


def some_override(rng: Random, source: Path) -> str:
    """A `--set` of some key with some value."""
    keys = [*yaml.safe_load(source.read_text()), "ppo.epochs", "network.hidden", "a.b.c", "", ".", "seed.deep"]
    with contextlib.suppress(ValueError, RecursionError):
        value = json.dumps(odd_value(rng))
        return f"{rng.choice(keys)}{rng.choice(('=', '=', '=', ''))}{value}"
    return f"{rng.choice(keys)}={rng.choice(ODD_TEXTS)}"


@functools.cache
def policy_folders() -> tuple[Path, ...]:
    """The shipped policies."""
    return tuple(sorted(path.parent for path in (ROOT / "policies").rglob("policy.json")))


class Policies(Door):
    """Folders of policies."""

    apis = ("State",)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._sources = [path for path in policy_folders() if path.parent.name in games]

    def prepare(self) -> None:
        """Compile what networks look at."""
        super().prepare()
        for source in self._sources:
            _check_answers(load_policy(source))

    def attempt(self, rng: Random, story: Story) -> str:
        """Load a damaged policy; one that is accepted answers with an action."""
        if not self._sources:
            return rng.choice(self.ends)
        source, other = rng.choice(self._sources), rng.choice(policy_folders())
        folder = self.folder / "policy"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in ("policy.json", "policy.safetensors"):
            (folder / name).write_bytes((source / name).read_bytes())
        damaged = rng.choice(("policy.json", "policy.json", "policy.safetensors"))
        content = some_file(rng, source / damaged, other / damaged)
        if content is None:
            (folder / damaged).unlink()
        else:
            (folder / damaged).write_bytes(content)
        story.tell(f"{source.relative_to(ROOT)} with another {damaged}", (content or b"")[:3000])
        loaded: list[PolicyAgent | ValuesAgent] = []
        end = refused_by(lambda: loaded.append(load_policy(folder)), folder)
        for agent in loaded:
            _check_answers(agent)
        return end


def some_file(rng: Random, source: Path, other: Path) -> bytes | None:
    """The contents of a file with damage, another file's, a pickle, or none at all."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.choice((b"", None, pickled(), other.read_bytes(), rng.randbytes(100)))
    if kind < 6 and source.suffix == ".json":
        with contextlib.suppress(ValueError, RecursionError):
            return json.dumps(mutated(rng, json.loads(source.read_bytes()), json.loads(other.read_bytes()))).encode()
    data = source.read_bytes()
    if source.suffix == ".safetensors" and rng.random() < 0.7:  # weights are most of it, and may have any value
        return damaged_bytes(rng, data[:600]) + data[600:]
    return damaged_bytes(rng, data)


def _check_answers(agent: PolicyAgent | ValuesAgent) -> None:
    decide(agent, settle(agent.game.new_initial_state(0)), np.random.default_rng(0))


class Runs(Door):
    """Folders of runs that are resumed."""

    def attempt(self, rng: Random, story: Story) -> str:
        """Open a damaged folder and read what a resumed run reads."""
        folder = self.folder / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        kind, files = rng.choice((_training_files, _tuning_files))()
        for name in rng.sample(list(files), rng.choice((1, 1, 2))):
            files[name] = _damaged(rng, files[name])
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        story.tell(kind.__name__, {name: content[:2000] for name, content in files.items()})

        def resume() -> None:
            with kind.open(None, folder, None, resume=True) as (run, config):
                _READERS[kind](run, config)

        return refused_by(resume, folder)


def _damaged(rng: Random, content: bytes) -> bytes:
    if rng.random() < 0.1:
        return rng.choice((b"", pickled(), rng.randbytes(50)))
    if rng.random() < 0.5:
        with contextlib.suppress(ValueError, RecursionError):
            rows = [json.loads(line) for line in content.splitlines()]
            changed = mutated(rng, rows)
            return b"".join(
                json.dumps(row).encode() + b"\n" for row in (changed if type(changed) is list else [changed])
            )
    return damaged_bytes(rng, content)


def _training_files() -> tuple[type[RunFolder[Any]], dict[str, bytes]]:
    """The files of a training that was interrupted after its first checkpoint."""
    source = policy_folders()[0]
    step = "checkpoints/step-000000000001"
    config = TrainingConfig.model_validate_json((source / "config.json").read_bytes()).model_dump_json().encode()
    files = {"config.json": config, f"{step}/config.json": config, ROWS: (source / ROWS).read_bytes()}
    return TrainingRun, {
        **files,
        f"{step}/model.zip": b"PK\x03\x04 no zip",
        f"{step}/opponents.json": b'{"members": [], "played": {}}',
    }


def _tuning_files() -> tuple[type[RunFolder[Any]], dict[str, bytes]]:
    """The files of a search that was interrupted after some games."""
    path = next(path for path, kind in config_seeds() if kind is TuningConfig)
    config = TuningConfig.model_validate_json(json.dumps(yaml.safe_load(path.read_text()))).model_dump_json()
    rewards = random.Random(0).choices([-1.0, 0.0, 1.0], k=BLOCK)
    rows = [config, *(json.dumps({"block": number, "rewards": rewards}) for number in range(3))]
    return TuningRun, {"config.json": config.encode(), "games.jsonl": "".join(f"{row}\n" for row in rows).encode()}


def _read_training(run: TrainingRun, config: TrainingConfig) -> None:
    read_rows(run.folder / ROWS, step=10**9)
    no_env: Any = None
    no_pool: Any = OpponentPool.__new__(OpponentPool)
    with contextlib.suppress(ValueError):  # there is no model in these checkpoints
        run.load_checkpoint(config, no_env, no_pool)
        raise AssertionError("a checkpoint without a model was loaded")


def _read_tuning(run: TuningRun, config: TuningConfig) -> None:
    for rewards in run.read_games(config).values():
        assert rewards.shape == (BLOCK,)
        assert np.isfinite(rewards).all()


_READERS: dict[type[RunFolder[Any]], Callable[[Any, Any], None]] = {
    TrainingRun: _read_training,
    TuningRun: _read_tuning,
}
