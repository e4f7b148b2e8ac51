"""Facts about the finished map of `ghost_ship` that follow from the rules: expected turns to treasure, and tours."""
