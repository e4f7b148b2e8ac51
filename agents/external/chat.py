"""Agents that are language models: `chat:FILE`, where a YAML file configures the endpoint, the model and the prompts.

The prompts are those of `edge_envs.text`; each decision is a separate conversation. Every conversation is appended to
the file `transcripts` of the configuration: one line of JSON per decision, with the server's token counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, TypeGuard
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock
from pydantic import Field, field_validator

from agents.common.configuration import Section, parse, read_mapping
from agents.common.files import encode, parse_json, whole_lines
from agents.external.reasons import reason_of
from agents.external.unavailable import LimitReachedError, UnavailableError
from edge_envs import Game, IllegalActionError, State
from edge_envs.core.spec import Array, Records
from edge_envs.core.writing import naming
from edge_envs.text import MOST_TRIES, AnswerError, Decision, Disguise, Message, TextAgent, read_answer

if TYPE_CHECKING:
    from agents.external.endpoint import Answer, Call

BEGINS = '{"game": '  # the beginning of every line of a transcript
COUNTED = ("answers", "cut_off", "prompt_tokens", "completion_tokens")
MOST_COUNTED = 10**12  # tokens or answers of one decision
LONGEST_LINE = 2**24  # bytes
LONGEST_LOCK = 60.0  # seconds to wait for other processes that write transcripts


class ChatConfig(Section):
    """The configuration of a language model. Prices are per million tokens."""

    url: str
    model: str
    key_variable: str | None = "OPENAI_API_KEY"
    request: dict[str, Any] = Field(default_factory=dict)
    timeout: float = Field(default=120.0, gt=0, le=3600)
    attempts: int = Field(default=8, ge=1, le=100)
    parallel: int = Field(default=4, ge=1, le=64)
    listed: bool = True
    retries: int = Field(default=2, ge=0, lt=MOST_TRIES)
    disguise: int | None = Field(default=None, ge=0, lt=2**64)
    price_in: float = Field(default=0.0, ge=0)
    price_out: float = Field(default=0.0, ge=0)
    max_calls: int | None = Field(default=None, ge=0)
    max_tokens: int | None = Field(default=None, ge=0)
    max_cost: float | None = Field(default=None, ge=0)
    transcripts: str | None = None

    def checked(self) -> Self:
        """Check that what the limits count is recorded and priced."""
        limits = [name for name in ("max_calls", "max_tokens", "max_cost") if getattr(self, name) is not None]
        if limits and self.transcripts is None:
            raise ValueError(f"{limits[0]}: set transcripts also, the file in which calls are counted")
        if self.max_cost is not None and not (self.price_in or self.price_out):
            raise ValueError("max_cost: set price_in and price_out also, the prices of a million tokens")
        return self

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return the price of tokens."""
        return (prompt_tokens * self.price_in + completion_tokens * self.price_out) / 1e6

    @field_validator("request")
    @classmethod
    def _adds_options(cls, request: dict[str, Any]) -> dict[str, Any]:
        """Reject options that the endpoint would overwrite."""
        for key, source in {"model": "the key model", "messages": "the game"}.items():
            if key in request:
                raise ValueError(f"remove {key}, which comes from {source}")
        return request

    @field_validator("url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("expected a URL such as https://host/v1")
        if "?" in url or "#" in url:
            raise ValueError("expected a URL without ? and #; put a key in the environment variable of key_variable")
        if parts.path.rstrip("/").endswith("/chat/completions"):
            raise ValueError("expected a URL without /chat/completions, which is appended")
        return url


def file_of(name: str) -> Path:
    """Return the configuration file in an agent name; ValueError if there is none."""
    file = name.partition(":")[2]
    if not file:
        raise ValueError("chat: expected a configuration file, such as chat:configs/chat/local.yaml")
    return Path(file)


def read_chat(path: Path) -> ChatConfig:
    """Read a configuration file; ConfigError names the problem in one line."""
    return parse(ChatConfig, read_mapping(path), str(path))


def how_it_is_asked(name: str) -> bytes:
    """Return the part of the configuration that affects decisions, without timeouts and prices."""
    config = read_chat(file_of(name))
    return config.model_dump_json(include={"model", "request", "listed", "retries", "disguise"}).encode()


def check_chat(name: str) -> None:
    """Raise ValueError if the file does not exist, or if it is invalid."""
    read_chat(file_of(name))


class ChatAgent:
    """An agent that calls a language model, for several positions in parallel."""

    needs_states = True
    external = True
    paid = True

    def __init__(self, name: str, game: Game) -> None:
        from agents.external.endpoint import Endpoint

        self.name, self._game = name, game
        self._config = config = read_chat(file_of(name))
        self._endpoint = Endpoint(
            config.url,
            config.model,
            key_variable=config.key_variable,
            timeout=config.timeout,
            attempts=config.attempts,
            request=config.request,
        )
        if config.transcripts is not None:
            _check_writable(Path(config.transcripts), name)
        self._lock = threading.Lock()
        self._match: tuple[str, str] | None = None
        self._paid: PaidAnswers | None = None
        self._spending = Spending(name, config)
        self.reasons: list[str] = []
        """For each position of the last call, why no action was found; "" if one was found."""

    def join_match(self, tournament: str, match: str) -> None:
        """Play a match from now on. Answers that were paid for in an interrupted run of this match are used again."""
        self._match = tournament, match
        if self._paid is None:
            self._paid = PaidAnswers(self._config, tournament)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the model's actions (N,), -1 where it named no legal action.

        Raises:
            UnavailableError: if the model cannot be called, also if time is over while the server fails.
        """
        assert states is not None
        self.reasons = []
        positions = [State.of_records(self._game, states[i : i + 1]) for i in range(len(states))]
        from agents.external.endpoint import Call

        call = Call()
        with ThreadPoolExecutor(self._config.parallel) as pool:
            try:
                decided = list(pool.map(lambda state: self._decide(state, call), positions))
            except BaseException as error:
                if not isinstance(error, Exception):  # otherwise the other answers would be paid for in vain
                    call.stopped.set()
                pool.shutdown(cancel_futures=True)
                if call.trouble and not isinstance(error, Exception | KeyboardInterrupt):
                    raise UnavailableError(f"{self.name}: no answer in time; the last: {call.trouble}") from None
                raise
        self.reasons = [why for _, why in decided]
        return np.array([action for action, _ in decided], np.int64)

    def _decide(self, state: State, call: Call) -> tuple[int, str]:
        """Return an action and "", or -1 and the reason."""
        answers: list[Answer] = []
        asked: list[Message] = []
        paid: list[str] | None = None

        def ask(messages: list[Message]) -> str:
            nonlocal paid
            asked[:] = messages
            if paid is None:
                paid = self._paid.take(self._match, messages) if self._paid and self._match else []
            if paid:
                return paid.pop(0)
            self._spending.begin()
            try:
                answers.append(self._endpoint.ask(messages, call))
            except BaseException:
                self._spending.failed()
                raise
            self._spending.count(answers[-1])
            return answers[-1].text

        def read(state: State, answer: str, listed: bool, disguise: Disguise | None) -> int:
            if answers and answers[-1].cut_off:
                raise AnswerError("the answer was cut off, as it has more tokens than are allowed; say less")
            return read_answer(state, answer, listed, disguise)

        config = self._config
        agent = TextAgent(
            self._game,
            ask,
            name=self.name,
            listed=config.listed,
            retries=config.retries,
            disguise=config.disguise,
            read=read,
            keep=lambda decision: self._keep(decision, state.current_player(), answers, "decided"),
        )
        try:
            return agent.decide(state), ""
        except IllegalActionError as error:
            return -1, reason_of(error)
        except UnavailableError:
            if answers:  # they were paid for
                self._keep(Decision(tuple(asked), None, None), state.current_player(), answers, "broken off")
            raise
        except Exception as error:  # not the model's fault
            raise UnavailableError(f"{self.name}: {reason_of(error)}") from error

    def _keep(self, decision: Decision, player: int, answers: list[Answer], end: str) -> None:
        """Append the conversation to the transcripts; `end` is "decided", or "broken off" if the server failed."""
        if self._config.transcripts is None or not answers:
            return
        line = {
            "game": self._game.name,
            "params": self._game.params_dict(),
            "model": self._config.model,
            "player": player,
            "action": decision.action,
            "text": decision.text,
            "end": end,
            "sitting": self._match,
            "answers": len(answers),
            "cut_off": sum(answer.cut_off for answer in answers),
            "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
            "completion_tokens": sum(answer.completion_tokens for answer in answers),
            "messages": list(decision.messages),
        }
        path = Path(self._config.transcripts)
        among_processes = FileLock(f"{path}.lock", timeout=LONGEST_LOCK)
        with self._lock, self._spending.writing(answers), among_processes, naming(path), path.open("ab+") as file:
            if file.tell() and not _ends_whole(file):
                file.write(b"\n")
            file.write(encode(json.dumps(line, ensure_ascii=False)) + b"\n")


def _check_writable(path: Path, name: str) -> None:
    """Raise ValueError if transcripts cannot be written, before answers are paid for."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_fifo() or (path.is_file() and not _is_transcript(path)):
            raise ValueError(f"{name}: transcripts: {path}: this is not a file of transcripts; name another file")
        with path.open("ab"):
            pass
    except OSError as error:
        raise ValueError(f"{name}: transcripts: {path}: {error.strerror or error}") from None


def _is_transcript(path: Path) -> bool:
    """Return whether the first line of a file is a decision or the beginning of one, or if the file is empty."""
    with path.open("rb") as file:
        first = file.readline(LONGEST_LINE).decode(errors="replace")
    if first.endswith("\n"):
        return _decision_in(first) is not None
    return first.startswith(BEGINS) or BEGINS.startswith(first)


class Spending:
    """Counts calls, tokens and costs in the transcripts, and stops calls at the limits of the configuration.

    Calls of this process that are in progress or not yet written also count. Calls of other processes count once they
    are written, so several processes can exceed a limit by the calls that they have in progress.
    """

    def __init__(self, name: str, config: ChatConfig) -> None:
        self._name, self._config = name, config
        limits = {"max_calls": config.max_calls, "max_tokens": config.max_tokens, "max_cost": config.max_cost}
        self._limits = {limit: most for limit, most in limits.items() if most is not None}
        self._lock = threading.Lock()
        self._read_until = 0  # bytes of the transcripts
        self._written = [0, 0, 0]  # answers, prompt tokens and completion tokens
        self._pending = [0, 0, 0]
        self._answered = 0

    def begin(self) -> None:
        """Count a call that begins; LimitReachedError if a limit is reached, and then it must not begin."""
        with self._lock:
            if self._limits:
                self._look()
                self._check()
            self._pending[0] += 1

    def count(self, answer: Answer) -> None:
        """Count the tokens of an answer that is not yet written."""
        with self._lock:
            self._answered += 1
            self._pending[1] += answer.prompt_tokens
            self._pending[2] += answer.completion_tokens

    def failed(self) -> None:
        """Forget a call that got no answer."""
        with self._lock:
            self._pending[0] -= 1

    @contextlib.contextmanager
    def writing(self, answers: Sequence[Answer]) -> Iterator[None]:
        """Let no call begin while answers are written, and then count them by the file."""
        with self._lock:
            yield
            self._pending[0] -= len(answers)
            self._pending[1] -= sum(answer.prompt_tokens for answer in answers)
            self._pending[2] -= sum(answer.completion_tokens for answer in answers)

    def _check(self) -> None:
        calls, tokens_in, tokens_out = (sum(pair) for pair in zip(self._written, self._pending, strict=True))
        cost = self._config.cost(tokens_in, tokens_out)
        uncounted = [limit for limit in self._limits if limit != "max_calls"]
        if uncounted and self._answered + self._written[0] and not tokens_in + tokens_out:
            raise LimitReachedError(
                f"{self._name}: {uncounted[0]} cannot be kept, because the server reports no tokens (the key usage of "
                "its answers is missing); remove it, and set max_calls instead"
            )
        spent = {"max_calls": calls, "max_tokens": tokens_in + tokens_out, "max_cost": cost}
        for limit, most in self._limits.items():
            if spent[limit] >= most:
                raise LimitReachedError(
                    f"{self._name}: {limit} {most:,} is reached by {calls:,} calls with {tokens_in + tokens_out:,} "
                    f"tokens in {self._config.transcripts}; raise it to continue"
                )

    def _look(self) -> None:
        """Count the lines that were written since the last look, by any process."""
        path = Path(str(self._config.transcripts))
        if not path.exists() or path.stat().st_size <= self._read_until:
            return
        with naming(path), path.open("rb") as file:
            file.seek(self._read_until)
            new = file.read()
        new = new[: new.rfind(b"\n") + 1]
        self._read_until += len(new)
        for text in new.decode(errors="replace").split("\n"):
            found = _decision_in(text)
            if found is not None:
                for at, key in enumerate(("answers", "prompt_tokens", "completion_tokens")):
                    self._written[at] += found[key]


def _decision_in(text: str) -> dict[str, Any] | None:
    """Return the decision in a line of a transcript; None if it is incomplete or not a decision."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if _is_decision(found) else None


def measured_rates(config: ChatConfig) -> tuple[float, float] | None:
    """Return the characters per prompt token and the tokens per answer in the transcripts; None if there are none."""
    letters = prompt_tokens = answers = completion_tokens = 0
    for line in _lines(config) if config.transcripts is not None else ():
        messages = line.get("messages")
        if line["answers"] == 1 and line["prompt_tokens"] and _are_messages(messages):
            letters += sum(len(message["content"]) for message in messages[:2])
            prompt_tokens += line["prompt_tokens"]
        answers += line["answers"]
        completion_tokens += line["completion_tokens"]
    return (letters / prompt_tokens, completion_tokens / answers) if prompt_tokens and answers else None


class PaidAnswers:
    """The answers of a model in matches of a tournament, from its transcripts; each answer is used once."""

    def __init__(self, config: ChatConfig, tournament: str) -> None:
        self._lock = threading.Lock()
        self._said: dict[str, list[list[str]]] = {}
        lines = [] if config.transcripts is None else list(_lines(config))
        for line in sorted(lines, key=lambda line: str(line["end"]) != "decided"):  # interrupted decisions last
            match, messages = line.get("sitting"), line.get("messages")
            if not _are_texts(match) or not _are_messages(messages) or line["cut_off"]:
                continue
            if match[0] == tournament:
                answers = [message["content"] for message in messages[2:] if message["role"] == "assistant"]
                self._said.setdefault(_question(match, messages), []).append(answers)

    def take(self, match: Sequence[str], messages: Sequence[Message]) -> list[str]:
        """Return the answers to a question of a match, in order; an empty list if none are left."""
        with self._lock:
            known = self._said.get(_question(match, messages))
            return known.pop(0) if known else []


def _are_texts(found: Any) -> TypeGuard[list[str]]:
    """Return whether this identifies a match."""
    return isinstance(found, list) and len(found) == 2 and all(isinstance(text, str) for text in found)


def _are_messages(found: Any) -> TypeGuard[list[Message]]:
    return isinstance(found, list) and all(
        isinstance(one, dict) and isinstance(one.get("role"), str) and isinstance(one.get("content"), str)
        for one in found
    )


def _question(match: Sequence[str], messages: Sequence[Message]) -> str:
    return json.dumps([*match, *messages[:2]])


def _ends_whole(file: IO[bytes]) -> bool:
    """Return whether the last line is complete."""
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def usage(config: ChatConfig) -> dict[str, Any]:
    """Sum up the transcripts: decisions, answers, tokens and their cost.

    `given_up` counts decisions without a legal answer, which forfeited the game. `broken_off` counts decisions that a
    server failure interrupted; they are not in `decisions`, but their answers are counted. `illegal_answers` named no
    legal action, and `cut_off` answers reached the token limit of the server.
    """
    totals = {"decisions": 0, "given_up": 0, "broken_off": 0, "illegal_answers": 0, **dict.fromkeys(COUNTED, 0)}
    for line in _lines(config):
        if line["end"] == "broken off":
            totals["broken_off"] += 1
        else:
            totals["decisions"] += 1
            totals["given_up"] += line["action"] is None
        totals["illegal_answers"] += line["answers"] - (line["end"] == "decided" and line["action"] is not None)
        for key in COUNTED:
            totals[key] += line[key]
    cost = config.cost(totals["prompt_tokens"], totals["completion_tokens"])
    return {"model": config.model, **totals, "cost": cost}


def _lines(config: ChatConfig) -> Iterator[dict[str, Any]]:
    """Yield the decisions in the transcripts, without incomplete lines."""
    if config.transcripts is None:
        raise ValueError("this configuration has no `transcripts`, so nothing was recorded")
    path = Path(config.transcripts)
    for number, line in enumerate(whole_lines(path), start=1):
        where = f"{path}, line {number}"
        try:
            found = parse_json(line, where)
        except ValueError:
            if line.startswith(BEGINS) and not line.endswith("]}"):
                continue
            raise
        if not _is_decision(found):
            raise ValueError(f"{where}: not a decision")
        yield found


def _is_decision(line: Any) -> bool:
    """Return whether a value from JSON is a decision."""
    if not isinstance(line, dict) or "action" not in line or line.get("end") not in ("decided", "broken off"):
        return False
    counts = [line.get(key) for key in COUNTED]
    return all(type(count) is int and 0 <= count <= MOST_COUNTED for count in counts)
