"""What the built-in player thinks with."""
