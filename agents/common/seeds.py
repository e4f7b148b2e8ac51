"""Which seeds games have, so that no game is evaluated that was seen in development.

| seeds | games |
|---|---|
| below 2**62 | of training: `seed` of the configuration + steps done + lane |
| below 2**63 | of searches for weights: 2**32 × `seed` of the configuration + number of the game |
| from 2**61 on | of `agents.collect`: 10**9 × `--seed` + number of the game |
| from 2**62 on | of the evaluations while training, which choices of configurations look at |
| from 2**63 on | of `agents.evaluate`: `--seed` + number of the game |

Different seeds begin at different points of the generator's cycle, so games with different seeds differ.
"""

from __future__ import annotations

COLLECTION = 2**61
CURVES = 2**62
EVALUATION = 2**63


def evaluation_seed(number: int, games: int) -> int:
    """The seed of the first of some games kept for evaluation, from a number on; ValueError if there are not as many.

    There are 2**63 of them.
    """
    if not 0 <= number <= 2**63 - games:
        raise ValueError(f"--seed {number}: there are 2**63 games for evaluation, counted from 0")
    return EVALUATION + number
