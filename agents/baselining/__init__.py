"""Baselines: algorithms on boards with several seeds, each with the same processor time; see `agents.baselines`."""
