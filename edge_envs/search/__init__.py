"""Search for any enrolled game, as kernels that are specialised to it.

| module | |
|---|---|
| `searcher` | `Searcher`: tree search for many positions, one after the other |
| `guided` | `GuidedSearcher`: the same by the priors of a network or the like, many positions side by side |
| `against` | `AgainstAgent`: the same against an agent that it knows, whose decisions are taken as they are |
| `agent` | `SearchAgent`: the same as an agent |
| `turns` | `TurnAgent`: all that the rest of the own turn can bring, and a value behind it |
| `rehearsal`, `plans` | the search among whole turns, in place of the tree where a game asks for it |
| `budgets` | how long a search may think: `200` iterations, `50ms` |
| `fitted` | the values of positions that were fitted to games, read from the folder of a game |
| `samples` | games of the built-in player, as data for such a fit |
| `perceptron` | values by a small network inside the kernels, in place of fitted ones |
| `value_games` | games of `turn` against itself, from which such values are learned |
| `arena`, `tree`, `descent`, `leaves`, `loop`, `guided_loop`, `against_loop`, `graph`, `lookahead` | the kernels |

docs/looking_ahead.md says how it works and how strong it is.
"""
