"""Text interface to all games, for language models and human players.

A player receives the short rules and a position as text, and answers with the string of an action:

    rules_message(game)            the rules, and the format of answers
    position_message(state)        the view of the player to act, and the legal actions
    read_answer(state, answer)     the action that an answer names
    TextAgent(game, ask)           an agent that calls a function of yours, such as a language model

Each decision is a separate conversation: the position contains everything that the player may know.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from edge_envs.answers import WORDS, Reader
from edge_envs.answers import AnswerError as AnswerError
from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.errors import IllegalActionError, ParameterError, in_short
from edge_envs.core.game import Game
from edge_envs.core.spec import Array, Records
from edge_envs.core.state import State

Message = dict[str, str]
"""A chat message: `{"role": "system" | "user" | "assistant", "content": …}`."""

MOST_TRIES = 100
MOST_NEWS = 30  # lines about events since a player's last decision

_HOW_TO_ANSWER = """\
You play this game. Think as long as you like. The last line of your answer must name the action you choose{how}, and \
nothing else, in this form:
ACTION: {example}"""
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "er", "ers")
_LETTERS = ("bdfgklmnprstvz", "aiou")  # without e, the last letter of many short words


class Disguise:
    """Made-up names for the things and actions of a game, so that prior knowledge about the game does not help.

    The names depend only on the seed and have the same lengths as the originals, so that tables keep their layout. A
    name with an ending, such as a plural, becomes the made-up word with that ending. Names of places, numbers, letters
    on maps and general words such as `number` and `turn` are not replaced.

    Raises:
        ValueError: if `seed` is not a valid seed.
    """

    def __init__(self, game: Game, seed: int) -> None:
        drawn = random.Random(f"{game.name} {check_seed(seed)}")
        names = _module(game).NAMES
        taken = {name + ending for name in names for ending in _ENDINGS}
        taken.update(WORDS, _words_of(rules_message(game)), _words_said(game))
        self._hidden: dict[str, str] = {}
        for name in names:
            word = name
            while any(word + ending in taken for ending in _ENDINGS):
                word = "".join(drawn.choice(_LETTERS[k % 2]) for k in range(len(name)))
            for ending in _ENDINGS:
                taken.add(word + ending)
                if not ending or name + ending not in names:
                    self._hidden[name + ending] = word + ending
        self._names = {hidden: name for name, hidden in self._hidden.items()}

    def hide(self, text: str) -> str:
        """Replace all names in a string."""
        return _replaced(text, self._hidden)

    def reveal(self, text: str) -> str:
        """Restore the game's own names in a string."""
        return _replaced(text, self._names)


def _replaced(text: str, words: dict[str, str]) -> str:
    def other(found: re.Match[str]) -> str:
        word = found[0]
        new = words.get(word.lower())
        if new is None:
            return word
        return new.capitalize() if word[:1].isupper() else new

    return re.sub(r"(?<![A-Za-z_])[A-Za-z][A-Za-z_]*(?![A-Za-z_])", other, text)


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z_]+", text.lower()))


def _words_said(game: Game) -> set[str]:
    """Return the words in all strings of the modules that describe positions, actions and events."""
    words: set[str] = set()
    for name in ("narration", "draw", "actions"):
        if game.type.has_module(name):
            spec = game.type.module(name).__spec__
            loader: Any = spec and spec.loader  # reads code from sources, from .pyc files alone and from zip archives
            code = loader.get_code(spec.name) if spec and loader else None
            words.update(word for text in _strings(code) for word in _words_of(text))
    return words


def _strings(constant: object) -> Iterator[str]:
    """Yield the strings among the constants of compiled code, including those of its functions."""
    if isinstance(constant, str):
        yield constant
    elif isinstance(constant, tuple | frozenset):
        for one in constant:
            yield from _strings(one)
    elif isinstance(constant, CodeType):
        yield from _strings(constant.co_consts)


def short_rules(game: Game) -> str:
    """Return the rules of a game, for its parameters, in at most 2,500 characters.

    Raises:
        ValueError: if the game has no short rules.
    """
    text: str = _module(game).text(game.params)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _module(game: Game) -> ModuleType:
    if not game.type.has_module("short_rules"):
        raise ValueError(f"{game.name} has no short rules")
    return game.type.module("short_rules")


def rules_message(game: Game, listed: bool = True) -> str:
    """Return the rules and the format of answers; `listed` means that positions list the legal actions."""
    how = ", by its text or its number" if listed else ""
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    example = state.action_to_string(state.legal_actions()[0])
    return f"{short_rules(game)}\n\n{_HOW_TO_ANSWER.format(how=how, example=example)}"


def position_message(state: State, listed: bool = True, news: bool = True) -> str:
    """Describe a position to the player to act.

    Args:
        state: The position, at a decision.
        listed: Whether to list the legal actions.
        news: Whether to describe the events since the player's last decision, including that decision, as far as they
            are in the history of the state.

    Raises:
        ValueError: if no player is to act.
    """
    player = state.current_player()
    if player < 0:
        raise ValueError("no player is to act in this position")
    happened = _happened(state, player) if news else []
    events = "\n".join(["What has happened:", "", *happened, "", ""]) if happened else ""
    seen = state.observation_string(player).rstrip()
    text = f"You are player {player}. {events}The position:\n\n{seen}\n\n"
    if not listed:
        return f"{text}Your action?"
    texts = enumerate(_texts(state), start=1)
    return f"{text}Legal actions:\n" + "\n".join(f"{number}. {one}" for number, one in texts) + "\nYour action?"


