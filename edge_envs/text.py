"""Games in words, for language models and whoever else reads and writes.

A player is told the rules in short, sees a position as text, and answers with the text of an action:

    rules_message(game)            the rules, and how to answer
    position_message(state)        what the player to act sees, and what is possible
    read_answer(state, answer)     the action that an answer names
    TextAgent(game, ask)           an agent that asks a function of yours, as of a language model

Each decision is asked by itself: what a player may know stands in the position.
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
"""`{"role": "system", "user" or "assistant", "content": …}`, as language models are asked."""

MOST_TRIES = 100
MOST_NEWS = 30  # lines of what has happened since a player's last decision

_HOW_TO_ANSWER = """\
You play this game. Think as long as you like. The last line of your answer must be the action you choose{what}, and \
nothing else, as:
ACTION: {example}"""
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "er", "ers")
_LETTERS = ("bdfgklmnprstvz", "aiou")  # without e, by which many short words end


class Disguise:
    """Other names for the things and the actions of a game, so that what was read about it elsewhere does not help.

    The same for equal seeds, and as long as the names, so that tables stay in shape. A name with an ending, as a plural
    has, gets the same word with that ending. Names of places, numbers, the letters on maps and words of any game, as
    `number` and `turn`, stay. ValueError for a seed that is none.
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
        """A text with all names replaced."""
        return _replaced(text, self._hidden)

    def reveal(self, text: str) -> str:
        """A text with the game's own names again."""
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
    """Yield the strings among the constants of compiled code, those of its functions included."""
    if isinstance(constant, str):
        yield constant
    elif isinstance(constant, tuple | frozenset):
        for one in constant:
            yield from _strings(one)
    elif isinstance(constant, CodeType):
        yield from _strings(constant.co_consts)


def short_rules(game: Game) -> str:
    """The rules of a game in at most 2,500 characters, as they are with its parameters. ValueError if it has none."""
    text: str = _module(game).text(game.params)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _module(game: Game) -> ModuleType:
    if not game.type.has_module("short_rules"):
        raise ValueError(f"{game.name} has no rules in short")
    return game.type.module("short_rules")


def rules_message(game: Game, listed: bool = True) -> str:
    """The rules, and how to answer; `listed` tells that positions will list what is possible."""
    what = ", by its text or its number" if listed else ""
    state = game.new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    example = state.action_to_string(state.legal_actions()[0])
    return f"{short_rules(game)}\n\n{_HOW_TO_ANSWER.format(what=what, example=example)}"


def position_message(state: State, listed: bool = True, news: bool = True) -> str:
    """Describe a position to the player to act.

    Args:
        state: The position, at a decision.
        listed: Whether to list the legal actions.
        news: Whether to tell what has happened since the player's last decision, that decision included, as far as the
            state knows its history.

    Raises:
        ValueError: if no player is to act.
    """
    player = state.current_player()
    if player < 0:
        raise ValueError("nobody is to decide in this position")
    happened = _happened(state, player) if news else []
    told = "\n".join(["What has happened:", "", *happened, "", ""]) if happened else ""
    seen = state.observation_string(player).rstrip()
    text = f"You are player {player}. {told}The position:\n\n{seen}\n\n"
    if not listed:
        return f"{text}Your action?"
    texts = enumerate(_texts(state), start=1)
    return f"{text}Possible are:\n" + "\n".join(f"{number}. {one}" for number, one in texts) + "\nYour action?"


def _happened(state: State, player: int) -> list[str]:
    """What a player has seen since its last decision, that decision included; the end of it if it is long."""
    seats = [seat for seat, _ in state.history()]
    since = seats[::-1].index(player) + 1 if player in seats else len(seats)
    told = state.history_strings(player)
    return told[len(told) - since :][-MOST_NEWS:]


def read_answer(state: State, answer: str, listed: bool = True, disguise: Disguise | None = None) -> int:
    """The action that an answer names.

    What counts is the last line that begins with `ACTION:`, or the next one if nothing follows there; else the last
    text in square brackets, if the answer ends with it; else the last line or the whole answer. The action must stand
    at its beginning, but for words such as `I choose`, and nothing may follow but an explanation. Case, spaces, commas,
    quotes and marks do not count. With `listed` the number of an action counts too. With `disguise` only its names are
    understood. Raises AnswerError, which says what is wrong, if this is no possible action; TypeError if it is no text.
    """
    hide = disguise.hide if disguise else str
    if not isinstance(answer, str):
        raise TypeError(f"an answer must be a text, not {type(answer).__name__}")
    reader = Reader([hide(text) for text in _texts(state)], listed, map(hide, _examples(state.game)))
    return state.legal_actions()[reader.read(answer)]


def _examples(game: Game) -> list[str]:
    """The texts of actions that the rules in short quote."""
    return re.findall(r'"([^"\n]+)"', short_rules(game)) if game.type.has_module("short_rules") else []


def _texts(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


@dataclass(frozen=True)
class Decision:
    """How a decision came about: all that was said, the last answer included, and the action, None if there is none."""

    messages: tuple[Message, ...]
    action: int | None
    text: str | None


class TextAgent:
    """An agent that asks a function, which is given all messages so far and gives the answer's text.

    With `listed` positions tell what is possible. An answer that is not possible is sent back with the reason, up to
    `retries` times; then the agent gives up, with IllegalActionError, which forfeits the game where games are kept
    score of. With `disguise`, a seed, things and actions have made-up names. `read` reads answers, as `read_answer`
    does. `keep` is told of every decision.
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
            raise TypeError(f"ask={in_short(ask)} is no function that answers messages")
        self.name = name
        self._game, self._ask, self._listed, self._tries = game, ask, listed, retries + 1
        self._read, self._keep = read, keep
        self._disguise = None if disguise is None else Disguise(game, disguise)
        self._rules = rules_message(game, listed)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """The actions (N,) of N positions, asked for one after another."""
        assert states is not None
        return np.array([self.decide(State.of_records(self._game, states[i : i + 1])) for i in range(len(states))])

    def decide(self, state: State) -> int:
        """The action for one position. Raises IllegalActionError if no answer named a possible one."""
        messages = [
            {"role": "system", "content": self._outward(self._rules)},
            {"role": "user", "content": self._outward(position_message(state, self._listed))},
        ]
        wrong = ""
        for _ in range(self._tries):
            answer = self._ask(list(messages))
            if not isinstance(answer, str):
                raise TypeError(f"what is asked must answer with a text, not with {type(answer).__name__}")
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
        raise IllegalActionError(f"agent {self.name}: no possible action in {self._tries} answers; the last: {wrong}")

    def _again(self, state: State, wrong: str) -> str:
        possible = f" Possible are: {self._outward(', '.join(_texts(state)))}." if self._listed else ""
        return f"{wrong[:1].upper()}{wrong[1:]}.{possible} Answer again; the last line must be ACTION: and one action."

    def _outward(self, text: str) -> str:
        return self._disguise.hide(text) if self._disguise else text


def check_retries(retries: Any) -> None:
    """ParameterError unless this is how often a player may be asked again."""
    if type(retries) is not int or not 0 <= retries < MOST_TRIES:
        raise ParameterError(f"retries={in_short(retries)} is not possible; it must be from 0 to {MOST_TRIES - 1}")


def transcript(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Decisions as plain dicts, ready for JSON."""
    return [{"messages": list(d.messages), "action": d.action, "text": d.text} for d in decisions]
