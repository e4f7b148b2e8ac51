"""The board of `ghost_ship`: squares, places, steps and their names, and the initial board."""
