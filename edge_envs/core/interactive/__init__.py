"""Tutorials, and editors of positions and parameters, as a web page runs them."""
