"""Earlier heuristics of `beyond_maps`, kept because policies were trained with them."""
