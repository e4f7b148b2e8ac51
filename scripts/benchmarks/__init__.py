"""The parts of `scripts/benchmark.py`. A *side* is one thing to time; a comparison runs its sides in turn.

| module | content |
|---|---|
| `measure` | timing of the sides of a comparison in turn; rows of rates |
| `random_choice`, `single` | fast random choice, and Python loops over one game: the same for both sides |
| `apis` | every API of `edge_envs` as a side |
| `drawing` | pictures and frames as sides |
| `training`, `network` | training frames of `agents.train` and of MaskablePPO |
| `peers` | environments of other libraries as sides |
| `searches` | tree searches as sides, including OpenSpiel's |
| `startup` | import and first kernel, in new processes |
| `goals` | settings, peers and targets per game, and the ratios |
| `suite` | all rows of a game, in groups |
| `report` | JSON, and tables for the terminal and for pages |
"""
