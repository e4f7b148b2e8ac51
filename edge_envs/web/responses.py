"""Responses: JSON, errors, and results that are not ready yet.

Every response of `/api` is JSON, and an error is `{"error": "..."}` with a 4xx status. While a game is being compiled
or a judge is thinking, the response is 202 with `{"wait": "..."}`; the page then repeats the request.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from edge_envs.play.match import RefusedError, StaleError
from edge_envs.web.guard import Refusal

Answer = dict[str, Any]
"""The JSON object of a response."""
Handler = Callable[[Request], Awaitable[Response]]


class Wait(Exception):  # noqa: N818  an answer
    """The result is not ready yet. The message says why."""


def as_json(content: Any, status: int = 200) -> Response:
    """Return a JSON response in ASCII, because strings may contain lone surrogates."""
    return Response(json.dumps(content, allow_nan=False), status, media_type="application/json")


def json_route(handler: Callable[[Request], Awaitable[Answer | Response]]) -> Handler:
    """Wrap a handler as a route that responds in JSON, including errors."""

    @functools.wraps(handler)
    async def route(request: Request) -> Response:
        try:
            found = await handler(request)
            return found if isinstance(found, Response) else as_json(found)
        except Refusal as refusal:
            return as_json({"error": str(refusal)}, refusal.status)
        except Wait as wait:
            return as_json({"wait": str(wait)}, 202)
        except StaleError as error:
            return as_json({"error": str(error)}, 409)
        except RefusedError as error:
            return as_json({"error": str(error)}, 403)
        except ValueError as error:
            return as_json({"error": str(error)}, 422)

    return route


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return as_json({"error": error.detail}, error.status_code)


async def _failure(request: Request, error: Exception) -> Response:
    return as_json({"error": "the request failed because of an error in the program"}, 500)


HANDLERS: dict[Any, Any] = {HTTPException: _http_error, Exception: _failure}
"""The responses to errors outside the routes."""
