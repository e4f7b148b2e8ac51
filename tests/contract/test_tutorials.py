"""Tutorials: they can be played, describe the clicks correctly, cover all decisions, and end with a win."""

from __future__ import annotations

import re

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, GameType
from edge_envs.core.interactive.tutorials import Scene, Tutorial, played, scenes
from edge_envs.pictures import colours
from tests.contract.play import decisions
from tests.contract.test_pictures import elements, keys_drawn

MOST_STEPS, LONGEST_TITLE, LONGEST_TEXT = 16, 40, 350

TAUGHT = [game_type for game_type in edge_envs.GAMES.values() if game_type.has_module("tutorial")]

each_game = pytest.mark.parametrize("game_type", TAUGHT, ids=lambda game_type: game_type.name)


def tutorial_of(game_type: GameType) -> Tutorial:
    assert game_type.tutorial is not None
    return game_type.tutorial


def places(scene: Scene) -> set[str]:
    """Return the keys of an action's way that have a place in the picture."""
    return set(scene.way) - set(scene.labels)


@each_game
def test_tutorial_has_a_limited_number_of_steps(game_type: GameType) -> None:
    assert 1 < len(tutorial_of(game_type).steps) <= MOST_STEPS


@each_game
def test_titles_and_texts_have_a_limited_length(game_type: GameType) -> None:
    for step in tutorial_of(game_type).steps:
        assert 0 < len(step.title) <= LONGEST_TITLE
        assert 0 < len(step.text) <= LONGEST_TEXT
        assert step.text[-1] in ".!?"
        for text in (step.title, step.text):
            assert text == " ".join(text.split())


@each_game
def test_scenes_match_the_steps_of_the_tutorial(game_type: GameType) -> None:
    steps = tutorial_of(game_type).steps
    shown = scenes(game_type)
    assert [(s.title, s.text, s.action) for s in shown] == [(s.title, s.text, s.action) for s in steps]


@each_game
def test_user_decides_only_for_the_own_seat(game_type: GameType) -> None:
    seat, action = tutorial_of(game_type).seat, ""
    for (step, state), scene in zip(played(game_type), scenes(game_type), strict=True):
        assert not step.action or state.current_player() == seat
        own = [text.partition(": ")[2].partition(". ")[0] for player, text in scene.log if player == seat]
        assert own == [action] * bool(action and step.position is None)
        action = step.action


@each_game
def test_log_contains_the_history_of_the_users_seat(game_type: GameType) -> None:
    seat = tutorial_of(game_type).seat
    for (step, state), scene in zip(played(game_type), scenes(game_type), strict=True):
        assert len(scene.log) >= len(step.before)
        seen = state.history_strings(seat)
        assert [text for _, text in scene.log] == seen[len(seen) - len(scene.log) :]


@each_game
def test_ways_of_actions_can_be_clicked(game_type: GameType) -> None:
    for (step, state), scene in zip(played(game_type), scenes(game_type), strict=True):
        way = state.game.ways(state._record)[state.string_to_action(step.action)] if step.action else ()
        assert scene.way == way
        assert scene.labels == {key: label for key in way if (label := state.game.label(key)) is not None}
        assert keys_drawn(scene.svg) == places(scene)


@each_game
def test_text_names_the_buttons_to_press(game_type: GameType) -> None:
    for scene in scenes(game_type):
        for label in scene.labels.values():
            assert label.partition(":")[0] in scene.text


@each_game
def test_marks_match_clickable_places_and_the_text(game_type: GameType) -> None:
    seat = tutorial_of(game_type).seat
    for (step, state), scene in zip(played(game_type), scenes(game_type), strict=True):
        assert set(scene.marks) == places(scene) | set(step.marks)
        draw, record = state.game.svg, state._record
        assert all(draw(record, seat, marked=[key]) != draw(record, seat) for key in scene.marks)
        assert sum(attributes.get("stroke") == colours.MARK.light for _, attributes in elements(scene.svg)) >= len(
            scene.marks
        )


@each_game
def test_pictures_show_the_view_of_the_users_seat(game_type: GameType) -> None:
    rng, seat = np.random.default_rng(0), tutorial_of(game_type).seat
    for (_, state), scene in zip(played(game_type), scenes(game_type), strict=True):
        last = state._touched(seat)
        for same in (state, *([] if state.game.perfect_information else [state.resample(seat, rng)])):
            caption = " ".join(state.latest_events(seat))
            svg = state.game.svg(same._record, seat, keys=places(scene), last=last, marked=scene.marks, caption=caption)
            assert svg == scene.svg


@each_game
def test_user_wins_at_the_end(game_type: GameType) -> None:
    (*_, (step, state)) = played(game_type)
    returns = state.returns()
    own = returns.pop(tutorial_of(game_type).seat)
    assert state.is_terminal()
    assert not step.action
    assert own > max(returns)


@each_game
def test_tutorial_covers_every_kind_of_decision(game_type: GameType) -> None:
    """The kind of a decision is the first word of its action string, unless the word contains a digit."""
    tutorial = tutorial_of(game_type)
    text = " ".join(f"{step.text.lower()} {step.action}" for step in tutorial.steps)
    words = {
        state.action_to_string(action).split()[0]
        for state in decisions(Game(game_type, tutorial.params))
        for action in state.legal_actions()
    }
    kinds = {word for word in words if word.isalpha()}
    assert {kind for kind in kinds if not re.search(rf"\b{kind}\b", text)} == set()


@each_game
def test_tutorial_supports_both_themes_and_outlines(game_type: GameType) -> None:
    light, dark = (scenes(game_type, theme=theme) for theme in colours.THEMES)
    assert all(one.svg != other.svg for one, other in zip(light, dark, strict=True))
    tags = {tag for scene in scenes(game_type, outlines=True) for tag, _ in elements(scene.svg)}
    assert "text" not in tags
    with pytest.raises(ValueError, match="unknown theme 'blue'"):
        scenes(game_type, theme="blue")


def test_game_without_tutorial_is_rejected() -> None:
    bare = GameType(
        "edge_envs.core", version=0, title="Bare", parameters=(), perfect_information=True, summary="has no rules"
    )
    assert bare.tutorial is None
    with pytest.raises(ValueError, match="core does not have a tutorial"):
        scenes(bare)
