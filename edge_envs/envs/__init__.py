"""The APIs: PettingZoo, batched, Gymnasium and Stable-Baselines3, each generic over games."""
