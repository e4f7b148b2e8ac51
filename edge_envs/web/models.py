"""The bodies of requests. Each model lists the entries of one kind of body; entries without a default are required."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from edge_envs.core.errors import in_short
from edge_envs.web.guard import Refusal, read_object

Model = TypeVar("Model")


@dataclass(frozen=True)
class Nothing:
    """A body without entries."""


@dataclass(frozen=True)
class PictureRequest:
    """A position to draw."""

    position: dict[str, Any]
    player: int | None = None
    theme: str | None = None


@dataclass(frozen=True)
class EditorStep:
    """A step of an editor: of a position, or of the values of a parameter."""

    game: str
    edits: str
    document: dict[str, Any] | None = None
    params: dict[str, Any] | None = None
    tool: str | None = None
    key: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class ReplayRequest:
    """A record to show."""

    record: dict[str, Any]
    player: int | None = None


@dataclass(frozen=True)
class AnalysisRequest:
    """A record to analyse."""

    record: dict[str, Any]


@dataclass(frozen=True)
class NewMatch:
    """A match to create: a new game, from a position, or from a transition of a record."""

    game: str | None = None
    params: dict[str, Any] | None = None
    seats: list[Any] | None = None
    seed: int | None = None
    position: dict[str, Any] | None = None
    record: dict[str, Any] | None = None
    at: int | None = None
    together: bool = False
    advice: bool = False
    pause: float | None = None


@dataclass(frozen=True)
class Settings:
    """Settings of a match to change."""

    advice: bool | None = None
    pause: float | None = None


@dataclass(frozen=True)
class Decision:
    """A human player's action, and the revision of the position for which it was chosen."""

    action: int
    revision: int


@dataclass(frozen=True)
class SeatChange:
    """The new player of a seat."""

    seat: int
    player: str


@dataclass(frozen=True)
class Invitation:
    """The code of a link to a seat."""

    code: str


def read_body(model: type[Model], body: bytes) -> Model:
    """Read a body and check the types of its entries.

    Raises:
        Refusal: if an entry is missing, unknown, or of another type.
    """
    found = read_object(body)
    types = _types(model)
    for field in dataclasses.fields(model):  # type: ignore[arg-type]  # every model is a dataclass
        if field.default is dataclasses.MISSING and field.name not in found:
            raise Refusal(422, f"{field.name} is missing")
    for name, value in found.items():
        if name not in types:
            raise Refusal(422, f"unknown entry {in_short(name)}: expected {', '.join(types) or 'no entries'}")
        kind = types[name]
        allowed = (int, float) if kind is float else kind
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            raise Refusal(422, f"{name}: {in_short(value)} is not of type {kind.__name__}")
    return model(**found)


def given(model: Any, *without: str) -> dict[str, Any]:
    """Return the entries that a body contained, except those named in `without`."""
    entries = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
    return {name: value for name, value in entries.items() if value is not None and name not in without}


def _types(model: type) -> dict[str, type]:
    """Return the type of each entry, without None and without type parameters."""
    hints = get_type_hints(model)
    plain = {
        name: next((one for one in get_args(hint) if _is_in_union(hint, one)), hint) for name, hint in hints.items()
    }
    return {name: getattr(hint, "__origin__", hint) for name, hint in plain.items()}


def _is_in_union(hint: Any, one: Any) -> bool:
    """Return whether `hint` is an optional type and `one` its type other than None."""
    return NoneType in get_args(hint) and one is not NoneType
