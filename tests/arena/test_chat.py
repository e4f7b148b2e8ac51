"""Language models as players: what they are asked, what it costs, and servers of all kinds."""

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
from agents.external.chat import read_chat, usage
from agents.external.endpoint import LONGEST_ANSWER, SHOWN, Endpoint
from agents.external.unavailable import UnavailableError
from agents.players.agent import make_agent
from agents.tournament import main as tournament
from edge_envs import IllegalActionError, load_game
from edge_envs.players import decide
from tests.arena.stand import KEY, Answer, Stand, completion, endpoint, scripted, sensible
from tests.programs import Here

GAME = ("--game", "beyond_maps", "--param", "size=5", "max_turns=4")


@pytest.fixture
def file(stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that tells of a model behind the server."""
    monkeypatch.setenv("STAND_KEY", KEY)
    path = tmp_path / "model.yaml"
    path.write_text(
        f"url: {stand.url}\nmodel: parrot\nkey_variable: STAND_KEY\nprice_in: 2.0\nprice_out: 10.0\n"
        f"request: {{temperature: 0}}\nattempts: 2\ntranscripts: {tmp_path / 'said.jsonl'}\n",
        encoding="utf-8",
    )
    return path


def test_a_question_is_a_chat_completion(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_KEY", KEY)
    stand.answer = scripted((200, {}, completion("hello")))
    asked = [{"role": "user", "content": "hi"}]
    answer = endpoint(stand, key_variable="STAND_KEY", request={"temperature": 0}).ask(asked)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("hello", 100, 7)
    assert stand.requests == [{"temperature": 0, "model": "parrot", "messages": asked}]
    assert stand.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_a_variable_no_key_is_sent_and_an_empty_one_is_told(stand: Stand) -> None:
    stand.answer = scripted((200, {}, completion("hello")))
    endpoint(stand).ask([])
    assert "Authorization" not in stand.headers[0]
    with pytest.raises(UnavailableError, match="NO_SUCH_KEY holds no key"):
        endpoint(stand, key_variable="NO_SUCH_KEY")


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
        "hangs up",
        "fails",
        "is busy",
        "is busy till tomorrow",
        "no JSON",
        "too deep",
        "no choices",
        "no message",
        "no text",
        "is cut off",
        "floods",
        "compresses",
    ],
)
def test_a_server_that_stumbles_is_asked_again(stand: Stand, broken: Answer | None) -> None:
    stand.answer = scripted(broken, (200, {}, completion("at last")))
    assert endpoint(stand, timeout=3.0).ask([]).text == "at last"
    assert len(stand.requests) == 2


@pytest.mark.parametrize(
    "tokens",
    [None, {}, [], "many", {"prompt_tokens": -1, "completion_tokens": "7"}, {"prompt_tokens": 10**400}],
)
@pytest.mark.parametrize("text", [None, "", "yes"])
def test_odd_answers_are_answers(stand: Stand, text: str | None, tokens: Any) -> None:
    stand.answer = scripted((200, {}, completion(text, tokens)))
    answer = endpoint(stand).ask([])
    assert answer.text == (text or "")
    assert answer.prompt_tokens in (0, 100)


def test_who_refuses_is_not_asked_again(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_KEY", KEY)
    stand.answer = scripted((401, {}, f"the key {KEY} is wrong".encode()))
    with pytest.raises(UnavailableError, match=r"refuses: HTTP 401: the key \*\*\* is wrong"):
        endpoint(stand, key_variable="STAND_KEY").ask([])
    assert len(stand.requests) == 1


@pytest.mark.parametrize("wrong", ["\n", "\x07", "\u00e9", "\udcff", "\u2028"])
def test_a_key_that_no_header_can_have_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("STAND_KEY", f"{KEY}{wrong}{KEY}")
    with pytest.raises(UnavailableError, match="STAND_KEY holds characters that no key") as refused:
        Endpoint("http://127.0.0.1:9/v1", "parrot", key_variable="STAND_KEY")
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("status", [401, 500])
@pytest.mark.parametrize(
    "spelt",
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
def test_no_part_of_a_key_is_shown_where_what_a_server_says_is_cut(
    stand: Stand, monkeypatch: pytest.MonkeyPatch, spelt: Callable[[str], str], status: int
) -> None:
    key = "sk-very/secret+1234567890"
    monkeypatch.setenv("STAND_KEY", key)
    for before in range(SHOWN - 80, SHOWN + 1, 16):
        stand.answer = scripted((status, {}, f"{'x' * before}{spelt(key)} is wrong".encode()))
        with pytest.raises(UnavailableError) as refused:
            endpoint(stand, key_variable="STAND_KEY", attempts=1).ask([])
        said = str(refused.value)
        assert said.partition("x" * before)[2] == "*** is wrong"[: SHOWN - before]


def test_what_a_server_says_gives_no_orders_to_a_terminal(stand: Stand) -> None:
    stand.answer = scripted((400, {}, "no\x1b[2J\u2028\u202e\r\nmore".encode()))
    with pytest.raises(UnavailableError, match=r"refuses: HTTP 400: no\[2J more$"):
        endpoint(stand).ask([])


def test_pauses_grow_and_follow_the_server(stand: Stand) -> None:
    pauses: list[float] = []
    stand.answer = scripted((503, {}, b""), (429, {"Retry-After": "7"}, b""), (429, {"Retry-After": "9999"}, b""))
    with pytest.raises(UnavailableError, match="no answer in 4 attempts; the last: HTTP 429"):
        Endpoint(stand.url, "parrot", attempts=4, sleep=pauses.append).ask([])
    assert pauses == [0.5, 7.0, 60.0]


def test_a_server_may_name_the_time_to_come_back(stand: Stand) -> None:
    pauses: list[float] = []
    at = formatdate(time.time() + 20, usegmt=True)
    stand.answer = scripted((429, {"Retry-After": at}, b""), (200, {}, completion("at last")))
    assert Endpoint(stand.url, "parrot", sleep=pauses.append).ask([]).text == "at last"
    assert 10.0 < pauses[0] <= 21.0


def test_a_slow_server_is_not_awaited_for_ever(stand: Stand) -> None:
    def drip(request: Any) -> Answer:
        time.sleep(1.5)
        return 200, {}, completion("late")

    stand.answer = drip
    started = time.monotonic()
    with pytest.raises(UnavailableError, match=r"more than 0.3 s for an answer"):
        endpoint(stand, timeout=0.3, attempts=2).ask([])
    assert time.monotonic() - started < 5.0


def test_a_model_that_thinks_in_silence_is_awaited(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    def think(request: Any) -> Answer:
        time.sleep(1.0)
        return 200, {}, completion("at last")

    monkeypatch.setattr("agents.external.endpoint.LONGEST_CONNECT", 0.5)
    stand.answer = think
    assert endpoint(stand, timeout=30.0, attempts=1).ask([]).text == "at last"


@pytest.mark.parametrize(
    "begins",
    ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"],
    ids=["before it", "headers", "body"],
)
def test_a_server_that_goes_on_in_drops_is_not_awaited_for_ever(begins: str) -> None:
    def drip() -> None:
        connection, _ = listening.accept()
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(begins.encode())
            for number in range(40):
                connection.sendall(b"HTTP/1.1 100 Go on\r\n\r\n" if not begins else f"X-{number}: y\r\n".encode())
                time.sleep(0.1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, daemon=True).start()
        started = time.monotonic()
        with pytest.raises(UnavailableError, match=r"the last: more than 0\.5 s for an answer"):
            Endpoint(f"http://127.0.0.1:{listening.getsockname()[1]}", "parrot", timeout=0.5, attempts=1).ask([])
        assert time.monotonic() - started < 2.5


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="no answer in 1 attempts; the last: ConnectError"):
        Endpoint("http://127.0.0.1:9/v1", "parrot", attempts=1).ask([])
    with pytest.raises(UnavailableError):
        Endpoint("gopher://x", "parrot", attempts=1).ask([])


def test_a_model_plays_like_any_other_agent(stand: Stand, file: Path) -> None:
    game = load_game("ghost_ship", creation="random")
    agent = make_agent(f"chat:{file}", game)
    state = game.new_initial_state(seed=1)
    for _ in range(3):
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        state.apply_action(decide(agent, state, np.random.default_rng(0)))
    said = [json.loads(line) for line in (file.parent / "said.jsonl").read_text().splitlines()]
    assert len(said) == len(stand.requests) == 3
    assert said[0]["messages"][0]["role"] == "system"


def test_a_model_that_repeats_the_key_does_not_get_it_into_a_file(stand: Stand, file: Path) -> None:
    stand.answer = scripted((200, {}, completion(f"You sent {KEY}.\nACTION: {KEY}")))
    game = load_game("beyond_maps", size=5)
    with pytest.raises(IllegalActionError):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    said = (file.parent / "said.jsonl").read_text(encoding="utf-8")
    assert said.count("You sent ***") == 3
    assert KEY not in said + json.dumps(stand.requests)


def test_a_stand_in_for_a_key_may_be_a_word_of_the_answer(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_KEY", "sea")
    stand.answer = scripted((200, {}, completion("ACTION: sea a2 n")))
    assert endpoint(stand, key_variable="STAND_KEY").ask([]).text == "ACTION: sea a2 n"


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85", "\x0b", "\r", "\ud800"])
def test_letters_of_all_kinds_can_be_kept(here: Here, stand: Stand, file: Path, letter: str) -> None:
    stand.answer = scripted((200, {}, completion(f"one{letter}two")))
    game = load_game("beyond_maps", size=5)
    with pytest.raises(IllegalActionError):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    told = json.loads(here(main, file, "--json").out)
    assert (told["decisions"], told["answers"], told["given_up"]) == (1, 3, 1)


def played(here: Here, file: Path, *more: object) -> Any:
    return here(
        tournament, *GAME, "--agents", "random", f"chat:{file}", "--games", 32, "--workers", 1,
        "--out", file.parent / "out", "--json", *more,
    )  # fmt: skip


def test_a_tournament_with_a_model_is_kept_counted_and_not_played_twice(here: Here, stand: Stand, file: Path) -> None:
    document = json.loads(played(here, file).out)
    row = next(row for row in document["agents"] if row["agent"].startswith("chat:"))
    assert row["games"] == 32
    asked = len(stand.requests)
    played(here, file)
    assert len(stand.requests) == asked
    told = json.loads(here(main, file, "--json").out)
    assert told["decisions"] == told["answers"] == asked
    assert told["prompt_tokens"] == 100 * asked
    assert told["cost"] == pytest.approx(asked * (100 * 2.0 + 7 * 10.0) / 1e6)
    kept = b"".join(path.read_bytes() for path in file.parent.rglob("*") if path.is_file())
    assert KEY.encode() not in kept


def test_who_never_names_an_action_forfeits(here: Here, stand: Stand, file: Path) -> None:
    stand.answer = scripted((200, {}, completion("I resign.")))
    played(here, file)
    games = [json.loads(line) for line in (file.parent / "out/games.jsonl").read_text().splitlines()]
    lost = [game for game in games if "forfeit" in game]
    assert {game["seats"][game["forfeit"]["seat"]] for game in lost} == {f"chat:{file}"}
    told = json.loads(here(main, file, "--json").out)
    assert told["given_up"] == told["decisions"] == len(lost) > 20
    assert told["answers"] == 3 * len(lost)
    assert all("no legal action in 3 answers; the last: 'i resign' is not" in game["forfeit"]["why"] for game in lost)


def test_answers_of_an_unfinished_sitting_are_not_paid_twice(here: Here, stand: Stand, file: Path) -> None:
    numbers = itertools.count()
    refused: list[int] = []

    def moody(request: dict[str, Any]) -> Answer:
        """Never twice the same, and at times no action."""
        number = next(numbers)
        if broken and len(stand.requests) - len(refused) > broken:
            refused.append(number)
            return 401, {}, b"no more credit"
        return (200, {}, completion(f"{number}: I pass.")) if number % 3 == 0 else sensible(request)

    stand.answer = moody
    for broken in (30, 90, 0):
        outcome = here(
            tournament, *GAME, "--agents", "random", f"chat:{file}", "--games", 32, "--workers", 1,
            "--out", file.parent / "out",
        )  # fmt: skip
        assert outcome.code == (2 if broken else 0)
    said = [json.loads(line) for line in (file.parent / "said.jsonl").read_text(encoding="utf-8").splitlines()]
    decided = [line for line in said if line["end"] == "decided"]
    games = [json.loads(line) for line in (file.parent / "out/games.jsonl").read_text().splitlines()]
    lost = sum("forfeit" in game for game in games)
    decisions = sum(game["decisions"][game["seats"].index(f"chat:{file}")] for game in games)
    assert len(games) == 32
    assert len(decided) == decisions + lost
    assert sum(line["answers"] for line in said) == len(stand.requests) - len(refused)
    asked = len(stand.requests)
    played(here, file, "--out", file.parent / "other")
    assert len(stand.requests) > asked + 100  # another tournament asks anew


def test_an_outage_forfeits_nothing_and_the_tournament_goes_on_later(here: Here, stand: Stand, file: Path) -> None:
    def down_after_a_while(request: dict[str, Any]) -> Answer:
        return sensible(request) if len(stand.requests) < 60 else (401, {}, b"no more credit")

    stand.answer = down_after_a_while
    arguments = (
        *GAME, "--agents", "random", f"chat:{file}", "--games", 32, "--workers", 1,
        "--out", file.parent / "out", "--json",
    )  # fmt: skip
    line = here.fails(tournament, *arguments)
    assert "refuses: HTTP 401: no more credit" in line
    stand.answer = sensible
    played(here, file)
    games = [json.loads(line) for line in (file.parent / "out/games.jsonl").read_text().splitlines()]
    assert len(games) == 32
    assert "illegal" not in str(games)
    assert "credit" not in str(games)


@pytest.mark.parametrize(
    ("text", "said"),
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
def test_a_wrong_file_is_one_line(here: Here, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    arguments = ("--game", "falling_off", "--agents", "random", f"chat:{path}", "--games", 32, "--workers", 1)
    line = here.fails(tournament, *arguments, "--out", tmp_path / "out")
    assert said in line
    assert "chat:" not in os.environ


def test_transcripts_that_were_not_kept_or_are_broken_are_told(here: Here, tmp_path: Path, file: Path) -> None:
    bare = tmp_path / "bare.yaml"
    bare.write_text("url: http://x\nmodel: y\n", encoding="utf-8")
    assert "has no `transcripts`" in here.fails(main, bare)
    (tmp_path / "said.jsonl").write_text("{}\n", encoding="utf-8")
    assert "line 1: not a decision" in here.fails(main, file)
    line = {"action": 1, "end": "decided", "answers": 1, "cut_off": 0, "prompt_tokens": 1, "completion_tokens": 1}
    (tmp_path / "said.jsonl").write_text(f"{json.dumps(line)}\n", encoding="utf-8")
    assert json.loads(here(main, file, "--json").out)["decisions"] == 1
    for wrong in ({"answers": "x"}, {"prompt_tokens": -1}, {"completion_tokens": 10**400}, {"end": "?"}):
        (tmp_path / "said.jsonl").write_text(f"{json.dumps({**line, **wrong})}\n", encoding="utf-8")
        assert "line 1: not a decision" in here.fails(main, file)
    (tmp_path / "said.jsonl").write_text("{cut", encoding="utf-8")
    assert json.loads(here(main, file, "--json").out)["decisions"] == 0


@pytest.mark.parametrize("more", ["transcripts: {folder}\n", "request: {{temperature: .nan}}\n"])
def test_faults_on_this_side_are_no_forfeits_of_the_model(stand: Stand, file: Path, more: str) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    name = more.partition(":")[0]
    kept = "".join(line for line in lines if not line.startswith(name))
    file.write_text(kept + more.format(folder=file.parent), encoding="utf-8")
    game = load_game("beyond_maps", size=5)
    with pytest.raises(UnavailableError, match="chat:"):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))


def test_a_line_that_a_kill_has_cut_off_spoils_no_other(here: Here, stand: Stand, file: Path) -> None:
    said = file.parent / "said.jsonl"
    said.write_text('{"game": "beyond_m', encoding="utf-8")
    game = load_game("beyond_maps", size=5)
    agent = make_agent(f"chat:{file}", game)
    for seed in (1, 2):
        decide(agent, game.new_initial_state(seed=seed), np.random.default_rng(0))
    assert json.loads(here(main, file, "--json").out)["decisions"] == 2


@pytest.mark.parametrize("behind", ["?key=SECRET", "#SECRET"])
def test_a_key_in_the_address_is_refused_and_not_shown(here: Here, file: Path, behind: str) -> None:
    file.write_text(f"url: http://127.0.0.1:9/v1{behind}\nmodel: y\nkey_variable: null\n", encoding="utf-8")
    line = here.fails(main, file)
    assert "url: expected a URL without ? and #; put a key in the environment variable of key_variable" in line
    assert "SECRET" not in line


def test_processes_share_a_transcript(stand: Stand, file: Path) -> None:
    game = load_game("beyond_maps", size=5)
    stand.answer = lambda request: (200, {}, completion(f"{'long ' * 20_000}\nACTION: 1"))
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


def test_answers_count_where_the_server_gives_up_in_the_midst(here: Here, stand: Stand, file: Path) -> None:
    stand.answer = scripted((200, {}, completion("I had rather not")), (402, {}, b"no more credit"))
    game = load_game("beyond_maps", size=5)
    with pytest.raises(UnavailableError, match="no more credit"):
        decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    told = json.loads(here(main, file, "--json").out)
    assert (told["decisions"], told["given_up"], told["broken_off"], told["answers"]) == (0, 0, 1, 1)
    assert (told["prompt_tokens"], told["completion_tokens"]) == (100, 7)


def test_answers_may_come_in_parts(here: Here, stand: Stand, file: Path) -> None:
    parts = [{"type": "text", "text": "ACTION:"}, {"type": "image"}, 3, {"type": "text", "text": " 1"}]
    choice = {"message": {"content": parts}}
    stand.answer = lambda request: (200, {}, json.dumps({"choices": [choice]}).encode())
    game = load_game("beyond_maps", size=5)
    decide(make_agent(f"chat:{file}", game), game.new_initial_state(seed=1), np.random.default_rng(0))
    told = json.loads(here(main, file, "--json").out)
    assert (told["decisions"], told["answers"], told["cut_off"]) == (1, 1, 0)


def test_an_answer_that_is_cut_off_names_no_action(here: Here, stand: Stand, file: Path) -> None:
    """It may end in the midst of a thought, as 'option 1 would be bad'."""
    choice = {"message": {"content": "ACTION: 1"}, "finish_reason": "length"}
    cut: Answer = 200, {}, json.dumps({"choices": [choice]}).encode()
    stand.answer = scripted(cut, (200, {}, completion("ACTION: 2")))
    game = load_game("beyond_maps", size=5)
    state = game.new_initial_state(seed=1)
    agent = make_agent(f"chat:{file}", game)
    assert decide(agent, state, np.random.default_rng(0)) == state.legal_actions()[1]
    assert stand.requests[1]["messages"][-1]["content"].startswith("The answer was cut off, as it has more tokens")
    told = json.loads(here(main, file, "--json").out)
    assert (told["decisions"], told["given_up"], told["answers"], told["cut_off"]) == (1, 0, 2, 1)
    stand.answer = scripted(cut)
    (played,) = play_games(game, [agent, make_agent("random", game)], [0])
    assert played.forfeit == 0
    assert "3 answers; the last: the answer was cut off" in played.why


def test_within_a_time_limit_a_slow_model_forfeits(stand: Stand, file: Path) -> None:
    def think(request: Any) -> Answer:
        time.sleep(20.0)
        return sensible(request)

    stand.answer = think
    game = load_game("beyond_maps", size=5)
    agents = [make_agent(f"chat:{file}", game), make_agent("random", game)]
    started = time.monotonic()
    (played,) = play_games(game, agents, [0], limit=0.5)
    assert (played.forfeit, played.why) == (0, "more than 0.5 s for a decision")
    assert time.monotonic() - started < 10.0
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]


def test_within_a_time_limit_an_outage_is_no_forfeit(stand: Stand, file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace("attempts: 2", "attempts: 8"), encoding="utf-8")
    stand.answer = scripted((503, {"Retry-After": "30"}, b"down"))
    game = load_game("beyond_maps", size=5)
    agents = [make_agent(f"chat:{file}", game), make_agent("random", game)]
    with pytest.raises(UnavailableError, match=r"model\.yaml: no answer in time; the last: .*HTTP 503: down"):
        play_games(game, agents, [0], limit=2.0)


def test_a_model_is_not_asked_to_warm_up(stand: Stand, file: Path) -> None:
    game = load_game("beyond_maps", size=5)
    warm_up(game, [make_agent(f"chat:{file}", game), make_agent("heuristic", game)], 0, lambda seat: None)
    assert stand.requests == []


def test_a_password_in_the_address_is_not_shown(stand: Stand) -> None:
    stand.answer = scripted((403, {}, b"no"))
    url = stand.url.replace("http://", "http://user:s3cret@")
    with pytest.raises(UnavailableError, match=r"http://\*\*\*@127.0.0.1.*refuses: HTTP 403"):
        Endpoint(url, "parrot").ask([])
