"""The parts of `scripts/release_check.py`."""
