"""Games as each player lives through them: what `seat_env` shows a learner in its seat, for offline learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from edge_envs.core.spec import Array


@dataclass(frozen=True)
class Episode:
    """The T decisions of one player in one game.

    `observations` and `action_masks` are one longer: the last ones are of the end, where nothing can be done. A reward
    is that of the time up to the player's next decision or the end.
    """

    game: int
    player: int
    agent: int
    observations: Array  # (T + 1, *shape)
    action_masks: Array  # (T + 1, A) int8
    actions: Array  # (T,) int64
    rewards: Array  # (T,) float32
    drawn: Array  # (T,) bool: whether an action was drawn uniformly in place of the agent's


def episodes(arrays: Mapping[str, Array], actions: int) -> Iterator[Episode]:
    """Those of all games in the arrays of a file, for games with so many actions; players without a decision have none.

    The arrays are of a file as `agents.collect` writes it: games stand one behind the other.
    """
    if not len(arrays["game"]):
        return
    order = np.lexsort((arrays["step"], arrays["player"], arrays["game"]))
    games, players = arrays["game"][order], arrays["player"][order]
    begins = np.flatnonzero(np.append(True, (np.diff(games) != 0) | (np.diff(players) != 0)))
    for rows in np.split(order, begins[1:]):
        game, player = int(arrays["game"][rows[0]]), int(arrays["player"][rows[0]])
        ends = arrays["last_observation"][game - arrays["game_number"][0]]
        last = ends[player % len(ends)]  # one alone where all was seen by one player
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
