"""Earlier heuristics of `over_the_edge`, which policies were trained with."""
