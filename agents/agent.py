"""How to get an agent by name.

| name | |
|---|---|
| `heuristic`, `search:200`, ... | one of those that need no training: `edge_envs.agents` |
| `policies/falling_off/ppo` | the folder of an exported policy |
| `my_module:make_agent` | what a function makes of a game: `agents.guests.objects` |
| `program:./bot --fast` | a program in any language: `agents.guests.programs` |
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.guests.objects import check_object, is_object, make_object
from agents.guests.programs import ProgramAgent, check_program, is_program
from edge_envs import Game
from edge_envs.agents import AGENTS, Agent, built_in_agent, check_built_in, is_built_in


def make_agent(name: str, game: Game) -> Agent:
    """An agent by its name; ValueError if there is none, or if it cannot play this game."""
    check_agent(name)
    if is_built_in(name):
        return built_in_agent(name, game)
    if is_program(name):
        return ProgramAgent(name, game)
    if is_object(name):
        return make_object(name, game)
    from agents.policy import PolicyAgent

    return PolicyAgent.load(name, game)


def check_agent(name: str) -> None:
    """ValueError if there is no such agent."""
    if is_built_in(name):
        check_built_in(name)
    elif is_program(name):
        check_program(name)
    elif is_object(name):
        check_object(name)
    elif not is_policy_folder(name):
        raise ValueError(
            f"there is no agent {name!r}: it is none of {', '.join(AGENTS)}, nor the folder of a policy, nor "
            "module:function, nor program:COMMAND"
        )


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


def is_policy_folder(name: str) -> bool:
    """Whether `make_agent` takes a name for the folder of a policy."""
    return not is_built_in(name) and Path(name).is_dir()
