# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "torch>=2.8"]
# ///
"""Self-play PPO in one file, in the style of CleanRL.

One network plays all seats by PPO with an action mask. `vector_env` shows each game to the player to act. In a
two-player zero-sum game, a position's value for one player is the negative of its value for the other. Values and
advantages therefore change sign whenever the player changes.
"""

import sys

import torch
from torch import nn
from torch.distributions import Categorical

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

STEPS = round(400_000 * float(sys.argv[1] if len(sys.argv) > 1 else 1))
LANES, LENGTH, EPOCHS, PARTS, GAMMA, LAMBDA, CLIP = 256, 64, 3, 8, 0.99, 0.95, 0.2

torch.manual_seed(1)
torch.set_num_threads(1)
game = edge_envs.load_game("falling_off")
env = edge_envs.vector_env("falling_off", num_envs=LANES)
scale = torch.as_tensor(game.observation_bounds[1]).float().clamp(min=1)
actor = nn.Sequential(nn.Linear(len(scale), 128), nn.Tanh(), nn.Linear(128, game.num_distinct_actions))
critic = nn.Sequential(nn.Linear(len(scale), 128), nn.Tanh(), nn.Linear(128, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], 2e-3)


def tensors(batch):
    """Copy the arrays that the next step overwrites."""
    seen = torch.tensor(batch.observation).float() / scale
    return seen, torch.tensor(batch.action_mask).bool(), torch.tensor(batch.current_player)


def policy(seen, masks):
    """Return the distribution over the legal actions."""
    return Categorical(logits=actor(seen).masked_fill(~masks, -1e9))


seen, masks, players = tensors(env.reset(seed=1))
for _ in range(1 + STEPS // (LANES * LENGTH)):
    rows = []
    with torch.no_grad():
        for _ in range(LENGTH):
            actions = policy(seen, masks).sample()
            batch = env.step(actions.numpy())
            reward = torch.tensor(batch.rewards)[torch.arange(LANES), players]
            log, over = policy(seen, masks).log_prob(actions), torch.tensor(batch.terminated).float()
            rows.append((seen, masks, players, actions, log, reward, over, critic(seen)[:, 0]))
            seen, masks, players = tensors(batch)
        advantages, later, after, mover = [], torch.zeros(LANES), critic(seen)[:, 0], players
        for _, _, player, _, _, reward, over, value in reversed(rows):
            on = GAMMA * (1 - over) * torch.where(player == mover, 1.0, -1.0)
            later, after, mover = reward + on * (after + LAMBDA * later) - value, value, player
            advantages.insert(0, later)
    data = [torch.cat(column) for column in (*zip(*rows, strict=True), advantages)]
    for part in (part for _ in range(EPOCHS) for part in torch.randperm(LANES * LENGTH).chunk(PARTS)):
        saw, legal, _, action, before, _, _, value, gain = (column[part] for column in data)
        now = policy(saw, legal)
        ratio = (now.log_prob(action) - before).exp()
        better = (gain - gain.mean()) / (gain.std() + 1e-8)
        gained = torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
        error = (critic(saw)[:, 0] - value - gain).square().mean()
        optimizer.zero_grad()
        (error / 2 - gained - 0.01 * now.entropy().mean()).backward()
        optimizer.step()


def choose(observations, action_masks):
    """Return the most likely legal actions."""
    seen = torch.tensor(observations).float() / scale
    return policy(seen, torch.tensor(action_masks).bool()).probs.argmax(1).numpy()


against_random(game, Chooser(choose))
