"""The web page to play in.

| module | |
|---|---|
| `guard` | what is let in, and the headers of what goes out |
| `shelf` | games, agents and parameters that a page may ask for, and whether a game is compiled |
| `wishes` | what a request asks for, checked |
| `tables` | sittings with their tokens, and who makes them go on |
| `views` | what one seat may see of a sitting, as JSON |
| `desk` | the routes |
| `server` | running them |

The server listens on this machine alone. It needs the extra `web`: importing this package without it is a
MissingExtraError.
"""

from edge_envs.core.errors import MissingExtraError

try:
    import markdown_it  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError("the web page", (error.name or "starlette").partition(".")[0], "web") from None
