"""What an agent is, and how to get one by name."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from edge_envs import Game
from edge_envs.core.game import Array, Records

NAMES = ("random", "heuristic", "perfect")


class Agent(Protocol):
    """Something that plays any seat of a game; it is also an opponent of the seat environments.

    `name` is what tables call it. With `needs_states` true, `act` is handed state records (with fresh random words and
    fresh hidden parts), else None.
    """

    name: str
    needs_states: bool

    def act(
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Legal actions (k,) for k lanes.

        `observations` (k, *observation_shape), `action_masks` (k, A) int8, `states` a record array (k,) or None,
        `players` (k,) the seats to act.
        """
        ...


def make_agent(name: str, game: Game) -> Agent:
    """An agent by its name, or from the folder of an exported policy.

    Raises ValueError if there is no such agent, or if it cannot play this game.
    """
    from agents.heuristic import HeuristicAgent
    from agents.perfect import PerfectAgent
    from agents.policy import PolicyAgent
    from agents.random import RandomAgent

    if name == "random":
        return RandomAgent()
    if name == "heuristic":
        return HeuristicAgent(game)
    if name == "perfect":
        return PerfectAgent(game)
    if Path(name).is_dir():
        return PolicyAgent.load(name, game)
    raise ValueError(f"there is no agent {name!r}: it is none of {', '.join(NAMES)}, nor the folder of a policy")
