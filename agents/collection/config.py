"""The configuration of a data set."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Self

from pydantic import Field

from agents.collection.formats import FORMATS
from agents.common.configuration import GameConfig
from agents.common.numbers import all_digits
from agents.common.seeds import COLLECTION
from agents.players.agent import check_agent, make_agent
from agents.players.games import check_folder
from edge_envs import Game
from edge_envs.players import Agent


class CollectionConfig(GameConfig):
    """The configuration that determines the bytes of a data set."""

    agents: list[str] = Field(min_length=1)
    games: int = Field(gt=0, le=10**12)
    format: str
    viewer: int | None = Field(default=None, ge=0)
    noise: float = Field(default=0.0, ge=0, le=1)
    shard: int = Field(default=128, gt=0, le=2**20)
    author: str | None = None
    author_email: str | None = None
    code_permalink: str | None = None

    def checked(self) -> Self:
        """Check the format, the agents, and that their number and the viewer fit the game."""
        if self.format not in FORMATS:
            raise ValueError(f"format: unknown format {self.format!r} (choose from {', '.join(FORMATS)})")
        for agent in self.agents:
            check_folder(agent)
            check_agent(agent)
        players = self.load_game().num_players
        if len(self.agents) not in (1, players):
            raise ValueError(
                f"agents: {len(self.agents)} were given for {players} seats: name one for all or one for each"
            )
        if self.viewer is not None and self.viewer >= players:
            raise ValueError(f"invalid viewer={self.viewer}: expected a seat from 0 to {players - 1}")
        return self

    @property
    def shards(self) -> int:
        """The number of files of games."""
        return -(-self.games // self.shard)

    @property
    def names(self) -> list[str]:
        """The distinct agents."""
        return list(dict.fromkeys(self.agents))

    def seats(self, players: int) -> Sequence[int]:
        """Return the index in `names` of each seat's agent in game 0; in game k, all move by k seats."""
        return [self.names.index(name) for name in self.agents * (players // len(self.agents))]

    def numbers(self, shard: int) -> range:
        """Return the numbers of the games in a file."""
        return range(shard * self.shard, min(self.games, (shard + 1) * self.shard))

    def first_seed(self) -> int:
        """Return the seed of game 0; game k has this seed + k."""
        return COLLECTION + self.seed * 10**9

    def make_agents(self, game: Game) -> list[Agent]:
        """Make the agents of `names`; ValueError if one cannot play this game."""
        return [make_agent(name, game) for name in self.names]

    def command(self) -> str:
        """Return the command that makes this data set, with FOLDER to be replaced."""
        words = ["python", "-m", "agents.collect", "--game", self.game]
        words += ["--param"] if self.params else []
        for key, value in self.params.items():
            words.append(f"{key}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
        words += ["--agents", *self.agents, "--games", str(self.games), "--format", self.format]
        words += [] if self.viewer is None else ["--viewer", str(self.viewer)]
        words += ["--seed", str(self.seed), "--noise", all_digits(self.noise), "--shard", str(self.shard)]
        for key, value in self.published().items():
            words += [f"--{key.replace('_', '-')}", value]
        return f"{shlex.join(words)} --out FOLDER"

    def published(self) -> dict[str, str]:
        """Return author and code, by the names of Minari."""
        given = {"author": self.author, "author_email": self.author_email, "code_permalink": self.code_permalink}
        return {key: value for key, value in given.items() if value is not None}
