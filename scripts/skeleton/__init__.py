"""The skeleton of a new game: templates of its files, and their rendering for `scripts/new_game.py`."""
