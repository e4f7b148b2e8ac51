"""The parts of `scripts/replay.py`."""
