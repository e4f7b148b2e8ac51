"""Tournaments and ratings of agents."""
