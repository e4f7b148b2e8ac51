"""The web page for human players.

| module | purpose |
|---|---|
| `lan` | guests on the local network |
| `guard` | checks of requests, and the headers of responses |
| `catalog` | the games, agents and parameters that a page may request, and whether a game is compiled |
| `analyses` | analyses of finished games |
| `films` | GIFs of finished games |
| `reviews` | scenes, pages, analyses and GIFs of records |
| `tutorials` | scenes of tutorials, drawn in advance |
| `ratings` | ratings of agents from the leaderboard |
| `titles` | titles of agents for people |
| `models` | the bodies of requests |
| `validation` | validation of games, parameters, positions and records |
| `responses` | responses, errors, and results that are not ready yet |
| `threads` | thread pools |
| `judging` | values, hints and advice in a match |
| `sessions` | matches with tokens, and the loop that advances them |
| `saves` | files of matches in the user's data folder |
| `views` | what one seat may see of a match, as JSON |
| `streams` | streams of updates, one for each browser |
| `pages`, `game_routes`, `match_routes`, `puzzle_routes` | the routes of files, games, matches and puzzles |
| `routes` | all routes |
| `connections` | connections that close when a request does not arrive |
| `server` | the server |

The server listens only on this machine, unless it was started with `--lan`. It needs the extra `web`; without it,
importing this package raises a MissingExtraError.
"""

from edge_envs.core.errors import MissingExtraError
from edge_envs.moved import keep_old_names

keep_old_names(
    {
        "edge_envs.web.desk": "edge_envs.web.routes",
        "edge_envs.web.shelf": "edge_envs.web.catalog",
        "edge_envs.web.tables": "edge_envs.web.sessions",
        "edge_envs.web.wishes": "edge_envs.web.validation",
    }
)

try:
    import markdown_it  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError("the web page", (error.name or "starlette").partition(".")[0], "web") from None
