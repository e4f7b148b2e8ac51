# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "d3rlpy==2.8.1"]
# ///
"""d3rlpy: offline learning of action values with CQL.

`agents.collect` plays games of the heuristic against itself, with some random actions, and `episodes` splits them into
episodes of single seats. d3rlpy 2.8 pins gymnasium 1.0, in which the Gymnasium environments of this package cannot be
created. So this example learns from files and evaluates in the batched environment.
"""

import logging
import sys
import tempfile
from pathlib import Path

import d3rlpy
import numpy as np
import structlog
import torch
from safetensors.numpy import load_file

import edge_envs
from agents.collection.config import CollectionConfig
from agents.collection.episodes import episodes
from agents.collection.run import collect
from agents.evaluation.verdict import Chooser, against_random

SHARE = float(sys.argv[1] if len(sys.argv) > 1 else 1)

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))  # the log of d3rlpy
torch.set_num_threads(1)
d3rlpy.seed(1)
game = edge_envs.load_game("falling_off")
folder = Path(tempfile.mkdtemp())
config = CollectionConfig(game=game.name, agents=["heuristic"], games=round(500 * SHARE), format="arrays", noise=0.3)
card = collect(config, folder)

parts = [
    d3rlpy.dataset.Episode(
        observations=episode.observations[:-1].astype(np.float32),  # CQL needs no view of the end
        actions=episode.actions[:, None],
        rewards=episode.rewards[:, None],
        terminated=True,
    )
    for file in card["files"]
    for episode in episodes(load_file(folder / file["file"]), game.num_distinct_actions)
]
dataset = d3rlpy.dataset.ReplayBuffer(
    d3rlpy.dataset.InfiniteBuffer(),
    episodes=parts,
    action_space=d3rlpy.ActionSpace.DISCRETE,
    action_size=game.num_distinct_actions,
)
print(f"{len(parts):,} episodes, {dataset.transition_count:,} decisions")
cql = d3rlpy.algos.DiscreteCQLConfig(batch_size=128, learning_rate=1e-3, target_update_interval=200).create("cpu:0")
epochs = cql.fit(
    dataset,
    n_steps=round(1600 * SHARE),
    n_steps_per_epoch=round(400 * SHARE),
    logger_adapter=d3rlpy.logging.NoopAdapterFactory(),
    show_progress=False,
)
for epoch, metrics in epochs:
    print(f"epoch {epoch}: loss {metrics['loss']:.3f}")


@torch.no_grad()
def choose(observations, action_masks):
    """Return the legal actions with the highest values."""
    values = cql.impl.q_function[0](torch.as_tensor(observations).float()).q_value
    return values.masked_fill(torch.as_tensor(action_masks) == 0, -1e9).argmax(1).numpy()


against_random(game, Chooser(choose))
