"""What plays a seat of a game, and the agents that need no training.

| agent | |
|---|---|
| `random` | uniform over the legal actions |
| `heuristic` | the game's own built-in player |
| `perfect` | the exact solution, where the game is solved |
| `flat_monte_carlo` | each decision by uniform play to the end |
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol

import numpy as np

from edge_envs.core.errors import IllegalActionError
from edge_envs.core.game import Game, Records
from edge_envs.envs.opponents import Opponent

if TYPE_CHECKING:
    from edge_envs.core.state import State

AGENTS = {
    "random": "edge_envs.agents.random:RandomAgent",
    "heuristic": "edge_envs.agents.heuristic:HeuristicAgent",
    "perfect": "edge_envs.agents.perfect:PerfectAgent",
    "flat_monte_carlo": "edge_envs.agents.flat_monte_carlo:FlatMonteCarloAgent",
}
"""Agents by name: the module and the class, which is made with the game."""


class Agent(Opponent, Protocol):
    """Something that plays any seat of a game; it is also an opponent of the seat environments.

    `name` is what tables call it. With `needs_states` true, `act` gets state records (with fresh random words and
    fresh hidden parts), else None.
    """

    name: str
    needs_states: bool


def built_in_agent(name: str, game: Game) -> Agent:
    """An agent by its name; ValueError if there is none, or if it cannot play this game."""
    if name not in AGENTS:
        raise ValueError(f"there is no agent {name!r}; possible are {', '.join(AGENTS)}")
    module, _, entry = AGENTS[name].partition(":")
    made: Agent = getattr(importlib.import_module(module), entry)(game)
    return made


def decide(agent: Agent, state: State, rng: np.random.Generator) -> int:
    """The action of an agent in a single position, at which it is handed what it may know and no more.

    Raises IllegalActionError if the action is not legal.
    """
    player = state.current_player()
    masks = state.legal_action_mask()[None]
    states = records_shown(state, rng) if agent.needs_states else None
    chosen = agent.act(state.observation_tensor(player)[None], masks, states, np.array([player]), rng)
    action = int(np.asarray(chosen).item())
    if not 0 <= action < masks.shape[1] or not masks[0, action]:
        raise IllegalActionError(f"agent {agent.name} chose {action}; possible are {state.legal_actions()}")
    return action


def records_shown(state: State, rng: np.random.Generator) -> Records:
    """An array of one record: the position as the player to act may see it, hidden parts and random word fresh."""
    records = state.game.records_from_dict(state.resample(state.current_player(), rng).to_dict())
    records["rng"] = rng.integers(2**63, dtype=np.uint64)
    return records
