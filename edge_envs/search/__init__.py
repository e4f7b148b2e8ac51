"""Search for any registered game, as numba kernels specialized to its rules.

| module | content |
|---|---|
| `searcher` | `Searcher`: tree search of many positions, one after the other |
| `guided` | `GuidedSearcher`: tree search with the priors of a network, many positions side by side |
| `against` | `AgainstAgent`: tree search against a known agent, whose decisions it queries |
| `agent` | `SearchAgent`: tree search as an agent |
| `turn` | `TurnAgent`: expectimax over the rest of the turn, with a value at its end |
| `one_turn` | `OneTurnAgent`: the same by the score alone, as a baseline |
| `turn_search`, `macro_actions` | search over whole turns, for games with `whole_turns` in their `VALUES` |
| `budgets` | search budgets: `200` iterations, `50ms` |
| `fitted` | position values fitted to games, read from the folder of a game |
| `samples` | games of the heuristic, as data for such a fit |
| `perceptron` | position values from a small network inside the kernels, in place of fitted ones |
| `value_games` | self-play games of `turn`, from which such values are learned |
| `tree_memory`, `tree`, `descent`, `leaves`, `loop`, `guided_loop`, `against_loop` | kernels of the tree search |
| `graph`, `expectimax` | kernels of the search within a turn |

docs/looking_ahead.md describes the algorithms and their playing strength.
"""
