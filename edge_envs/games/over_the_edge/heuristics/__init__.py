"""Earlier versions of the heuristic of `over_the_edge`, which policies were trained with."""
