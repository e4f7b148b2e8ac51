"""Environments display their pictures in notebooks."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import gymnasium
import pytest

import edge_envs
from edge_envs import Game

SINGLE, MANY = ("aec_env", "parallel_env", "seat_env"), ("vector_env", "seat_vector_env", "sb3_vec_env")


def made(function: str, game: Game, **arguments: Any) -> Any:
    return getattr(edge_envs, function)(game.name, **arguments, **game.params)


@pytest.mark.parametrize("function", SINGLE)
def test_notebook_shows_the_position(plain_game: Game, function: str) -> None:
    env = made(function, plain_game)
    assert env._repr_svg_() is None
    env.reset(seed=3)
    viewer = env.seat if function == "seat_env" else None
    assert env._repr_svg_() == env.game_state().svg(viewer)
    ElementTree.fromstring(env._repr_svg_())
    env.close()
    assert env._repr_svg_() is None


@pytest.mark.parametrize("function", MANY)
@pytest.mark.parametrize("lanes", [1, 6])
def test_notebook_shows_the_first_lanes(plain_game: Game, function: str, lanes: int) -> None:
    env = made(function, plain_game, num_envs=lanes)
    assert env._repr_html_() is None
    if function == "sb3_vec_env":
        env.seed(3)
        env.reset()
    else:
        env.reset(seed=3)
    page = env._repr_html_()
    root = ElementTree.fromstring(f"<body>{page}</body>")
    assert len([element for element in root.iter() if element.tag.endswith("}svg")]) == min(lanes, 4)
    assert ("4 of 6 games" in page) is (lanes == 6)
    env.close()
    assert env._repr_html_() is None


def test_picture_with_a_render_mode_describes_the_last_decision() -> None:
    pictures = []
    for mode in (None, "ansi"):
        env = edge_envs.aec_env("falling_off", render_mode=mode)
        env.reset(seed=0)
        for _ in range(2):  # keep the dice, and move a pawn
            before = env._repr_svg_()
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
            assert env._repr_svg_() != before
        pictures.append(env._repr_svg_())
    assert pictures[0] != pictures[1]


def test_wrapped_environments_show_text() -> None:
    """Gymnasium's wrappers do not pass private names on."""
    env = gymnasium.make("edge_envs/falling_off-v0")
    env.reset(seed=0)
    assert not hasattr(env, "_repr_svg_")
    assert env.unwrapped._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]  # Gymnasium's type is general
