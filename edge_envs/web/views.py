"""What a page may see of a sitting, as one seat or as the public: everything that is sent about it is made here.

A view names no seed, no random word and no outcome of chance; what a seat does not see is not in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs import CHANCE, State, record_of
from edge_envs.play.appraisal import Judge, values_and_visits
from edge_envs.play.sitting import Turn
from edge_envs.players.perfect import is_instant, is_solved
from edge_envs.web.guard import Refusal
from edge_envs.web.shelf import HUMAN
from edge_envs.web.tables import Table

MOST_LINES = 30
"""Of the log in a view; `log` has all."""


def view(table: Table, seat: int | None, theme: str) -> dict[str, Any]:
    """What a page shows for a seat, or with None for the public."""

    def see(state: State) -> dict[str, Any]:
        sitting, turn = table.sitting, table.sitting.turn
        decides = turn is Turn.PERSON and state.current_player() == seat
        length = len(state.history())
        return {
            "id": table.id,
            "revision": sitting.revision,
            "version": table.version,
            "game": state.game.name,
            "title": state.game.type.title,
            "params": state.game.params_dict(),
            "seat": seat,
            "seats": list(table.names),
            "turn": turn.value,
            "player": max(state.current_player(), CHANCE),
            "headline": _headline(table, state, turn, seat),
            "svg": state.svg(seat, theme=theme, clicks=decides),
            "text": str(state) if seat is None else state.observation_string(seat),
            **_choices(state, decides),
            "log": log(state, seat, max(0, length - MOST_LINES)),
            "transitions": length,
            "result": state.result() if turn is Turn.OVER else None,
            "returns": state.returns() if state.game.perfect_information or turn is Turn.OVER else None,
            "error": sitting.error,
            "curtain": sitting.is_between_persons and turn is not Turn.OVER,
            "can": _can(table, state, seat, decides),
            "settings": {"advice": table.gives_advice, "pause": table.pause},
            "advice": _advice(table, state, seat),
        }

    return table.sitting.look(see)


def _choices(state: State, decides: bool) -> dict[str, Any]:
    """The legal actions with their texts and ways, and the texts of keys that are buttons."""
    if not decides:
        return {"ways": [], "labels": {}}
    ways = state.ways()
    keys = dict.fromkeys(key for way in ways.values() for key in way)
    labels = {key: label for key in keys if (label := state.game.label(key)) is not None}
    return {
        "ways": [[action, state.action_to_string(action), list(ways[action])] for action in state.legal_actions()],
        "labels": labels,
    }


def log(state: State, seat: int | None, start: int = 0) -> list[list[Any]]:
    """List what has happened from a transition on, as a seat saw it: pairs of who acted (-1 is chance) and a string.

    The strings are those of `State.history_strings`, which name the player.
    """
    texts = state.history_strings(seat)[start:]
    return [[player, text] for (player, _), text in zip(state.history()[start:], texts, strict=True)]


def _headline(table: Table, state: State, turn: Turn, seat: int | None) -> str:
    """The line that says what to do now."""
    if turn is Turn.OVER:
        return _result(table, state, seat)
    if turn is Turn.HALTED:
        return f"{table.sitting.error}."
    if turn is Turn.CHANCE:
        return "Chance decides."
    player = state.current_player()
    if turn is Turn.AGENT:
        return f"{_name(table, player, seat)} is thinking."
    if player != seat:
        return f"{_name(table, player, seat)} is to decide."
    return f"Your turn: {state.task()}"


def _result(table: Table, state: State, seat: int | None) -> str:
    returns = state.returns()
    told = ", ".join(f"{_name(table, player, seat)} {value:+g}" for player, value in enumerate(returns))
    if seat is None:
        return f"The game is over: {told}. {state.result()}"
    own = returns[seat]
    outcome = "You win" if own > 0 else "You lose" if own < 0 else "It is a draw for you"
    return f"{outcome}: {told}. {state.result()}"


def _name(table: Table, player: int, seat: int | None) -> str:
    if player == seat:
        return "you"
    return f"player {player}" if table.names[player] == HUMAN else f"player {player} ({table.names[player]})"


def _can(table: Table, state: State, seat: int | None, decides: bool) -> dict[str, bool]:
    """Which further routes will do."""
    return {
        "judged": table.has_best_judge,
        "perfect": is_solved(state.game) and not is_instant(state.game),  # else perfect play is the best judge
        "takeback": seat is not None and table.sitting.can_take_back(seat),
        "keep": table.is_open,
        "hint": decides and table.has_best_judge,
        "worth": decides,
    }


def _advice(table: Table, state: State, seat: int | None) -> dict[str, Any] | None:
    """What was said of the seat's last decision, and of all together; None until that is judged."""
    notes = [] if seat is None else table.notes.get(seat, [])
    if not notes or not table.gives_advice:
        return None
    if any(player == seat for player, _ in state.history()[notes[-1].at + 1 :]):
        return None
    return {"text": notes[-1].text, "at": notes[-1].at, "sum": notes[-1].summed}


def worth(state: State, judge: Judge) -> dict[str, Any]:
    """What the legal actions are worth, the best first, and who says so; of a search also how many iterations each had.

    `iterations` are in the order of `values`, or None.
    """
    values, visits = values_and_visits(judge, state)
    ranked = sorted(state.legal_actions(), key=lambda action: (-np.nan_to_num(values[action], nan=-np.inf), action))
    return {
        "by": judge.name,
        "unit": judge.unit,
        "digits": judge.digits,
        "values": [[action, state.action_to_string(action), _number(values[action])] for action in ranked],
        "iterations": None if visits is None else [int(visits[action]) for action in ranked],
    }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def kept(table: Table, what: str) -> dict[str, Any]:
    """The position or the record to keep; Refusal while something is hidden from somebody.

    The record of a game that is not over has no seed: it would tell the chance to come.
    """

    def keep(state: State) -> dict[str, Any]:
        if what == "position":
            return state.to_dict()
        record = record_of(state)
        return record if state.is_terminal() else {**record, "seed": None}

    if not table.is_open:
        raise Refusal(403, f"the {what} would tell what is hidden; it can be kept when the game is over")
    return table.sitting.look(keep)
