"""How much memory a training takes, estimated before anything is made."""

from __future__ import annotations

import os

from agents.ppo.config import PPOConfig

FLOAT = 4  # bytes
COPIES = 4  # of each weight: itself, its gradient, and two numbers of the optimiser


def rollout_bytes(config: PPOConfig) -> int:
    """The bytes of a rollout: what the network is shown. The lists of legal actions are small beside it."""
    game = config.load_game()
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    shown = config.network.make_features(game)(state.observation_tensor(state.current_player())[None])
    step = sum(part.nbytes for part in shown[:2] if part is not None)
    return int(step) * config.num_envs * config.ppo.steps_per_rollout


def network_bytes(config: PPOConfig) -> int:
    """The bytes of the networks of the policy and the value while they learn, and of the snapshots."""
    network = config.network.make_network(config.load_game(), device="meta")
    parts = network, network.make_critic()
    actor, critic = (sum(weights.numel() for weights in part.parameters()) for part in parts)
    snapshots = config.snapshots.keep if config.opponents.snapshots > 0 else 0
    return FLOAT * (COPIES * (actor + critic) + snapshots * actor)


def machine_bytes() -> int:
    """The memory of this machine in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def check_memory(config: PPOConfig) -> None:
    """ValueError, with what can be made smaller, if a training needs more memory than this machine has."""
    rollout, network, there = rollout_bytes(config), network_bytes(config), machine_bytes()
    if rollout + network > there:
        raise ValueError(
            f"this training needs more memory than the {gib(there)} of this machine: a rollout of num_envs × "
            f"ppo.steps_per_rollout decisions takes {gib(rollout)}, the networks take {gib(network)}"
        )


def gib(count: int) -> str:
    """Bytes in words."""
    return f"{count / 2**30:,.1f} GiB"
