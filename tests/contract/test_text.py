"""Text interface: short rules, position messages, parsing of answers, disguises, and text agents."""

from __future__ import annotations

import contextlib
import functools
import random
import re
import time
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, IllegalActionError, State
from edge_envs.answers import MOST_READ
from edge_envs.core.spec import Parameter
from edge_envs.players import decide
from edge_envs.text import (
    AnswerError,
    Decision,
    Disguise,
    Message,
    TextAgent,
    position_message,
    read_answer,
    rules_message,
    short_rules,
    transcript,
)
from tests.contract.cases import games
from tests.contract.play import decisions

NEEDS = "short_rules"
LONGEST = 2500
HOSTILE = (
    "\n", " ", "\r", "\u2028", "*", "_ ", "> ", "#\n", "action", "action ", "action\n", f"action{' ' * 300}\n",
    "ACTION:", "[", "[x", "[x\n", "x", "x-", "\u0301\u0316", "\ufdfa", "Σ'", "1", "(",
)  # fmt: skip


def other_value(parameter: Parameter, value: object) -> object:
    if parameter.type is bool:
        return not value
    if parameter.choices:
        return next(choice for choice in parameter.choices if choice != value)
    if parameter.low is not None:
        return parameter.low if value != parameter.low else parameter.low + 1
    others: dict[str, list[object]] = {"map": ["pond", "flat_earth"], "chits": [{1: 20}], "cards": [{"mutiny": 4}]}
    return next(other for other in others[parameter.name] if other != value)


def test_short_rules_are_short(game: Game) -> None:
    assert 200 < len(short_rules(game)) <= LONGEST


def test_rules_depend_on_every_parameter(game: Game) -> None:
    unused = {"sea_range", "land_markers"} if game.params.get("dice") is True else set()
    unused |= {"open_symbols"} if game.params.get("creation") == "players" else set()
    together = {
        "falling_off": {"dice": {"spaces": 2}},
        "beyond_maps": {"height": {"size": 7}},
    }  # values that fit and differ
    for name, parameter in game.type.parameters.items():
        params = {**game.params, **together.get(game.name, {}).get(name, {})}
        before = short_rules(edge_envs.load_game(game.name, **params))
        params[name] = other_value(parameter, game.params[name])
        changed = short_rules(edge_envs.load_game(game.name, **params)) != before
        assert changed == (name not in unused), name


def test_words_of_actions_occur_in_the_rules_or_the_position(plain_game: Game) -> None:
    rules = set(re.findall(r"[a-z_]+", rules_message(plain_game).lower()))
    for state in decisions(plain_game):
        seen = set(re.findall(r"[a-z_]+", state.observation_string(state.current_player()).lower()))
        for action in state.legal_actions():
            text = state.action_to_string(action)
            assert set(re.findall(r"\b[a-z_]{2,}", text)) <= rules | seen, text


def test_action_strings_are_parsed_in_many_formats(plain_game: Game) -> None:
    rng = random.Random(1)
    for state in decisions(plain_game):
        action = rng.choice(state.legal_actions())
        text = state.action_to_string(action)
        for answer in (
            text,
            f"  {text.upper()}.\n",
            f"`{text}`",
            f"I think that this is best.\n\nACTION: {text}",
            f"**Action:** {text}",
            f"ACTION: nothing yet\nOn reflection:\n- ACTION: [{text}]",
            f"Let me see. [{text}]",
            f'My answer is "{text}" of course',
            f"ACTION: {text.replace(' ', '  ')}",
            f"ACTION: {text.replace(' ', ', ')}",
            f"I choose to {text}, because it is best",
            f"I will play: “{text}”!",
            f"ACTION: {text} for reasons that I have told",
            f"{text}.\n\nNothing is better.",
        ):
            assert read_answer(state, answer, listed=False) == action, answer


@functools.cache
def all_texts(game: Game) -> frozenset[str]:
    """Return the strings of all actions that occur in sampled nodes, and those that the rules quote."""
    seen = {state.action_to_string(action) for state in decisions(game) for action in state.legal_actions()}
    return frozenset(seen | {text for text in re.findall(r'"([^"\n]+)"', short_rules(game)) if text.islower()})


