"""Agents that play the games of `edge_envs`: programs `python -m agents.train` and `python -m agents.evaluate`."""
