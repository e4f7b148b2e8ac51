"""Data sets: games by any agents, played in compiled loops and kept in files."""
