"""Fuzzing: damaged and random input for every entry point of the package, generic over all games.

Each fuzz target (`tests/fuzz/targets.py`) generates examples from a seed and their number, so that each can be
repeated. An example that fails, hangs or ends the process is a fault of the package. `make fuzz` searches for faults
for a given time; `test_fuzz.py` runs a small, fixed share.
"""
