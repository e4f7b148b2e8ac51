"""Make a data set: workers make files of games, in any order, and this process writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.collection.card import card, card_page
from agents.collection.config import CollectionConfig
from agents.collection.formats import FORMATS
from agents.collection.games import Collected, play
from agents.collection.store import Store, Told
from agents.common.files import write_whole
from agents.common.locks import locked
from agents.workers.local import LocalWorkers
from agents.workers.task import Heartbeat, Task
from agents.workers.workers import Workers
from edge_envs import Game
from edge_envs.core.spec import Array
from edge_envs.players import Agent

Show = Callable[[int, int], None]
Made = tuple[bytes, Told]  # a file of games, and its description


def collect(
    config: CollectionConfig, folder: Path, workers: Workers | None = None, show: Show = lambda done, total: None
) -> dict[str, Any]:
    """Play missing games and write the card.

    Args:
        config: the configuration.
        folder: the folder of the data set.
        workers: play the games; None for this process.
        show: called with the number of finished games and of all games.

    Returns:
        The card.

    Raises:
        ValueError: if a file has changed since it was written.
    """
    with locked(folder, "data set"):
        store, game, kind = Store(folder, config), config.load_game(), FORMATS[config.format]
        config.make_agents(game)  # raises before anything is written
        kind.check_needs()
        store.open()
        told = store.all_known()
        missing = [shard for shard in range(config.shards) if shard not in told]
        show(_games(told), config.games)
        for number, made in (workers or LocalWorkers(1)).results(Shards(config, tuple(config.names)), missing):
            told[missing[number]] = store.keep(missing[number], *made)
            show(_games(told), config.games)
        files = [told[shard] for shard in range(config.shards)]
        document = card(config, game, files)
        for name, content in kind.index(game, document, files).items():
            write_whole(folder / name, content)
        write_whole(folder / "card.md", card_page(document))
        write_whole(folder / "card.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return document


def _games(told: dict[int, Told]) -> int:
    return sum(one["games"] for one in told.values())


@dataclass(frozen=True)
class Shards(Task):
    """Files of games; the jobs are their numbers."""

    config: CollectionConfig
    agents: Sequence[str]

    def prepare(self, heartbeat: Heartbeat) -> Callable[[int], Made]:
        """Return a function that makes files."""
        return _Maker(self.config).make


class _Maker:
    """Makes files of games, and keeps its agents."""

    def __init__(self, config: CollectionConfig) -> None:
        self._config = config
        self._game: Game = config.load_game()
        self._agents: list[Agent] = config.make_agents(self._game)

    def make(self, shard: int) -> Made:
        """Play the games of a file."""
        config, game, numbers = self._config, self._game, self._config.numbers(shard)
        kind = FORMATS[config.format]
        seeds = [config.first_seed() + number for number in numbers]
        turns = np.array(numbers)[:, None] + np.arange(game.num_players)
        seats = np.array(config.seats(game.num_players))[turns % game.num_players]
        collected = play(game, self._agents, seats, seeds, config.noise, kind.shown)
        if config.viewer is not None:
            collected = collected.seen_by(config.viewer)
        content = kind.make(game, collected, seeds, numbers.start)
        return content, _told(config.names, seats, collected) | {"arrays": kind.shapes(game, collected)}


def _told(names: Sequence[str], seats: Array, collected: Collected) -> Told:
    """Describe some games: their numbers, and the results of the agents."""
    agents = []
    for number in range(len(names)):
        own = collected.returns[seats == number]
        decisions = int((collected.decisions["agent"] == number).sum())
        agents.append(
            {"seats": own.size, "wins": int((own > 0).sum()), "returns": float(own.sum(dtype=np.float64)),
             "decisions": decisions}
        )  # fmt: skip
    games, players = collected.decisions["game"], collected.decisions["player"]
    return {
        "games": len(seats),
        "episodes": len(np.unique(games * seats.shape[1] + players)),
        "decisions": len(games),
        "drawn": int(collected.decisions["drawn"].sum()),
        "agents": agents,
    }
