# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "minari[hdf5]==0.5.4"]
# ///
"""Minari: behaviour cloning from a data set of games.

`agents.collect` plays games of the heuristic against itself and stores them as Minari episodes: the observations, masks
and actions of one seat. A network then learns to imitate the actions.
"""

import sys
import tempfile
from pathlib import Path

import minari
import numpy as np
import torch
from torch import nn

import edge_envs
from agents.collection.config import CollectionConfig
from agents.collection.run import collect
from agents.evaluation.verdict import Chooser, against_random

GAMES = round(500 * float(sys.argv[1] if len(sys.argv) > 1 else 1))

torch.manual_seed(1)
torch.set_num_threads(1)
folder = Path(tempfile.mkdtemp())

game = edge_envs.load_game("over_the_edge_pond")
config = CollectionConfig(game="over_the_edge_pond", agents=["heuristic"], games=GAMES, format="minari", noise=0.1)
collect(config, folder)

dataset = minari.MinariDataset(folder)
print(f"{dataset.total_episodes:,} episodes, {dataset.total_steps:,} steps")
seen = torch.tensor(np.concatenate([one.observations[:-1] for one in dataset])).float()
masks = torch.tensor(np.concatenate([one.infos["action_mask"][:-1] for one in dataset])).bool()
done = torch.tensor(np.concatenate([one.actions for one in dataset]))
features = seen.shape[1]
actions = game.num_distinct_actions
net = nn.Sequential(nn.BatchNorm1d(features), nn.Linear(features, 256), nn.ReLU(), nn.Linear(256, actions))
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(3):
    for rows in torch.randperm(len(done)).split(512):
        loss = nn.functional.cross_entropy(net(seen[rows]).masked_fill(~masks[rows], -1e9), done[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch + 1}: loss {loss.item():.3f}")


def choose(observations, action_masks):
    """Return the most likely legal actions."""
    logits = net.eval()(torch.tensor(observations).float())
    return logits.masked_fill(~torch.tensor(action_masks).bool(), -1e9).argmax(1).numpy()


against_random(game, Chooser(choose))
