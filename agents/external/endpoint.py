"""Call language models behind an OpenAI-compatible endpoint, with retries.

    POST <url>/chat/completions   {"model": …, "messages": […]}

A request is retried if the server is slow, overloaded or broken, and not if it refuses, by an HTTP status or by an
error in the body. The key is sent only in the request header, and removed from everything that is shown of the server's
text.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from agents.external.failures import BUSY, failure_in, failure_in_body
from agents.external.route import route_to, without_password
from agents.external.unavailable import UnavailableError

LONGEST_ANSWER = 4_000_000  # bytes
LONGEST_PAUSE = 60.0  # seconds
POLL = 0.1  # seconds between checks whether a call was stopped
LONGEST_CONNECT = 30.0  # seconds
MOST_TOKENS = 10**9
SHORTEST_KEY = 8  # characters; a shorter one is a placeholder for servers that require no key
SHOWN = 200  # characters of what a server says about an error


class _AttemptError(Exception):
    """A failed attempt that is worth a retry.

    `pause` is the delay in seconds that the server asks for; `slow` means that only the time was too short.
    """

    def __init__(self, why: str, pause: float = 0.0, slow: bool = False) -> None:
        super().__init__(why)
        self.pause, self.slow = pause, slow


class Call:
    """A group of calls that can be stopped together."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.trouble = ""
        """The present problem of the server, other than being slow."""


@dataclass(frozen=True)
class Answer:
    """The answer of a model with the server's token counts, 0 if the server does not report them.

    `cut_off` is true if the answer reached the token limit.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cut_off: bool = False


class Endpoint:
    """Calls one model. Threads may share it.

    `key_variable` names the environment variable with the key; without one, no key is sent. `timeout` is in seconds,
    for a whole answer. `request` is added to each request.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key_variable: str | None = None,
        timeout: float = 120.0,
        attempts: int = 8,
        request: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._shown_url = without_password(self._url)
        self._route = route_to(self._url)
        self._body = {**(request or {}), "model": model}
        self._headers = {"Accept-Encoding": "identity"}
        self._key: re.Pattern[str] | None = None
        if key_variable:
            key = _read_key(key_variable, without_password(url))
            self._headers["Authorization"] = f"Bearer {key}"
            self._key = _spellings(key) if len(key) >= SHORTEST_KEY else None
        self._timeout, self._attempts, self._sleep = timeout, attempts, sleep

    def ask(self, messages: Sequence[Mapping[str, str]], call: Call | None = None) -> Answer:
        """Return the model's answer.

        Raises:
            UnavailableError: if the server refuses, if all attempts fail, or if the call was stopped.
        """
        call, why = call or Call(), ""
        for attempt in range(self._attempts):
            try:
                answer = self._read(self._post({**self._body, "messages": list(messages)}, call.stopped))
                call.trouble = ""
                return dataclasses.replace(answer, text=self._without_key(answer.text))
            except _AttemptError as failed:
                why = str(failed)
                call.trouble = "" if failed.slow else f"{self._shown_url}{self._route.shown}: {why}"
                if attempt + 1 < self._attempts:
                    pause = min(LONGEST_PAUSE, max(failed.pause, 0.5 * 2**attempt))
                    (self._sleep or call.stopped.wait)(pause)
        where = f"{self._shown_url}{self._route.shown}"
        raise UnavailableError(f"{where}: no answer in {self._attempts} attempts; the last: {why}")

    def _post(self, body: Mapping[str, Any], stopped: threading.Event) -> bytes:
        """Return the body of a response, within the time and size limits."""
        try:
            response, answer = asyncio.run(self._fetch_unless(stopped, body))
        except TimeoutError:
            raise _AttemptError(f"more than {self._timeout:g} s for an answer", slow=True) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise UnavailableError(f"{self._shown_url}: {self._shown(str(error))}") from None
        except httpx.HTTPError as error:
            why = self._shown(f"{type(error).__name__}: {error}")
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise self._refusal(f"its certificate is not trusted ({why})") from None
            raise _AttemptError(why) from None
        status = response.status_code
        if status == 200:
            return answer
        failure = failure_in_body(answer)
        why = f"HTTP {status}: {self._shown(failure.text if failure else answer.decode('utf-8', 'replace'))}"
        if failure.is_final(status) if failure else status not in BUSY:
            raise self._refusal(why)
        raise _AttemptError(why, _seconds(response.headers.get("Retry-After")))

    def _refusal(self, why: str) -> UnavailableError:
        return UnavailableError(f"{self._shown_url}{self._route.shown} refuses: {why}")

    def _read(self, body: bytes) -> Answer:
        """Read a completion. UnavailableError if the body reports a final error."""
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            if body.lstrip().startswith(b"data:"):
                raise self._refusal("it streams its answer: remove `stream` from `request`") from None
            document = None
        failure = failure_in(document)
        if failure is not None:
            why = f"HTTP 200 with an error: {self._shown(failure.text)}"
            raise self._refusal(why) if failure.is_final() else _AttemptError(why)
        answer = _completion(document)
        if answer is None:
            begins = self._shown(body[: 20 * SHOWN].decode("utf-8", "replace")) or "an empty body"
            raise _AttemptError(f"the response is not a completion: {begins}")
        return answer

    async def _fetch_unless(self, stopped: threading.Event, body: Mapping[str, Any]) -> tuple[httpx.Response, bytes]:
        """Fetch a response; UnavailableError if the call is stopped."""
        fetching = asyncio.ensure_future(self._fetch(body))
        while not fetching.done():
            if stopped.is_set():
                fetching.cancel()
                raise UnavailableError(f"{self._shown_url}: broken off")
            await asyncio.wait([fetching], timeout=POLL)
        return fetching.result()

    async def _fetch(self, body: Mapping[str, Any]) -> tuple[httpx.Response, bytes]:
        """Fetch a response with its body. The event loop can end it at any point with a TimeoutError."""
        waits = httpx.Timeout(None, connect=LONGEST_CONNECT)
        answer = bytearray()
        async with (
            asyncio.timeout(self._timeout),
            httpx.AsyncClient(
                headers=self._headers,
                timeout=waits,
                verify=self._route.trusted,
                proxy=self._route.proxy,
                trust_env=False,
            ) as client,
            client.stream("POST", self._url, json=body) as response,
        ):
            if response.headers.get("Content-Encoding", "identity") != "identity":  # a few bytes can become many
                raise _AttemptError("the answer is compressed, which was not asked for")
            async for part in response.aiter_raw():
                answer += part
                if len(answer) > LONGEST_ANSWER:
                    raise _AttemptError(f"more than {LONGEST_ANSWER:,} bytes")
        return response, bytes(answer)

    def _without_key(self, text: str) -> str:
        return self._key.sub("***", text) if self._key else text

    def _shown(self, text: str) -> str:
        """Return the text of a server for a message: one line, without the key and control characters."""
        printable = "".join(letter for letter in text if letter.isprintable() or letter.isspace())
        return " ".join(self._without_key(printable).split())[:SHOWN]


