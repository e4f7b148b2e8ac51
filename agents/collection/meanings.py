"""The meanings of the arrays of a data set, by their names."""

from __future__ import annotations

MEANINGS = {
    "observation": "observation of the player to act",
    "action_mask": "legal actions as bits: np.unpackbits(mask, axis=1, count=A)",
    "action": "chosen action",
    "player": "seat of the player to act",
    "agent": "index of the player's agent in the card",
    "drawn": "whether the agent's action was replaced by a random one",
    "game": "number of the game; its seed is first_seed of the card + this number",
    "step": "number of the decision in the game",
    "returns": "this player's return from here to the end of the game",
    "game_number": "numbers of the games, including games without rows",
    "game_returns": "each player's return",
    "last_observation": "each player's observation at the end",
    "observations": "the player's observations at its decisions and at the end",
    "actions": "the player's actions",
    "rewards": "rewards up to the player's next decision or the end",
    "terminations": "whether the game ended with this step",
    "truncations": "always false: no game is truncated",
    "infos/action_mask": "legal actions; none at the end",
    "infos/drawn": "whether the agent's action was replaced by a random one",
}
"""For files of arrays and for Minari episodes."""
