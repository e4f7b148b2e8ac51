"""Check input from outside: integers, seeds, positions and files."""
