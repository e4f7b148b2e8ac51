"""Configurations of long work: YAML files checked by pydantic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.games import make_game
from agents.networks import KINDS
from edge_envs import Game


class ConfigError(ValueError):
    """A configuration that cannot be used; one line says where and why."""


class Section(BaseModel):
    """Keys of a configuration; there are no others."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class GameConfig(Section):
    """What is done with a game."""

    game: str
    params: dict[str, Any] = Field(default_factory=dict)
    seed: int = Field(default=0, ge=0, lt=2**32)

    def load_game(self) -> Game:
        """The game with its parameters."""
        return make_game(self.game, self.params)


Config = TypeVar("Config", bound=Section)


def read_mapping(path: str | Path, overrides: list[str] | None = None) -> dict[str, Any]:
    """What a YAML file holds, with overrides like `ppo.epochs=4`; ConfigError if it is no mapping of keys to values."""
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: a configuration is a mapping of keys to values")
    for override in overrides or []:
        _override(data, override)
    return data


def parse(kind: type[Config], data: Any, where: str) -> Config:
    """A configuration from plain data; ConfigError says in one line what is wrong."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(str(key) for key in first["loc"] if key not in KINDS)
        message = first["msg"].removeprefix("Value error, ")
        possible = _possible(kind, first)
        raise ConfigError(f"{where}: {location + ': ' if location else ''}{message}{possible}") from None


def _possible(kind: type[Section], error: Any) -> str:
    """The keys that exist, for an unknown key."""
    if error["type"] != "extra_forbidden":
        return ""
    model: Any = kind
    for key in error["loc"][:-1]:
        model = KINDS.get(key) or model.model_fields[key].annotation
    return f"; possible are {', '.join(model.model_fields)}"


def _override(data: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    keys = path.split(".")
    if not equals or not all(keys):
        raise ConfigError(f"--set {override}: write key=value, for example ppo.epochs=4")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"--set {override}: {text!r} is not a YAML value") from None
    for key in keys[:-1]:
        data = data.setdefault(key, {})
        if not isinstance(data, dict):
            raise ConfigError(f"--set {override}: {key} has no keys of its own")
    data[keys[-1]] = value
