"""Create games and environments by name: one function per API.

Type checkers and editors read `makers.pyi` instead of this file; it lists the parameters of each game. Generate it with
`scripts/write_stubs.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from edge_envs.core.errors import ParameterError, did_you_mean
from edge_envs.core.game import Game
from edge_envs.games import named_game, params_of

if TYPE_CHECKING:
    from edge_envs.envs.aec import GameAECEnv
    from edge_envs.envs.lane_games import ParamsPerEnv
    from edge_envs.envs.opponents import Opponents
    from edge_envs.envs.parallel import GameParallelEnv
    from edge_envs.envs.sb3 import SeatVecEnv
    from edge_envs.envs.seat import SeatEnv, SeatVectorEnv
    from edge_envs.envs.vector import GameVectorEnv

GameName = str
"""Name of a game or of one of its variants."""


def load_game(name: str, **params: Any) -> Game:
    """Load a game with its parameters.

    Args:
        name: Name of a game or of a variant, such as `beyond_maps_8x8`, or its registered id, such as
            `edge_envs/falling_off-v0`.
        **params: Parameters of the game.

    Raises:
        ParameterError: if the name, a parameter or a value is unknown. The message lists the valid ones.
    """
    game_type, _ = named_game(name)
    return Game(game_type, params_of(name, params))


def _load(maker: Callable[..., Any], name: str, params: Mapping[str, Any]) -> Game:
    """Load the game of an environment.

    Args:
        maker: The function of this module that was called.
        name: Its first argument.
        params: Its keywords that are not in its signature.

    Raises:
        ParameterError: as `load_game`; for an unknown keyword the message also lists those of the function.
    """
    game_type, _ = named_game(name)
    unknown = sorted(params.keys() - game_type.parameters.keys())
    if not unknown:
        return load_game(name, **params)
    own, known = _keywords(maker), [*game_type.parameters]
    others = [other.__name__ for other in _MAKERS if unknown[0] in _keywords(other)]
    hint = f"; it is a keyword of {', '.join(others)}" if others else did_you_mean(unknown[0], [*own, *known])
    raise ParameterError(
        f"{maker.__name__}: unknown parameter {unknown[0]!r} (an unexpected keyword argument {unknown[0]!r}; choose "
        f"from {', '.join(own)}, or from the parameters of {game_type.name}: {', '.join(known)}){hint}"
    )


def _keywords(maker: Callable[..., Any]) -> list[str]:
    """Return the keywords in the signature of a function."""
    return [key for key, one in inspect.signature(maker).parameters.items() if one.kind is one.KEYWORD_ONLY]


def aec_env(
    name: str,
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    observation_dtype: str | None = None,
    mask_in_observation: bool = True,
    **params: Any,
) -> GameAECEnv:
    """Create a PettingZoo AEC environment: all agents of a game act in turn.

    Observations are dictionaries with `observation`, (*observation_shape,), and `action_mask`, int8
    (num_distinct_actions,).

    Args:
        name: Name of a game or variant, see `load_game`.
        render_mode: None, "ansi" (a string), "rgb_array" (uint8 (height, width, 3)) or "human" (a window).
        illegal_action: "raise" to raise IllegalActionError and leave the game unchanged, or "forfeit" to end the game
            with a loss for the agent.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`. If not, they
            are arrays, and the masks are in the infos.
        **params: Parameters of the game.

    Raises:
        ParameterError: if an argument or parameter is invalid. The message lists the valid values.
        MissingExtraError: if the render mode needs the extra `render`, which is not installed.
    """
    from edge_envs.envs.aec import GameAECEnv

    game = _load(aec_env, name, params)
    return GameAECEnv(game, render_mode, illegal_action, observation_dtype, mask_in_observation)


def parallel_env(
    name: str,
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    observation_dtype: str | None = None,
    mask_in_observation: bool = False,
    **params: Any,
) -> GameParallelEnv:
    """Create a PettingZoo parallel environment: in each step one agent decides and the others wait.

    Args:
        name: Name of a game or variant, see `load_game`.
        render_mode: None, "ansi" (a string), "rgb_array" (uint8 (height, width, 3)) or "human" (a window).
        illegal_action: "raise" to raise IllegalActionError and leave the game unchanged, or "forfeit" to end the game
            with a loss for the agent.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`. If not, they
            are arrays, and the masks are in the infos.
        **params: Parameters of the game.

    Raises:
        ParameterError: if an argument or parameter is invalid. The message lists the valid values.
        MissingExtraError: if the render mode needs the extra `render`, which is not installed.
    """
    from edge_envs.envs.parallel import GameParallelEnv

    game = _load(parallel_env, name, params)
    return GameParallelEnv(game, render_mode, illegal_action, observation_dtype, mask_in_observation)


def vector_env(
    name: str,
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    observation_dtype: str | None = None,
    params_per_env: ParamsPerEnv | None = None,
    **params: Any,
) -> GameVectorEnv:
    """Create a batched environment: all seats of many games, stepped in compiled loops.

    `step(actions)` takes one action for the seat to act in each game, integers (num_envs,).

    Args:
        name: Name of a game or variant, see `load_game`.
        num_envs: Number of games.
        num_threads: Number of threads; results do not depend on it.
        final_observation: Whether batches hold the last observations of finished games.
        observation_dtype: "float32" to convert observations, which copies them in each step; None keeps the dtype of
            the game.
        params_per_env: Parameters of each game that replace `params`: a list with one dict per game; or a function that
            takes a NumPy generator and returns a dict, called for each game at every reset. The shapes and the meaning
            of actions and observations must be the same in all games.
        **params: Parameters of the game.

    Raises:
        ParameterError: if an argument or parameter is invalid. The message lists the valid values.
    """
    from edge_envs.envs.vector import GameVectorEnv

    game = _load(vector_env, name, params)
    return GameVectorEnv(game, num_envs, num_threads, final_observation, observation_dtype, params_per_env)


def seat_env(
    name: str,
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    observation_dtype: str | None = None,
    mask_in_observation: bool = False,
    **params: Any,
) -> SeatEnv:
    """Create a Gymnasium environment with one learning seat; opponents play the other seats.

    Args:
        name: Name of a game or variant, see `load_game`.
        opponents: Players of the other seats: the name of an agent, such as "heuristic" or "search:50"; an `Opponent`;
            an `OpponentMix` to draw from; or a list with one of these per other seat.
        seat: The learner's seat, 0, 1, …, or "random" to draw it for each game.
        illegal_action: "raise" to raise IllegalActionError and leave the game unchanged, or "forfeit" to end the game
            with a loss for the learner.
        render_mode: None, "ansi" (a string), "rgb_array" (uint8 (height, width, 3)) or "human" (a window).
        random_opening: Number of decisions at the start of each game that are drawn uniformly from the legal actions.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.
        **params: Parameters of the game.

    Raises:
        ParameterError: if an argument or parameter is invalid. The message lists the valid values.
        ValueError: if `opponents` or `seat` is invalid.
        MissingExtraError: if the render mode needs the extra `render`, which is not installed.
    """
    from edge_envs.envs.seat import SeatEnv

    return SeatEnv(
        _load(seat_env, name, params),
        opponents,
        seat,
        illegal_action,
        render_mode,
        random_opening,
        observation_dtype,
        mask_in_observation,
    )


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
    observation_dtype: str | None = None,
    mask_in_observation: bool = False,
    params_per_env: ParamsPerEnv | None = None,
    **params: Any,
) -> SeatVectorEnv:
    """Create a native Gymnasium VectorEnv of many games with one learning seat each.

    Args:
        name: Name of a game or variant, see `load_game`.
        num_envs: Number of games.
        opponents: Players of the other seats, see `seat_env`.
        seat: The learner's seat, 0, 1, …, or "random" to draw it for each game.
        illegal_action: "raise" or "forfeit", see `seat_env`.
        render_mode: None, "ansi" (strings) or "rgb_array" (uint8 (height, width, 3) per game).
        autoreset_mode: One of Gymnasium's autoreset modes, or its name: "NextStep", "SameStep" or "Disabled".
        random_opening: Number of decisions at the start of each game that are drawn uniformly from the legal actions.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.
        params_per_env: Parameters of each game, see `vector_env`.
        **params: Parameters of the game.

    Raises:
        ParameterError: if an argument or parameter is invalid. The message lists the valid values.
        ValueError: if `opponents` or `seat` is invalid.
        MissingExtraError: if the render mode needs the extra `render`, which is not installed.
    """
    from edge_envs.envs.seat import SeatVectorEnv

    return SeatVectorEnv(
        _load(seat_vector_env, name, params),
        num_envs,
        opponents,
        seat,
        illegal_action,
        render_mode,
        autoreset_mode,
        random_opening,
        observation_dtype,
        mask_in_observation,
        params_per_env,
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
    observation_dtype: str | None = None,
    mask_in_observation: bool = False,
    params_per_env: ParamsPerEnv | None = None,
    **params: Any,
) -> SeatVecEnv:
    """Create a native Stable-Baselines3 VecEnv of many games with one learning seat each.

    Args:
        name: Name of a game or variant, see `load_game`.
        num_envs: Number of games.
        opponents: Players of the other seats, see `seat_env`.
        seat: The learner's seat, 0, 1, …, or "random" to draw it for each game.
        illegal_action: "raise" or "forfeit", see `seat_env`.
        render_mode: None, "ansi" (a string) or "rgb_array" (uint8 (height, width, 3) per game).
        random_opening: Number of decisions at the start of each game that are drawn uniformly from the legal actions.
        observation_dtype: "float32" to convert observations; None keeps the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.
        params_per_env: Parameters of each game, see `vector_env`.
        **params: Parameters of the game.

    Raises:
        ParameterError: if an argument or parameter is invalid. The message lists the valid values.
        ValueError: if `opponents` or `seat` is invalid.
        MissingExtraError: if the extra `train`, or `render` for the render mode, is not installed.
    """
    from edge_envs.envs.sb3 import SeatVecEnv

    return SeatVecEnv(
        _load(sb3_vec_env, name, params),
        num_envs,
        opponents,
        seat,
        illegal_action,
        render_mode,
        random_opening,
        observation_dtype,
        mask_in_observation,
        params_per_env,
    )


# `gymnasium.make` reads the render modes here, and then also offers "ansi_list" and "rgb_array_list".
seat_env.metadata = {"render_modes": ["human", "ansi", "rgb_array"]}  # type: ignore[attr-defined]

_MAKERS = (aec_env, parallel_env, vector_env, seat_env, seat_vector_env, sb3_vec_env)
