"""The parts of `scripts/benchmark.py`: what is timed, against whom, how, and how it is told.

| module | |
|---|---|
| `measure` | times the sides of a comparison in turn; rows of rates |
| `picks`, `single` | cheap random picks, and loops over one game from Python: the same for both sides |
| `apis` | every API of `edge_envs` as a side |
| `training` | training frames with MaskablePPO |
| `peers` | other libraries' environments as sides |
| `searches` | tree searches as sides, OpenSpiel's among them |
| `startup` | import and first kernel, in fresh processes |
| `goals` | the table of settings, peers and targets per game, and the ratios |
| `suite` | all rows of a game in groups |
| `report` | JSON, and tables for the terminal and for pages |
"""
