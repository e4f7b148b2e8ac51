"""What the heuristic of `beyond_maps` thinks with: whole turns on the board alone, and what land is worth."""
