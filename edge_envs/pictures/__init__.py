"""Drawing: SVG shapes, colours for light and dark themes, letters as outlines, and pieces shared by games."""
