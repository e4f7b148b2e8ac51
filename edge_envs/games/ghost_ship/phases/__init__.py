"""Parts of the rules of `ghost_ship`: laying the archipelago, turns, spins, acts, travelling, scores."""
