"""The pawns and dice of `falling_off`."""
