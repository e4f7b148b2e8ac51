"""Values of positions, learned from games in which every seat plays by `turn` with what has been learned so far."""
