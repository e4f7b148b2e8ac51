"""Test failing endpoints: errors in bodies, proxies and certificates. All servers are local."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.external.endpoint import Endpoint
from agents.external.route import is_local, route_to
from agents.external.unavailable import UnavailableError
from tests.arena.fake_server import KEY, FakeServer, completion, endpoint, scripted
from tests.programs import Here
from tests.untrusted import make_hostile

VARIABLES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]


@pytest.fixture(autouse=True)
def _clear_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE"):
        monkeypatch.delenv(name, raising=False)


# Errors in response bodies of known servers, and the expected message

FINAL: dict[str, tuple[Any, str]] = {
    "OpenAI, key": (
        {"error": {"message": "Incorrect API key", "type": "invalid_request_error", "code": "invalid_api_key"}},
        "invalid_api_key: Incorrect API key",
    ),
    "OpenAI, quota": (
        {"error": {"message": "You exceeded your quota", "type": "insufficient_quota", "code": "insufficient_quota"}},
        "insufficient_quota: You exceeded your quota",
    ),
    "OpenAI, context": (
        {"error": {"message": "too long", "type": "invalid_request_error", "code": "context_length_exceeded"}},
        "context_length_exceeded: too long",
    ),
    "OpenAI, model": (
        {"error": {"message": "no such model", "type": "invalid_request_error", "code": "model_not_found"}},
        "model_not_found: no such model",
    ),
    "Azure, filter": (
        {"error": {"message": "filtered", "code": "content_filter", "status": 400,
                   "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        "400: filtered",
    ),
    "Azure, gateway": ({"statusCode": 401, "message": "Access denied"}, "401: Access denied"),
    "OpenRouter": ({"error": {"code": 402, "message": "Insufficient credits"}}, "402: Insufficient credits"),
    "OpenRouter, provider": (
        {"error": {"code": 400, "message": "Provider returned error", "metadata": {"raw": "bad role"}}},
        r"400: Provider returned error \(bad role\)",
    ),
    "OpenRouter, choice": (
        {"choices": [{"error": {"code": 403, "message": "flagged"}, "finish_reason": "error",
                      "message": {"content": ""}}]},
        "403: flagged",
    ),
    "vLLM, old": (
        {"object": "error", "message": "max_tokens is too large", "type": "BadRequestError", "code": 400},
        "400: max_tokens is too large",
    ),
    "vLLM": (
        {"error": {"message": "The model `x` does not exist.", "type": "NotFoundError", "param": None, "code": 404}},
        "404: The model `x` does not exist.",
    ),
    "llama.cpp": (
        {"error": {"code": 400, "message": "exceeds the context", "type": "exceed_context_size_error", "n_ctx": 4096}},
        "400: exceeds the context",
    ),
    "Ollama": ({"error": "model 'x' not found"}, "model 'x' not found"),
    "Ollama, compatible": (
        {"error": {"message": "model 'x' not found", "type": "not_found_error", "param": None, "code": None}},
        "not_found_error: model 'x' not found",
    ),
    "LM Studio": (
        {"error": "Unexpected endpoint or method. (POST /chat/completions)"},
        r"Unexpected endpoint or method\. \(POST",
    ),
    "Gemini": (
        [{"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}}],
        "400: API key not valid",
    ),
    "FastAPI": ({"detail": "Not Found"}, "Not Found"),
    "Mistral": (
        {"object": "error", "message": {"detail": [{"msg": "extra"}]}, "type": "invalid_request_error"},
        "invalid_request_error: .*extra",
    ),
    "a code as a string": ({"error": {"code": "401", "message": "who are you?"}}, "401: who are you"),
    "an unknown code": ({"error": {"code": 1301, "message": "unsafe"}}, "unsafe"),
    "no message": ({"error": {"code": 404}}, '404: {"code": 404}'),
    "only a flag": ({"error": True}, "true"),
}  # fmt: skip

BUSY: dict[str, Any] = {
    "OpenRouter": {"error": {"code": 429, "message": "Rate limit exceeded"}, "user_id": "x"},
    "a string": {"error": {"code": "503", "message": "later"}},
    "OpenAI, type": {"error": {"message": "slow down", "type": "requests", "code": "rate_limit_exceeded"}},
    "OpenAI, server": {"error": {"message": "oops", "type": "server_error", "code": None}},
    "Anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    "Gemini": [{"error": {"message": "quota", "status": "RESOURCE_EXHAUSTED"}}],
    "llama.cpp": {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}},
    "vLLM, old": {"object": "error", "message": "oops", "type": "InternalServerError", "code": 500},
    "OpenRouter, choice": {
        "choices": [{"error": {"code": 502, "message": "gone"}, "message": {"content": "par"}}],
    },
    "no reason": {"choices": [{"finish_reason": "error", "message": {"content": "ACTION: 1"}}]},
}


@pytest.mark.parametrize("case", FINAL)
def test_final_error_in_a_response_body_is_reported_immediately(server: FakeServer, case: str) -> None:
    body, message = FINAL[case]
    server.answer = scripted((200, {}, json.dumps(body).encode()), (200, {}, completion("hello")))
    with pytest.raises(UnavailableError, match=f"/v1/chat/completions refuses: HTTP 200 with an error: {message}"):
        endpoint(server).ask([])
    assert len(server.requests) == 1


@pytest.mark.parametrize("case", BUSY)
def test_transient_error_in_a_response_body_is_retried(server: FakeServer, case: str) -> None:
    server.answer = scripted((200, {}, json.dumps(BUSY[case]).encode()), (200, {}, completion("at last")))
    assert endpoint(server).ask([]).text == "at last"
    assert len(server.requests) == 2


def test_error_of_the_last_attempt_is_reported(server: FakeServer) -> None:
    server.answer = scripted((200, {}, json.dumps(BUSY["OpenRouter"]).encode()))
    with pytest.raises(UnavailableError, match=r"in 2 attempts; the last: HTTP 200 with an error: 429: Rate limit"):
        endpoint(server, attempts=2).ask([])
    server.answer = scripted((200, {}, b"<!doctype html><title>Welcome</title>"))
    with pytest.raises(
        UnavailableError, match=r"the last: the response is not a completion: <!doctype html><title>Wel"
    ):
        endpoint(server, attempts=1).ask([])
    server.answer = scripted((200, {}, b""))
    with pytest.raises(UnavailableError, match=r"the last: the response is not a completion: an empty body$"):
        endpoint(server, attempts=1).ask([])


@pytest.mark.parametrize("case", ["OpenAI, quota", "OpenAI, key"])
def test_final_error_with_a_busy_status_is_reported_immediately(server: FakeServer, case: str) -> None:
    body, message = FINAL[case]
    server.answer = scripted((429, {}, json.dumps(body).encode()), (200, {}, completion("hello")))
    with pytest.raises(UnavailableError, match=f"refuses: HTTP 429: {message}"):
        endpoint(server).ask([])
    assert len(server.requests) == 1


def test_status_takes_precedence_over_a_transient_error_in_the_body(server: FakeServer) -> None:
    body = json.dumps({"error": {"message": "no", "type": "server_error"}}).encode()
    server.answer = scripted((400, {}, body), (200, {}, completion("hello")))
    with pytest.raises(UnavailableError, match="refuses: HTTP 400: server_error: no"):
        endpoint(server).ask([])


@pytest.mark.parametrize("status", [200, 401, 429])
def test_error_in_a_body_is_shown_without_key_and_terminal_escapes(
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
) -> None:
    monkeypatch.setenv("MODEL_KEY", KEY)
    body = {"error": {"message": f"\x1b[2J{KEY} is wrong\nreally", "code": "invalid_api_key"}}
    server.answer = scripted((status, {}, json.dumps(body).encode()))
    with pytest.raises(UnavailableError, match=r"invalid_api_key: \[2J\*\*\* is wrong really$"):
        endpoint(server, key_variable="MODEL_KEY").ask([])


def test_deeply_nested_error_is_reported(server: FakeServer) -> None:
    server.answer = scripted((200, {}, b'{"error": ' + b"[" * 900 + b"]" * 900 + b"}"))
    with pytest.raises(UnavailableError, match="refuses: HTTP 200 with an error: "):
        endpoint(server).ask([])


def test_streamed_answer_error_says_what_to_change(server: FakeServer) -> None:
    server.answer = scripted((200, {}, b'data: {"choices": []}\n\ndata: [DONE]\n\n'))
    with pytest.raises(UnavailableError, match="it streams its answer: remove `stream` from `request`"):
        endpoint(server, request={"stream": True}).ask([])


ANSWERS: dict[str, tuple[dict[str, Any], str]] = {
    "only reasoning": ({"content": None, "reasoning_content": "ACTION: 2"}, ""),
    "text and thoughts": ({"content": "ACTION: 1", "reasoning": "ACTION: 2"}, "ACTION: 1"),
    "a refusal": ({"content": None, "refusal": "I will not play."}, "I will not play."),
    "text and no refusal": ({"content": "ACTION: 1", "refusal": None}, "ACTION: 1"),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_answer_is_the_text_of_the_message(server: FakeServer, kind: str) -> None:
    message, text = ANSWERS[kind]
    body = {"error": None, "choices": [{"finish_reason": "stop", "message": message}], "usage": None}
    server.answer = scripted((200, {}, json.dumps(body).encode()))
    assert endpoint(server).ask([]).text == text
    assert len(server.requests) == 1


# Proxies


class Proxy:
    """A proxy that records the first line of each connection and refuses to forward it."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                self.lines.append(connection.recv(65536).split(b"\r\n")[0])
                connection.sendall(b"HTTP/1.1 403 Not for you\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")

    def close(self) -> None:
        self._listening.close()


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    proxy = Proxy()
    yield proxy
    proxy.close()


