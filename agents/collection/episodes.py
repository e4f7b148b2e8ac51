"""Split games into episodes of single players, as a learner in `seat_env` sees them, for offline learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from edge_envs.core.spec import Array


@dataclass(frozen=True)
class Episode:
    """The T decisions of one player in one game.

    `observations` and `action_masks` have one more entry for the end of the game, where no action is legal. A reward is
    the sum up to the player's next decision or the end.
    """

    game: int
    player: int
    agent: int
    observations: Array  # (T + 1, *shape)
    action_masks: Array  # (T + 1, A) int8
    actions: Array  # (T,) int64
    rewards: Array  # (T,) float32
    drawn: Array  # (T,) bool: whether the agent's action was replaced by a random one


def episodes(arrays: Mapping[str, Array], actions: int) -> Iterator[Episode]:
    """Yield the episodes of all games in the arrays of a file; players without a decision have none.

    Args:
        arrays: the arrays of a file of `agents.collect`, game after game.
        actions: the number of distinct actions of the game.
    """
    if not len(arrays["game"]):
        return
    order = np.lexsort((arrays["step"], arrays["player"], arrays["game"]))
    games, players = arrays["game"][order], arrays["player"][order]
    begins = np.flatnonzero(np.append(True, (np.diff(games) != 0) | (np.diff(players) != 0)))
    for rows in np.split(order, begins[1:]):
        game, player = int(arrays["game"][rows[0]]), int(arrays["player"][rows[0]])
        ends = arrays["last_observation"][game - arrays["game_number"][0]]
        last = ends[player % len(ends)]  # only one if the data set has a viewer
        masks = np.unpackbits(arrays["action_mask"][rows], axis=1, count=actions).astype(np.int8)
        to_come = np.append(arrays["returns"][rows], np.float32(0))
        yield Episode(
            game=game,
            player=player,
            agent=int(arrays["agent"][rows[0]]),
            observations=np.append(arrays["observation"][rows], last[None], axis=0),
            action_masks=np.append(masks, np.zeros_like(masks[:1]), axis=0),
            actions=arrays["action"][rows].astype(np.int64),
            rewards=to_come[:-1] - to_come[1:],
            drawn=arrays["drawn"][rows],
        )
