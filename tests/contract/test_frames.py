"""Pixel frames: `render_mode="rgb_array"`, and the window of `"human"`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import edge_envs
from edge_envs import Game, MissingExtraError
from edge_envs.envs.frames import RENDER_FPS, frame
from tests.contract.play import middle, walk

ROUNDING = 3
"""Tolerance of colours (0 to 255) where shapes overlap."""
MAKERS = ("aec_env", "seat_env", "seat_vector_env", "sb3_vec_env")


def make(name: str, game: Game, **options: Any) -> Any:
    return getattr(edge_envs, name)(game.name, **options, **game.params)


def check_frame(picture: Any, game: Game) -> None:
    width, height = game.type.module("picture").size(game.params)
    assert isinstance(picture, np.ndarray)
    assert picture.shape == (height, width, 3)
    assert picture.dtype == np.uint8
    assert picture.flags.c_contiguous
    assert picture.std() > 10


def test_frame_has_the_size_of_the_picture(game: Game) -> None:
    check_frame(frame(middle(game).svg(outlines=True)), game)


def test_frame_has_the_colours_of_the_picture() -> None:
    red, blue = '<rect width="4" height="2" fill="#ff0000"/>', '<rect x="2" width="2" height="2" fill="#0000ff"/>'
    pixels = frame(f'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2">{red}{blue}</svg>')
    assert pixels.tolist() == [[[255, 0, 0]] * 2 + [[0, 0, 255]] * 2] * 2


def test_frame_width_is_configurable(plain_game: Game) -> None:
    width, height = plain_game.type.module("picture").size(plain_game.params)
    assert frame(middle(plain_game).svg(outlines=True), 300).shape == (round(300 * height / width), 300, 3)


def test_aec_env_draws_the_public_view_with_the_last_move(plain_game: Game) -> None:
    env = make("aec_env", plain_game, render_mode="rgb_array")
    assert env.metadata["render_fps"] == RENDER_FPS
    env.reset(seed=1)
    first = env.render()
    check_frame(first, plain_game)
    assert (first == frame(env.game_state().svg(outlines=True))).all()
    before = env.game_state()
    action = int(env.observe(env.agent_selection)["action_mask"].argmax())
    env.step(action)
    last = plain_game.ways(before._record)[action]
    while before.is_chance_node() or not before.history():
        before.apply_action(before.sample_chance() if before.is_chance_node() else action)
    caption = " ".join(before.latest_events())
    expected = plain_game.svg(env.game_state()._record, last=last, caption=caption, outlines=True)
    assert (env.render() == frame(expected)).all()
    env.reset(seed=1)
    assert (env.render() == first).all()


def test_seat_env_draws_the_view_of_its_learner(plain_game: Game) -> None:
    env = make("seat_env", plain_game, render_mode="rgb_array")
    env.reset(seed=1)
    check_frame(env.render(), plain_game)
    assert (env.render() == frame(env.game_state().svg(env.seat, outlines=True))).all()
    while not env.step(int(env.action_masks().argmax()))[2]:
        pass
    check_frame(env.render(), plain_game)


@pytest.mark.parametrize("name", ["seat_vector_env", "sb3_vec_env"])
def test_vector_env_draws_every_lane(plain_game: Game, name: str) -> None:
    env = make(name, plain_game, num_envs=3, render_mode="rgb_array")
    env.seed(5) if name == "sb3_vec_env" else None
    env.reset()
    pictures = env.get_images() if name == "sb3_vec_env" else env.render()
    assert len(pictures) == 3
    for lane, picture in enumerate(pictures):
        state, learner = env.lanes.state(lane), int(env.lanes.learner[lane])
        assert (picture == frame(state.svg(learner, outlines=True))).all()


def test_sb3_joins_the_frames_of_all_lanes(plain_game: Game) -> None:
    env = make("sb3_vec_env", plain_game, num_envs=4, render_mode="rgb_array")
    env.reset()
    height, width, _ = env.get_images()[0].shape
    assert env.render().shape == (2 * height, 2 * width, 3)


def test_window_opens_automatically(plain_game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_envs.envs.frames.RENDER_FPS", 1000)
    for name in ("aec_env", "seat_env"):
        env = make(name, plain_game, render_mode="human")
        env.reset(seed=0)
        window = env._renderer._window
        assert window._window is not None
        mask = env.observe(env.agent_selection)["action_mask"] if name == "aec_env" else env.action_masks()
        env.step(int(mask.argmax()))
        assert env.render() is None
        shown = window._pygame.surfarray.array3d(window._window.get_surface()).swapaxes(0, 1)
        check_frame(np.ascontiguousarray(shown), plain_game)
        env.close()
        assert window._window is None


def test_closing_the_window_stops_drawing_but_not_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_envs.envs.frames.RENDER_FPS", 1000)
    env = edge_envs.seat_env("tic_tac_toe", render_mode="human")
    env.reset(seed=0)
    window = env._renderer._window
    assert window is not None
    pygame = window._pygame
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))
    while not env.step(int(env.action_masks().argmax()))[2]:
        pass
    assert window._window is None
    env.reset()
    env.close()


def test_error_without_a_display_suggests_alternatives(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    def no_display() -> None:
        raise pygame.error("No available video device")

    monkeypatch.setattr(pygame.display, "init", no_display)
    env = edge_envs.aec_env("tic_tac_toe", render_mode="human")
    with pytest.raises(RuntimeError, match=r"No available video device.*rgb_array.*SDL_VIDEODRIVER=dummy"):
        env.reset(seed=0)


@pytest.mark.parametrize("mode", ["rgb_array", "human"])
@pytest.mark.parametrize("name", ["aec_env", "seat_env"])
def test_error_without_the_extra_names_it(name: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    for kind in (MissingExtraError, gymnasium.error.DependencyNotInstalled):
        with pytest.raises(kind, match=r'pygame-ce, which is not installed: pip install "edge-envs\[render\]"'):
            getattr(edge_envs, name)("tic_tac_toe", render_mode=mode)


def test_gymnasium_human_rendering_wrapper_shows_frames(plain_game: Game) -> None:
    env: Any = gymnasium.wrappers.HumanRendering(make("seat_env", plain_game, render_mode="rgb_array"))
    env.reset(seed=0)
    env.step(int(env.unwrapped.action_masks().argmax()))
    env.close()


def test_gymnasium_render_collection_wrapper_collects_frames(plain_game: Game) -> None:
    env: Any = gymnasium.wrappers.RenderCollection(make("seat_env", plain_game, render_mode="rgb_array"))
    env.reset(seed=0)
    env.step(int(env.unwrapped.action_masks().argmax()))
    frames = env.render()
    assert len(frames) == 2
    assert (frames[0] != frames[1]).any()


def frames_of(film: Path) -> tuple[int, tuple[int, int]]:
    """Return the number of frames of a video and their size."""
    from moviepy import VideoFileClip

    with VideoFileClip(str(film)) as clip:
        return round(clip.duration * clip.fps), tuple(clip.size)


def test_gymnasium_record_video_wrapper_records_an_episode(plain_game: Game, tmp_path: Path) -> None:
    inner = make("seat_env", plain_game, render_mode="rgb_array")
    env: Any = gymnasium.wrappers.RecordVideo(inner, str(tmp_path / "videos"), disable_logger=True)
    env.reset(seed=0)
    steps = 0
    while steps < 6:
        steps += 1
        if env.step(int(env.unwrapped.action_masks().argmax()))[2]:
            break
    env.close()
    (film,) = tmp_path.glob("videos/*.mp4")
    count, size = frames_of(film)
    assert count == steps + 1
    assert size == inner.game.type.module("picture").size(inner.game.params)


def test_sb3_vec_video_recorder_records_all_lanes(plain_game: Game, tmp_path: Path) -> None:
    from stable_baselines3.common.vec_env import VecVideoRecorder

    inner = make("sb3_vec_env", plain_game, num_envs=2, render_mode="rgb_array")
    env = VecVideoRecorder(inner, str(tmp_path / "videos"), record_video_trigger=lambda step: step == 0, video_length=3)
    env.reset()
    for _ in range(4):
        env.step(inner.action_masks().argmax(1))
    env.close()
    assert len(list(tmp_path.glob("videos/*.mp4"))) == 1


def test_sb3_make_vec_env_supports_frames(plain_game: Game) -> None:
    from stable_baselines3.common.env_util import make_vec_env

    game_id = f"edge_envs/{plain_game.name}-v{plain_game.type.version}"
    env = make_vec_env(game_id, n_envs=2, env_kwargs={"render_mode": "rgb_array", **plain_game.params})
    env.reset()
    pictures = env.get_images()
    assert len(pictures) == 2
    check_frame(pictures[0], plain_game)


def test_cached_background_gives_the_same_frame(game: Game) -> None:
    for state in walk(game, 6):
        svg = state.svg(outlines=True)
        whole = frame(svg.replace(' data-layer="top"', ""))
        assert np.abs(whole.astype(int) - frame(svg)).max() <= ROUNDING


def test_background_is_cached_and_not_modified(game: Game) -> None:
    states = [*walk(game, 2)]
    first = [frame(state.svg(outlines=True)) for state in states]
    for before, state in zip(first, states, strict=True):
        assert np.array_equal(frame(state.svg(outlines=True)), before)


@pytest.mark.parametrize("maker", ["aec_env", "parallel_env", "seat_env"])
@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_pictures_after_an_illegal_action_show_the_unchanged_position(
    plain_game: Game, maker: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for action in (10**9, -1, None):
        env = make(maker, plain_game, render_mode=mode, illegal_action="forfeit")
        env.reset(seed=1)
        actor = env.seat if maker == "seat_env" else int(getattr(env, "aec", env).agent_selection[-1])
        number = action
        if action is None:  # an action of the game that is not legal here
            mask = env.game_state().legal_action_mask()
            number = int(mask.argmin()) if not mask.all() else len(mask)
        env.step({f"player_{actor}": number} if maker == "parallel_env" else number)
        caption = f"forfeited by player {actor}"
        if mode == "ansi":
            assert env.render() == plain_game.picture(env.game_state()._record).rstrip("\n") + "\n" + caption
        if mode == "rgb_array":
            viewer = actor if maker == "seat_env" else None
            expected = env.game.svg(env.game_state()._record, viewer, caption=caption, outlines=True)
            assert (env.render() == frame(expected)).all()
        assert caption in env._repr_svg_()
        env.reset(seed=1)
        assert caption not in env._repr_svg_()
        env.close()


def test_pictures_after_a_forfeit_name_the_agent(plain_game: Game) -> None:
    env = make("aec_env", plain_game, render_mode="ansi")
    env.reset(seed=1)
    env.forfeit("player_1")
    assert env.render().endswith("\nforfeited by player 1")
