"""The board of `ghost_ship`: squares, places and steps, what they are called, and how the board is set out."""