WRONG_PROXIES = {
    "SOCKS": ("socks5://127.0.0.1:1080", r"SOCKS needs the package socksio \(pip install \"httpx\[socks\]\"\)"),
    "another kind": ("socks://127.0.0.1:1080/", "expected a URL with http, https, socks5 or socks5h"),
    "no proxy": ("http://[::1", "expected a URL with http, https, socks5 or socks5h"),
    "no host": ("http://", "expected a URL with http, https, socks5 or socks5h"),
}


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
@pytest.mark.parametrize("kind", WRONG_PROXIES)
def test_unusable_proxy_error_names_its_variable(kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.external.route._has_socks", lambda: False)
    value, message = WRONG_PROXIES[kind]
    monkeypatch.setenv(name, value.replace("//1", "//me:secret@1"))
    remedy = "unset it, or add models.example to NO_PROXY"
    with pytest.raises(UnavailableError, match=rf"{name}=\S+: {message}.*; {remedy}$") as refused:
        Endpoint("https://models.example/v1", "parrot")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("kind", WRONG_PROXIES)
def test_local_model_bypasses_the_proxy(
    server: FakeServer,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, WRONG_PROXIES[kind][0])
    server.answer = scripted((200, {}, completion("hello")))
    for host in ("127.0.0.1", "localhost"):
        url = server.url.replace("127.0.0.1", host)
        assert Endpoint(url, "parrot", attempts=1).ask([]).text == "hello"


NO_PROXY = [
    "::1",
    "[::1]",
    "[::1]:8000",
    "fe80::/10",
    "::1,127.0.0.1",
    "localhost,::1/128",
    "[::",
    "a]b",
    "*:*:*",
    ",,",
]


@pytest.mark.parametrize("value", NO_PROXY)
@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_no_proxy_entries_never_raise(
    server: FakeServer,
    name: str,
    value: str,
    monkeypatch: pytest.MonkeyPatch,
    proxy: Proxy,
) -> None:
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
    server.answer = scripted((200, {}, completion("hello")))
    assert endpoint(server, attempts=1).ask([]).text == "hello"
    assert not proxy.lines
    assert route_to("http://models.example/v1").proxy is not None


COVERED = [
    ("models.example", "http://models.example/v1", True),
    ("example", "http://models.example/v1", True),
    (".example", "http://models.example/v1", True),
    ("*.example", "http://models.example/v1", True),
    ("ample", "http://models.example/v1", False),
    ("MODELS.example.", "http://models.Example/v1", True),
    ("a b, models.example", "http://models.example/v1", True),
    ("http://models.example", "http://models.example/v1", True),
    ("models.example:80", "http://models.example/v1", False),
    ("models.example:8000", "http://models.example:8000/v1", True),
    ("*", "http://models.example/v1", True),
    ("10.0.0.0/8", "http://10.1.2.3:8000/v1", True),
    ("10.1.2.3", "http://10.1.2.3:8000/v1", True),
    ("10.1.2.4", "http://10.1.2.3:8000/v1", False),
    ("2001:db8::/32", "http://[2001:db8::7]:8000/v1", True),
    ("2001:db8::7", "http://[2001:db8::7]/v1", True),
    ("[2001:db8::7]:8000", "http://[2001:db8::7]:8000/v1", True),
    ("[2001:db8::7]:8001", "http://[2001:db8::7]:8000/v1", False),
    ("2001:db8::8", "http://[2001:db8::7]/v1", False),
]


@pytest.mark.parametrize(("value", "url", "covered"), COVERED)
def test_no_proxy_matches_domains_addresses_and_networks(
    value: str, url: str, covered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", value)
    assert (route_to(url).proxy is None) is covered


def test_failing_proxy_error_names_its_variable(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", f"http://me:secret@127.0.0.1:{proxy.port}")
    shown = rf"through the proxy http://\*\*\*@127\.0\.0\.1:{proxy.port} \(ALL_PROXY\)"
    for scheme, message in (("http", "refuses: HTTP 403: no"), ("https", "the last: ProxyError: 403 Not for you")):
        with pytest.raises(UnavailableError, match=f"{shown}.*{message}") as refused:
            Endpoint(f"{scheme}://models.example/v1", "parrot", attempts=1).ask([])
        assert "secret" not in str(refused.value)
    assert [line.split()[:2] for line in proxy.lines] == [
        [b"POST", b"http://models.example/v1/chat/completions"],
        [b"CONNECT", b"models.example:443"],
    ]


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("::ffff:127.0.0.1", True), ("0.0.0.0", True),
        ("localhost", True), ("LOCALHOST.", True), ("models.localhost", True), ("localhost.example", False),
        ("10.0.0.1", False), ("128.0.0.1", False), ("fe80::1", False), ("", False),
    ],
)  # fmt: skip
def test_local_host_names_are_recognized(host: str, local: bool) -> None:
    assert is_local(host) is local


# Certificates


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE"])
def test_missing_certificates_error_names_its_variable(
    server: FakeServer,
    variable: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    missing = tmp_path / "missing" / "file"
    monkeypatch.setenv(variable, str(missing))
    with pytest.raises(UnavailableError, match=rf"^invalid {variable}={missing}: cannot be .*No such file") as refused:
        Endpoint("https://models.example/v1", "parrot")
    assert "models.example" not in str(refused.value)
    assert route_to("http://models.example/v1").trusted is False  # needs no certificates
    assert route_to("https://127.0.0.1:8000/v1").trusted is False
    server.answer = scripted((200, {}, completion("hello")))
    assert endpoint(server, attempts=1).ask([]).text == "hello"


@pytest.mark.parametrize("kind", ["fifo", "zero", "folder"])
def test_certificates_are_read_only_from_regular_files(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_hostile(kind, tmp_path / "certificates")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificates"))
    with pytest.raises(UnavailableError, match=r"^invalid SSL_CERT_FILE=\S+: cannot be read as certificates"):
        Endpoint("https://models.example/v1", "parrot")


def test_invalid_certificates_error_names_its_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "certificates").write_text("nothing", encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificates"))
    with pytest.raises(UnavailableError, match=r"^invalid SSL_CERT_FILE=\S+: cannot be read as certificates"):
        Endpoint("https://models.example/v1", "parrot")


def test_invalid_url_is_a_one_line_error() -> None:
    for url in ("http://127.0.0.1:99999/v1", "http://[::1/v1"):
        with pytest.raises(UnavailableError, match=r"^http://"):
            Endpoint(url, "parrot", attempts=1).ask([])


def test_unusable_proxy_is_a_one_line_error_of_a_tournament(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agents.tournament import main

    monkeypatch.setenv("ALL_PROXY", "socks://proxy.example:1080")
    path = tmp_path / "model.yaml"
    path.write_text("url: http://models.example/v1\nmodel: parrot\nkey_variable: null\n", encoding="utf-8")
    game = ("--game", "beyond_maps", "--param", "size=5", "max_turns=4")
    options = (*game, "--agents", "random", f"chat:{path}", "--games", 32, "--workers", 1)
    done = here(main, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("error: ")
    assert "ALL_PROXY=socks://proxy.example:1080" in done.err.splitlines()[-1]
