# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "torchrl==0.14.1"]
# ///
"""TorchRL: PPO with an action mask.

`GymWrapper` uses the native vector environment with `autoreset_mode="Disabled"` and resets finished games itself. The
masks are read from the infos, and `MaskedCategorical` samples only legal actions.
"""

import sys

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.envs.libs.gym import default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

UPDATES = round(16 * float(sys.argv[1] if len(sys.argv) > 1 else 1)) or 1
LANES, FRAMES, EPOCHS, PART = 128, 128 * 64, 3, 1024

torch.manual_seed(1)
torch.set_num_threads(1)
game = edge_envs.load_game("falling_off")
actions, features = game.num_distinct_actions, game.observation_shape[0]
games = gymnasium.make_vec("edge_envs/falling_off-v0", num_envs=LANES, autoreset_mode="Disabled")
wrapped = GymWrapper(games, categorical_action_encoding=True)
masks = Binary(actions, shape=(LANES, actions), dtype=torch.int8)
wrapped.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": masks}))
env = TransformedEnv(wrapped, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
env.append_transform(DTypeCastTransform(torch.int8, torch.float32, in_keys=["observation"]))
env.set_seed(1)


def network(outputs):
    """Return a perceptron."""
    return nn.Sequential(nn.LayerNorm(features), nn.Linear(features, 128), nn.Tanh(), nn.Linear(128, outputs))


actor = ProbabilisticActor(
    TensorDictModule(network(actions), in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(network(1), in_keys=["observation"])
advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
optimizer = torch.optim.Adam(loss.parameters(), 1e-3)

total = UPDATES * FRAMES
for batch in Collector(env, actor, frames_per_batch=FRAMES, total_frames=total, auto_register_policy_transforms=True):
    with torch.no_grad():
        advantage(batch)
    rows = batch.reshape(-1)
    for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(rows)).split(PART)):
        losses = loss(rows[part])
        optimizer.zero_grad()
        (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
        optimizer.step()
    ends = rows["next", "reward"][rows["next", "done"]]
    print(f"{len(ends):5} games, mean return {ends.mean():+.2f}")


def choose(observations, action_masks):
    """Return the most likely legal actions."""
    logits = actor[0](torch.as_tensor(observations).float())
    return logits.masked_fill(~torch.as_tensor(action_masks, dtype=torch.bool), -1e9).argmax(1).numpy()


against_random(game, Chooser(choose))
