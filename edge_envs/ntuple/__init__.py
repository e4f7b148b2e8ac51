"""n-tuple networks: values of positions learned from the rules alone, by temporal-difference learning in kernels.

| module | contents |
|---|---|
| `network` | n-tuple networks over a game's cells: sums of table entries (Lucas 2008) |
| `transfer` | weights for another board, as a curriculum needs them |
| `scores` | sums of weights, for a position and for all continuations of a turn |
| `updates` | changes of weights, by which a network learns |
| `turn_search` | the search of a whole turn |
| `reply_search` | the search of the replies to it, and of the turns after those |
| `self_play` | games of self-play that learn by TD(λ) (Tesauro 1995; Jaśkowski 2014) |
| `tree_search` | the search over whole turns with these values and rollouts: `search:N:FOLDER` |
| `policy` | policy folders, read with NumPy alone |
| `agent` | the agent `turns`, and searches by name |

A game takes part by declaring cells, see `edge_envs.core.cells`.
"""
