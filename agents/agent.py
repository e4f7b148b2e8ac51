"""How to get an agent by name: one of those that need no training, an exported policy, or a search that asks one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from edge_envs import Game
from edge_envs.agents import AGENTS, Agent, built_in_agent, check_built_in, is_built_in
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget

if TYPE_CHECKING:
    from agents.policy import PolicyAgent
    from agents.value_learning.policy import ValuesAgent


def make_agent(name: str, game: Game) -> Agent:
    """An agent by its name, which may be the folder of an exported policy, or end with one: `search:200:FOLDER`.

    Raises ValueError if there is no such agent, or if it cannot play this game.
    """
    check_agent(name)
    budget, folder = _search_and_folder(name)
    if not folder:
        return built_in_agent(name, game)
    policy = load_policy(folder, game)
    return SearchAgent(game, Budget.parse(budget), policy) if budget else policy


def load_policy(folder: str | Path, game: Game | None = None) -> PolicyAgent | ValuesAgent:
    """The agent of an exported policy: a network that names actions, or learned values, which are played by `turn`.

    ValueError says what is wrong with the folder, or that it does not fit `game`.
    """
    from agents.policy_file import PolicyFile, read_policy_file

    architecture = read_policy_file(folder, PolicyFile).architecture
    if isinstance(architecture, dict) and architecture.get("kind") == "values":
        from agents.value_learning.policy import ValuesAgent

        return ValuesAgent.load(folder, game)
    from agents.policy import PolicyAgent

    return PolicyAgent.load(folder, game)


def check_agent(name: str) -> None:
    """ValueError if there is no such agent."""
    budget, folder = _search_and_folder(name)
    if budget:
        check_built_in(f"search:{budget}")
    if not folder:
        check_built_in(name)
    elif not Path(folder).is_dir():
        what = f"{folder} is no" if budget else f"it is none of {', '.join(AGENTS)}, nor the"
        raise ValueError(f"there is no agent {name!r}: {what} folder of a policy")


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
    return folder_of(name) == name and Path(name).is_dir()


def folder_of(name: str) -> str:
    """The folder of the policy that an agent plays or asks, which need not exist; empty if it needs none."""
    return _search_and_folder(name)[1]


def _search_and_folder(name: str) -> tuple[str, str]:
    """The budget of a search that asks a policy, and the folder of the policy; either may be empty."""
    if not is_built_in(name):
        return "", name
    kind, _, text = name.partition(":")
    budget, _, folder = text.partition(":")
    return (budget, folder) if kind == "search" and folder else ("", "")
