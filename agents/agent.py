"""What an agent is, and how to get one by name."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from edge_envs import Game, IllegalActionError
from edge_envs.core.game import Records
from edge_envs.envs.opponents import Opponent

if TYPE_CHECKING:
    from edge_envs import State

AGENTS = {
    "random": "agents.random:RandomAgent",
    "heuristic": "agents.heuristic:HeuristicAgent",
    "perfect": "agents.perfect:PerfectAgent",
    "flat_monte_carlo": "agents.flat_monte_carlo:FlatMonteCarloAgent",
    "one_turn": "agents.one_turn:OneTurnAgent",
}
"""Agents by name: the module and the class, which is made with the game."""


class Agent(Opponent, Protocol):
    """Something that plays any seat of a game; it is also an opponent of the seat environments.

    `name` is what tables call it. With `needs_states` true, `act` gets state records (with fresh random words and
    fresh hidden parts), else None.
    """

    name: str
    needs_states: bool


def make_agent(name: str, game: Game) -> Agent:
    """An agent by its name, or from the folder of an exported policy.

    Raises ValueError if there is no such agent, or if it cannot play this game.
    """
    if is_built_in(name):
        first, *version = name.split(":", 1)
        module, _, entry = AGENTS[first].partition(":")
        made: Agent = getattr(importlib.import_module(module), entry)(game, *version)
        return made
    if is_policy_folder(name):
        from agents.policy import PolicyAgent

        return PolicyAgent.load(name, game)
    raise ValueError(f"there is no agent {name!r}: it is none of {', '.join(AGENTS)}, nor the folder of a policy")


def make_opponents(names: Sequence[str], seat: int, game: Game) -> dict[int, Agent]:
    """The agents of all seats but `seat`: one name for all of them, or one for each, from the seat's left.

    Raises ValueError if there is no such seat or agent, or if the number of names fits neither way.
    """
    others = game.num_players - 1
    if not 0 <= seat <= others:
        raise ValueError(f"there is no seat {seat}; possible are 0..{others}")
    if len(names) not in (1, others):
        raise ValueError(f"{len(names)} agents were given for {others} other seats: name one for all or one for each")
    made = {name: make_agent(name, game) for name in dict.fromkeys(names)}
    per_seat = list(names) * (others // len(names))
    return {(seat + 1 + j) % game.num_players: made[name] for j, name in enumerate(per_seat)}


def is_built_in(name: str) -> bool:
    """Whether a name is that of an agent in `AGENTS`, or of a version of the heuristic."""
    return name in AGENTS or name.startswith("heuristic:")


def is_policy_folder(name: str) -> bool:
    """Whether `make_agent` takes a name for the folder of a policy."""
    return not is_built_in(name) and Path(name).is_dir()


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