def _read_key(variable: str, url: str) -> str:
    """Read the key from an environment variable."""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UnavailableError(f"the environment variable {variable} holds no key for {url}")
    if not (key.isascii() and key.isprintable()):
        raise UnavailableError(f"the environment variable {variable} holds characters that no key for {url} can have")
    return key


def _spellings(key: str) -> re.Pattern[str]:
    """Match the key, also with characters escaped as in JSON or in a URL."""
    letters = (rf"(?:\\{{0,2}}{re.escape(c)}|\\{{1,2}}u00{ord(c):02x}|%{ord(c):02x})" for c in key)
    return re.compile("".join(letters), re.IGNORECASE)


def _completion(document: Any) -> Answer | None:
    """Return the answer in a completion, or None if the document is not one.

    A message without text is an empty answer, or its refusal if it has one; `reasoning_content` is not part of it. Lone
    surrogates are replaced.
    """
    try:
        choice = document["choices"][0]
        content = choice["message"].get("content") or choice["message"].get("refusal")
        cut_off = choice.get("finish_reason") == "length"
    except (LookupError, TypeError, AttributeError):
        return None
    usage = document.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    words = _text(content).encode(errors="replace").decode()
    return Answer(words, _count(counts, "prompt"), _count(counts, "completion"), cut_off)


def _text(content: Any) -> str:
    """Return the text of a message, which may consist of parts."""
    parts = [part.get("text") for part in content if isinstance(part, dict)] if isinstance(content, list) else [content]
    return "".join(part for part in parts if isinstance(part, str))


def _count(usage: Mapping[str, Any], kind: str) -> int:
    count = usage.get(f"{kind}_tokens")
    return count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MOST_TOKENS else 0


def _seconds(text: str | None) -> float:
    """Return the delay in a `Retry-After` header, a number of seconds or a date; 0 if it is neither."""
    try:
        seconds = float(text or 0.0)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(str(text)).timestamp() - time.time()
        except (ValueError, OverflowError):
            return 0.0
    return seconds if 0.0 <= seconds < float("inf") else 0.0
