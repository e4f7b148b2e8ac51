"""Parts of `position` of `ghost_ship`: reading entries, and whether they fit together."""
