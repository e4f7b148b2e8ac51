"""Baselines: algorithms on boards with several seeds, each for the same time on one core; see `agents.baselines`."""
