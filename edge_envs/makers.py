"""What makes games and environments by their names: one function for each API.

Type checkers and editors read `makers.pyi` in place of this file: there each game has its own parameters. It is written
by `scripts/write_stubs.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from edge_envs.core.game import Game
from edge_envs.games import named_game, params_of

if TYPE_CHECKING:
    from edge_envs.envs.aec import GameAECEnv
    from edge_envs.envs.opponents import Opponents
    from edge_envs.envs.parallel import GameParallelEnv
    from edge_envs.envs.sb3 import SeatVecEnv
    from edge_envs.envs.seat import SeatEnv, SeatVectorEnv
    from edge_envs.envs.vector import GameVectorEnv

GameName = str
"""The names of the games and of their variants."""


def load_game(name: str, **params: Any) -> Game:
    """A game with its parameters, or a variant by its name, as `beyond_maps_8x8`, or by its id.

    ParameterError names an unknown game, parameter or value and what is possible.
    """
    game_type, _ = named_game(name)
    return Game(game_type, params_of(name, params))


def aec_env(name: str, *, render_mode: str | None = None, illegal_action: str = "raise", **params: Any) -> GameAECEnv:
    """A PettingZoo AEC environment of all seats.

    Observations are dicts with `observation` (*observation_shape,) and `action_mask`, int8 (num_distinct_actions,).
    `render_mode` is None, "ansi" (a text), "rgb_array" (uint8 (height, width, 3)) or "human" (a window). An illegal
    action is an IllegalActionError and changes nothing; with `illegal_action="forfeit"` the game is over and lost.
    ParameterError says what is possible in place of a value that is not.
    """
    from edge_envs.envs.aec import GameAECEnv

    return GameAECEnv(load_game(name, **params), render_mode, illegal_action)


def parallel_env(
    name: str, *, render_mode: str | None = None, illegal_action: str = "raise", **params: Any
) -> GameParallelEnv:
    """A PettingZoo parallel environment: all seats act at once, and those whose turn it is not wait.

    Keywords are those of `aec_env`.
    """
    from edge_envs.envs.parallel import GameParallelEnv

    return GameParallelEnv(load_game(name, **params), render_mode, illegal_action)


def vector_env(
    name: str, *, num_envs: int, num_threads: int = 1, final_observation: bool = False, **params: Any
) -> GameVectorEnv:
    """All seats of `num_envs` games at once, in compiled loops over `num_threads` threads.

    `step(actions)` takes an action for each game's player to act, int (num_envs,). With `final_observation` batches
    hold what was seen at the ends of games.
    """
    from edge_envs.envs.vector import GameVectorEnv

    return GameVectorEnv(load_game(name, **params), num_envs, num_threads, final_observation)


def seat_env(
    name: str,
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    **params: Any,
) -> SeatEnv:
    """A Gymnasium environment of one learning seat; `opponents` play the others.

    These are the name of an agent, as "heuristic" or "search:50", an agent, or several to draw from. `seat` is the
    learner's, 0, 1, …, or "random": drawn for each game. So many decisions as `random_opening` at the start of each
    game are drawn uniformly. The other keywords are those of `aec_env`.
    """
    from edge_envs.envs.seat import SeatEnv

    return SeatEnv(load_game(name, **params), opponents, seat, illegal_action, render_mode, random_opening)


def seat_vector_env(
    name: str,
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    **params: Any,
) -> SeatVectorEnv:
    """A native Gymnasium VectorEnv of one learning seat per game: `num_envs` games.

    `autoreset_mode` is one of Gymnasium's, or its name. The other keywords are those of `seat_env`; there is no window.
    """
    from edge_envs.envs.seat import SeatVectorEnv

    return SeatVectorEnv(
        load_game(name, **params),
        num_envs,
        opponents,
        seat,
        illegal_action,
        render_mode,
        autoreset_mode,
        random_opening,
    )


def sb3_vec_env(
    name: str,
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    **params: Any,
) -> SeatVecEnv:
    """A native Stable-Baselines3 VecEnv of one learning seat per game; MissingExtraError without the extra `train`.

    Keywords are those of `seat_env` and `num_envs`, the number of games.
    """
    from edge_envs.envs.sb3 import SeatVecEnv

    return SeatVecEnv(load_game(name, **params), num_envs, opponents, seat, illegal_action, render_mode, random_opening)
