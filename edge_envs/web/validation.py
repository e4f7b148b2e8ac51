"""Validate requests: entries of a body, numbers, themes, positions and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from edge_envs import State
from edge_envs.core.errors import in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.interactive.editor import POSITION
from edge_envs.pictures.colours import THEMES
from edge_envs.records import replay, start_of
from edge_envs.web.catalog import check_names_no_file, game_type, make_game
from edge_envs.web.guard import Limits, Refusal, read_object

Answer = dict[str, Any]


def read_body(body: bytes, required: Mapping[str, type], optional: Mapping[str, type]) -> Answer:
    """Read the entries of a body and check their types.

    Raises:
        Refusal: if an entry is missing, unknown, or of another type.
    """
    found = read_object(body)
    for name in required:
        if name not in found:
            raise Refusal(422, f"{name} is missing")
    kinds = {**required, **optional}
    for name, value in found.items():
        if name not in kinds:
            raise Refusal(422, f"unknown entry {in_short(name)}: expected {', '.join(kinds) or 'no entries'}")
        allowed = (int, float) if kinds[name] is float else kinds[name]
        if not isinstance(value, allowed) or (isinstance(value, bool) and kinds[name] is not bool):
            raise Refusal(422, f"{name}: {in_short(value)} is not of type {kinds[name].__name__}")
    return found


def number_of(request: Request, name: str, default: int, low: int, high: int) -> int:
    """Read an integer from the query."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) <= 12 and low <= int(text) <= high):
        raise Refusal(422, f"invalid {name}={in_short(text)}: expected {low} to {high}")
    return int(text)


def theme_of(name: str | None) -> str:
    """Check the name of a theme; None means the first one."""
    if name is not None and name not in THEMES:
        raise Refusal(422, f"unknown theme {in_short(name)} (choose from {', '.join(THEMES)})")
    return name or THEMES[0]


def check_record(record: Answer, limits: Limits) -> GameType:
    """Return the game of a record after checking that it does not name a file and is not too long."""
    kind = game_type(record.get("game"))
    check_names_no_file(kind, record.get("params"))
    if isinstance(position := record.get("position"), dict):
        check_names_no_file(kind, position.get("params"))
    history = record.get("history")
    if isinstance(history, list) and len(history) > limits.transitions:
        raise Refusal(422, f"history: more than {limits.transitions} transitions cannot be shown")
    return kind


def kind_of(body: Answer, limits: Limits) -> GameType:
    """Return the game of a requested match, which is given by `game`, `position` or `record`."""
    ways = [way for way in ("game", "position", "record") if way in body]
    if len(ways) != 1:
        raise Refusal(422, "give exactly one of game, position and record")
    if "params" in body and ways != ["game"]:
        raise Refusal(422, "params: only for game; a position and a record contain their parameters")
    if "at" in body and ways != ["record"]:
        raise Refusal(422, "at: only for record")
    if ways == ["record"]:
        return check_record(body["record"], limits)
    name, params = body.get("game"), body.get("params", {})
    if ways == ["position"]:
        name, params = body["position"].get("game"), body["position"].get("params")
    kind = game_type(name)
    check_names_no_file(kind, params)
    return kind


def state_of(kind: GameType, body: Answer) -> State:
    """Return the initial position of a match."""
    seed = body.get("seed")
    if "game" in body:
        return make_game(kind, body.get("params", {})).new_initial_state(seed)
    state = position_of(kind, body["position"]) if "position" in body else _recorded(body)
    if state.is_terminal():
        raise Refusal(422, "the game is over in this position")
    return state.game.state_from_dict(state.to_dict(), seed)


def position_of(kind: GameType, position: Answer) -> State:
    """Read a position.

    Raises:
        ValueError: if it is invalid.
    """
    return make_game(kind, position.get("params")).state_from_dict(position)


def _recorded(body: Answer) -> State:
    """Return the position of a record after `at` transitions, by default the last one."""
    record = body["record"]
    replay(record)
    state, at = start_of(record), body.get("at", len(record["history"]))
    if not 0 <= at <= len(record["history"]):
        raise Refusal(422, f"invalid at={in_short(at)}: expected 0 to {len(record['history'])}")
    for _, action in record["history"][:at]:
        state.apply_action(action)
    return state


def editable(kind: GameType) -> list[str]:
    """Return what can be edited by clicks: `position`, or parameters."""
    return [kind.editor.edits] if kind.editor is not None else []


def edit(kind: GameType, edits: str, body: Answer) -> Answer:
    """Apply a step of an editor. For a game without one, read and draw a position."""
    if kind.editor is not None and kind.editor.edits == edits:
        return kind.editor.answer(**body)
    if edits != POSITION:
        possible = dict.fromkeys([POSITION, *editable(kind)])
        raise Refusal(422, f"invalid edits={in_short(edits)}: expected {', '.join(possible)}")
    if "tool" in body:
        raise Refusal(422, f"tool: {kind.name} has no editor by clicks")
    params, document = body.get("params", {}), body.get("document")
    state = make_game(kind, params).new_initial_state(seed=0) if document is None else position_of(kind, document)
    return {
        "edits": POSITION,
        "document": state.to_dict(),
        "svg": state.svg(),
        "tools": [],
        "labels": {},
        "problems": [],
        "report": "",
    }
