"""Fits to games of the built-in agent: heuristic weights and leaf values of searches."""
