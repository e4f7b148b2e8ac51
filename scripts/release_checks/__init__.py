"""What `scripts/release_check.py` is made of."""
