"""Masked PPO against a mix of opponents, on the native vector environment."""
