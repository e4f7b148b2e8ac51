"""Estimate the memory (RAM) of a training before anything is allocated."""

from __future__ import annotations

import os

from agents.networks import Architecture
from edge_envs import Game

FLOAT = 4  # bytes
COPIES = 4  # of each weight: the weight, its gradient, and two moments of the optimiser


def rollout_bytes(game: Game, network: Architecture, decisions: int) -> int:
    """Return the bytes of a rollout of `decisions` decisions: the features, without the much smaller action lists."""
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    shown = network.make_features(game)(state.observation_tensor(state.current_player())[None])
    return int(sum(part.nbytes for part in shown[:2] if part is not None)) * decisions


def network_bytes(game: Game, network: Architecture, snapshots: int) -> int:
    """Return the bytes of the policy and value networks while they learn, and of snapshots of the policy."""
    actor = network.make_network(game, device="meta")
    actor_size, critic_size = (
        sum(weights.numel() for weights in part.parameters()) for part in (actor, actor.make_critic())
    )
    return FLOAT * (COPIES * (actor_size + critic_size) + snapshots * actor_size)


def machine_bytes() -> int | None:
    """Return the memory of this machine in bytes; None if the system does not report it."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def gpu_bytes() -> int:
    """Return the memory of the GPU in bytes."""
    import torch

    return int(torch.cuda.get_device_properties(torch.cuda.current_device()).total_memory)


def check_memory(game: Game, network: Architecture, decisions: int, snapshots: int, device: str = "cpu") -> None:
    """Raise ValueError, with the numbers to reduce, if a training needs more memory than this machine or its GPU has.

    Args:
        game: the game with its parameters.
        network: the network that learns.
        decisions: the size of a rollout.
        snapshots: the number of snapshots of the policy that are kept as opponents.
        device: `cpu` or `cuda`, which has the rollout and the networks.
    """
    rollout, networks, available = (
        rollout_bytes(game, network, decisions),
        network_bytes(game, network, snapshots),
        gpu_bytes() if device == "cuda" else machine_bytes(),
    )
    owner = "the GPU" if device == "cuda" else "this machine"
    if available is not None and rollout + networks > available:
        raise ValueError(
            f"this training needs more memory than the {gib(available)} of {owner}: a rollout of num_envs × "
            f"ppo.steps_per_rollout decisions takes {gib(rollout)}, the networks take {gib(networks)}"
        )


def gib(count: int) -> str:
    """Format a number of bytes."""
    return f"{count / 2**30:,.1f} GiB"
