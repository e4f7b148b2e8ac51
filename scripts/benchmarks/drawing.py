"""Pictures as sides: SVG, frames of pixels, and the PettingZoo loop with a frame after each decision."""

from __future__ import annotations

from importlib.util import find_spec

import edge_envs
from edge_envs import State
from edge_envs.envs.frames import frame
from scripts.benchmarks.apis import DECISIONS, Setting, named
from scripts.benchmarks.measure import Run, Side, Work
from scripts.benchmarks.single import play_aec

_POSITIONS = 64
_WIDTH = 600


def missing() -> str | None:
    """Return the reason why frames cannot be timed here, or None."""
    return "pygame-ce not installed: extra `render`" if find_spec("pygame") is None else None


def svg_name(label: str) -> str:
    """Return the name of the row of pictures."""
    return named("pictures in SVG", label)


def frame_name(label: str) -> str:
    """Return the name of the row of frames."""
    return named(f"frames, {_WIDTH} px wide", label)


def rendered_name(label: str) -> str:
    """Return the name of the row of the PettingZoo loop with frames."""
    return named("AEC with rgb_array", label)


def _positions(setting: Setting) -> list[State]:
    """Return positions at decisions, from all stages of games of the heuristic."""
    found: list[State] = []
    seed = 0
    while len(found) < 8 * _POSITIONS:
        state = setting.game.new_initial_state(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            else:
                found.append(State.of_records(state.game, state._records))
                state.apply_action(state.heuristic_action())
        seed += 1
    return found[:: len(found) // _POSITIONS]


def svg(setting: Setting) -> Side:
    """Return the side that draws a position as SVG, with letters as outlines."""

    def prepare() -> Run:
        positions = _positions(setting)

        def run(amount: int) -> Work:
            for k in range(amount):
                positions[k % len(positions)].svg(outlines=True)
            return Work(amount)

        return run

    return Side(svg_name(setting.label), "pictures/s", prepare, details=setting.details)


def frames(setting: Setting) -> Side:
    """Return the side that draws a position as SVG and rasterizes it."""

    def prepare() -> Run:
        positions = _positions(setting)

        def run(amount: int) -> Work:
            for k in range(amount):
                frame(positions[k % len(positions)].svg(outlines=True), _WIDTH)
            return Work(amount)

        return run

    return Side(frame_name(setting.label), "frames/s", prepare, details=setting.details)


def rendered(setting: Setting) -> Side:
    """Return the side of the usual PettingZoo loop with a frame after each decision."""

    def prepare() -> Run:
        env = edge_envs.aec_env(setting.game.name, render_mode="rgb_array", **setting.game.params)
        return play_aec(env, render=True)

    return Side(rendered_name(setting.label), DECISIONS, prepare, details=setting.details)
