"""Four "edge of the world" board games as reinforcement-learning environments.

`load_game` gives the rules as positions (`State`); the other functions are APIs over the same compiled kernels:
`aec_env` and `parallel_env` (PettingZoo), `vector_env` (all seats of many games), `seat_env` and `seat_vector_env`
(Gymnasium, one learning seat) and `sb3_vec_env` (Stable-Baselines3). Importing the package registers every game in
PettingZoo's and Gymnasium's registries as `edge_envs/<game>-v<version>`, and named sets of parameters as
`edge_envs/<game>_<variant>-v<version>`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from edge_envs.core.errors import IllegalActionError, InvalidPositionError, MissingExtraError, ParameterError
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.envs.registration import register_games
from edge_envs.games import GAMES
from edge_envs.makers import aec_env, load_game, parallel_env, sb3_vec_env, seat_env, seat_vector_env, vector_env
from edge_envs.moved import keep_old_names

if TYPE_CHECKING:
    from edge_envs.core.opponent import Opponent
    from edge_envs.core.state import State
    from edge_envs.envs.aec import GameAECEnv
    from edge_envs.envs.opponents import OpponentMix, Opponents
    from edge_envs.envs.parallel import GameParallelEnv
    from edge_envs.envs.sb3 import SeatVecEnv
    from edge_envs.envs.seat import SeatEnv, SeatVectorEnv
    from edge_envs.envs.vector import Batch, GameVectorEnv
    from edge_envs.records import read_records, record_of, replay, view_of, write_records

__version__ = "0.3.0"

__all__ = [
    "CHANCE",
    "GAMES",
    "TERMINAL",
    "Batch",
    "Game",
    "GameAECEnv",
    "GameParallelEnv",
    "GameType",
    "GameVectorEnv",
    "IllegalActionError",
    "InvalidPositionError",
    "MissingExtraError",
    "Opponent",
    "OpponentMix",
    "Opponents",
    "ParameterError",
    "SeatEnv",
    "SeatVecEnv",
    "SeatVectorEnv",
    "State",
    "aec_env",
    "load_game",
    "parallel_env",
    "read_records",
    "record_of",
    "replay",
    "sb3_vec_env",
    "seat_env",
    "seat_vector_env",
    "vector_env",
    "view_of",
    "write_records",
]


# Names whose modules need numba or stable-baselines3: imported when they are first asked for.
_ON_FIRST_USE = {
    **dict.fromkeys(("read_records", "record_of", "replay", "view_of", "write_records"), "edge_envs.records"),
    "State": "edge_envs.core.state",
    "GameAECEnv": "edge_envs.envs.aec",
    "GameParallelEnv": "edge_envs.envs.parallel",
    "Opponent": "edge_envs.core.opponent",
    **dict.fromkeys(("OpponentMix", "Opponents"), "edge_envs.envs.opponents"),
    **dict.fromkeys(("SeatEnv", "SeatVectorEnv"), "edge_envs.envs.seat"),
    "SeatVecEnv": "edge_envs.envs.sb3",
    **dict.fromkeys(("Batch", "GameVectorEnv"), "edge_envs.envs.vector"),
}


def __getattr__(name: str) -> Any:
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_ON_FIRST_USE[name]), name)


register_games(GAMES)
keep_old_names({"edge_envs.agents": "edge_envs.players"})
