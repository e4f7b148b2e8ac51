"""Views of the board of `beyond_maps`: planes of observations, and coasts of pictures."""
