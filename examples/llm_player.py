# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "numpy>=1.26"]
# ///
"""A language model as a player.

Here a simple rule stands in for the model, so that nothing is downloaded. `ask` gets the messages as a chat model gets
them, and returns its answer as text. To ask a real model put a call of its client there, or name an endpoint in a file:
docs/text.md tells of agents named `chat:FILE`.
"""

import re
import sys

import edge_envs
from agents.evaluation.verdict import against_random
from edge_envs.text import TextAgent

GAMES = round(200 * float(sys.argv[1] if len(sys.argv) > 1 else 1))
PLACES = {"start": 3, "off": 99}
decisions = []


def step(action):
    """How far `move 6 9` goes; nothing else goes anywhere."""
    places = [PLACES.get(word) or int(word) for word in action.split()[1:]]
    return places[1] - places[0] if action.startswith("move") else 0


def ask(messages):
    """Read what is possible, and answer as a model does: thoughts, then the action."""
    actions = re.findall(r"^\d+\. (.*)$", messages[-1]["content"], re.MULTILINE)
    return f"Small steps keep my pawns longest.\n\nACTION: {min(actions, key=step)}"


game = edge_envs.load_game("falling_off")
agent = TextAgent(game, ask, name="stand-in", keep=decisions.append)
against_random(game, agent, GAMES)

print("\nThe first decision:")
for message in decisions[0].messages[1:]:
    print(f"\n[{message['role']}]\n{message['content']}")
