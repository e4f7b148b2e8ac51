"""Parts of the heuristic of `over_the_edge`: routes home and their durations."""
