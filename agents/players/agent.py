"""How to get an agent by name.

| name | |
|---|---|
| `heuristic`, `search:200`, ... | one of those that need no training: `edge_envs.players` |
| `policies/falling_off/ppo` | the folder of an exported policy |
| `search:200:policies/falling_off/ppo` | a search that asks a policy |
| `my_module:make_agent` | what a function makes of a game: `agents.external.objects` |
| `program:./bot --fast` | a program in any language: `agents.external.programs` |
| `chat:model.yaml` | a language model: `agents.external.chat` |
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.external.objects import check_object, is_object, make_object
from agents.external.programs import ProgramAgent, check_program, is_program
from agents.players.policy_places import policy_fault, several_in_one
from edge_envs import Game
from edge_envs.core.errors import did_you_mean
from edge_envs.players import AGENTS, Agent, built_in_agent, check_built_in, is_built_in
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget

if TYPE_CHECKING:
    from agents.players.policy import PolicyAgent
    from agents.value_learning.policy import ValuesAgent

CHAT = "chat:"


def make_agent(name: str, game: Game) -> Agent:
    """An agent by its name; ValueError if there is none, or if it cannot play this game."""
    check_agent(name)
    if is_program(name):
        return ProgramAgent(name, game)
    if is_chat(name):
        from agents.external.chat import ChatAgent

        return ChatAgent(name, game)
    if _is_object(name):
        return make_object(name, game)
    budget, folder = _search_and_folder(name)
    if not folder:
        return built_in_agent(name, game)
    policy = load_policy(folder, game)
    return SearchAgent(game, Budget.parse(budget), policy) if budget else policy


def is_guest(name: str) -> bool:
    """Whether a name is that of an agent that somebody else has written, which may fail in every way."""
    return is_program(name) or is_chat(name) or _is_object(name)


def load_policy(folder: str | Path, game: Game | None = None) -> PolicyAgent | ValuesAgent:
    """The agent of an exported policy: a network that names actions, or learned values, which are played by `turn`.

    ValueError says what is wrong with the folder, or that it does not fit `game`.
    """
    from agents.players.policy_file import PolicyFile, read_policy_file

    architecture = read_policy_file(folder, PolicyFile).architecture
    if isinstance(architecture, dict) and architecture.get("kind") == "values":
        from agents.value_learning.policy import ValuesAgent

        return ValuesAgent.load(folder, game)
    from agents.players.policy import PolicyAgent

    return PolicyAgent.load(folder, game)


def check_agent(name: str) -> None:
    """ValueError if there is no such agent."""
    if is_program(name):
        return check_program(name)
    if is_chat(name):
        from agents.external.chat import check_chat

        return check_chat(name)
    if _is_object(name):
        return check_object(name)
    budget, folder = _search_and_folder(name)
    if budget:
        check_built_in(f"search:{budget}")
    if not folder:
        return check_built_in(name)
    if not Path(folder).is_dir():
        if Path(folder).exists() or folder.endswith(".zip"):
            raise ValueError(policy_fault(folder))
        if advice := several_in_one(name, list(AGENTS)):
            raise ValueError(advice)
        what = f"{folder} is no" if budget else f"it is none of {', '.join(AGENTS)}, nor the"
        more = "" if budget else ", nor module:function, program:COMMAND or chat:FILE"
        maker = name.partition(":")[0]
        raise ValueError(f"there is no agent {name!r}: {what} folder of a policy{more}{did_you_mean(maker, AGENTS)}")
    return None


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


def is_chat(name: str) -> bool:
    """Whether a name is that of a language model, of which a file tells."""
    return name.startswith(CHAT)


def is_policy_folder(name: str) -> bool:
    """Whether `make_agent` takes a name for the folder of a policy."""
    return folder_of(name) == name and Path(name).is_dir()


def folder_of(name: str) -> str:
    """The folder of the policy that an agent plays or asks, which need not exist; empty if it needs none."""
    return "" if is_program(name) or is_chat(name) or _is_object(name) else _search_and_folder(name)[1]


def _is_object(name: str) -> bool:
    return not is_built_in(name) and is_object(name)


def _search_and_folder(name: str) -> tuple[str, str]:
    """The budget of a search that asks a policy, and the folder of the policy; either may be empty."""
    if not is_built_in(name):
        return "", name
    kind, _, text = name.partition(":")
    budget, _, folder = text.partition(":")
    return (budget, folder) if kind == "search" and folder else ("", "")
