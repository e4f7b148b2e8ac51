# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "stable-baselines3>=2.9", "sb3-contrib>=2.9"]
# ///
"""Stable-Baselines3: MaskablePPO with your own network.

The network embeds the value of each feature of the observation, which suits small counts. `sb3_vec_env` plays all games
in compiled loops. MaskablePPO finds the masks automatically.
"""

import sys

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecMonitor
from torch import nn

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

STEPS = round(100_000 * float(sys.argv[1] if len(sys.argv) > 1 else 1))


class Embedded(BaseFeaturesExtractor):
    """Embed the value of each feature, then apply one layer to all embeddings."""

    def __init__(self, observation_space, width=128):
        super().__init__(observation_space, width)
        low, high = observation_space.low.astype(int), observation_space.high.astype(int)
        sizes = torch.as_tensor(high - low + 1)
        self.register_buffer("first", torch.cumsum(sizes, 0) - sizes - torch.as_tensor(low))
        self.vectors = nn.Embedding(int(sizes.sum()), 8)
        self.layer = nn.Sequential(nn.Flatten(), nn.Linear(8 * len(sizes), width), nn.ReLU())

    def forward(self, observations):
        """Return the features of observations."""
        return self.layer(self.vectors(observations.long() + self.first))


torch.set_num_threads(1)
env = VecMonitor(edge_envs.sb3_vec_env("falling_off", num_envs=128, opponents="random"))
env.seed(1)
model = MaskablePPO(
    "MlpPolicy",
    env,
    n_steps=32,
    batch_size=1024,
    n_epochs=4,
    learning_rate=1e-3,
    policy_kwargs={"features_extractor_class": Embedded, "net_arch": [64]},
    device="cpu",
    seed=1,
)
model.learn(STEPS)


def choose(observations, action_masks):
    """Return the most likely legal actions."""
    return model.predict(observations, action_masks=action_masks, deterministic=True)[0]


against_random(edge_envs.load_game("falling_off"), Chooser(choose))
