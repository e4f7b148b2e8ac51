"""Parts of the observation of `beyond_maps`: boards as planes."""
