"""A server in place of a language model's, on this machine."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agents.external.endpoint import Endpoint

KEY = "sk-very-secret-1234567890"
Answer = tuple[int, dict[str, str], bytes]


def completion(text: str | None, tokens: Any = None) -> bytes:
    usage = {"prompt_tokens": 100, "completion_tokens": 7} if tokens is None else tokens
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()


def sensible(request: dict[str, Any]) -> Answer:
    """One of the numbers that are listed; the same for the same question."""
    shown = request["messages"][1]["content"].partition("Legal actions:")[2]
    number = random.Random(shown).choice(re.findall(r"(?m)^([0-9]+)[.] ", shown))
    return 200, {}, completion(f"Let me think.\nACTION: {number}")


class Stand:
    """A server in place of a model's: what it was asked, and what it answers."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[dict[str, Any]], Answer | None] = sensible
        stand = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stand.requests.append(request)
                stand.headers.append(dict(self.headers))
                answer = stand.answer(request)
                if answer is None:  # hang up
                    self.close_connection = True
                    self.connection.close()
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def endpoint(stand: Stand, **options: Any) -> Endpoint:
    return Endpoint(stand.url, "parrot", sleep=lambda seconds: None, **options)


def scripted(*answers: Answer | None) -> Callable[[Any], Answer | None]:
    left = list(answers)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]
