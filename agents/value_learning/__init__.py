"""Learn values of positions by self-play, in which every seat plays by `turn` with the present values."""
