"""Expert iteration: policies and values are fitted to a tree search in its own games, round after round."""