def test_illegal_action_strings_are_never_parsed_as_another_action(game: Game) -> None:
    rng = random.Random(2)
    for state in decisions(game, 15):
        legal = {state.action_to_string(action) for action in state.legal_actions()}
        others = sorted(all_texts(game) - legal)
        for text in rng.sample(others, min(len(others), 8)):
            for answer in (
                f"ACTION: {text}",
                f"ACTION: {text.upper()} because it is best",
                f"I think.\n[{text}]",
                f"I choose to {text}.",
                text,
                f"1. {text}",
            ):
                for listed in (True, False):
                    with pytest.raises(AnswerError, match="not legal now"):
                        read_answer(state, answer, listed)


def test_extra_words_and_negations_are_rejected(game: Game) -> None:
    rng = random.Random(3)
    for state in decisions(game, 40):
        text, other = (state.action_to_string(rng.choice(state.legal_actions())) for _ in range(2))
        for answer in (
            f"ACTION: not {text}",
            f"ACTION: I cannot {text}",
            f"I do not want [{text}]",
            f"I am sorry, but I cannot {text}",
            f"ACTION: {text} playing",
            f"ACTION: {text} {other}",
            f"ACTION: {text} 99",
            f"ACTION: {text}, 99",
            f"Options [1], [2]... I {text} all",
        ):
            with pytest.raises(AnswerError, match=r"not legal now|names \d actions"):
                read_answer(state, answer)


def test_listed_actions_are_parsed_by_number(plain_game: Game) -> None:
    for state in decisions(plain_game):
        lines = position_message(state).splitlines()
        for number, action in enumerate(state.legal_actions(), start=1):
            assert f"{number}. {state.action_to_string(action)}" in lines
            assert read_answer(state, f"ACTION: {number}") == action
            for answer in (f"({number})", f"{number}. {state.action_to_string(action)}", f"Option {number} as I said"):
                assert read_answer(state, f"ACTION: {answer}") == action
        assert "Legal actions" not in position_message(state, listed=False)
        for wrong in (0, len(state.legal_actions()) + 1, 10**30):
            with pytest.raises(AnswerError, match="not legal now"):
                read_answer(state, f"ACTION: {wrong}")
        with pytest.raises(AnswerError, match="not legal now"):
            read_answer(state, "ACTION: 1", listed=False)


@pytest.mark.parametrize("answer", ["", "\n\n", "ACTION:", "I pass.", "ACTION: resign", "x" * 200_000, "[]", "\0[["])
def test_answers_without_an_action_are_rejected(plain_game: Game, answer: str) -> None:
    for state in decisions(plain_game, 5):
        with pytest.raises(AnswerError):
            read_answer(state, answer)


def seconds_to_read(state: State, answer: str) -> float:
    """Measure the processor time for parsing an answer."""
    started = time.process_time()
    with contextlib.suppress(AnswerError):
        read_answer(state, answer)
    return time.process_time() - started


def test_parsing_time_is_linear(plain_game: Game) -> None:
    state = next(iter(decisions(plain_game)))
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    for part in (*HOSTILE, " ".join(texts), f"{texts[0]}-", f"ACTION: {' '.join(texts)}"):
        whole = (part * MOST_READ)[:MOST_READ]
        half = seconds_to_read(state, whole[: MOST_READ // 2])
        assert seconds_to_read(state, whole) <= 3 * half + 0.2, repr(part[:40])


def test_fullwidth_letters_are_parsed(plain_game: Game) -> None:
    for state in decisions(plain_game, 5):
        action = state.legal_actions()[0]
        wide = "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in state.action_to_string(action))
        for answer in (wide, "e\u0301" * 500 + f"\n{wide}"):
            assert read_answer(state, answer) == action


def test_answers_with_several_actions_are_rejected(plain_game: Game) -> None:
    for state in decisions(plain_game):
        texts = [state.action_to_string(action) for action in state.legal_actions()[:2]]
        if len(texts) == 2:
            with pytest.raises(AnswerError, match=r"names 2 actions|not legal"):
                read_answer(state, f"ACTION: {texts[0]} or {texts[1]}")


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower()))


def test_disguise_hides_and_reveals_all_names(game: Game) -> None:
    disguise = Disguise(game, 1)
    names = game.type.module("short_rules").NAMES
    endings = ("", "s", "es", "d", "ed", "ing", "er", "ers")
    forms = {f"{part}{ending}" for name in names for part in name.split("_") for ending in endings}
    assert disguise.hide(rules_message(game)) == Disguise(game, 1).hide(rules_message(game))
    assert disguise.hide(rules_message(game)) != Disguise(game, 2).hide(rules_message(game))
    for state in decisions(game, 60):
        seen = "\n".join(state.history_strings(state.current_player()))
        for text in (rules_message(game), position_message(state), str(state), seen):
            hidden = disguise.hide(text)
            assert not words_of(hidden) & forms
            assert len(hidden) == len(text)
            assert disguise.reveal(hidden).lower() == text.lower()


