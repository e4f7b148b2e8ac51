"""Environments for PettingZoo, Gymnasium and Stable-Baselines3, and a batched environment; all generic over games."""
