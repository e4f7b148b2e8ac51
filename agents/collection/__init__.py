"""Data sets: games of any agents, played in compiled loops and saved in files."""
