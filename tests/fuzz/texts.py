"""Games in words: answers that are no answers, players that do not answer, and made-up names."""

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
from tests.fuzz.door import REFUSED, TAKEN, Door, Story
from tests.fuzz.mutation import ODD_TEXTS, damaged_text, odd_value
from tests.fuzz.playing import decision_of

LONG = ("[", "]", "ACTION:", "ACTION:\n", "\u0301", "a ", "\n", "*", "1", "[a]", "ﷺ")
"""What an answer may hold many times over."""


class MoodyError(Exception):
    """What a player raises."""


class Texts(Door):
    """Answers are read, asked for again, and hidden behind other names."""

    apis = ("State",)

    def attempt(self, rng: Random, story: Story) -> str:
        """Read an answer, let somebody answer, or disguise a game."""
        state = decision_of(self.some_game(rng), rng)
        story.tell(f"{state.game!r} at", state.to_dict())
        return rng.choice((_read, _ask, _hide))(state, rng, story)


def some_answer(rng: Random, state: State) -> str:
    """The text of an action with damage, alone or among other words; or something else."""
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


def _read(state: State, rng: Random, story: Story) -> str:
    answer, listed, before = some_answer(rng, state), rng.random() < 0.5, state.to_dict()
    story.tell("answer", answer)
    for action in state.legal_actions()[:3]:
        last = f"{answer}\nACTION: {state.action_to_string(action)}"
        assert read_answer(state, last, listed) == action, "the last line does not count"
    try:
        action = read_answer(state, answer, listed)
    except AnswerError as error:
        assert str(error)
        return REFUSED
    assert action in state.legal_actions()
    assert state.to_dict() == before
    return TAKEN


def _ask(state: State, rng: Random, story: Story) -> str:
    """A decision is kept, whether it is taken or given up, unless the player does not answer with texts."""
    kept: list[Decision] = []

    def answer(messages: list[Message]) -> Any:
        assert [message["role"] for message in messages[:2]] == ["system", "user"]
        messages.clear()  # they are the player's own
        given = odd_value(rng) if rng.random() < 0.05 else some_answer(rng, state)
        story.tell("the player answers", given)
        if rng.random() < 0.05:
            raise MoodyError
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
    except (TypeError, MoodyError) as error:
        assert not kept
        assert isinstance(error, MoodyError) or "ask must return a string" in str(error)
        return REFUSED
    assert action is None or action in state.legal_actions()
    assert [decision.action for decision in kept] == [action]
    assert json.dumps(transcript(kept))
    return REFUSED if action is None else TAKEN


def _hide(state: State, rng: Random, story: Story) -> str:
    """What a game says comes back; what others say is taken as it is."""
    seed = odd_value(rng) if rng.random() < 0.3 else rng.getrandbits(60)
    story.tell("disguise", seed)
    try:
        disguise = Disguise(state.game, seed)
    except ValueError as error:
        assert str(error)
        return REFUSED
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
            raise AssertionError(f"{text} is understood in a disguise")
    answer = some_answer(rng, state)
    story.tell("hidden and revealed", answer)
    assert len(disguise.hide(answer)) == len(answer)
    assert len(disguise.reveal(answer)) == len(answer)
    return TAKEN
