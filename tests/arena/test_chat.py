"""Test language models as agents: requests, usage and cost, unreliable servers, transcripts."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import json
import multiprocessing
import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from email.utils import formatdate
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.arena.match import play_games, warm_up
from agents.chat import main
from agents.external.chat import ChatConfig, read_chat, usage
from agents.external.endpoint import LONGEST_ANSWER, SHOWN, Endpoint
from agents.external.unavailable import UnavailableError
from agents.players.agent import make_agent
from agents.tournament import main as tournament
from edge_envs import IllegalActionError, load_game
from edge_envs.players import decide
from tests.arena.fake_server import KEY, Answer, FakeServer, completion, endpoint, legal_answer, scripted
from tests.programs import Here

GAME = ("--game", "beyond_maps", "--param", "size=5", "max_turns=4")


@pytest.fixture
def file(server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the configuration of a model on the fake server."""
    monkeypatch.setenv("MODEL_KEY", KEY)
    path = tmp_path / "model.yaml"
    path.write_text(
        f"url: {server.url}\nmodel: parrot\nkey_variable: MODEL_KEY\nprice_in: 2.0\nprice_out: 10.0\n"
        f"request: {{temperature: 0}}\nattempts: 2\ntranscripts: {tmp_path / 'transcript.jsonl'}\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("key", ["model", "messages"])
def test_options_of_requests_do_not_replace_what_every_request_has(key: str) -> None:
    with pytest.raises(ValueError, match=f"remove {key}, which comes from the "):
        ChatConfig(url="http://127.0.0.1:9/v1", model="parrot", request={key: "other"})


def test_query_is_a_chat_completion_request(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", KEY)
    server.answer = scripted((200, {}, completion("hello")))
    messages = [{"role": "user", "content": "hi"}]
    answer = endpoint(server, key_variable="MODEL_KEY", request={"temperature": 0}).ask(messages)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("hello", 100, 7)
    assert server.requests == [{"temperature": 0, "model": "parrot", "messages": messages}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_api_key_is_optional_and_an_empty_variable_is_reported(server: FakeServer) -> None:
    server.answer = scripted((200, {}, completion("hello")))
    endpoint(server).ask([])
    assert "Authorization" not in server.headers[0]
    with pytest.raises(UnavailableError, match="NO_SUCH_KEY holds no key"):
        endpoint(server, key_variable="NO_SUCH_KEY")


@pytest.mark.parametrize(
    "broken",
    [
        None,
        (500, {}, b"oops"),
        (429, {"Retry-After": "0.01"}, b"slow down"),
        (429, {"Retry-After": "tomorrow"}, b""),
        (200, {}, b"not JSON"),
        (200, {}, b"[" * 200_000),
        (200, {}, b'{"choices": []}'),
        (200, {}, b'{"choices": [{"message": "text"}]}'),
        (200, {}, b"\xff\xfe"),
        (200, {"Content-Length": "5000"}, b"cut off"),
        (200, {}, b" " * (LONGEST_ANSWER + 1)),
        (200, {"Content-Encoding": "gzip"}, gzip.compress(b" " * 10**6)),
    ],
    ids=[
        "closed connection",
        "HTTP 500",
        "HTTP 429",
        "invalid Retry-After",
        "no JSON",
        "nested JSON",
        "no choices",
        "no message",
        "not UTF-8",
        "truncated body",
        "oversized body",
        "compressed oversized body",
    ],
)
def test_transient_server_errors_are_retried(server: FakeServer, broken: Answer | None) -> None:
    server.answer = scripted(broken, (200, {}, completion("at last")))
    assert endpoint(server, timeout=3.0).ask([]).text == "at last"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "tokens",
    [None, {}, [], "many", {"prompt_tokens": -1, "completion_tokens": "7"}, {"prompt_tokens": 10**400}],
)
@pytest.mark.parametrize("text", [None, "", "yes"])
def test_unusual_completions_are_accepted(server: FakeServer, text: str | None, tokens: Any) -> None:
    server.answer = scripted((200, {}, completion(text, tokens)))
    answer = endpoint(server).ask([])
    assert answer.text == (text or "")
    assert answer.prompt_tokens in (0, 100)


def test_refused_request_is_not_retried(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", KEY)
    server.answer = scripted((401, {}, f"the key {KEY} is wrong".encode()))
    with pytest.raises(UnavailableError, match=r"refuses: HTTP 401: the key \*\*\* is wrong"):
        endpoint(server, key_variable="MODEL_KEY").ask([])
    assert len(server.requests) == 1


@pytest.mark.parametrize("wrong", ["\n", "\x07", "\u00e9", "\udcff", "\u2028"])
def test_key_invalid_in_a_header_is_rejected_and_not_shown(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("MODEL_KEY", f"{KEY}{wrong}{KEY}")
    with pytest.raises(UnavailableError, match="MODEL_KEY holds characters that no key") as refused:
        Endpoint("http://127.0.0.1:9/v1", "parrot", key_variable="MODEL_KEY")
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("status", [401, 500])
@pytest.mark.parametrize(
    "encode",
    [
        lambda key: key,
        lambda key: key.replace("/", "\\/"),
        lambda key: "".join(f"\\u{ord(letter):04X}" for letter in key),
        lambda key: "".join(f"\\\\u{ord(letter):04x}" for letter in key),
        lambda key: "".join(f"%{ord(letter):02X}" for letter in key),
        "\0".join,
        str.upper,
    ],
    ids=["plain", "slashes", "JSON", "JSON twice", "address", "UTF-16", "capitals"],
)
def test_truncated_server_message_shows_no_part_of_the_key(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, encode: Callable[[str], str], status: int
) -> None:
    key = "sk-very/secret+1234567890"
    monkeypatch.setenv("MODEL_KEY", key)
    for before in range(SHOWN - 80, SHOWN + 1, 16):
        server.answer = scripted((status, {}, f"{'x' * before}{encode(key)} is wrong".encode()))
        with pytest.raises(UnavailableError) as refused:
            endpoint(server, key_variable="MODEL_KEY", attempts=1).ask([])
        message = str(refused.value)
        assert message.partition("x" * before)[2] == "*** is wrong"[: SHOWN - before]


def test_terminal_escapes_in_server_messages_are_removed(server: FakeServer) -> None:
    server.answer = scripted((400, {}, "no\x1b[2J\u2028\u202e\r\nmore".encode()))
    with pytest.raises(UnavailableError, match=r"refuses: HTTP 400: no\[2J more$"):
        endpoint(server).ask([])


def test_retry_delays_grow_and_respect_retry_after(server: FakeServer) -> None:
    pauses: list[float] = []
    server.answer = scripted((503, {}, b""), (429, {"Retry-After": "7"}, b""), (429, {"Retry-After": "9999"}, b""))
    with pytest.raises(UnavailableError, match="no answer in 4 attempts; the last: HTTP 429"):
        Endpoint(server.url, "parrot", attempts=4, sleep=pauses.append).ask([])
    assert pauses == [0.5, 7.0, 60.0]


def test_retry_after_may_be_a_date(server: FakeServer) -> None:
    pauses: list[float] = []
    at = formatdate(time.time() + 20, usegmt=True)
    server.answer = scripted((429, {"Retry-After": at}, b""), (200, {}, completion("at last")))
    assert Endpoint(server.url, "parrot", sleep=pauses.append).ask([]).text == "at last"
    assert 10.0 < pauses[0] <= 21.0


def test_slow_server_times_out(server: FakeServer) -> None:
    def drip(request: Any) -> Answer:
        time.sleep(1.5)
        return 200, {}, completion("late")

    server.answer = drip
    started = time.monotonic()
    with pytest.raises(UnavailableError, match=r"more than 0.3 s for an answer"):
        endpoint(server, timeout=0.3, attempts=2).ask([])
    assert time.monotonic() - started < 5.0


def test_slow_model_within_the_timeout_is_awaited(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def think(request: Any) -> Answer:
        time.sleep(1.0)
        return 200, {}, completion("at last")

    monkeypatch.setattr("agents.external.endpoint.LONGEST_CONNECT", 0.5)
    server.answer = think
    assert endpoint(server, timeout=30.0, attempts=1).ask([]).text == "at last"


@pytest.mark.parametrize(
    "start",
    ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"],
    ids=["no headers", "headers", "body"],
)
def test_server_that_trickles_bytes_times_out(start: str) -> None:
    def drip() -> None:
        connection, _ = listening.accept()
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(start.encode())
            for number in range(40):
                connection.sendall(b"HTTP/1.1 100 Go on\r\n\r\n" if not start else f"X-{number}: y\r\n".encode())
                time.sleep(0.1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, daemon=True).start()
        started = time.monotonic()
        with pytest.raises(UnavailableError, match=r"the last: more than 0\.5 s for an answer"):
            Endpoint(f"http://127.0.0.1:{listening.getsockname()[1]}", "parrot", timeout=0.5, attempts=1).ask([])
        assert time.monotonic() - started < 2.5


def test_unreachable_server_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="no answer in 1 attempts; the last: ConnectError"):
        Endpoint("http://127.0.0.1:9/v1", "parrot", attempts=1).ask([])
    with pytest.raises(UnavailableError):
        Endpoint("gopher://x", "parrot", attempts=1).ask([])


def test_model_plays_like_other_agents(server: FakeServer, file: Path) -> None:
    game = load_game("ghost_ship", creation="random")
    agent = make_agent(f"chat:{file}", game)
    state = game.new_initial_state(seed=1)
    for _ in range(3):
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        state.apply_action(decide(agent, state, np.random.default_rng(0)))
    transcript = [json.loads(line) for line in (file.parent / "transcript.jsonl").read_text().splitlines()]
    assert len(transcript) == len(server.requests) == 3
    assert transcript[0]["messages"][0]["role"] == "system"


def test_key_repeated_by_a_model_is_not_written(server: FakeServer, file: Path) -> None:
    server.answer = scripted((200, {}, completion(f"You sent {KEY}.\nACTION: {KEY}")))
    game = load_game("beyond_maps", size=5)
    with pytest.raises(IllegalActionError):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    transcript = (file.parent / "transcript.jsonl").read_text(encoding="utf-8")
    assert transcript.count("You sent ***") == 3
    assert KEY not in transcript + json.dumps(server.requests)


def test_short_key_does_not_censor_words_of_the_answer(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", "sea")
    server.answer = scripted((200, {}, completion("ACTION: sea a2 n")))
    assert endpoint(server, key_variable="MODEL_KEY").ask([]).text == "ACTION: sea a2 n"


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85", "\x0b", "\r", "\ud800"])
def test_transcript_supports_unusual_characters(here: Here, server: FakeServer, file: Path, letter: str) -> None:
    server.answer = scripted((200, {}, completion(f"one{letter}two")))
    game = load_game("beyond_maps", size=5)
    with pytest.raises(IllegalActionError):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    usage_report = json.loads(here(main, file, "--json").out)
    assert (usage_report["decisions"], usage_report["answers"], usage_report["given_up"]) == (1, 3, 1)


def play_tournament(here: Here, file: Path, *more: object) -> Any:
    return here(
        tournament, *GAME, "--agents", "random", f"chat:{file}", "--games", 32, "--workers", 1,
        "--out", file.parent / "out", "--json", *more,
    )  # fmt: skip


def test_tournament_with_a_model_is_saved_counted_and_not_repeated(here: Here, server: FakeServer, file: Path) -> None:
    document = json.loads(play_tournament(here, file).out)
    row = next(row for row in document["agents"] if row["agent"].startswith("chat:"))
    assert row["games"] == 32
    requests = len(server.requests)
    play_tournament(here, file)
    assert len(server.requests) == requests
    usage_report = json.loads(here(main, file, "--json").out)
    assert usage_report["decisions"] == usage_report["answers"] == requests
    assert usage_report["illegal_answers"] == 0
    assert usage_report["prompt_tokens"] == 100 * requests
    assert usage_report["cost"] == pytest.approx(requests * (100 * 2.0 + 7 * 10.0) / 1e6)
    kept = b"".join(path.read_bytes() for path in file.parent.rglob("*") if path.is_file())
    assert KEY.encode() not in kept


def test_model_that_never_names_an_action_forfeits(here: Here, server: FakeServer, file: Path) -> None:
    server.answer = scripted((200, {}, completion("I resign.")))
    play_tournament(here, file)
    games = [json.loads(line) for line in (file.parent / "out/games.jsonl").read_text().splitlines()]
    lost = [game for game in games if "forfeit" in game]
    assert {game["seats"][game["forfeit"]["seat"]] for game in lost} == {f"chat:{file}"}
    usage_report = json.loads(here(main, file, "--json").out)
    assert usage_report["given_up"] == usage_report["decisions"] == len(lost) > 20
    assert usage_report["answers"] == usage_report["illegal_answers"] == 3 * len(lost)
    shown = here(main, file).out
    assert f"forfeited  {len(lost)}\n" in shown
    assert all("no legal action in 3 answers; the last: 'i resign' is not" in game["forfeit"]["why"] for game in lost)


def test_answers_of_an_unfinished_match_are_not_paid_twice(here: Here, server: FakeServer, file: Path) -> None:
    numbers = itertools.count()
    refused: list[int] = []

    def unreliable(request: dict[str, Any]) -> Answer:
        """Answer differently each time, sometimes without an action."""
        number = next(numbers)
        if broken and len(server.requests) - len(refused) > broken:
            refused.append(number)
            return 401, {}, b"no more credit"
        return (200, {}, completion(f"{number}: I pass.")) if number % 3 == 0 else legal_answer(request)

    server.answer = unreliable
    for broken in (30, 90, 0):
        outcome = here(
            tournament, *GAME, "--agents", "random", f"chat:{file}", "--games", 32, "--workers", 1,
            "--out", file.parent / "out",
        )  # fmt: skip
        assert outcome.code == (2 if broken else 0)
    transcript = [
        json.loads(line) for line in (file.parent / "transcript.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    decided = [line for line in transcript if line["end"] == "decided"]
    games = [json.loads(line) for line in (file.parent / "out/games.jsonl").read_text().splitlines()]
    lost = sum("forfeit" in game for game in games)
    decisions = sum(game["decisions"][game["seats"].index(f"chat:{file}")] for game in games)
    assert len(games) == 32
    assert len(decided) == decisions + lost
    assert sum(line["answers"] for line in transcript) == len(server.requests) - len(refused)
    requests = len(server.requests)
    play_tournament(here, file, "--out", file.parent / "other")
    assert len(server.requests) > requests + 100  # another tournament queries again


def test_outage_causes_no_forfeit_and_the_tournament_resumes(here: Here, server: FakeServer, file: Path) -> None:
    def down_after_a_while(request: dict[str, Any]) -> Answer:
        return legal_answer(request) if len(server.requests) < 60 else (401, {}, b"no more credit")

    server.answer = down_after_a_while
    arguments = (
        *GAME, "--agents", "random", f"chat:{file}", "--games", 32, "--workers", 1,
        "--out", file.parent / "out", "--json",
    )  # fmt: skip
    line = here.fails(tournament, *arguments)
    assert "refuses: HTTP 401: no more credit" in line
    server.answer = legal_answer
    play_tournament(here, file)
    games = [json.loads(line) for line in (file.parent / "out/games.jsonl").read_text().splitlines()]
    assert len(games) == 32
    assert "illegal" not in str(games)
    assert "credit" not in str(games)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mapping of keys"),
        ("url: http://x", "model"),
        ("url: http://x\nmodel: y\ncolour: red", "choose from url, model"),
        ("url: http://x\nmodel: y\nretries: -1", "retries"),
        ("url: http://x\nmodel: y\nparallel: 1000", "parallel"),
        ("url: http://x\nmodel: y\nkey_variable: NO_SUCH_KEY", "NO_SUCH_KEY holds no key"),
        ("url: ''\nmodel: y", "url: expected a URL such as https://host/v1"),
        (
            "url: http://x/v1/chat/completions/\nmodel: y",
            "url: expected a URL without /chat/completions, which is appended",
        ),
        ("url: x/v1\nmodel: y", "url: expected a URL such as https://host/v1"),
        ("url: file:///v1\nmodel: y", "url: expected a URL such as https://host/v1"),
    ],
)
def test_invalid_model_file_is_a_one_line_error(here: Here, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    arguments = ("--game", "falling_off", "--agents", "random", f"chat:{path}", "--games", 32, "--workers", 1)
    line = here.fails(tournament, *arguments, "--out", tmp_path / "out")
    assert message in line
    assert "chat:" not in os.environ


def test_missing_or_damaged_transcripts_are_reported(here: Here, tmp_path: Path, file: Path) -> None:
    bare = tmp_path / "bare.yaml"
    bare.write_text("url: http://x\nmodel: y\n", encoding="utf-8")
    assert "has no `transcripts`" in here.fails(main, bare)
    (tmp_path / "transcript.jsonl").write_text("{}\n", encoding="utf-8")
    assert "line 1: not a decision" in here.fails(main, file)
    line = {"action": 1, "end": "decided", "answers": 1, "cut_off": 0, "prompt_tokens": 1, "completion_tokens": 1}
    (tmp_path / "transcript.jsonl").write_text(f"{json.dumps(line)}\n", encoding="utf-8")
    assert json.loads(here(main, file, "--json").out)["decisions"] == 1
    for wrong in ({"answers": "x"}, {"prompt_tokens": -1}, {"completion_tokens": 10**400}, {"end": "?"}):
        (tmp_path / "transcript.jsonl").write_text(f"{json.dumps({**line, **wrong})}\n", encoding="utf-8")
        assert "line 1: not a decision" in here.fails(main, file)
    (tmp_path / "transcript.jsonl").write_text("{cut", encoding="utf-8")
    assert json.loads(here(main, file, "--json").out)["decisions"] == 0


def test_local_errors_are_not_forfeits(server: FakeServer, file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = "".join(line for line in lines if not line.startswith("request"))
    file.write_text(f"{kept}request: {{temperature: .nan}}\n", encoding="utf-8")
    game = load_game("beyond_maps", size=5)
    with pytest.raises(UnavailableError, match="chat:"):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))


def test_unwritable_transcripts_are_an_error_before_any_call(server: FakeServer, file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = "".join(line for line in lines if not line.startswith("transcripts"))
    file.write_text(f"{kept}transcripts: {file.parent}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"transcripts: {file.parent}: Is a directory"):
        make_agent(f"chat:{file}", load_game("beyond_maps", size=5))
    assert server.requests == []


def test_truncated_transcript_line_does_not_affect_others(here: Here, server: FakeServer, file: Path) -> None:
    transcript = file.parent / "transcript.jsonl"
    transcript.write_text('{"game": "beyond_m', encoding="utf-8")
    game = load_game("beyond_maps", size=5)
    agent = make_agent(f"chat:{file}", game)
    for seed in (1, 2):
        decide(agent, game.new_initial_state(seed=seed), np.random.default_rng(0))
    assert json.loads(here(main, file, "--json").out)["decisions"] == 2


@pytest.mark.parametrize("suffix", ["?key=SECRET", "#SECRET"])
def test_key_in_the_url_is_rejected_and_not_shown(here: Here, file: Path, suffix: str) -> None:
    file.write_text(f"url: http://127.0.0.1:9/v1{suffix}\nmodel: y\nkey_variable: null\n", encoding="utf-8")
    line = here.fails(main, file)
    assert "url: expected a URL without ? and #; put a key in the environment variable of key_variable" in line
    assert "SECRET" not in line


def test_processes_share_a_transcript(server: FakeServer, file: Path) -> None:
    game = load_game("beyond_maps", size=5)
    server.answer = lambda request: (200, {}, completion(f"{'long ' * 20_000}\nACTION: 1"))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        list(pool.map(decide_often, [str(file)] * 2, [game.name] * 2))
    assert usage(read_chat(file))["decisions"] == 2 * OFTEN


OFTEN = 20


def decide_often(file: str, name: str) -> None:
    game = load_game(name, size=5)
    agent = make_agent(f"chat:{file}", game)
    states = np.concatenate([game.new_records(1) for _ in range(OFTEN)])
    game.compiled.loops.new_games(states)
    masks, players = np.ones((OFTEN, game.num_distinct_actions), np.int8), np.zeros(OFTEN, np.int64)
    agent.act(np.zeros((OFTEN, 1)), masks, states, players, np.random.default_rng(0))


def test_answers_before_an_outage_are_counted(here: Here, server: FakeServer, file: Path) -> None:
    server.answer = scripted((200, {}, completion("I had rather not")), (402, {}, b"no more credit"))
    game = load_game("beyond_maps", size=5)
    with pytest.raises(UnavailableError, match="no more credit"):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    usage_report = json.loads(here(main, file, "--json").out)
    assert (
        usage_report["decisions"],
        usage_report["given_up"],
        usage_report["broken_off"],
        usage_report["answers"],
    ) == (0, 0, 1, 1)
    assert (usage_report["prompt_tokens"], usage_report["completion_tokens"]) == (100, 7)


def test_answer_may_consist_of_several_parts(here: Here, server: FakeServer, file: Path) -> None:
    parts = [{"type": "text", "text": "ACTION:"}, {"type": "image"}, 3, {"type": "text", "text": " 1"}]
    choice = {"message": {"content": parts}}
    server.answer = lambda request: (200, {}, json.dumps({"choices": [choice]}).encode())
    game = load_game("beyond_maps", size=5)
    decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    usage_report = json.loads(here(main, file, "--json").out)
    assert (usage_report["decisions"], usage_report["answers"], usage_report["cut_off"]) == (1, 1, 0)


def test_truncated_answer_names_no_action(here: Here, server: FakeServer, file: Path) -> None:
    """It may end in the middle of a sentence, such as 'option 1 would be bad'."""
    choice = {"message": {"content": "ACTION: 1"}, "finish_reason": "length"}
    cut: Answer = 200, {}, json.dumps({"choices": [choice]}).encode()
    server.answer = scripted(cut, (200, {}, completion("ACTION: 2")))
    game = load_game("beyond_maps", size=5)
    state = game.new_initial_state(seed=1)
    agent = make_agent(f"chat:{file}", game)
    assert decide(agent, state, np.random.default_rng(0)) == state.legal_actions()[1]
    assert server.requests[1]["messages"][-1]["content"].startswith("The answer was cut off, as it has more tokens")
    usage_report = json.loads(here(main, file, "--json").out)
    assert (usage_report["decisions"], usage_report["given_up"], usage_report["answers"], usage_report["cut_off"]) == (
        1,
        0,
        2,
        1,
    )
    server.answer = scripted(cut)
    (played,) = play_games(game, [agent, make_agent("random", game)], [0])
    assert played.forfeit == 0
    assert "3 answers; the last: the answer was cut off" in played.why


def test_slow_model_forfeits_under_a_time_limit(server: FakeServer, file: Path) -> None:
    def think(request: Any) -> Answer:
        time.sleep(20.0)
        return legal_answer(request)

    server.answer = think
    game = load_game("beyond_maps", size=5)
    agents = [make_agent(f"chat:{file}", game), make_agent("random", game)]
    started = time.monotonic()
    (played,) = play_games(game, agents, [0], limit=0.5)
    assert (played.forfeit, played.why) == (0, "more than 0.5 s for a decision")
    assert time.monotonic() - started < 10.0
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]


def test_outage_under_a_time_limit_is_not_a_forfeit(server: FakeServer, file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace("attempts: 2", "attempts: 8"), encoding="utf-8")
    server.answer = scripted((503, {"Retry-After": "30"}, b"down"))
    game = load_game("beyond_maps", size=5)
    agents = [make_agent(f"chat:{file}", game), make_agent("random", game)]
    with pytest.raises(UnavailableError, match=r"model\.yaml: no answer in time; the last: .*HTTP 503: down"):
        play_games(game, agents, [0], limit=2.0)


def test_model_is_not_queried_during_warm_up(server: FakeServer, file: Path) -> None:
    game = load_game("beyond_maps", size=5)
    warm_up(game, [make_agent(f"chat:{file}", game), make_agent("heuristic", game)], 0, lambda seat: None)
    assert server.requests == []


def test_password_in_the_url_is_not_shown(server: FakeServer) -> None:
    server.answer = scripted((403, {}, b"no"))
    url = server.url.replace("http://", "http://user:s3cret@")
    with pytest.raises(UnavailableError, match=r"http://\*\*\*@127.0.0.1.*refuses: HTTP 403"):
        Endpoint(url, "parrot").ask([])
