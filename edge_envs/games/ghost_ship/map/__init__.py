"""The map, and what it is made of."""