def test_every_name_of_a_disguise_occurs_in_a_message(plain_game: Game) -> None:
    same = [game for game in games() if game.name == plain_game.name]
    texts = [short_rules(game) for game in same]
    texts += [position_message(state) for game in same for state in decisions(game, 60)]
    for name in plain_game.type.module("short_rules").NAMES:
        assert re.search(rf"\b{name}", "\n".join(texts), re.IGNORECASE), f"{name} occurs nowhere"


def test_disguised_game_accepts_only_disguised_names(game: Game) -> None:
    disguise = Disguise(game, 4)
    rng = random.Random(4)
    for state in decisions(game, 40):
        action = rng.choice(state.legal_actions())
        text = state.action_to_string(action)
        hidden = disguise.hide(text)
        for around in ("ACTION: {}", "[{}]", "I choose {}.", "{}"):
            assert read_answer(state, around.format(hidden), False, disguise) == action
            if hidden != text:
                with pytest.raises(AnswerError, match=re.escape(text.lower())) as refused:
                    read_answer(state, around.format(text), False, disguise)
                assert hidden not in str(refused.value)


def test_made_up_words_never_equal_words_of_the_game(plain_game: Game) -> None:
    """Histories and messages are checked for many seeds; the first one once replaced `goes` by `lies`."""
    words: set[str] = set()
    for state in decisions(plain_game):
        text = "\n".join([position_message(state), *state.history_strings()])
        words.update(re.findall(r"[a-z_]+", text.lower()))
    for seed in [277629797633251828, *range(40)]:
        disguise = Disguise(plain_game, seed)
        assert {word for word in words if disguise.reveal(word) != word} == set(), seed


def test_disguise_forms_plurals_with_s() -> None:
    disguise = Disguise(edge_envs.load_game("falling_off"), 3)
    pawn, pawns, storms = disguise.hide("pawn Pawns storms").split()
    assert (len(pawn), pawns, storms[-1]) == (4, f"{pawn}s".capitalize(), "s")
    assert disguise.reveal(f"{pawn}s") == "pawns"


@pytest.mark.parametrize("seed", [1.5, "abc", True, -3, [1]])
def test_disguise_rejects_invalid_seeds(seed: Any) -> None:
    with pytest.raises(ValueError, match="invalid seed="):
        Disguise(edge_envs.load_game("falling_off"), seed)


@pytest.mark.parametrize("retries", [-1, 100, 1.5, "2", None, True])
def test_invalid_retries_are_rejected(retries: Any) -> None:
    with pytest.raises(edge_envs.ParameterError, match=r"invalid retries=.*expected an integer from 0 to 99"):
        TextAgent(edge_envs.load_game("falling_off"), lambda messages: "", retries=retries)


@pytest.mark.parametrize("answer", [None, b"ACTION: 1", 1])
def test_answers_must_be_strings(answer: Any) -> None:
    game = edge_envs.load_game("beyond_maps", size=5)
    with pytest.raises(TypeError, match=f"ask must return a string, not {type(answer).__name__}"):
        TextAgent(game, lambda messages: answer).decide(game.new_initial_state(seed=0))
    with pytest.raises(TypeError, match=f"an answer must be a string, not {type(answer).__name__}"):
        read_answer(game.new_initial_state(seed=0), answer)


def test_ask_must_be_callable() -> None:
    with pytest.raises(TypeError, match="invalid ask=None: expected a function that answers a list of messages"):
        TextAgent(edge_envs.load_game("falling_off"), None)  # type: ignore[arg-type]  # an invalid argument


@pytest.mark.parametrize(
    "around",
    [
        "**ACTION:**\n{}",
        "ACTION:\n\n  {} \n",
        "action: #{}",
        "ACTION: number {}",
        "ACTION: No. {}",
        "[option {}]",
        "ACTION: (option {})",
    ],
)
def test_actions_on_the_next_line_and_labelled_numbers_are_parsed(plain_game: Game, around: str) -> None:
    named_so = any(text.startswith("number ") for text in all_texts(plain_game)) and "number" in around
    for state in decisions(plain_game):
        legal = state.legal_actions()
        for at in (0, len(legal) - 1):
            if named_so:
                with pytest.raises(AnswerError, match=f"'number {at + 1}' is not legal now"):
                    read_answer(state, around.format(at + 1))
            else:
                assert read_answer(state, around.format(at + 1)) == legal[at]


