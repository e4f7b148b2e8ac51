# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "numpy>=1.26"]
# ///
"""LightZero: the game in the interface of its environments.

LightZero 0.2 requires numpy 1 and gymnasium 0.28, which this package does not support, so this example does not import
it. It follows the interface of LightZero's environments, and REINFORCE (Williams, 1992) stands in for its algorithms.
One seat learns and an opponent plays inside, since LightZero's self-play assumes that players alternate.
"""

import sys
from collections import namedtuple

import torch
from torch import nn

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

UPDATES = round(40 * float(sys.argv[1] if len(sys.argv) > 1 else 1)) or 1


BaseEnvTimestep = namedtuple("BaseEnvTimestep", ["obs", "reward", "done", "info"])  # as in ding.envs


class LightZeroGame:
    """The game as a `ding.envs.BaseEnv`; `to_play` is -1 because the opponent plays inside."""

    def __init__(self, cfg):
        form = {"observation_dtype": "float32", "mask_in_observation": True}
        self._env = edge_envs.seat_env(cfg["env_id"], opponents=cfg.get("opponents", "random"), **form)
        self.observation_space, self.action_space = self._env.observation_space, self._env.action_space

    def seed(self, seed, dynamic_seed=True):
        """Set the seed of the following games."""
        self._env.reset(seed=seed)

    def reset(self):
        """Start a game."""
        self._timestep = 0
        return {**self._env.reset()[0], "to_play": -1, "timestep": 0}

    def step(self, action):
        """Play until the learner's next decision. Only the last reward of a game differs from 0."""
        view, reward, done, _, _ = self._env.step(int(action))
        self._timestep += 1
        info = {"eval_episode_return": reward} if done else {}
        return BaseEnvTimestep({**view, "to_play": -1, "timestep": self._timestep}, reward, done, info)


def logits(observations, masks):
    """Return logits, very low for illegal actions."""
    return net(torch.as_tensor(observations).float()).masked_fill(torch.as_tensor(masks) == 0, -1e9)


torch.manual_seed(1)
torch.set_num_threads(1)
env = LightZeroGame({"env_id": "falling_off", "opponents": "random"})
env.seed(1)
size, actions = env.observation_space["observation"].shape[0], int(env.action_space.n)
net = nn.Sequential(nn.LayerNorm(size), nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
optimizer = torch.optim.Adam(net.parameters(), 1e-2)
for _ in range(UPDATES):
    loss = torch.zeros(())
    for _ in range(40):
        step, logs = BaseEnvTimestep(env.reset(), 0.0, False, {}), []
        while not step.done:
            choice = torch.distributions.Categorical(logits=logits(step.obs["observation"], step.obs["action_mask"]))
            logs.append(choice.log_prob(action := choice.sample()))
            step = env.step(action)
        loss -= torch.stack(logs).sum() * step.reward / 40
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

against_random(edge_envs.load_game("falling_off"), Chooser(lambda *seen: logits(*seen).argmax(1).numpy()))
