# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "minari[hdf5]==0.5.4"]
# ///
"""Minari: a data set of games, and a player cloned from it.

`agents.collect` plays games of the built-in player against itself. What each seat has seen, might have done and has
done becomes an episode of a Minari data set, and a network learns to do the same.
"""

import os
import sys
import tempfile
from pathlib import Path

import minari
import numpy as np
import torch
from minari.data_collector import EpisodeBuffer
from safetensors.numpy import load_file
from torch import nn

import edge_envs
from agents.collection.config import CollectionConfig
from agents.collection.episodes import episodes
from agents.collection.run import collect
from agents.evaluation.verdict import Chooser, against_random

ENV = "edge_envs/over_the_edge_pond-v0"
GAMES = round(500 * float(sys.argv[1] if len(sys.argv) > 1 else 1))

torch.manual_seed(1)
torch.set_num_threads(1)
folder = Path(tempfile.mkdtemp())
os.environ["MINARI_DATASETS_PATH"] = str(folder / "minari")  # instead of your home folder

game = edge_envs.load_game("over_the_edge_pond")
wanted = CollectionConfig(game="over_the_edge_pond", agents=["heuristic"], games=GAMES, format="arrays", noise=0.1)
card = collect(wanted, folder / "games")
buffers = []
for file in card["files"]:
    for episode in episodes(load_file(folder / "games" / file["file"]), card["actions"]):
        last = np.arange(len(episode.actions)) == len(episode.actions) - 1
        buffers.append(
            EpisodeBuffer(
                id=len(buffers),
                observations=episode.observations,
                actions=episode.actions,
                rewards=episode.rewards,
                terminations=last,
                truncations=np.zeros_like(last),
                infos={"action_mask": episode.action_masks},
            )
        )
minari.create_dataset_from_buffers("over_the_edge_pond/heuristic-v0", buffers, env=ENV)

dataset = minari.load_dataset("over_the_edge_pond/heuristic-v0")
print(f"{dataset.total_episodes:,} episodes, {dataset.total_steps:,} steps")
seen = torch.tensor(np.concatenate([one.observations[:-1] for one in dataset])).float()
masks = torch.tensor(np.concatenate([one.infos["action_mask"][:-1] for one in dataset])).bool()
done = torch.tensor(np.concatenate([one.actions for one in dataset]))
features = seen.shape[1]
net = nn.Sequential(nn.BatchNorm1d(features), nn.Linear(features, 256), nn.ReLU(), nn.Linear(256, card["actions"]))
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(3):
    for rows in torch.randperm(len(done)).split(512):
        loss = nn.functional.cross_entropy(net(seen[rows]).masked_fill(~masks[rows], -1e9), done[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch + 1}: loss {loss.item():.3f}")


def choose(observations, action_masks):
    """The likeliest legal actions."""
    logits = net.eval()(torch.tensor(observations).float())
    return logits.masked_fill(~torch.tensor(action_masks).bool(), -1e9).argmax(1).numpy()


against_random(game, Chooser(choose))
