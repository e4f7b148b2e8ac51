"""Make an agent from its name.

| name | agent |
|---|---|
| `random` | uniformly random legal actions |
| `heuristic` | the heuristic of the game |
| `heuristic:v0` | an earlier version of the heuristic |
| `perfect` | optimal play, where the game is solved |
| `flat_monte_carlo` | the best action of 200 games of random play per decision |
| `search:200` | tree search with 200 iterations per decision |
| `search:50ms` | tree search with 50 ms per decision |
| `turn` | search over the rest of the turn, with a fitted value at its end |
| `one_turn` | the same with the score as the value, in games that have a score |
| `turns:16:score` | the 16 best whole turns by the lead in score, against every reply of the next player |
| `noisy:0.25` | the heuristic with 25 % random decisions |
| `level:1` | opponents of rising strength: level:1, level:2, ... (Game.levels) |
| `trained` | the trained policy of the package for this board, played without PyTorch |
| `trained:NAME` | a trained policy of the package by its name |
| `search:200:FOLDER` | a search that asks a policy for priors and values |
| `turns:16:FOLDER` | the 16 best whole turns against every reply, by the values of an n-tuple network |
| `turns:16x8:FOLDER` | the same, and the 8 best replies to each by the best turn after them |
| `FOLDER` | the folder of an exported policy, such as runs/NAME/policy |
| `program:COMMAND` | a program in any language (docs/tournaments.md) |
| `chat:FILE` | a language model, configured in a YAML file (docs/text.md) |
| `sb3:FILE` | a Stable-Baselines3 model, such as sb3:model.zip (a pickle: load only files that you trust) |
| `module:function` | the agent that a Python function returns for a game (docs/tournaments.md) |
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.common.old_names import renamed
from agents.players.kinds import AgentSpec, parse_agent
from agents.players.loading import load_policy
from edge_envs import Game
from edge_envs.players import Agent

__all__ = [
    "AgentSpec",
    "check_agent",
    "folder_of",
    "is_chat",
    "is_external",
    "is_policy_folder",
    "load_policy",
    "make_agent",
    "make_opponents",
    "parse_agent",
]


def make_agent(name: str, game: Game) -> Agent:
    """Make an agent from its name.

    Raises:
        ValueError: if the agent does not exist, or if it cannot play this game.
    """
    return parse_agent(name).make(game)


def check_agent(name: str) -> None:
    """Raise ValueError if the agent does not exist."""
    parse_agent(name).check()


def make_opponents(names: Sequence[str], seat: int, game: Game) -> dict[int, Agent]:
    """Make the agents of all seats but one.

    Args:
        names: one name for all other seats, or one for each, in turn order from the left of `seat`.
        seat: the seat that stays free.
        game: the game with its parameters.

    Returns:
        The agents by seat; seats with the same name share one agent.

    Raises:
        ValueError: if the seat or agent does not exist, or if the number of names fits neither way.
    """
    others = game.num_players - 1
    if not 0 <= seat <= others:
        raise ValueError(f"invalid seat {seat}: expected 0 to {others}")
    if len(names) not in (1, others):
        raise ValueError(f"{len(names)} agents were given for {others} other seats: name one for all or one for each")
    made = {name: make_agent(name, game) for name in dict.fromkeys(names)}
    per_seat = list(names) * (others // len(names))
    return {(seat + 1 + j) % game.num_players: made[name] for j, name in enumerate(per_seat)}


def is_external(name: str) -> bool:
    """Return whether others wrote the agent of this name, so that it may fail in any way."""
    return parse_agent(name).kind.external


def is_chat(name: str) -> bool:
    """Return whether a name is that of a language model, whose answers may cost money."""
    return parse_agent(name).kind.paid


def is_policy_folder(name: str) -> bool:
    """Return whether `make_agent` takes a name as an existing policy folder."""
    return folder_of(name) == name and Path(name).is_dir()


def folder_of(name: str) -> str:
    """Return the policy folder that an agent plays or asks, which need not exist; "" if it needs none."""
    return parse_agent(name).folder


__getattr__ = renamed(__name__, {"is_guest": "is_external"})
