"""The board of `beyond_maps`: sets of squares as bitboards, and connected seas."""
