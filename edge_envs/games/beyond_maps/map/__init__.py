"""The board of `beyond_maps`: sets of squares, and the seas that land leaves."""
