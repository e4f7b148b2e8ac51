"""Parts of the rules of `beyond_maps`: the legal choices of the player to act."""
