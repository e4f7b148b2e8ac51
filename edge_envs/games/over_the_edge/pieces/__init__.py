"""The cards of `over_the_edge`."""
