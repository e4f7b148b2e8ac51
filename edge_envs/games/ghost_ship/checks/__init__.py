"""Parts of `position` of `ghost_ship`: read entries and check their consistency."""
