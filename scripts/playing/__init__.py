"""The parts of `scripts/play.py`: a game in the terminal between a human player and agents.

| module | content |
|---|---|
| `session` | the game loop: turns, prompts and messages |
| `commands` | the commands: `:save`, `:hint`, `:undo`, ... |
| `menu` | the legal actions: listed, grouped, and found by part of their names |
| `terminal` | input and output: editing, history, completion, paging |
| `colours` | colours of pictures, if the terminal supports them |
| `window` | pictures and text fitted to the width of a window |
| `pages` | rules and legend, from a game's own folder |
| `files` | files of positions and records |
"""
