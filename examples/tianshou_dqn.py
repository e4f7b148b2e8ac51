# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "tianshou==2.0.1"]
# ///
"""Tianshou: DQN with an action mask.

Tianshou's policies expect the mask next to the observation, as `obs.mask`. A short wrapper puts it there.
"""

import sys

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

EPOCHS = round(4 * float(sys.argv[1] if len(sys.argv) > 1 else 1)) or 1
ENVS = 32


class WithMask(gymnasium.Wrapper):
    """Wrap observations as `{"obs": array, "mask": array}`."""

    def __init__(self, env):
        super().__init__(env)
        mask = spaces.Box(0, 1, (int(env.action_space.n),), np.int8)
        self.observation_space = spaces.Dict({"obs": env.observation_space, "mask": mask})

    def reset(self, **kwargs):
        """Start a game."""
        observation, info = self.env.reset(**kwargs)
        return {"obs": observation, "mask": info["action_mask"]}, {}

    def step(self, action):
        """Play one decision."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return {"obs": observation, "mask": info["action_mask"]}, reward, terminated, truncated, {}


torch.manual_seed(1)
torch.set_num_threads(1)
game = edge_envs.load_game("falling_off")
envs = DummyVectorEnv([lambda: WithMask(gymnasium.make("edge_envs/falling_off-v0")) for _ in range(ENVS)])
envs.seed(1)
net = Net(state_shape=game.observation_shape, action_shape=game.num_distinct_actions, hidden_sizes=[128, 128])
policy = DiscreteQLearningPolicy(model=net, action_space=envs.action_space[0], eps_training=0.1)
optim = AdamOptimizerFactory(lr=1e-3)
dqn = DQN(policy=policy, optim=optim, gamma=0.97, n_step_return_horizon=5, target_update_freq=200)
collector = Collector(dqn, envs, VectorReplayBuffer(50_000, ENVS), exploration_noise=True)
collector.reset()
collector.collect(n_step=160 * ENVS)
dqn.run_training(
    OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=EPOCHS,
        epoch_num_steps=320 * ENVS,
        collection_step_num_env_steps=10 * ENVS,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=256,
        show_progress=False,
        verbose=False,
    )
)


def choose(observations, action_masks):
    """Return the legal actions with the highest values."""
    return policy(Batch(obs=Batch(obs=observations, mask=action_masks), info=Batch())).act


against_random(game, Chooser(choose))
