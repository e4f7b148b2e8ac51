# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "benchmarl==1.5.2", "torch==2.13.0"]
# ///
"""BenchMARL: self-play IPPO with an action mask.

A task of BenchMARL creates the parallel environment with float observations; TorchRL reads the masks from the infos.
All seats share one network. The game is zero-sum, so BenchMARL's mean return over the group is always 0.
"""

import logging
import sys
import tempfile

import torch
from benchmarl.algorithms import IppoConfig
from benchmarl.environments.pettingzoo.common import PettingZooClass
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from tensordict import TensorDict
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import ExplorationType, set_exploration_type

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

FRAMES = round(20 * float(sys.argv[1] if len(sys.argv) > 1 else 1)) * 2000 or 2000


class FallingOff(PettingZooClass):
    """The game as a task of BenchMARL, with the group of agents `player`."""

    def get_env_fun(self, num_envs, continuous_actions, seed, device):
        """Return a function that creates an environment."""
        settings = {"use_mask": True, "categorical_actions": True, "seed": seed, "device": device}
        return lambda: PettingZooWrapper(edge_envs.parallel_env("falling_off", observation_dtype="float32"), **settings)

    def supports_discrete_actions(self):
        """Return whether actions are discrete."""
        return True

    def max_steps(self, env):
        """Return the longest rollout of an evaluation."""
        return 1000


logging.getLogger("torchrl").setLevel(logging.WARNING)
torch.set_num_threads(1)
config = ExperimentConfig.get_from_yaml()
config.max_n_frames, config.lr = FRAMES, 1e-3
config.on_policy_collected_frames_per_batch, config.on_policy_n_envs_per_worker = 2000, 10
config.on_policy_n_minibatch_iters, config.on_policy_minibatch_size = 4, 400
config.evaluation, config.render, config.loggers, config.create_json = False, False, [], False
config.save_folder = tempfile.mkdtemp()
algorithm, model = (
    IppoConfig.get_from_yaml(),
    MlpConfig(num_cells=[128, 128], layer_class=torch.nn.Linear, activation_class=torch.nn.Tanh),
)
algorithm.entropy_coef = 0.01
task = FallingOff(name="FALLING_OFF", config={})
experiment = Experiment(
    task=task, algorithm_config=algorithm, model_config=model, critic_model_config=model, seed=1, config=config
)
experiment.run()


@torch.no_grad()
def choose(observations, action_masks):
    """Return the most likely legal actions. Both agents of the group get the same view; nobody may wait."""
    views = torch.as_tensor(observations).float()[:, None].expand(-1, 2, -1)
    masks = torch.nn.functional.pad(torch.as_tensor(action_masks, dtype=torch.bool), (0, 1))[:, None].expand(-1, 2, -1)
    group = TensorDict({"observation": views, "action_mask": masks}, batch_size=masks.shape[:2])
    with set_exploration_type(ExplorationType.DETERMINISTIC):
        seen = experiment.policy(TensorDict({"player": group}, batch_size=len(views)))
    return seen["player", "action"][:, 0].numpy()


against_random(edge_envs.load_game("falling_off"), Chooser(choose))
