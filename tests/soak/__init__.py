"""Soak test: use everything at once for half an hour under injected faults, without losses or growing memory.

Three parts run side by side, each in its own process:

- all games at every API and bridge, with the fuzz targets of `tests/fuzz` and all agents;
- the page to play in the browser, with invalid requests;
- training runs, searches, tournaments and data sets that are killed, meet a full disk or find corrupt files, and are
  resumed.

A part that crashes, hangs or does nothing fails. `make soak` runs the test and writes the results into `docs/soak.md`.
"""
