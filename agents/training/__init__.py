"""Shared by all trainers: configuration, run folder, evaluations and learning curves, opponents."""
