"""The soak: for half an hour everything is used at once, under faults, and must neither lose nor hoard anything.

Three parts run side by side, each in a process of its own: all games at every API and bridge with the doors of
`tests/fuzz` and all agents; the page to play in, among senseless requests; trainings, searches, tournaments and data
sets that are killed, or find the disk full or garbage in their files, and go on. A part that crashes, hangs or does
nothing is a fault like another. `make soak` runs it and writes what it found into `docs/soak.md`.
"""
