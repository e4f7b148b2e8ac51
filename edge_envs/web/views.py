"""Views of a match for one seat or the public. Everything that is sent about a match is made here.

A view contains no seed, no generator state and no chance outcome that is not visible, and nothing that is hidden from
its seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs import CHANCE, State, record_of
from edge_envs.play.analysis import best_win_probability
from edge_envs.play.appraisal import WINNING, Adviser, Judge, values_and_visits
from edge_envs.play.match import Turn
from edge_envs.players.perfect import is_instant, is_solved
from edge_envs.web.catalog import HUMAN
from edge_envs.web.guard import Refusal
from edge_envs.web.sessions import Session
from edge_envs.web.titles import title_of

MOST_LINES = 30
"""The number of log lines in a view; `log` returns all."""


def view(session: Session, seat: int | None, theme: str) -> dict[str, Any]:
    """Return what a page shows for a seat, or with None for the public."""

    def describe(state: State) -> dict[str, Any]:
        match, turn = session.match, session.match.turn
        decides = turn is Turn.HUMAN and state.current_player() == seat
        length = len(state.history())
        return {
            "id": session.id,
            "revision": match.revision,
            "version": session.version,
            "game": state.game.name,
            "title": state.game.type.title,
            "params": state.game.params_dict(),
            "seat": seat,
            "seats": list(session.names),
            "titles": [title_of(name) for name in session.names],
            "turn": turn.value,
            "player": max(state.current_player(), CHANCE),
            "headline": _headline(session, state, turn, seat),
            "svg": state.svg(seat, theme=theme, clicks=decides, turn=True),
            "text": str(state) if seat is None else state.observation_string(seat),
            **(choices(state) if decides else {"ways": [], "labels": {}}),
            "log": log(state, seat, max(0, length - MOST_LINES)),
            "transitions": length,
            "outcome": _outcome(state, seat) if turn is Turn.OVER else None,
            "result": state.result() if turn is Turn.OVER else None,
            "scores": state.scores() if turn is Turn.OVER else {},
            "events": [] if turn is Turn.OVER else state.latest_events(seat),
            "invited": sorted(session.invitations),
            "waiting": round(session.waiting, 1),
            "rematch": session.rematch,
            "returns": state.returns() if state.game.perfect_information or turn is Turn.OVER else None,
            "error": match.error,
            "curtain": match.needs_curtain and turn is not Turn.OVER,
            "can": _available(session, state, seat, decides),
            "settings": {"advice": session.gives_advice, "pause": session.pause},
            "advice": _advice(session, state, seat),
        }

    return session.match.look(describe)


def choices(state: State) -> dict[str, Any]:
    """Return the legal actions with their strings and clicks, and the labels of keys that are buttons."""
    ways = state.ways()
    keys = dict.fromkeys(key for way in ways.values() for key in way)
    labels = {key: label for key in keys if (label := state.game.label(key)) is not None}
    return {
        "ways": [[action, state.action_to_string(action), list(ways[action])] for action in state.legal_actions()],
        "labels": labels,
    }


def log(state: State, seat: int | None, start: int = 0) -> list[list[Any]]:
    """Return the transitions from `start` on, as a seat saw them: pairs of the player (-1 is chance) and a string.

    The strings are those of `State.history_strings`, which name the player.
    """
    texts = state.history_strings(seat)[start:]
    return [[player, text] for (player, _), text in zip(state.history()[start:], texts, strict=True)]


def _headline(session: Session, state: State, turn: Turn, seat: int | None) -> str:
    """Return the line that states the current task."""
    if turn is Turn.OVER:
        return _result(session, state, seat)
    if turn is Turn.HALTED:
        return f"{session.match.error}."
    if turn is Turn.CHANCE:
        return "Chance decides."
    player = state.current_player()
    if turn is Turn.AGENT:
        return f"{_name(session, player, seat)} is thinking."
    if player != seat:
        return f"Waiting for {_name(session, player, seat)}."
    task = state.task()
    return f"Your turn. {task[0].upper()}{task[1:]}"


def _result(session: Session, state: State, seat: int | None) -> str:
    scores = ", ".join(f"{_name(session, player, seat)} {value:+zg}" for player, value in enumerate(state.returns()))
    return f"{_outcome(state, seat)}: {scores}. {state.result()}"


def _outcome(state: State, seat: int | None) -> str:
    if seat is None:
        return "The game is over"
    own = state.returns()[seat]
    return "You win" if own > 0 else "You lose" if own < 0 else "It is a draw for you"


def _name(session: Session, player: int, seat: int | None) -> str:
    if player == seat:
        return "you"
    name = session.names[player]
    return f"player {player}" if name == HUMAN else f"player {player} ({title_of(name)})"


def _available(session: Session, state: State, seat: int | None, decides: bool) -> dict[str, bool]:
    """Return which further routes are available."""
    return {
        "judged": session.judging.has_best_judge,
        "perfect": is_solved(state.game) and not is_instant(state.game),  # else perfect play is the best judge
        "takeback": seat is not None and session.match.can_take_back(seat),
        "keep": session.is_open,
        "hint": decides and session.judging.has_best_judge,
        "worth": decides,
    }


def _advice(session: Session, state: State, seat: int | None) -> dict[str, Any] | None:
    """Return the advice about the seat's last decision, and about all of them; None until it is judged."""
    notes = [] if seat is None else session.judging.notes.get(seat, [])
    if not notes or not session.gives_advice:
        return None
    if any(player == seat for player, _ in state.history()[notes[-1].at + 1 :]):
        return None
    return {"text": notes[-1].text, "at": notes[-1].at, "sum": notes[-1].summed}


def hint(state: State, judge: Judge) -> dict[str, Any]:
    """Return the judge's hint, and its choice, or None without one."""
    text, action = Adviser(judge).hint_and_choice(state)
    return {"text": text, "action": action}


def evaluation(state: State, judge: Judge) -> dict[str, Any]:
    """Return the win probability of the player to act, or None if the judge does not know it."""
    return {"probability": best_win_probability(judge, state), "by": judge.name}


def values_of_actions(state: State, judge: Judge) -> dict[str, Any]:
    """Return the judge's values of the legal actions, the best first.

    For a search, `iterations` has the number of iterations of each action in the order of `values`, else None.
    """
    values, visits = values_and_visits(judge, state)
    ranked = sorted(state.legal_actions(), key=lambda action: (-np.nan_to_num(values[action], nan=-np.inf), action))
    return {
        "by": judge.name,
        "unit": judge.unit,
        "digits": judge.digits,
        "percent": judge.unit == WINNING,
        "values": [[action, state.action_to_string(action), _number(values[action])] for action in ranked],
        "iterations": None if visits is None else [int(visits[action]) for action in ranked],
    }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def saved_document(session: Session, what: str) -> dict[str, Any]:
    """Return the position or the record to save.

    The record of an unfinished game has no seed, which would reveal future chance outcomes.

    Raises:
        Refusal: while something is hidden from a player.
    """

    def document(state: State) -> dict[str, Any]:
        if what == "position":
            return state.to_dict()
        record = record_of(state)
        return record if state.is_terminal() else {**record, "seed": None}

    if not session.is_open:
        raise Refusal(403, f"the {what} contains hidden information; it can be saved when the game is over")
    return session.match.look(document)
