"""What `makers.py` makes, game by game. Written by `scripts/write_stubs.py`."""

import os
from collections.abc import Mapping
from typing import Any, Literal, overload

from typing_extensions import deprecated

from edge_envs.core.game import Game
from edge_envs.envs.aec import GameAECEnv
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.parallel import GameParallelEnv
from edge_envs.envs.sb3 import SeatVecEnv
from edge_envs.envs.seat import SeatEnv, SeatVectorEnv
from edge_envs.envs.vector import GameVectorEnv

GameName = Literal[
    "falling_off",
    "falling_off_3p",
    "falling_off_4p",
    "falling_off_6p",
    "beyond_maps",
    "beyond_maps_8x8",
    "beyond_maps_12x12",
    "over_the_edge",
    "over_the_edge_pond",
    "over_the_edge_3p",
    "over_the_edge_4p",
    "ghost_ship",
    "ghost_ship_tour",
    "ghost_ship_3p",
]

@overload
def load_game(name: Literal["falling_off"], *, num_players: int = 2, play_on: bool = False) -> Game: ...
@overload
def load_game(name: Literal["falling_off_3p"], *, num_players: Literal[3] = 3, play_on: bool = False) -> Game: ...
@overload
def load_game(name: Literal["falling_off_4p"], *, num_players: Literal[4] = 4, play_on: bool = False) -> Game: ...
@overload
def load_game(name: Literal["falling_off_6p"], *, num_players: Literal[6] = 6, play_on: bool = False) -> Game: ...
@overload
def load_game(
    name: Literal["beyond_maps"],
    *,
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> Game: ...
@overload
def load_game(
    name: Literal["beyond_maps_8x8"],
    *,
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> Game: ...
@overload
def load_game(
    name: Literal["beyond_maps_12x12"],
    *,
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> Game: ...
@overload
def load_game(
    name: Literal["over_the_edge"],
    *,
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> Game: ...
@overload
def load_game(
    name: Literal["over_the_edge_pond"],
    *,
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> Game: ...
@overload
def load_game(
    name: Literal["over_the_edge_3p"],
    *,
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> Game: ...
@overload
def load_game(
    name: Literal["over_the_edge_4p"],
    *,
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> Game: ...
@overload
def load_game(
    name: Literal["ghost_ship"],
    *,
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> Game: ...
@overload
def load_game(
    name: Literal["ghost_ship_tour"],
    *,
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> Game: ...
@overload
def load_game(
    name: Literal["ghost_ship_3p"],
    *,
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> Game: ...
@overload
def load_game(name: GameName) -> Game: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def load_game(name: GameName, **params: Any) -> Game: ...
@overload
def load_game(name: str, **params: Any) -> Game: ...
@overload
def aec_env(
    name: Literal["falling_off"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    play_on: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["falling_off_3p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[3] = 3,
    play_on: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["falling_off_4p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[4] = 4,
    play_on: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["falling_off_6p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[6] = 6,
    play_on: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["beyond_maps"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["beyond_maps_8x8"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["beyond_maps_12x12"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["over_the_edge"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["over_the_edge_pond"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["over_the_edge_3p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["over_the_edge_4p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["ghost_ship"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["ghost_ship_tour"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(
    name: Literal["ghost_ship_3p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameAECEnv: ...
@overload
def aec_env(name: GameName, *, render_mode: str | None = None, illegal_action: str = "raise") -> GameAECEnv: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def aec_env(
    name: GameName, *, render_mode: str | None = None, illegal_action: str = "raise", **params: Any
) -> GameAECEnv: ...
@overload
def aec_env(
    name: str, *, render_mode: str | None = None, illegal_action: str = "raise", **params: Any
) -> GameAECEnv: ...
@overload
def parallel_env(
    name: Literal["falling_off"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    play_on: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["falling_off_3p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[3] = 3,
    play_on: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["falling_off_4p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[4] = 4,
    play_on: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["falling_off_6p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[6] = 6,
    play_on: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["beyond_maps"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["beyond_maps_8x8"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["beyond_maps_12x12"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["over_the_edge"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["over_the_edge_pond"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["over_the_edge_3p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["over_the_edge_4p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["ghost_ship"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["ghost_ship_tour"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: Literal["ghost_ship_3p"],
    *,
    render_mode: str | None = None,
    illegal_action: str = "raise",
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: GameName, *, render_mode: str | None = None, illegal_action: str = "raise"
) -> GameParallelEnv: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def parallel_env(
    name: GameName, *, render_mode: str | None = None, illegal_action: str = "raise", **params: Any
) -> GameParallelEnv: ...
@overload
def parallel_env(
    name: str, *, render_mode: str | None = None, illegal_action: str = "raise", **params: Any
) -> GameParallelEnv: ...
@overload
def vector_env(
    name: Literal["falling_off"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: int = 2,
    play_on: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["falling_off_3p"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: Literal[3] = 3,
    play_on: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["falling_off_4p"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: Literal[4] = 4,
    play_on: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["falling_off_6p"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: Literal[6] = 6,
    play_on: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["beyond_maps"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["beyond_maps_8x8"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["beyond_maps_12x12"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["over_the_edge"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["over_the_edge_pond"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["over_the_edge_3p"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["over_the_edge_4p"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["ghost_ship"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["ghost_ship_tour"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: Literal["ghost_ship_3p"],
    *,
    num_envs: int,
    num_threads: int = 1,
    final_observation: bool = False,
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: GameName, *, num_envs: int, num_threads: int = 1, final_observation: bool = False
) -> GameVectorEnv: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def vector_env(
    name: GameName, *, num_envs: int, num_threads: int = 1, final_observation: bool = False, **params: Any
) -> GameVectorEnv: ...
@overload
def vector_env(
    name: str, *, num_envs: int, num_threads: int = 1, final_observation: bool = False, **params: Any
) -> GameVectorEnv: ...
@overload
def seat_env(
    name: Literal["falling_off"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    play_on: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["falling_off_3p"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    play_on: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["falling_off_4p"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[4] = 4,
    play_on: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["falling_off_6p"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[6] = 6,
    play_on: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["beyond_maps"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["beyond_maps_8x8"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["beyond_maps_12x12"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["over_the_edge"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["over_the_edge_pond"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["over_the_edge_3p"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["over_the_edge_4p"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["ghost_ship"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["ghost_ship_tour"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: Literal["ghost_ship_3p"],
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatEnv: ...
@overload
def seat_env(
    name: GameName,
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
) -> SeatEnv: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def seat_env(
    name: GameName,
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    **params: Any,
) -> SeatEnv: ...
@overload
def seat_env(
    name: str,
    *,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    **params: Any,
) -> SeatEnv: ...
@overload
def seat_vector_env(
    name: Literal["falling_off"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: int = 2,
    play_on: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["falling_off_3p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    play_on: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["falling_off_4p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: Literal[4] = 4,
    play_on: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["falling_off_6p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: Literal[6] = 6,
    play_on: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["beyond_maps"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["beyond_maps_8x8"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["beyond_maps_12x12"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["over_the_edge"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["over_the_edge_pond"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["over_the_edge_3p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["over_the_edge_4p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["ghost_ship"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["ghost_ship_tour"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: Literal["ghost_ship_3p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatVectorEnv: ...
@overload
def seat_vector_env(
    name: GameName,
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
) -> SeatVectorEnv: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def seat_vector_env(
    name: GameName,
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    autoreset_mode: Any = "SameStep",
    random_opening: int = 0,
    **params: Any,
) -> SeatVectorEnv: ...
@overload
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
) -> SeatVectorEnv: ...
@overload
def sb3_vec_env(
    name: Literal["falling_off"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    play_on: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["falling_off_3p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    play_on: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["falling_off_4p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[4] = 4,
    play_on: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["falling_off_6p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[6] = 6,
    play_on: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["beyond_maps"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    size: int = 18,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["beyond_maps_8x8"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    size: Literal[8] = 8,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["beyond_maps_12x12"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    size: Literal[12] = 12,
    sea_range: int = 6,
    land_markers: int = 3,
    stop_early: bool = True,
    dice: bool = False,
    max_turns: int = 400,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["over_the_edge"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["over_the_edge_pond"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    map: Literal["pond"] = "pond",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["over_the_edge_3p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["over_the_edge_4p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[4] = 4,
    map: Literal["flat_earth", "pond"] | str | os.PathLike[str] | Mapping[str, Any] = "flat_earth",
    boarding: bool = True,
    max_turns: int = 500,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["ghost_ship"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["ghost_ship_tour"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: int = 2,
    creation: Literal["random"] = "random",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: Literal["ghost_ship_3p"],
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    num_players: Literal[3] = 3,
    creation: Literal["players", "random"] = "players",
    chits: Mapping[str, int] | Mapping[int, int] = ...,
    max_turns: int = 400,
    score_reward: bool = False,
) -> SeatVecEnv: ...
@overload
def sb3_vec_env(
    name: GameName,
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
) -> SeatVecEnv: ...
@overload
@deprecated("the game has no such parameters, or they have other types")
def sb3_vec_env(
    name: GameName,
    *,
    num_envs: int = 1,
    opponents: Opponents = "random",
    seat: int | str = "random",
    illegal_action: str = "raise",
    render_mode: str | None = None,
    random_opening: int = 0,
    **params: Any,
) -> SeatVecEnv: ...
@overload
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
) -> SeatVecEnv: ...
