"""From a configuration to a data set: files of games are made by several processes, in any order."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np

from agents.collection.card import card, card_page
from agents.collection.config import CollectionConfig
from agents.collection.formats import FORMATS, shapes_of
from agents.collection.games import Collected, play
from agents.collection.store import Store, Told
from agents.files import write_whole
from agents.locks import locked
from edge_envs import Game
from edge_envs.agents import Agent
from edge_envs.core.game import Array

Show = Callable[[int, int], None]
Made = tuple[int, Told]


def collect(
    config: CollectionConfig, folder: Path, workers: int = 1, show: Show = lambda done, total: None
) -> dict[str, Any]:
    """Play what is not there yet, and write the card; what the card says.

    `show` gets how many games there are, and how many there will be. ValueError if a file is not as it was written.
    """
    with locked(folder, "data set"):
        store = Store(folder, config)
        maker = _Maker(config, folder)
        store.open()
        told = {shard: known for shard in range(config.shards) if (known := store.known(shard)) is not None}
        missing = [shard for shard in range(config.shards) if shard not in told]
        show(_games(told), config.games)
        for shard, made in _all(config, folder, maker, missing, workers):
            told[shard] = made
            show(_games(told), config.games)
        document = card(config, maker.game, [told[shard] for shard in range(config.shards)])
        write_whole(folder / "card.md", card_page(document))
        write_whole(folder / "card.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return document


def _games(told: dict[int, Told]) -> int:
    return sum(one["games"] for one in told.values())


class _Maker:
    """Makes files of games, and keeps the agents that it has made."""

    def __init__(self, config: CollectionConfig, folder: Path) -> None:
        self._config, self._store = config, Store(folder, config)
        self.game: Game = config.load_game()
        self._agents: list[Agent] = config.make_agents(self.game)

    def make(self, shard: int) -> Made:
        """Play the games of a file and write it; its number, and what is told of it."""
        config, game, numbers = self._config, self.game, self._config.numbers(shard)
        kind = FORMATS[config.format]
        seeds = [config.first_seed() + number for number in numbers]
        turns = np.array(numbers)[:, None] + np.arange(game.num_players)
        seats = np.array(config.seats(game.num_players))[turns % game.num_players]
        collected = play(game, self._agents, seats, seeds, config.noise, kind.shown)
        content = kind.make(game, collected, seeds, numbers.start)
        told = _told(config.names, seats, collected) | {"arrays": shapes_of(collected) if kind.shown else {}}
        return shard, self._store.keep(shard, content, told)


def _told(names: Sequence[str], seats: Array, collected: Collected) -> Told:
    """What is told of some games: how many, and how the agents fared in them."""
    agents = []
    for number in range(len(names)):
        own = collected.returns[seats == number]
        decisions = int((collected.decisions["agent"] == number).sum())
        agents.append(
            {"seats": own.size, "wins": int((own > 0).sum()), "returns": float(own.sum(dtype=np.float64)),
             "decisions": decisions}
        )  # fmt: skip
    drawn = int(collected.decisions["drawn"].sum())
    return {"games": len(seats), "decisions": len(collected.decisions["game"]), "drawn": drawn, "agents": agents}


def _all(config: CollectionConfig, folder: Path, maker: _Maker, shards: Sequence[int], workers: int) -> Iterator[Made]:
    """Make some files, by as many processes; each as it is done."""
    if workers == 1 or len(shards) <= 1:
        yield from map(maker.make, shards)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(shards)), context, _get_ready, (config, folder))
    try:
        for done in as_completed([pool.submit(_make, shard) for shard in shards]):
            yield done.result()
    except BrokenProcessPool:
        raise RuntimeError("a process that played games ended without a reason") from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.kill()
        raise
    finally:
        pool.shutdown()


_maker: _Maker | None = None  # of this process


def _get_ready(config: CollectionConfig, folder: Path) -> None:
    """Get a process ready that makes files, and ends when the one that started it does."""
    global _maker  # noqa: PLW0603  what a process of a pool keeps has no other place
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ |= {"EDGE_ENVS_QUIET": "1", "OMP_NUM_THREADS": "1"}
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _maker = _Maker(config, folder)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _make(shard: int) -> Made:
    assert _maker is not None
    return _maker.make(shard)
