"""The programs that read a configuration: the model of each configuration, and what trainers run.

Each program has a function that imports what it needs, so that no other program loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from agents.common.configuration import ConfigError, Model, parse

if TYPE_CHECKING:
    from agents.training.folder import TrainingFolder


@dataclass(frozen=True)
class Program:
    """A program that reads a configuration.

    Attributes:
        config: the model of its configuration.
        run_folder: for trainers, the class of their run folders.
        train: for trainers, the function that trains: `train(config, folder, resume)`.
    """

    config: type[BaseModel]
    run_folder: type[TrainingFolder[Any]] | None = None
    train: Callable[..., None] | None = None


def _train() -> Program:
    from agents.ppo import config, training

    return Program(config.TrainingConfig, training.TrainingRun, training.train)


def _selfplay() -> Program:
    from agents.selfplay import config, training

    return Program(config.SelfPlayConfig, training.SelfPlayRun, training.train)


def _dqn() -> Program:
    from agents.deep_q import config, training

    return Program(config.DeepQConfig, training.DeepQRun, training.train)


def _teach() -> Program:
    from agents.teaching import config, training

    return Program(config.TeachingConfig, training.TeachingRun, training.train)


def _values() -> Program:
    from agents.value_learning import config, training

    return Program(config.ValuesConfig, training.ValuesRun, training.train)


def _tuples() -> Program:
    from agents.tuple_learning import config, training

    return Program(config.TuplesConfig, training.TuplesRun, training.train)


def _tune() -> Program:
    from agents.fitting.heuristic_weights import TuningConfig

    return Program(TuningConfig)


def _tournament() -> Program:
    from agents.arena.tournament import TournamentConfig

    return Program(TournamentConfig)


def _leaderboard() -> Program:
    from agents.arena.leaderboard import LeaderboardConfig

    return Program(LeaderboardConfig)


def _benchmark() -> Program:
    from agents.benchmarking.protocol import Protocol

    return Program(Protocol)


def _baselines() -> Program:
    from agents.baselining.plan import BaselinePlan

    return Program(BaselinePlan)


PROGRAMS: Mapping[str, Callable[[], Program]] = {
    "train": _train,
    "selfplay": _selfplay,
    "dqn": _dqn,
    "teach": _teach,
    "values": _values,
    "tuples": _tuples,
    "tune": _tune,
    "tournament": _tournament,
    "leaderboard": _leaderboard,
    "benchmark": _benchmark,
    "baselines": _baselines,
}
"""Programs by name, `python -m agents.NAME --config FILE`."""


def parse_config(kind: type[Model], data: Any, where: str) -> Model:
    """Parse a configuration as `parse` does; if it fits another program, ConfigError names that program."""
    try:
        return parse(kind, data, where)
    except ConfigError as error:
        hint = _other_program(kind, data, where) if isinstance(data, Mapping) else ""
        raise ConfigError(f"{error}{hint}") from None


def _other_program(kind: type[BaseModel], data: Mapping[str, Any], where: str) -> str:
    """Return a hint for a configuration that does not fit the program that reads it but fits another one.

    Args:
        kind: the model that the program reads.
        data: the contents of the file.
        where: the name of the file.

    Returns:
        What to append to the error; an empty string if no other program has these keys.
    """
    from agents.training.config import RunConfig  # the keys that all trainers share say nothing

    if _fits(kind, data):
        return ""
    for name, load in PROGRAMS.items():
        other = load().config
        if other is not kind and _fits(other, data) and not data.keys() <= RunConfig.model_fields.keys():
            return f"; it has the keys of a configuration for python -m agents.{name} --config {where}"
    if {"model", "url"} <= data.keys():
        return f"; it has the keys of a language model, which is the agent chat:{where}"
    return ""


def _fits(kind: type[BaseModel], data: Mapping[str, Any]) -> bool:
    """Return whether all keys exist and no required key is missing."""
    fields = kind.model_fields
    return data.keys() <= fields.keys() and all(name in data for name, field in fields.items() if field.is_required())
