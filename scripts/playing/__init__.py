"""The parts of `scripts/play.py`: a game in the terminal between a person and agents.

| module | |
|---|---|
| `session` | the game: whose move it is, what is asked, what is said |
| `commands` | what a person may type besides actions: `:save`, `:hint`, `:undo`, ... |
| `menu` | the legal actions: listed, grouped, found by a part of their texts |
| `terminal` | lines in and text out: editing, history, completion, paging |
| `window` | pictures and texts for a window of some width |
| `pages` | rules and legend, from a game's own folder |
| `keeping` | positions and records in files |
"""
