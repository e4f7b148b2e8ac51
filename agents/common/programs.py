"""Which program a configuration belongs to, told by its keys."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from agents.common.configuration import ConfigError, Model, parse

PROGRAMS = {
    "train": "agents.ppo.config:TrainingConfig",
    "selfplay": "agents.selfplay.config:SelfPlayConfig",
    "teach": "agents.teaching.config:TeachingConfig",
    "values": "agents.value_learning.config:ValuesConfig",
    "tune": "agents.fitting.heuristic_weights:TuningConfig",
    "tournament": "agents.arena.tournament:TournamentConfig",
    "leaderboard": "agents.arena.leaderboard:LeaderboardConfig",
}
"""Programs, `python -m agents.NAME --config FILE`, and the classes of their configurations."""


def parse_config(kind: type[Model], data: Any, where: str) -> Model:
    """A configuration from plain data, as `parse` reads it; ConfigError also says if it fits another program."""
    try:
        return parse(kind, data, where)
    except ConfigError as error:
        raise ConfigError(f"{error}{_other_program(kind, data, where)}") from None


def _other_program(kind: type[BaseModel], data: Mapping[str, Any], where: str) -> str:
    """Return a hint for a configuration that does not fit the program that reads it but fits another one.

    Args:
        kind: the class of configurations that the program reads.
        data: the contents of the file.
        where: the name of the file.

    Returns:
        What to append to the error; an empty string if no other program has these keys.
    """
    if _fits(kind, data):
        return ""
    for name, place in PROGRAMS.items():
        module, _, entry = place.partition(":")
        other = getattr(importlib.import_module(module), entry)
        if other is not kind and _fits(other, data):
            return f"; it has the keys of a configuration for python -m agents.{name} --config {where}"
    if {"model", "url"} <= data.keys():
        return f"; it has the keys of a language model, which is the agent chat:{where}"
    return ""


def _fits(kind: type[BaseModel], data: Mapping[str, Any]) -> bool:
    """Whether all keys exist and none is missing."""
    fields = kind.model_fields
    return data.keys() <= fields.keys() and all(name in data for name, field in fields.items() if field.is_required())
