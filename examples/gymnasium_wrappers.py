# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "gymnasium>=1.2", "torch>=2.8"]
# ///
"""Gymnasium: parallel games with vector wrappers.

An actor-critic learns from them. Gymnasium's wrappers scale observations and count games. Wrappers that change
observations require `autoreset_mode="NextStep"`: a finished game is reset by the next step, which ignores the action.
Until then its mask is empty.
"""

import sys

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import vector
from torch import nn
from torch.distributions import Categorical

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

STEPS = round(300_000 * float(sys.argv[1] if len(sys.argv) > 1 else 1))
LANES, LENGTH, GAMMA = 128, 16, 0.97

torch.manual_seed(1)
torch.set_num_threads(1)
game = edge_envs.load_game("over_the_edge_pond")
low, high = game.observation_bounds


def scaled(observations):
    """Scale observations to [0, 1]."""
    return ((observations - low) / np.maximum(high - low, 1)).astype(np.float32)


env = gymnasium.make_vec("edge_envs/over_the_edge_pond-v0", num_envs=LANES, autoreset_mode="NextStep")
space = gymnasium.spaces.Box(0, 1, game.observation_shape)
env = vector.RecordEpisodeStatistics(vector.TransformObservation(env, scaled, single_observation_space=space), 500)
body = nn.Sequential(nn.Linear(game.observation_shape[0], 128), nn.Tanh())
actor, critic = nn.Linear(128, game.num_distinct_actions), nn.Linear(128, 1)
optimizer = torch.optim.Adam([*body.parameters(), *actor.parameters(), *critic.parameters()], 1e-3)


def policy(features, masks):
    """Return the distribution over the legal actions, or over all actions if none is legal."""
    return Categorical(logits=actor(features).masked_fill(~torch.as_tensor(masks, dtype=torch.bool), -1e9))


observations, infos = env.reset(seed=1)
for update in range(1 + STEPS // (LANES * LENGTH)):
    rows = []
    for _ in range(LENGTH):
        features, playing = body(torch.as_tensor(observations)), torch.as_tensor(infos["action_mask"].any(axis=1))
        now = policy(features, infos["action_mask"])
        actions = now.sample()
        observations, rewards, terminated, _, infos = env.step(actions.numpy())
        row = (now.log_prob(actions), now.entropy(), critic(features)[:, 0], playing)
        rows.append((*row, torch.as_tensor(rewards, dtype=torch.float32), torch.as_tensor(~terminated)))
    later, loss = critic(body(torch.as_tensor(observations)))[:, 0].detach(), 0.0
    for log, entropy, value, playing, reward, on in reversed(rows):
        later = torch.where(playing, reward + GAMMA * later * on, 0.0)
        gain = later - value
        loss += (playing * (gain.square() - gain.detach() * log - 0.01 * entropy)).mean()
    optimizer.zero_grad()
    (loss / LENGTH).backward()
    nn.utils.clip_grad_norm_(body.parameters(), 1.0)
    optimizer.step()
    if update % 30 == 0 and env.return_queue:
        print(f"{env.episode_count:6} games, mean return of the last {np.mean(env.return_queue):+.2f}")


def choose(observations, action_masks):
    """Return the most likely legal actions."""
    return policy(body(torch.as_tensor(scaled(observations))), action_masks).probs.argmax(1).numpy()


against_random(game, Chooser(choose))
