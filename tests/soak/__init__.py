"""Soak test: use everything at once for half an hour under injected faults, without data loss or growing memory.

Three parts run in parallel, each in its own process:

- `apis`: all games in every API and bridge, with the fuzz targets of `tests/fuzz` and all agents;
- `page`: the web app, with invalid requests;
- `programs`: training runs, searches, tournaments and data sets that are killed, meet a full disk or corrupt files, and
  are resumed.

A part that crashes, hangs or completes no round fails. `make soak` runs the test and writes its results to
`docs/lab_notebook/soak.md`.
"""
