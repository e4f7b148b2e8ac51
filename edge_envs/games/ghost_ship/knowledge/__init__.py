"""Hidden chits of `ghost_ship`: who has seen which, and resampling those that a player does not know."""
