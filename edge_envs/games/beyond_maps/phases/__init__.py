"""Parts of the rules of `beyond_maps`: what the player to act may choose."""
