"""What the arrays of a data set mean, by their names."""

from __future__ import annotations

MEANINGS = {
    "observation": "what the player to act saw",
    "action_mask": "the legal actions as bits: np.unpackbits(mask, axis=1, count=A)",
    "action": "what was done",
    "player": "by which seat",
    "agent": "by which of the agents of the card",
    "drawn": "whether the action was drawn uniformly in place of the agent's",
    "game": "the number of the game; its seed is first_seed of the card + this",
    "step": "the number of the decision in the game",
    "returns": "what this player got from there to the end of the game",
    "game_number": "the numbers of the games, also of those without a row",
    "game_returns": "what each player got",
    "last_observation": "what each player saw at the end",
    "observations": "what the player saw at its decisions and at the end",
    "actions": "what the player did",
    "rewards": "what the player got up to its next decision or the end",
    "terminations": "whether the game ended with this step",
    "truncations": "never: no game is cut short",
    "infos/action_mask": "the legal actions; none at the end",
    "infos/drawn": "whether the action was drawn uniformly in place of the agent's",
}
"""Of files of arrays, and of Minari's episodes."""
