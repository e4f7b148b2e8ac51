"""What the heuristic of `ghost_ship` thinks with: times of ways, values of places and turns, weights."""
