"""Parts of the heuristic of `ghost_ship`: travel times, values of places and turns, weights."""
