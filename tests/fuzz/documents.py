"""Fuzz untrusted files of programs: configurations, policies and run folders. None of them may run code."""

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
from agents.tuple_learning.policy import TuplesAgent
from agents.value_learning.config import ValuesConfig
from agents.value_learning.policy import ValuesAgent
from edge_envs.players import decide
from tests.contract.play import settle
from tests.fuzz.mutation import ODD_TEXTS, damaged_bytes, mutated, odd_value
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace
from tests.programs import ROOT

MOST_ALIASES = 40

executed: list[str] = []


def record_execution(text: str = "executed") -> str:
    """Record that code from a file was executed."""
    executed.append(text)
    return text


class _Canary:
    """An object that calls `record_execution` when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[str]]:
        return record_execution, ("unpickled",)


def pickled() -> bytes:
    """Return a pickle that executes code."""
    return pickle.dumps({"weights": _Canary()})


def dangerous_yaml() -> str:
    """Return YAML that executes code if Python objects are constructed from it."""
    return f"game: !!python/object/apply:{__name__}.record_execution [yaml]\n"


@contextlib.contextmanager
def no_code_executed() -> Iterator[None]:
    """Fail if code from a file was executed."""
    executed.clear()
    yield
    assert not executed, f"code from a file was run: {executed}"


@contextlib.contextmanager
def in_checkout() -> Iterator[None]:
    """Change to the checkout, because paths in shipped configurations are relative to it."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(before)


def read_outcome(read: Callable[[], object], *names: Path) -> str:
    """Return whether a file was accepted; a rejection is a ValueError that names the file or its folder."""
    try:
        with no_code_executed(), in_checkout():
            read()
    except ValueError as error:
        assert any(str(name) in str(error) for name in names), f"names no file: {error}"
        return REJECTED
    return ACCEPTED


@functools.cache
def config_seeds() -> tuple[tuple[Path, type[GameConfig]], ...]:
    """Return the shipped configurations with their types."""
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
    """Return a configuration with damaged values or bytes, or a malicious one."""
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
    """Return YAML whose aliases expand to a huge value."""
    lines = ["params:", "  a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"  a{k + 1}: &a{k + 1} [{', '.join([f'*a{k}'] * 8)}]" for k in range(MOST_ALIASES)]
    return "\n".join(lines) + "\n"


class Configurations(Target):
    """YAML files of training runs and weight searches."""

    def prepare(self) -> None:
        """Compile the kernels that the checks of configurations need."""
        from agents.common.configuration import parse, read_mapping

        super().prepare()
        for source, kind in config_seeds():
            with contextlib.suppress(ValueError):  # this machine may have too little memory
                parse(kind, read_mapping(source, []), str(source)).check_machine()

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Read a damaged configuration and check whether this machine can run it."""
        from agents.common.configuration import parse, read_mapping

        source, kind = rng.choice(config_seeds())
        path = self.folder / "fuzzed.yaml"
        path.write_bytes(config_text(rng, source))
        overrides = [some_override(rng, source)] if rng.random() < 0.3 else []
        trace.add(f"{kind.__name__} with {overrides} from", path.read_bytes())
        named = Path(*path.parts), *(Path(f"--set {override.partition('=')[0]}") for override in overrides)
        checked: list[GameConfig] = []
        end = read_outcome(lambda: checked.append(parse(kind, read_mapping(path, overrides), str(path))), *named)
        for config in checked:
            with contextlib.suppress(ValueError):
                config.check_machine()
            assert kind.model_validate_json(config.model_dump_json()) == config
        return end


def some_override(rng: Random, source: Path) -> str:
    """Return a random `--set` option."""
    keys = [*yaml.safe_load(source.read_text()), "ppo.epochs", "network.hidden", "a.b.c", "", ".", "seed.deep"]
    with contextlib.suppress(ValueError, RecursionError):
        value = json.dumps(odd_value(rng))
        return f"{rng.choice(keys)}{rng.choice(('=', '=', '=', ''))}{value}"
    return f"{rng.choice(keys)}={rng.choice(ODD_TEXTS)}"


@functools.cache
def policy_folders() -> tuple[Path, ...]:
    """Return the shipped policy folders."""
    return tuple(sorted(path.parent for path in (ROOT / "policies").rglob("policy.json")))


class Policies(Target):
    """Policy folders."""

    apis = ("State",)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._sources = [path for path in policy_folders() if path.parent.name in games]

    def prepare(self) -> None:
        """Compile the features of the networks."""
        super().prepare()
        for source in self._sources:
            _check_answers(load_policy(source))

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Load a damaged policy; an accepted one must return an action."""
        if not self._sources:
            return rng.choice(self.outcomes)
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
        trace.add(f"{source.relative_to(ROOT)} with a changed {damaged}", (content or b"")[:3000])
        loaded: list[PolicyAgent | ValuesAgent | TuplesAgent] = []
        end = read_outcome(lambda: loaded.append(load_policy(folder)), folder)
        for agent in loaded:
            _check_answers(agent)
        return end


def some_file(rng: Random, source: Path, other: Path) -> bytes | None:
    """Return damaged contents of a file, those of another file, a pickle, or None."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.choice((b"", None, pickled(), other.read_bytes(), rng.randbytes(100)))
    if kind < 6 and source.suffix == ".json":
        with contextlib.suppress(ValueError, RecursionError):
            return json.dumps(mutated(rng, json.loads(source.read_bytes()), json.loads(other.read_bytes()))).encode()
    data = source.read_bytes()
    if source.suffix == ".safetensors" and rng.random() < 0.7:  # most of the file is weights, which may have any value
        return damaged_bytes(rng, data[:600]) + data[600:]
    return damaged_bytes(rng, data)


def _check_answers(agent: PolicyAgent | ValuesAgent | TuplesAgent) -> None:
    decide(agent, settle(agent.game.new_initial_state(0)), np.random.default_rng(0))


class Runs(Target):
    """Folders of resumed runs."""

    def attempt(self, rng: Random, trace: Trace) -> str:
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
        trace.add(kind.__name__, {name: content[:2000] for name, content in files.items()})

        def resume() -> None:
            with kind.open(None, folder, None, resume=True) as (run, config):
                _READERS[kind](run, config)

        return read_outcome(resume, folder)


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
    """Return the files of a training run that was interrupted after its first checkpoint."""
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
    """Return the files of a weight search that was interrupted after some games."""
    path = next(path for path, kind in config_seeds() if kind is TuningConfig)
    config = TuningConfig.model_validate_json(json.dumps(yaml.safe_load(path.read_text()))).model_dump_json()
    rewards = random.Random(0).choices([-1.0, 0.0, 1.0], k=BLOCK)
    rows = [config, *(json.dumps({"block": number, "rewards": rewards}) for number in range(3))]
    return TuningRun, {"config.json": config.encode(), "games.jsonl": "".join(f"{row}\n" for row in rows).encode()}


def _read_training(run: TrainingRun, config: TrainingConfig) -> None:
    read_rows(run.folder / ROWS, step=10**9)
    no_env: Any = None
    no_pool: Any = OpponentPool.__new__(OpponentPool)
    with contextlib.suppress(ValueError):  # these checkpoints do not contain a model
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
