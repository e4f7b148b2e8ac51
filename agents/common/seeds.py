"""Ranges of game seeds, so that no evaluation uses a game that was seen during development.

| seeds | games |
|---|---|
| below 2**62 | training: `seed` of the configuration + steps done + lane |
| below 2**63 | weight search: 2**32 × `seed` of the configuration + number of the game |
| from 2**61 | `agents.collect`: 10**9 × `--seed` + number of the game |
| from 2**62 | evaluations during training, which configurations are selected by |
| from 2**63 | `agents.evaluate`: `--seed` + number of the game |

Different seeds begin at different points of the generator's cycle, so games with different seeds differ.
"""

from __future__ import annotations

COLLECTION = 2**61
CURVES = 2**62
EVALUATION = 2**63


def evaluation_seed(number: int, games: int) -> int:
    """Return the seed of evaluation game `number`; ValueError unless `games` games from there exist (of 2**63)."""
    if not 0 <= number <= 2**63 - games:
        raise ValueError(f"--seed {number}: there are 2**63 games for evaluation, counted from 0")
    return EVALUATION + number