class Chooser:
    """Answers with the number of a random listed action, sometimes after an illegal first answer."""

    def __init__(self, wrong: float = 0.0) -> None:
        self.rng, self.wrong, self.calls = random.Random(3), wrong, 0

    def __call__(self, messages: list[Message]) -> str:
        self.calls += 1
        if messages[-1]["content"].startswith("You are") and self.rng.random() < self.wrong:
            return "ACTION: fly to the moon"
        shown = next(m["content"] for m in reversed(messages) if m["content"].startswith("You are"))
        return f"ACTION: {self.rng.choice(re.findall(r'(?m)^([0-9]+)[.] ', shown.partition('Legal actions:')[2]))}"


@pytest.mark.parametrize("disguise", [None, 5])
def test_text_agent_plays(plain_game: Game, disguise: int | None) -> None:
    kept: list[Decision] = []
    agent = TextAgent(plain_game, Chooser(wrong=0.3), disguise=disguise, keep=kept.append)
    rng = np.random.default_rng(5)
    state = plain_game.new_initial_state(seed=4)
    for _ in range(30):
        while state.is_chance_node():
            state.apply_action(state.sample_chance())
        if state.is_terminal():
            state = plain_game.new_initial_state(seed=5)
            continue
        state.apply_action(decide(agent, state, rng))
    assert len(kept) > 3
    assert {len(decision.messages) for decision in kept} == {3, 5}
    assert all(decision.action is not None for decision in kept)
    assert transcript(kept)[0]["messages"][0]["role"] == "system"


def test_retry_message_for_undisguised_answers_keeps_the_disguise() -> None:
    requests: list[list[Message]] = []

    def ask(messages: list[Message]) -> str:
        requests.append(messages)
        return "ACTION: keep"

    game = edge_envs.load_game("falling_off")
    state = game.new_initial_state(seed=0)
    state.apply_action(state.string_to_action("roll 1 2 4"))
    agent = TextAgent(game, ask, retries=1, disguise=5)
    with pytest.raises(IllegalActionError, match="'keep' is not legal now"):
        agent.decide(state)
    message = requests[1][-1]["content"]
    assert "'keep' is not legal now" in message.lower()
    assert f"Legal actions: {Disguise(game, 5).hide('keep, reroll 1, reroll 2')}" in message


def test_text_agent_gives_up_after_all_retries(plain_game: Game) -> None:
    kept: list[Decision] = []
    requests: list[list[Message]] = []

    def ask(messages: list[Message]) -> str:
        requests.append(messages)
        return "ACTION: resign"

    agent = TextAgent(plain_game, ask, retries=2, keep=kept.append)
    state = next(iter(decisions(plain_game)))
    with pytest.raises(IllegalActionError, match="in 3 answers; the last: 'resign' is not legal now"):
        agent.decide(state)
    assert [len(messages) for messages in requests] == [2, 4, 6]
    assert "'resign' is not legal now" in requests[1][-1]["content"]
    assert state.action_to_string(state.legal_actions()[0]) in requests[1][-1]["content"]
    assert kept[0].action is None
    with pytest.raises(ValueError, match="retries"):
        TextAgent(plain_game, ask, retries=-1)


def test_text_agent_is_shown_only_the_observation_of_its_player(plain_game: Game) -> None:
    seen: list[str] = []

    def ask(messages: list[Message]) -> str:
        seen.append(messages[1]["content"])
        return "1"

    agent = TextAgent(plain_game, ask)
    for state in decisions(plain_game):
        decide(agent, state, np.random.default_rng(1))
        assert seen[-1] == position_message(state, news=False)  # agents receive positions without their history
        assert state.observation_string(state.current_player()).rstrip() in seen[-1]


def test_position_message_requires_a_decision_node(plain_game: Game) -> None:
    state = _chance_or_end(plain_game)
    with pytest.raises(ValueError, match="no player is to act"):
        position_message(state)


def _chance_or_end(game: Game) -> State:
    state, rng = game.new_initial_state(seed=1), random.Random(1)
    while not (state.is_chance_node() or state.is_terminal()):
        state.apply_action(rng.choice(state.legal_actions()))
    return state
