"""The web page to play in.

| module | |
|---|---|
| `guard` | what is let in, and the headers of what goes out |
| `shelf` | games, agents and parameters that a page may ask for, and whether a game is compiled |
| `tables` | sittings with their tokens, and who makes them go on |
| `views` | what one seat may see of a sitting, as JSON |
| `server` | the routes, and running them |

The server listens on this machine alone. It needs the extra `web`.
"""
