"""Fuzzing: damaged and senseless input at every door of the package, generic over all games.

Each door (`tests/fuzz/doors.py`) makes examples from a seed and their number, so that every one can be made again. An
example that fails, hangs or ends the process is a fault of the package. `make fuzz` looks for faults for as long as one
likes; `test_fuzz.py` tries a small, fixed share.
"""
