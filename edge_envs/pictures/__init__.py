"""How pictures are made: shapes in SVG, colours for light and dark, letters as outlines, pieces that games share."""
