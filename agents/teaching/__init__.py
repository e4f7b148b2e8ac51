"""Search as a teacher: policies and values fitted to what a search says of its own games, round after round."""
