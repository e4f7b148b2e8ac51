"""Configurations of long work: YAML files checked by pydantic."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self, TypeVar, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agents.common.files import read_text
from agents.common.parameters import make_game
from agents.common.yaml_values import parse_yaml
from edge_envs import Game
from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.games import plain_name


class ConfigError(ValueError):
    """A configuration that cannot be used; the message says where and why in one line."""


class Section(BaseModel):
    """A part of a configuration. Unknown keys are rejected."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def checked(self) -> Self:
        """Check what needs more than the values themselves, such as the game or files, and return the result.

        `parse` calls this; validators of pydantic only look at values.

        Returns:
            This configuration, or a copy with values that were read from files.

        Raises:
            ValueError: if something does not fit.
        """
        return self


class GameConfig(Section):
    """The configuration of work with a game."""

    game: str
    params: dict[str, Any] = Field(default_factory=dict)
    seed: int = Field(default=0, ge=0, lt=2**31)

    @field_validator("game")
    @classmethod
    def _without_prefix_and_version(cls, name: str) -> str:
        return plain_name(name)

    def load_game(self) -> Game:
        """Return the game with its parameters."""
        return make_game(self.game, self.params)

    def check_machine(self) -> None:
        """Raise ValueError if this machine lacks what the work needs, such as memory."""

    def with_machine_of(self, other: Self) -> Self:
        """Return a copy with the settings of `other` that a resumed run may change, such as the device."""
        return self


Model = TypeVar("Model", bound=BaseModel)


def read_mapping(source: str | Path | Mapping[str, Any], overrides: list[str] | None = None) -> dict[str, Any]:
    """Read a YAML file, or copy a mapping, and apply overrides such as `ppo.epochs=4`.

    Raises:
        ConfigError: if the file does not hold a mapping, or if an override is invalid.
    """
    if isinstance(source, Mapping):
        data = copy.deepcopy(dict(source))
    else:
        data = parse_yaml(read_text(source, "YAML"), str(source))
    if not isinstance(data, dict):
        raise ConfigError(f"{source}: a configuration is a mapping of keys to values")
    names = [override.partition("=")[0] for override in overrides or []]
    if twice := next((name for number, name in enumerate(names) if name in names[:number]), ""):
        raise ConfigError(f"duplicate --set {twice}")
    for override in overrides or []:
        _override(data, override)
    return data


def parse(kind: type[Model], data: Any, where: str) -> Model:
    """Make a model from plain data.

    Types are strict, as in JSON: Booleans and strings are not accepted as numbers.

    Raises:
        ConfigError: in one line, with the location and the valid values.
    """
    try:
        model = kind.model_validate_json(json_text(data).encode(), strict=True)
        return model.checked() if isinstance(model, Section) else model
    except RecursionError:
        raise ConfigError(f"{where}: nested too deeply") from None
    except UnicodeEncodeError as error:  # half a character, as Python reads the name of a file that is not UTF-8
        text = error.object[max(0, error.start - 20) : error.end + 20]
        raise ConfigError(f"{where}: {text!r}: names must be valid UTF-8") from None
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] == "missing")  # a misspelt key may be the missing one
        location = ".".join(_location(data, first["loc"]))
        message = _no_list(first) or first["msg"].removeprefix("Value error, ")
        hint = _possible(kind, first) or _whole_number(first)
        raise ConfigError(f"{where}: {location + ': ' if location else ''}{message}{hint}") from None
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def json_text(data: Any) -> str:
    """Return data as JSON, with numbers and arrays of NumPy as plain values, and paths as strings.

    Raises:
        ConfigError: if something else in it is not JSON.
    """
    return json.dumps(data, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Path):
        return str(value)
    kind = type(value).__name__
    raise ConfigError(f"{in_short(value)} is a {kind}: expected numbers, strings, booleans, None, lists and mappings")


def differences(one: Section, other: Section) -> str:
    """Describe how two configurations differ, such as `seed is 1 instead of 0`; "" if they are equal."""
    own, others = _flat(one.model_dump(mode="json")), _flat(other.model_dump(mode="json"))
    keys = [key for key in {**own, **others} if own.get(key) != others.get(key)]
    shown = [f"{key} is {json.dumps(own.get(key))} instead of {json.dumps(others.get(key))}" for key in keys[:3]]
    return ", ".join([*shown, *(["…"] if len(keys) > len(shown) else [])])


def _flat(data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested mappings; keys are joined by dots."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) and value else {prefix + key: value}
    return flat


def _location(data: Any, location: tuple[int | str, ...]) -> list[str]:
    """Return the keys that lead to an error, without pydantic's names for the members of a union."""
    keys = []
    for number, key in enumerate(location, start=1):
        inside = key in (data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ())
        if inside or number == len(location):
            keys.append(str(key))
        if inside:
            data = data[key]
    return keys


def _possible(kind: type[BaseModel], error: Any) -> str:
    """Return the valid keys if the error is an unknown key, else ""."""
    if error["type"] != "extra_forbidden":
        return ""
    model: Any = kind
    for key in error["loc"][:-1]:
        model = _inside(model, key)
    return f"; choose from {', '.join(model.model_fields)}{did_you_mean(error['loc'][-1], model.model_fields)}"


def _inside(kind: Any, key: int | str) -> Any:
    """Return the type of a field, of the items of a list, of the values of a mapping, or of a member of a union."""
    fields = getattr(kind, "model_fields", None)
    if fields is not None:
        return _without_none(fields[key].annotation)
    members = get_args(kind)
    if isinstance(key, int):  # an item of a list
        return members[0]
    if get_origin(kind) is dict:
        return members[1]
    return next(member for member in members if member.model_fields["kind"].default == key)


def _without_none(kind: Any) -> Any:
    """Return the type of a field that may also be None."""
    members = [member for member in get_args(kind) if member is not type(None)]
    return members[0] if len(members) == 1 and type(None) in get_args(kind) else kind


def _no_list(error: Any) -> str:
    """Return the message about a value that should be a list; "" for other errors."""
    if error["type"] not in ("list_type", "tuple_type"):
        return ""
    value = error["input"]
    example = f" such as [{value}]" if isinstance(value, int | float) else ", written in brackets"
    return f"expected a list{example}, not {in_short(value)}"


def _whole_number(error: Any) -> str:
    """Return how to write an integer that was given as a float, such as 1e6, else ""."""
    value = error["input"]
    if error["type"] != "int_type" or not isinstance(value, float) or not value.is_integer():
        return ""
    return f": write {int(value):_}, without a point or an exponent"


def _override(data: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    keys = path.split(".")
    if not equals or not all(keys):
        raise ConfigError(f"--set {override}: write key=value, for example --set {path or 'ppo.epochs'}=4")
    value = parse_yaml(text, f"--set {path}")
    for key in keys[:-1]:
        data[key] = data = copy.copy(data.get(key, {}))  # an alias elsewhere in the file keeps its values
        if not isinstance(data, dict):
            raise ConfigError(f"--set {override}: {key} is not a mapping, so it has no keys")
    data[keys[-1]] = value
