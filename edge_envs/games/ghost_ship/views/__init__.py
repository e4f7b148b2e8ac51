"""Parts of the views of `ghost_ship`: the fields of observations, and the pictures of the map."""
