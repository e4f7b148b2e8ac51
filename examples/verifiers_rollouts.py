# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[textarena]", "verifiers==0.4.0", "nltk>=3.9"]
# ///
"""verifiers: the game as tasks for a language model.

The environment of `verifiers` for TextArena seeds the module `random`, creates a game by its id and lets a model answer
for one seat; random agents play the others. A simple rule replaces the model, so that this example downloads nothing.
`verifiers` itself allows five games: a configuration of your own names others.
"""

import asyncio
import contextlib
import itertools
import re
import sys
from types import SimpleNamespace

import nltk
import numpy as np

import edge_envs.bridges.textarena  # noqa: F401  # registers all games
from agents.evaluation.report import rates
from edge_envs.intervals import format_rate

nltk.download = lambda *words, **options: True  # the games need no lists of words
from verifiers.v1.tasksets.textarena import TextArenaConfig, TextArenaEnv, TextArenaTaskset  # noqa: E402

GAMES = round(100 * float(sys.argv[1] if len(sys.argv) > 1 else 1))
PLACES = {"start": 3, "off": 99}


class GameConfig(TextArenaConfig):
    """The configuration of a taskset, with any id."""

    game: str


def step(action):
    """Return the length of a move such as `move 6 9`, and 0 for other actions."""
    places = [PLACES.get(word) or int(word) for word in action.split()[1:]]
    return places[1] - places[0] if action.startswith("move") else 0


class Player:
    """Answers in place of a model, and keeps the reward that `verifiers` records."""

    def __init__(self):
        self.trace = SimpleNamespace(info={}, record_reward=lambda name, reward, weight: self.rewards.append(reward))
        self.rewards = []

    @contextlib.asynccontextmanager
    async def interaction(self, task):
        """Play one task."""
        self.prompt = task.data.prompt
        yield self

    async def turn(self, message=None):
        """Read the legal actions and answer with the shortest step."""
        listed = (message or self.prompt).rpartition("Legal actions:")[2]
        actions = re.findall(r"^\d+\. (.*)$", listed, re.MULTILINE)
        answer = f"Small steps keep my pawns longest.\n\n[{min(actions, key=step)}]"
        return SimpleNamespace(terminated=False, last_reply=answer)


tasks = TextArenaTaskset(GameConfig(game="edge_envs/falling_off-v0-train")).load()
player = Player()
for task in itertools.islice(tasks, GAMES):
    asyncio.run(TextArenaEnv.run(None, task, SimpleNamespace(player=player)))
result = rates(np.array(player.rewards))
won = format_rate(result["win_rate"], result["low"], result["high"])
print(f"falling_off: won {won} of {GAMES:,} games against random")
print(player.trace.info["game_outcome"])
sys.exit(result["low"] < 0.6)
