"""Tutorials: scripted games that teach a game to somebody who has never seen it.

The module `tutorial` of a game defines `TUTORIAL`. Its steps have a text and, where the learner is to do something, the
one action to make. `scenes` plays it, and draws each step as the learner sees it.
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
    """What the learner reads at one point of the game, and does then.

    | field | meaning |
    |---|---|
    | `title` | a few words |
    | `text` | what there is to know, a few sentences |
    | `action` | the text of the decision that the learner makes then; "" where there is only something to read |
    | `position` | what is set up before the step, a position without `game` and `params`; None if the game goes on |
    | `before` | the texts of what happens after that, before the step is shown: chance, and decisions of others |
    | `marks` | keys of places in the picture that the text is about; they get rings, as those of the action do |
    """

    title: str
    text: str
    action: str = ""
    position: Mapping[str, Any] | None = None
    before: Sequence[str] = ()
    marks: Sequence[str] = ()


@dataclass(frozen=True)
class Tutorial:
    """The parameters of the game, the steps, and the seat of the learner. It begins as a new game."""

    params: Mapping[str, Any]
    steps: Sequence[Step]
    seat: int = 0


@dataclass(frozen=True)
class Scene:
    """A step as it is shown.

    | field | meaning |
    |---|---|
    | `title`, `text`, `action` | those of the step |
    | `svg` | the position as the learner sees it, with places for the clicks of the action |
    | `way` | the keys that are clicked for the action, in order, see `Game.ways`; () without an action |
    | `labels` | the texts of those of them that are buttons, and have no place in the picture |
    | `marks` | the keys of all places that have a ring because of the action, or because the text is about them |
    | `log` | what has happened since the step before: who, `CHANCE` for nature, and the text as the learner saw it |
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
    """Play a tutorial: each step with the state in which it is shown, which goes on when the next one is asked for.

    ValueError if the game has no tutorial.
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
    """The steps of a tutorial as they are shown; `theme` and `outlines` as in `State.svg`.

    ValueError if the game has no tutorial, or if there is no such theme.
    """
    seat = _tutorial_of(game_type).seat
    shown, before, told = list[Scene](), None, 0
    for step, state in played(game_type):
        if state is not before:
            before, told = state, 0
        log = _log(state, seat)
        shown.append(_scene(step, state, seat, log[told:], theme, outlines))
        told = len(log)
    return shown


def _tutorial_of(game_type: GameType) -> Tutorial:
    if game_type.tutorial is None:
        raise ValueError(f"{game_type.name} has no tutorial")
    return game_type.tutorial


def _log(state: State, seat: int) -> list[tuple[int, str]]:
    """Who has acted in a state, and how a seat saw it."""
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
