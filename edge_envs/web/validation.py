"""Validate what requests contain: numbers, themes, positions and records."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from edge_envs import State
from edge_envs.core.errors import in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.interactive.editor import POSITION
from edge_envs.pictures.colours import THEMES
from edge_envs.records import replay, start_of
from edge_envs.web.catalog import check_names_no_file, game_type, make_game
from edge_envs.web.guard import Limits, Refusal
from edge_envs.web.models import EditorStep, NewMatch, given
from edge_envs.web.responses import Answer


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


def kind_of(wanted: NewMatch, limits: Limits) -> GameType:
    """Return the game of a requested match, which is given by `game`, `position` or `record`."""
    ways = [way for way in ("game", "position", "record") if getattr(wanted, way) is not None]
    if len(ways) != 1:
        raise Refusal(422, "give exactly one of game, position and record")
    if wanted.params is not None and wanted.game is None:
        raise Refusal(422, "params: only for game; a position and a record contain their parameters")
    if wanted.at is not None and wanted.record is None:
        raise Refusal(422, "at: only for record")
    if wanted.record is not None:
        return check_record(wanted.record, limits)
    name: Any = wanted.game
    params: Any = wanted.params or {}
    if wanted.position is not None:
        name, params = wanted.position.get("game"), wanted.position.get("params")
    kind = game_type(name)
    check_names_no_file(kind, params)
    return kind


def state_of(kind: GameType, wanted: NewMatch, seed: int) -> State:
    """Return the initial position of a match."""
    if wanted.game is not None:
        return make_game(kind, wanted.params or {}).new_initial_state(seed)
    state = _recorded(wanted) if wanted.position is None else position_of(kind, wanted.position)
    if state.is_terminal():
        raise Refusal(422, "the game is over in this position")
    return state.game.state_from_dict(state.to_dict(), seed)


def position_of(kind: GameType, position: Answer) -> State:
    """Read a position.

    Raises:
        ValueError: if it is invalid.
    """
    return make_game(kind, position.get("params")).state_from_dict(position)


def _recorded(wanted: NewMatch) -> State:
    """Return the position of a record after `at` transitions, by default the last one."""
    record = wanted.record
    assert record is not None  # `kind_of` has checked it
    replay(record)
    length = len(record["history"])
    state, at = start_of(record), length if wanted.at is None else wanted.at
    if not 0 <= at <= length:
        raise Refusal(422, f"invalid at={in_short(at)}: expected 0 to {length}")
    for _, action in record["history"][:at]:
        state.apply_action(action)
    return state


def editable(kind: GameType) -> list[str]:
    """Return what can be edited by clicks: `position`, or parameters."""
    return [kind.editor.edits] if kind.editor is not None else []


def edit(kind: GameType, step: EditorStep) -> Answer:
    """Apply a step of an editor. For a game without one, read and draw a position."""
    if kind.editor is not None and kind.editor.edits == step.edits:
        return kind.editor.answer(**given(step, "game", "edits"))
    if step.edits != POSITION:
        possible = dict.fromkeys([POSITION, *editable(kind)])
        raise Refusal(422, f"invalid edits={in_short(step.edits)}: expected {', '.join(possible)}")
    if step.tool is not None:
        raise Refusal(422, f"tool: {kind.name} has no editor by clicks")
    if step.document is None:
        state = make_game(kind, step.params or {}).new_initial_state(seed=0)
    else:
        state = position_of(kind, step.document)
    return {
        "edits": POSITION,
        "document": state.to_dict(),
        "svg": state.svg(),
        "tools": [],
        "labels": {},
        "problems": [],
        "report": "",
    }
