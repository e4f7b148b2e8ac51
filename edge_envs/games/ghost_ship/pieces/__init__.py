"""The tiles and chits of `ghost_ship`, and drawing from heaps of them."""
