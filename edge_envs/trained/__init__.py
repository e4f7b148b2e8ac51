"""Trained policies that play without PyTorch: those of the package, and exported policy folders.

| module | contents |
|---|---|
| `agent` | the agents `trained` and `trained:NAME`, and `load_trained` |
| `turns` | n-tuple networks and learned values, which search the rest of the turn |
| `values` | learned values, read with NumPy alone |
| `network` | policy networks that are perceptrons, as kernels |

Each has a kernel with which it plays inside the compiled loops of the seat environments; see `edge_envs.envs.inside`.
"""

from edge_envs.trained.agent import TrainedAgent, load_trained

__all__ = ["TrainedAgent", "load_trained"]
