"""Parts of the heuristic of `beyond_maps`: enumeration of whole turns, and evaluation of land."""
