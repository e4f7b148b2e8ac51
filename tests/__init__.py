"""Tests: `contract` for every game, `games` for the rules of each, `envs` and `core` for shared code."""