def _happened(state: State, player: int) -> list[str]:
    """Return the events that a player has seen since its last decision, inclusive; at most the last `MOST_NEWS`."""
    seats = [seat for seat, _ in state.history()]
    since = seats[::-1].index(player) + 1 if player in seats else len(seats)
    events = state.history_strings(player)
    return events[len(events) - since :][-MOST_NEWS:]


def read_answer(state: State, answer: str, listed: bool = True, disguise: Disguise | None = None) -> int:
    """Return the action that an answer names.

    The parser reads the last line that begins with `ACTION:`, or the line after it if that is empty. Without such a
    line, it reads the last text in square brackets, if the answer ends with it, and otherwise the last line or the
    whole answer. The action must come first, except for words such as `I choose`, and only an explanation may follow.
    Case, spaces, commas, quotes and markup are ignored.

    Args:
        state: The position, at a decision.
        answer: The answer.
        listed: Whether the number of an action in the list is also accepted.
        disguise: The made-up names; only these are then accepted.

    Raises:
        AnswerError: if the answer does not name exactly one legal action; the message says what is wrong.
        TypeError: if the answer is not a string.
    """
    hide = disguise.hide if disguise else str
    if not isinstance(answer, str):
        raise TypeError(f"an answer must be a string, not {type(answer).__name__}")
    reader = Reader([hide(text) for text in _texts(state)], listed, map(hide, _examples(state.game)))
    return state.legal_actions()[reader.read(answer)]


def _examples(game: Game) -> list[str]:
    """Return the action texts that the short rules quote."""
    return re.findall(r'"([^"\n]+)"', short_rules(game)) if game.type.has_module("short_rules") else []


def _texts(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


@dataclass(frozen=True)
class Decision:
    """The messages of a decision, including the last answer, and the action (None if no answer was legal)."""

    messages: tuple[Message, ...]
    action: int | None
    text: str | None


class TextAgent:
    """An agent that calls a function with all messages so far and reads the action from its answer.

    An answer that names no legal action is returned with the reason, up to `retries` times. Then the agent raises
    IllegalActionError, which forfeits the game in matches and tournaments.

    Args:
        game: The game.
        ask: Returns the answer, a string, to a list of messages.
        name: The name of the agent.
        listed: Whether positions list the legal actions.
        retries: How often the agent asks again after an answer that names no legal action.
        disguise: The seed of made-up names for things and actions, or None.
        read: Reads answers, as `read_answer` does.
        keep: Called with every decision.
    """

    needs_states = True

    def __init__(
        self,
        game: Game,
        ask: Callable[[list[Message]], str],
        *,
        name: str = "text",
        listed: bool = True,
        retries: int = 2,
        disguise: int | None = None,
        read: Callable[[State, str, bool, Disguise | None], int] = read_answer,
        keep: Callable[[Decision], None] = lambda decision: None,
    ) -> None:
        check_retries(retries)
        if not callable(ask):
            raise TypeError(f"invalid ask={in_short(ask)}: expected a function that answers a list of messages")
        self.name = name
        self._game, self._ask, self._listed, self._tries = game, ask, listed, retries + 1
        self._read, self._keep = read, keep
        self._disguise = None if disguise is None else Disguise(game, disguise)
        self._rules = rules_message(game, listed)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the actions (N,) of N positions, one after the other."""
        assert states is not None
        return np.array([self.decide(State.of_records(self._game, states[i : i + 1])) for i in range(len(states))])

    def decide(self, state: State) -> int:
        """Return the action for one position.

        Raises:
            IllegalActionError: if no answer named a legal action.
            TypeError: if an answer is not a string.
        """
        messages = [
            {"role": "system", "content": self._outward(self._rules)},
            {"role": "user", "content": self._outward(position_message(state, self._listed))},
        ]
        wrong = ""
        for _ in range(self._tries):
            answer = self._ask(list(messages))
            if not isinstance(answer, str):
                raise TypeError(f"ask must return a string, not {type(answer).__name__}")
            messages.append({"role": "assistant", "content": answer})
            try:
                action = self._read(state, answer, self._listed, self._disguise)
            except AnswerError as error:
                wrong = str(error)
            else:
                self._keep(Decision(tuple(messages), action, state.action_to_string(action)))
                return action
            messages.append({"role": "user", "content": self._again(state, wrong)})
        self._keep(Decision(tuple(messages[:-1]), None, None))
        raise IllegalActionError(f"agent {self.name}: no legal action in {self._tries} answers; the last: {wrong}")

    def _again(self, state: State, wrong: str) -> str:
        legal = f" Legal actions: {self._outward(', '.join(_texts(state)))}." if self._listed else ""
        return f"{wrong[:1].upper()}{wrong[1:]}.{legal} Answer again; the last line must be ACTION: and one action."

    def _outward(self, text: str) -> str:
        return self._disguise.hide(text) if self._disguise else text


def check_retries(retries: Any) -> None:
    """Raise ParameterError if `retries` is not a valid number of retries."""
    if type(retries) is not int or not 0 <= retries < MOST_TRIES:
        raise ParameterError(f"invalid retries={in_short(retries)}: expected an integer from 0 to {MOST_TRIES - 1}")


def transcript(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Return decisions as plain dicts, ready for JSON."""
    return [{"messages": list(d.messages), "action": d.action, "text": d.text} for d in decisions]
