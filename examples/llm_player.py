# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "numpy>=1.26"]
# ///
"""A language model as an agent.

A simple rule replaces the model, so that this example downloads nothing. `ask` receives the messages of a chat and
returns the answer as a string. To use a real model, call its client in `ask`, or name its endpoint in a file: see
docs/text.md for agents named `chat:FILE`.
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
    """Return the length of a move such as `move 6 9`, and 0 for other actions."""
    places = [PLACES.get(word) or int(word) for word in action.split()[1:]]
    return places[1] - places[0] if action.startswith("move") else 0


def ask(messages):
    """Read the legal actions and answer like a model: reasoning, then the action."""
    actions = re.findall(r"^\d+\. (.*)$", messages[-1]["content"], re.MULTILINE)
    return f"Small steps keep my pawns longest.\n\nACTION: {min(actions, key=step)}"


game = edge_envs.load_game("falling_off")
agent = TextAgent(game, ask, name="stand-in", keep=decisions.append)
against_random(game, agent, GAMES)

print("\nThe first decision:")
for message in decisions[0].messages[1:]:
    print(f"\n[{message['role']}]\n{message['content']}")
