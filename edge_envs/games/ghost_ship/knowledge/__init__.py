"""Hidden chits of `ghost_ship`: who has seen which, and redrawing those that a player does not know."""
