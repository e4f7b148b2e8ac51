# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "ray[rllib]==2.60.0", "gymnasium==1.2.2"]
# ///
"""RLlib: self-play PPO with an action mask.

One network plays all seats. Each seat learns from the rewards up to its own next decision. Masks are part of the
observations, as RLlib's module for action masks expects. Ray runs only on this machine.
"""

import sys

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import edge_envs
from agents.evaluation.verdict import Chooser, against_random
from edge_envs.bridges import rllib  # noqa: F401  # registers all games

ROUNDS = round(12 * float(sys.argv[1] if len(sys.argv) > 1 else 1)) or 1

torch.set_num_threads(1)
ray.init("local", _node_ip_address="127.0.0.1", include_dashboard=False, num_cpus=1, log_to_driver=False)
config = (
    PPOConfig()
    .environment("edge_envs/falling_off-v0", disable_env_checking=True)  # the check would sample illegal actions
    .env_runners(num_env_runners=0, num_envs_per_env_runner=32)
    .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **_: "all")
    .rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule,
            model_config={"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": []},
        )
    )
    .training(train_batch_size=4096, minibatch_size=512, num_epochs=4, lr=1e-3, gamma=0.99, entropy_coeff=0.01)
    .debugging(seed=1, log_level="ERROR")
)
algorithm = config.build_algo()
for number in range(ROUNDS):
    result = algorithm.train()
    print(f"round {number + 1}: {result['env_runners']['num_episodes']} games")
module = algorithm.get_module("all")


@torch.no_grad()
def choose(observations, action_masks):
    """Return the most likely legal actions."""
    seen = {"observations": torch.as_tensor(observations).float(), "action_mask": torch.as_tensor(action_masks)}
    return module.forward_inference({"obs": seen})["action_dist_inputs"].argmax(1).numpy()


against_random(edge_envs.load_game("falling_off"), Chooser(choose))
