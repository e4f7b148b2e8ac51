"""Parts of what players see of `ghost_ship`: the fields of observations, the picture of the map."""
