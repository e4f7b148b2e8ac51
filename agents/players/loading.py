"""Load the agent of an exported policy folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from edge_envs import Game

if TYPE_CHECKING:
    from agents.players.policy import PolicyAgent
    from agents.tuple_learning.policy import TuplesAgent
    from agents.value_learning.policy import ValuesAgent


def load_policy(
    folder: str | Path, game: Game | None = None, device: str | None = None
) -> PolicyAgent | ValuesAgent | TuplesAgent:
    """Load a policy network, learned values, which are played by `turn`, or an n-tuple network, played by `turns`.

    Args:
        folder: the folder with `policy.json` and `policy.safetensors`.
        game: the game to play; None for the one that the policy was made for.
        device: where a policy network runs, see `PolicyAgent.load`. Learned values and n-tuple networks are played on
            the CPU, by compiled code.

    Raises:
        ValueError: if the folder cannot be read, or does not fit `game`, or if there is no such device.
    """
    from agents.players.policy_file import PolicyFile, read_policy_file

    architecture = read_policy_file(folder, PolicyFile).architecture
    kind = architecture.get("kind") if isinstance(architecture, dict) else None
    if kind == "tuples":
        from agents.tuple_learning.policy import TuplesAgent

        return TuplesAgent.load(folder, game)
    if kind == "values":
        from agents.value_learning.policy import ValuesAgent

        return ValuesAgent.load(folder, game)
    from agents.players.policy import PolicyAgent

    return PolicyAgent.load(folder, game, device)
