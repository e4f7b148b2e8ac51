"""Earlier heuristics of `beyond_maps`, which policies were trained with."""
