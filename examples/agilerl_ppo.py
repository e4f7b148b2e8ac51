# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "agilerl==2.58.0", "peft>=0.21"]
# ///
"""AgileRL: evolve a population of PPO agents.

AgileRL's training loop steps the native vector environment and reads action masks from the infos. After each round the
better agent survives, together with a mutated copy. AgileRL 2.58 cannot be imported without peft.
"""

import sys

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.hpo.mutation import Mutations
from agilerl.hpo.tournament import TournamentSelection
from agilerl.training.train_on_policy import train_on_policy

import edge_envs
from agents.evaluation.verdict import Chooser, against_random

STEPS = round(200_000 * float(sys.argv[1] if len(sys.argv) > 1 else 1))
LANES, AGENTS = 64, 2

np.random.seed(1)
torch.manual_seed(1)
torch.set_num_threads(1)
games = gymnasium.make_vec("edge_envs/falling_off-v0", num_envs=LANES)
games.reset(seed=1)
agents = PPO.population(
    AGENTS,
    games.single_observation_space,
    games.single_action_space,
    num_envs=LANES,
    learn_step=4096,
    batch_size=1024,
    lr=1e-3,
    net_config={"encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [64]}},
)
agents, returns = train_on_policy(
    games,
    "falling_off",
    "PPO",
    agents,
    max_steps=STEPS,
    evo_steps=20_480,
    eval_loop=1,
    selection_strategy=TournamentSelection(tournament_size=2, elitism=True, population_size=AGENTS),
    mutation=Mutations(
        no_mutation=0.5, architecture=0, new_layer_prob=0, parameters=0.5, activation=0, rl_hp=0, rand_seed=1
    ),
    verbose=False,
)
best = agents[int(np.argmax(returns))]
best.set_training_mode(False)
print(f"returns of the agents: {', '.join(f'{one:+.2f}' for one in returns)}")


def choose(observations, action_masks):
    """Sample legal actions from the best agent."""
    return best.get_action(observations, action_mask=action_masks)[0]


against_random(edge_envs.load_game("falling_off"), Chooser(choose))
