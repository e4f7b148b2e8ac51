"""Fuzz the text interface: invalid answers, failing agents, and disguises."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from edge_envs import IllegalActionError, State
from edge_envs.text import (
    AnswerError,
    Decision,
    Disguise,
    Message,
    TextAgent,
    position_message,
    read_answer,
    rules_message,
    transcript,
)
from tests.fuzz.mutation import ODD_TEXTS, damaged_text, odd_value
from tests.fuzz.playing import decision_of
from tests.fuzz.target import ACCEPTED, REJECTED, Target, Trace

LONG = ("[", "]", "ACTION:", "ACTION:\n", "\u0301", "a ", "\n", "*", "1", "[a]", "ﷺ")
"""Strings that an answer may repeat many times."""


class OpponentError(Exception):
    """An error of an agent."""


class Texts(Target):
    """Parsing of answers, text agents with retries, and disguises."""

    apis = ("State",)

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Parse an answer, run a text agent, or disguise a game."""
        state = decision_of(self.some_game(rng), rng)
        trace.add(f"{state.game!r} at", state.to_dict())
        return rng.choice((_read, _ask, _hide))(state, rng, trace)


def some_answer(rng: Random, state: State) -> str:
    """Return a damaged action string, alone or in a sentence, or another string."""
    legal = state.legal_actions()
    text = state.action_to_string(rng.choice(legal))
    kind = rng.randrange(8)
    if kind < 3:
        text = rng.choice((text, text.upper(), damaged_text(rng, text), str(rng.randrange(-1, len(legal) + 2))))
        return rng.choice(("ACTION: {}", "**ACTION:** {}", "ACTION:\n{}", "[{}]", "I do {}.", "{}", "#{}")).replace(
            "{}", text
        )
    if kind < 5:
        return damaged_text(rng, rng.choice((position_message(state), f"ACTION: {text}", rules_message(state.game))))
    if kind == 5:
        return rng.choice(LONG) * rng.choice((10, 1000, 100_000)) + rng.choice(("", text, f"[{text}]"))
    return " ".join(rng.choices((*ODD_TEXTS, text, "ACTION:", "[", "]"), k=rng.randrange(6)))


def _read(state: State, rng: Random, trace: Trace) -> str:
    answer, listed, before = some_answer(rng, state), rng.random() < 0.5, state.to_dict()
    trace.add("answer", answer)
    for action in state.legal_actions()[:3]:
        last = f"{answer}\nACTION: {state.action_to_string(action)}"
        assert read_answer(state, last, listed) == action, "the last line was not used"
    try:
        action = read_answer(state, answer, listed)
    except AnswerError as error:
        assert str(error)
        return REJECTED
    assert action in state.legal_actions()
    assert state.to_dict() == before
    return ACCEPTED


def _ask(state: State, rng: Random, trace: Trace) -> str:
    """Run a text agent; every decision is recorded unless the agent raises or returns another type."""
    kept: list[Decision] = []

    def answer(messages: list[Message]) -> Any:
        assert [message["role"] for message in messages[:2]] == ["system", "user"]
        messages.clear()  # the list belongs to the agent
        given = odd_value(rng) if rng.random() < 0.05 else some_answer(rng, state)
        trace.add("the agent answers", given)
        if rng.random() < 0.05:
            raise OpponentError
        return given

    retries, disguise = rng.randrange(3), rng.choice((None, rng.getrandbits(20)))
    agent = TextAgent(
        state.game, answer, listed=rng.random() < 0.5, retries=retries, disguise=disguise, keep=kept.append
    )
    try:
        action = agent.decide(state)
    except IllegalActionError as error:
        assert str(error)
        action = None
    except (TypeError, OpponentError) as error:
        assert not kept
        assert isinstance(error, OpponentError) or "ask must return a string" in str(error)
        return REJECTED
    assert action is None or action in state.legal_actions()
    assert [decision.action for decision in kept] == [action]
    assert json.dumps(transcript(kept))
    return REJECTED if action is None else ACCEPTED


def _hide(state: State, rng: Random, trace: Trace) -> str:
    """Disguise a game; its own messages are revealed exactly, and other answers keep their length."""
    seed = odd_value(rng) if rng.random() < 0.3 else rng.getrandbits(60)
    trace.add("disguise", seed)
    try:
        disguise = Disguise(state.game, seed)
    except ValueError as error:
        assert str(error)
        return REJECTED
    for text in (rules_message(state.game), position_message(state)):
        assert disguise.reveal(disguise.hide(text)).lower() == text.lower()
    action = rng.choice(state.legal_actions())
    text = state.action_to_string(action)
    assert read_answer(state, f"ACTION: {disguise.hide(text)}", rng.random() < 0.5, disguise) == action
    if disguise.hide(text) != text:
        try:
            read_answer(state, text, rng.random() < 0.5, disguise)
        except AnswerError:
            pass
        else:
            raise AssertionError(f"{text} was accepted in a disguise")
    answer = some_answer(rng, state)
    trace.add("hidden and revealed", answer)
    assert len(disguise.hide(answer)) == len(answer)
    assert len(disguise.reveal(answer)) == len(answer)
    return ACCEPTED
