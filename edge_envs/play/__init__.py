"""Matches between human players and agents, and the values of actions. Nothing here reads input or prints.

| module | purpose |
|---|---|
| `match` | one game: whose turn it is, choices of agents, decisions that are taken back |
| `appraisal` | judges, which value the actions of a position, and an adviser, which says what a decision gives away |
| `analysis` | finished games: win probability over time, costly decisions, accuracy |
"""

from edge_envs.moved import keep_old_names

keep_old_names({"edge_envs.play.sitting": "edge_envs.play.match"})
