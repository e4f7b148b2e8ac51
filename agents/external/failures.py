"""Errors in the bodies of responses: `error` objects, as OpenAI and others write them.

OpenRouter, LM Studio and proxies before other servers send them with HTTP 200; OpenRouter also puts one into a choice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP status codes that are worth a retry."""
BUSY_NAMES = frozenset({
    "apierror", "badgateway", "deadlineexceeded", "engineoverloaded", "gatewaytimeout", "internal", "internalerror",
    "internalservererror", "overloaded", "overloadederror", "ratelimit", "ratelimiterror", "ratelimitexceeded",
    "requests", "resourceexhausted", "servererror", "serveroverloaded", "serviceunavailable",
    "serviceunavailableerror", "timeout", "timeouterror", "tokens", "toomanyrequests", "unavailable",
    "unavailableerror",
})  # fmt: skip
"""The same for error names, reduced to lower-case letters. Any other error inside HTTP 200 is final."""
FINAL_NAMES = frozenset({
    "accountdeactivated", "authenticationerror", "billinghardlimitreached", "billingnotactive", "contentfilter",
    "contentpolicyviolation", "contextlengthexceeded", "deploymentnotfound", "exceedcontextsizeerror",
    "insufficientbalance", "insufficientcredits", "insufficientquota", "invalidapikey", "modelnotfound",
    "notfounderror", "permissiondenied", "permissionerror", "unauthenticated",
})  # fmt: skip
"""Error names that are final whatever the status is: OpenAI sends `insufficient_quota` with HTTP 429."""

_CODES = ("code", "status", "status_code", "statusCode", "http_status")
_NAMES = ("code", "type", "status", "error_type")
_MESSAGES = ("message", "msg", "detail", "error", "error_description", "title")


@dataclass(frozen=True)
class Failure:
    """An error that a server reports."""

    code: int | None
    """The code, like an HTTP status."""
    names: frozenset[str]
    """The names of the error, reduced to lower-case letters."""
    text: str
    """The code or the kind, and the message."""

    def is_final(self, status: int = 200) -> bool:
        """Return whether a retry is useless, given the status of the response."""
        if self.names & FINAL_NAMES:
            return True
        if status != 200:
            return status not in BUSY
        return self.code not in BUSY if self.code is not None else not self.names & BUSY_NAMES


def failure_in(document: Any) -> Failure | None:
    """Return the error in a response or in its first choice; None if there is none."""
    if isinstance(document, list) and len(document) == 1:  # as Gemini's endpoint writes them
        document = document[0]
    if not isinstance(document, Mapping):
        return None
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    inner = choice.get("error") if isinstance(choice, Mapping) else None
    found = document.get("error") or inner
    if not found and not choices and (document.get("object") == "error" or any(document.get(key) for key in _MESSAGES)):
        found = document
    if found:
        return _failure(found, document)
    if isinstance(choice, Mapping) and choice.get("finish_reason") == "error":
        return Failure(502, frozenset(), "the model broke off with an error")
    return None


def failure_in_body(body: bytes) -> Failure | None:
    """Return the error in a response body; None if it is not JSON or has none."""
    try:
        return failure_in(json.loads(body))
    except (ValueError, RecursionError):
        return None


def _failure(error: Any, document: Mapping[str, Any]) -> Failure:
    places = [place for place in (error, document) if isinstance(place, Mapping)]
    code = next(_codes(places), None)
    names = [place[key] for place in places for key in _NAMES if isinstance(place.get(key), str)]
    nested = error.get("innererror") if isinstance(error, Mapping) else None
    names += [nested["code"]] if isinstance(nested, Mapping) and isinstance(nested.get("code"), str) else []
    kinds = frozenset(re.sub("[^a-z]", "", name.lower()) for name in names)
    named = str(code) if code is not None else next((name for name in names if name != "error"), "")
    return Failure(code, kinds, ": ".join(filter(None, (named, _message(error)))))


def _codes(places: list[Mapping[str, Any]]) -> Iterator[int]:
    """Yield codes that look like an HTTP status, from numbers or strings."""
    for place in places:
        for key in _CODES:
            value = place.get(key)
            if isinstance(value, str) and re.fullmatch("[45][0-9][0-9]", value.strip(), re.ASCII):
                value = int(value)
            if type(value) is int and 400 <= value <= 599:
                yield value


def _message(error: Any) -> str:
    """Return the message of an error, with the provider's reason that OpenRouter adds."""
    if isinstance(error, str):
        return error
    if not isinstance(error, Mapping):
        return _written(error)
    said = next((error[key] for key in _MESSAGES if error.get(key)), None)
    if isinstance(said, Mapping) and said is not error:
        said = next((said[key] for key in _MESSAGES if isinstance(said.get(key), str)), said)
    message = said if isinstance(said, str) else _written(error if said is None else said)
    about = error.get("metadata")
    raw = about.get("raw") if isinstance(about, Mapping) else None
    return f"{message} ({raw})" if isinstance(raw, str) and raw else message


def _written(value: Any) -> str:
    try:
        return json.dumps(value)
    except RecursionError:
        return "an error that is nested too deeply"
