"""A local server that stands in for the server of a language model."""

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


def legal_answer(request: dict[str, Any]) -> Answer:
    """Answer with a listed action number; equal requests get equal answers."""
    shown = request["messages"][1]["content"].partition("Legal actions:")[2]
    number = random.Random(shown).choice(re.findall(r"(?m)^([0-9]+)[.] ", shown))
    return 200, {}, completion(f"Let me think.\nACTION: {number}")


class FakeServer:
    """A local chat-completion server: records requests and returns answers from `answer`."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[dict[str, Any]], Answer | None] = legal_answer
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(request)
                server.headers.append(dict(self.headers))
                answer = server.answer(request)
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

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()  # polls for shutdown


def endpoint(server: FakeServer, **options: Any) -> Endpoint:
    return Endpoint(server.url, "parrot", sleep=lambda seconds: None, **options)


def scripted(*answers: Answer | None) -> Callable[[Any], Answer | None]:
    """Return an answer function that gives these answers in turn and repeats the last one."""
    left = list(answers)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]
