"""The parts of `scripts/static_page.py`: plain files that show the games without a server.

| module | content |
|---|---|
| `famous` | recorded games between good agents, with their analyses |
| `bundle` | scripts of the web page, joined into one file, because browsers load no modules from `file://` |
| `race` | the table and the drawings of the game of `falling_off` that runs in the browser |
| `build` | the folder of pages |
"""
