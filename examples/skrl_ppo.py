# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "skrl==2.1.1"]
# ///
"""skrl: PPO with an action mask.

skrl hands a model only the observation, so the environment puts the mask into it. The policy lowers the logits of
illegal actions. skrl steps the native vector environment.
"""

import sys

import gymnasium
import torch
from skrl.agents.torch.ppo import PPO
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from skrl.utils import set_seed
from skrl.utils.spaces.torch import unflatten_tensorized_space
from torch import nn

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

LANES, ROLLOUT, UPDATES = 64, 64, round(24 * float(sys.argv[1] if len(sys.argv) > 1 else 1)) or 1


class Network(Model):
    """A perceptron over the part of the observation without the mask."""

    def __init__(self, outputs):
        super().__init__(observation_space=env.observation_space, action_space=env.action_space)
        size = env.observation_space["observation"].shape[0]
        self.layers = nn.Sequential(nn.LayerNorm(size), nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, outputs))

    def compute(self, inputs, role):
        """Return the value; for the policy, logits that are very low for illegal actions."""
        seen = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        outputs = self.layers(seen["observation"])
        return outputs if role == "value" else outputs.masked_fill(seen["action_mask"] == 0, -1e9), {}


class Policy(CategoricalMixin, Network):
    """Draws actions."""

    def __init__(self):
        Network.__init__(self, int(env.action_space.n))
        CategoricalMixin.__init__(self)


class Value(DeterministicMixin, Network):
    """Estimates returns."""

    def __init__(self):
        Network.__init__(self, 1)
        DeterministicMixin.__init__(self)


torch.set_num_threads(1)
set_seed(1)
env = wrap_env(gymnasium.make_vec("edge_envs/falling_off-v0", num_envs=LANES, mask_in_observation=True), verbose=False)
policy, spaces = Policy(), {"observation_space": env.observation_space, "action_space": env.action_space}
settings = {"rollouts": ROLLOUT, "learning_epochs": 4, "mini_batches": 8, "entropy_loss_scale": 0.01}
quiet = {"experiment": {"write_interval": 0, "checkpoint_interval": 0}}
models, memory = {"policy": policy, "value": Value()}, RandomMemory(memory_size=ROLLOUT, num_envs=LANES)
agent = PPO(models=models, memory=memory, cfg={**settings, **quiet}, **spaces)
trainer = {"timesteps": UPDATES * ROLLOUT, "headless": True, "disable_progressbar": True}
SequentialTrainer(env=env, agents=agent, cfg=trainer).train()


@torch.no_grad()
def choose(observations, action_masks):
    """Return the most likely legal actions."""
    logits = policy.layers(torch.as_tensor(observations).float())
    return logits.masked_fill(torch.as_tensor(action_masks) == 0, -1e9).argmax(1).numpy()


against_random(edge_envs.load_game("falling_off"), Chooser(choose))
