"""Tutorials: scripted games that teach a game to beginners.

The module `tutorial` of a game defines `TUTORIAL`. Each step has an explanation and, if the learner has to act, one
action. `scenes` plays the tutorial and draws each step as the learner sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.state import State


@dataclass(frozen=True)
class Step:
    """One step: what the learner reads, and the action that follows.

    | field | meaning |
    |---|---|
    | `title` | a few words |
    | `text` | the explanation, a few sentences |
    | `action` | the string of the learner's decision; "" if there is only something to read |
    | `position` | the position to set up before the step, without `game` and `params`; None to continue the game |
    | `before` | the strings of the transitions before the step is shown: chance, and decisions of other players |
    | `marks` | keys of places that the text refers to; they get rings, like the places of the action |
    """

    title: str
    text: str
    action: str = ""
    position: Mapping[str, Any] | None = None
    before: Sequence[str] = ()
    marks: Sequence[str] = ()


@dataclass(frozen=True)
class Tutorial:
    """The parameters of the game, the steps, and the seat of the learner. It starts with a new game."""

    params: Mapping[str, Any]
    steps: Sequence[Step]
    seat: int = 0


@dataclass(frozen=True)
class Scene:
    """A step, drawn.

    | field | meaning |
    |---|---|
    | `title`, `text`, `action` | as in the step |
    | `svg` | the position as the learner sees it, with clickable places for the action |
    | `way` | the click path of the action, see `Game.ways`; () without an action |
    | `labels` | the texts of its buttons: keys without a place in the picture |
    | `marks` | the keys of all places with a ring, for the action or the text |
    | `log` | the transitions since the previous step: the player or `CHANCE`, and the string as the learner saw it |
    """

    title: str
    text: str
    action: str
    svg: str
    way: tuple[str, ...]
    labels: Mapping[str, str]
    marks: tuple[str, ...]
    log: tuple[tuple[int, str], ...]


def played(game_type: GameType) -> Iterator[tuple[Step, State]]:
    """Play a tutorial.

    Yields:
        Each step with the state in which it is shown. The state changes when the next step is requested.

    Raises:
        ValueError: if the game does not have a tutorial.
    """
    tutorial = _tutorial_of(game_type)
    game = Game(game_type, tutorial.params)
    state = game.new_initial_state(seed=0)
    for step in tutorial.steps:
        if step.position is not None:
            position = {"game": game.name, "params": game.params_dict(), **step.position}
            state = game.state_from_dict(position, seed=0)
        for text in step.before:
            state.apply_action(state.string_to_action(text))
        yield step, state
        if step.action:
            state.apply_action(state.string_to_action(step.action))


def scenes(game_type: GameType, *, theme: str = "light", outlines: bool = False) -> list[Scene]:
    """Draw all steps of a tutorial.

    Args:
        game_type: The game.
        theme: As in `State.svg`.
        outlines: As in `State.svg`.

    Raises:
        ValueError: if the game does not have a tutorial, or the theme is unknown.
    """
    seat = _tutorial_of(game_type).seat
    shown, before, logged = list[Scene](), None, 0
    for step, state in played(game_type):
        if state is not before:
            before, logged = state, 0
        log = _log(state, seat)
        shown.append(_scene(step, state, seat, log[logged:], theme, outlines))
        logged = len(log)
    return shown


def _tutorial_of(game_type: GameType) -> Tutorial:
    if game_type.tutorial is None:
        raise ValueError(f"{game_type.name} does not have a tutorial")
    return game_type.tutorial


def _log(state: State, seat: int) -> list[tuple[int, str]]:
    """Return the transitions of a state: the player, and the string as a seat saw it."""
    texts = state.history_strings(seat)
    return [(player, text) for (player, _), text in zip(state.history(), texts, strict=True)]


def _scene(step: Step, state: State, seat: int, log: Sequence[tuple[int, str]], theme: str, outlines: bool) -> Scene:
    game, record = state.game, state._record
    way = game.ways(record)[state.string_to_action(step.action)] if step.action else ()
    labels = {key: label for key in way if (label := game.label(key)) is not None}
    places = [key for key in way if key not in labels]
    marks = tuple(dict.fromkeys([*places, *step.marks]))
    last = state._touched(seat)
    caption = " ".join(state.latest_events(seat))
    svg = game.svg(record, seat, keys=places, last=last, marked=marks, caption=caption, theme=theme, outlines=outlines)
    return Scene(step.title, step.text, step.action, svg, way, labels, marks, tuple(log))
