"""Games between persons and agents, without asking or telling, and what actions are worth.

| module | |
|---|---|
| `sitting` | one game: whose turn it is, what agents choose, decisions that are taken back |
| `appraisal` | judges of positions, and an adviser who says what a decision gives away |
"""
