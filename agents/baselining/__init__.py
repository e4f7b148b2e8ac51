"""Baselines: algorithms on boards with several seeds, each for the same time of one core; see `agents.baselines`."""
