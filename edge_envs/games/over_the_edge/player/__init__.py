"""What the heuristic of `over_the_edge` thinks with: ways home, and how long they take."""
