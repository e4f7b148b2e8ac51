# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "rl_zoo3==2.9.2", "stable-baselines3>=2.9", "sb3-contrib>=2.9"]
# ///
"""RL Zoo: MaskablePPO with hyperparameters in a file.

`rl_zoo3.train` creates the environment from its id, trains, and saves the model, its hyperparameters and its learning
curves. RL Zoo does not include MaskablePPO; one line adds it.
"""

import os
import sys
import tempfile
from pathlib import Path

import yaml
from rl_zoo3 import ALGOS
from rl_zoo3.train import train
from sb3_contrib import MaskablePPO

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

STEPS = round(100_000 * float(sys.argv[1] if len(sys.argv) > 1 else 1))
ENV = "edge_envs/falling_off-v0"
SETTINGS = {
    "policy": "MlpPolicy",
    "n_timesteps": STEPS,
    "n_envs": 16,
    "n_steps": 256,
    "batch_size": 1024,
    "n_epochs": 4,
    "learning_rate": "lin_2e-3",  # falls linearly to 0
    "ent_coef": 0.01,
}

ALGOS["ppo_mask"] = MaskablePPO
os.chdir(tempfile.mkdtemp())
Path("settings.yml").write_text(yaml.safe_dump({ENV: SETTINGS}))
sys.argv = ["rl_zoo3", "--algo", "ppo_mask", "--env", ENV, "--gym-packages", "edge_envs", "--conf-file", "settings.yml"]
sys.argv += ["--eval-freq", "-1", "--seed", "1", "--num-threads", "1", "--verbose", "0"]
train()

(file,) = Path("logs").rglob("*.zip")
print(f"the model: {file}")
model = MaskablePPO.load(file, device="cpu")


def choose(observations, action_masks):
    """Return the most likely legal actions."""
    return model.predict(observations, action_masks=action_masks, deterministic=True)[0]


against_random(edge_envs.load_game("falling_off"), Chooser(choose))
