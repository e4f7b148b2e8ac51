"""Language models behind an OpenAI-compatible endpoint: one question and one answer, however the server behaves.

    POST <url>/chat/completions   {"model": …, "messages": […]}

A server that is slow, overloaded or broken is asked again after a while; one that refuses is not. The key goes into the
header of requests and nowhere else.
"""

from __future__ import annotations

import json
import os
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from agents.guests.unavailable import UnavailableError

LONGEST_ANSWER = 4_000_000  # bytes
LONGEST_PAUSE = 60.0  # seconds
SHOWN = 200  # characters of what a server says about an error
BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})  # worth another attempt


class _AttemptError(Exception):
    """An attempt that may go better the next time; `pause` is what the server asks for, in seconds."""

    def __init__(self, why: str, pause: float = 0.0) -> None:
        super().__init__(why)
        self.pause = pause


@dataclass(frozen=True)
class Answer:
    """What a model said, and the tokens that it counted; 0 where the server tells nothing."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Endpoint:
    """Asks one model. Threads may share it.

    `key_variable` names the environment variable with the key; without one no key is sent. `timeout` is in seconds, for
    a whole answer. `request` is added to each request.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key_variable: str | None = None,
        timeout: float = 120.0,
        attempts: int = 5,
        request: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._body = {**(request or {}), "model": model}
        self._key = os.environ.get(key_variable, "").strip() if key_variable else ""
        if key_variable and not self._key:
            raise UnavailableError(f"the environment variable {key_variable} holds no key for {url}")
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx.Client(headers=headers, timeout=min(timeout, 30.0), follow_redirects=False)
        weakref.finalize(self, self._client.close)
        self._timeout, self._attempts, self._sleep = timeout, attempts, sleep

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Answer:
        """The model's answer. UnavailableError if the server refuses, or if no attempt brings one."""
        why = ""
        for attempt in range(self._attempts):
            try:
                return _read(self._post({**self._body, "messages": list(messages)}))
            except _AttemptError as failed:
                why = str(failed)
                if attempt + 1 < self._attempts:
                    self._sleep(min(LONGEST_PAUSE, max(failed.pause, 0.5 * 2**attempt)))
        raise UnavailableError(
            f"{self._url}: no answer in {self._attempts} attempts; the last: {self._without_key(why)}"
        )

    def _post(self, body: Mapping[str, Any]) -> bytes:
        """The body of an answer, within the time and not too long."""
        ends, parts, size = time.monotonic() + self._timeout, [], 0
        try:
            with self._client.stream("POST", self._url, json=body) as response:
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > LONGEST_ANSWER:
                        raise _AttemptError(f"more than {LONGEST_ANSWER:,} bytes")
                    if time.monotonic() > ends:
                        raise _AttemptError(f"more than {self._timeout:g} s for an answer")
        except httpx.TimeoutException:
            raise _AttemptError(f"nothing came for {self._client.timeout.read:g} s") from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise UnavailableError(f"{self._url}: {error}") from None
        except httpx.HTTPError as error:
            raise _AttemptError(f"{type(error).__name__}: {error}") from None
        answer = b"".join(parts)
        if response.status_code == 200:
            return answer
        told = " ".join(answer[: 4 * SHOWN].decode("utf-8", "replace").split())[:SHOWN]
        why = f"HTTP {response.status_code}: {told}"
        if response.status_code not in BUSY:
            raise UnavailableError(f"{self._url} refuses: {self._without_key(why)}")
        raise _AttemptError(why, _seconds(response.headers.get("Retry-After")))

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text


def _read(body: bytes) -> Answer:
    """What stands in a completion; a message without text is an empty answer."""
    try:
        document = json.loads(body)
        message = document["choices"][0]["message"]
        text = message.get("content")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _AttemptError("what came is no completion") from None
    usage = document.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Answer(text if isinstance(text, str) else "", *(_count(counts, k) for k in ("prompt", "completion")))


def _count(usage: Mapping[str, Any], kind: str) -> int:
    count = usage.get(f"{kind}_tokens")
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else 0


def _seconds(text: str | None) -> float:
    """What a header asks to wait; 0 if it is no number of seconds."""
    try:
        seconds = float(text or 0.0)
    except ValueError:
        return 0.0
    return seconds if 0.0 <= seconds < float("inf") else 0.0
