"""What a request asks for, checked: entries of a body, numbers, themes, positions and records."""

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
from edge_envs.web.guard import Limits, Refusal, read_object
from edge_envs.web.shelf import check_names_no_file, game_type, make_game

Answer = dict[str, Any]


def read_body(body: bytes, required: Mapping[str, type], optional: Mapping[str, type]) -> Answer:
    """The entries of a body, of their types; Refusal names what is missing, unknown or of another type."""
    found = read_object(body)
    for name in required:
        if name not in found:
            raise Refusal(422, f"{name} is missing")
    kinds = {**required, **optional}
    for name, value in found.items():
        if name not in kinds:
            raise Refusal(422, f"{in_short(name)} is unknown; possible are {', '.join(kinds) or 'no entries'}")
        allowed = (int, float) if kinds[name] is float else kinds[name]
        if not isinstance(value, allowed) or (isinstance(value, bool) and kinds[name] is not bool):
            raise Refusal(422, f"{name}: {in_short(value)} is no {kinds[name].__name__}")
    return found


def number_of(request: Request, name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) <= 12 and low <= int(text) <= high):
        raise Refusal(422, f"{name}: {in_short(text)} is not possible; possible are {low} to {high}")
    return int(text)


def theme_of(name: str | None) -> str:
    """A theme by its name, the first one by default."""
    if name is not None and name not in THEMES:
        raise Refusal(422, f"theme: there is no {in_short(name)}; possible are {' and '.join(THEMES)}")
    return name or THEMES[0]


def check_record(record: Answer, limits: Limits) -> GameType:
    """The game of a record that names no file and is not too long."""
    kind = game_type(record.get("game"))
    check_names_no_file(kind, record.get("params"))
    if isinstance(position := record.get("position"), dict):
        check_names_no_file(kind, position.get("params"))
    history = record.get("history")
    if isinstance(history, list) and len(history) > limits.transitions:
        raise Refusal(422, f"history: more than {limits.transitions} transitions are not shown")
    return kind


def kind_of(wanted: Answer, limits: Limits) -> GameType:
    """The game of a sitting that is asked for, in one of three ways."""
    ways = [way for way in ("game", "position", "record") if way in wanted]
    if len(ways) != 1:
        raise Refusal(422, "name one of game, position and record")
    if "params" in wanted and ways != ["game"]:
        raise Refusal(422, "params: a position and a record have their own")
    if "at" in wanted and ways != ["record"]:
        raise Refusal(422, "at: this is for records alone")
    if ways == ["record"]:
        return check_record(wanted["record"], limits)
    name, params = wanted.get("game"), wanted.get("params", {})
    if ways == ["position"]:
        name, params = wanted["position"].get("game"), wanted["position"].get("params")
    kind = game_type(name)
    check_names_no_file(kind, params)
    return kind


def state_of(kind: GameType, wanted: Answer) -> State:
    """The position that a sitting begins with."""
    seed = wanted.get("seed")
    if "game" in wanted:
        return make_game(kind, wanted.get("params", {})).new_initial_state(seed)
    state = position_of(kind, wanted["position"]) if "position" in wanted else _recorded(wanted)
    if state.is_terminal():
        raise Refusal(422, "the game is over in this position")
    return state.game.state_from_dict(state.to_dict(), seed)


def position_of(kind: GameType, position: Answer) -> State:
    """A position that is written out; ValueError says what is wrong with it."""
    return make_game(kind, position.get("params")).state_from_dict(position)


def _recorded(wanted: Answer) -> State:
    """A position of a record: after `at` transitions, by default the last."""
    record = wanted["record"]
    replay(record)
    state, at = start_of(record), wanted.get("at", len(record["history"]))
    if not 0 <= at <= len(record["history"]):
        raise Refusal(422, f"at: {in_short(at)} is not possible; possible are 0 to {len(record['history'])}")
    for _, action in record["history"][:at]:
        state.apply_action(action)
    return state


def edited(kind: GameType) -> list[str]:
    """What can be edited by clicks: `position`, or parameters."""
    return [kind.editor.edits] if kind.editor is not None else []


def edit(kind: GameType, edits: str, wanted: Answer) -> Answer:
    """A step of an editor; positions of a game without one are written, and drawn."""
    if kind.editor is not None and kind.editor.edits == edits:
        return kind.editor.answer(**wanted)
    if edits != POSITION:
        possible = dict.fromkeys([POSITION, *edited(kind)])
        raise Refusal(422, f"edits: {in_short(edits)} cannot be edited; possible are {', '.join(possible)}")
    if "tool" in wanted:
        raise Refusal(422, f"tool: {kind.name} has no editor by clicks")
    params, document = wanted.get("params", {}), wanted.get("document")
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
