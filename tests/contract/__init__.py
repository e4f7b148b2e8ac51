"""Tests that every game and every API must pass. They run over all registered games and name none."""
