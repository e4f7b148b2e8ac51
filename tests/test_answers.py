"""Parsing of answers: which of the legal actions an answer names, if any."""

from __future__ import annotations

import pytest

from edge_envs.answers import MOST_READ, AnswerError, Reader

DICE = ("keep", "reroll 3", "reroll 6", "reroll 3 6", "reroll 6 6", "reroll 3 6 6")
SEA = ("sea c4 n", "sea c4 -", "land d5", "stop")
NUMBERS = ("number 2", "number 3", "number 4")
SAVES = ("save +", "save -", "go C4.S", "go C4.C0")
CARDS = ("take scurvy", "board 1", "no boarding", "home New Goa", "wait")


def parse(texts: tuple[str, ...], answer: str, listed: bool = True, examples: tuple[str, ...] = ()) -> str:
    return texts[Reader(texts, listed, examples).read(answer)]


@pytest.mark.parametrize(
    ("texts", "answer", "text"),
    [
        (DICE, "reroll 3, 6", "reroll 3 6"),
        (DICE, "ACTION: reroll 3 and 6.", "reroll 3 6"),
        (DICE, "ACTION: reroll 3, 6, and 6", "reroll 3 6 6"),
        (DICE, "I choose to keep", "keep"),
        (DICE, "So I'll go with **reroll 6**, because 3 is low", "reroll 6"),
        (DICE, "My answer is “keep” of course", "keep"),
        (DICE, "My move: reroll 3", "reroll 3"),
        (DICE, "Final answer: KEEP!", "keep"),
        (DICE, "ACTION: keep — the safest of all", "keep"),
        (DICE, "ACTION: keep. It is best.", "keep"),
        (DICE, "ACTION: keep for now", "keep"),
        (DICE, "ACTION: keep (as storms are far)", "keep"),
        (DICE, "keep\n\nThis leaves two dice.", "keep"),
        (DICE, "I don't like the others.\nkeep", "keep"),
        (DICE, "[I think.\nkeep]", "keep"),
        (DICE, "[keep] because it is good", "keep"),
        (DICE, "I don't like the others, so [keep]", "keep"),
        (DICE, "[1], [2] and [3] are possible.\n[keep]", "keep"),
        (DICE, "ACTION: reroll 3\nACTION:\n\n> `keep`\nThat is it.", "keep"),
        (DICE, "Storms are far, so $\\boxed{\\text{reroll 3}}$.", "reroll 3"),
        (DICE, "\\(\\boxed{keep}\\)", "keep"),
        (DICE, "I think.\n<answer>\nKeep\n</answer>", "keep"),
        (DICE, '{"action": "reroll 3 6"}', "reroll 3 6"),
        (DICE, "\ufeffACTION: keep\u200b", "keep"),
        (DICE, "ACTION: reroll \uff13", "reroll 3"),
        (SEA, "ACTION: sea c4 -", "sea c4 -"),
        (SEA, "ACTION: Sea C4 −.", "sea c4 -"),
        (SEA, "land d5 - because it is free", "land d5"),
        (SAVES, "ACTION: save+", "save +"),
        (SAVES, "I go C4.S.", "go C4.S"),
        (CARDS, "I choose no boarding", "no boarding"),
        (CARDS, "home new goa, please", "home New Goa"),
        (DICE, "<think>\nFormat:\nACTION: reroll 3\nBetter not.\n</think>\n\nI keep.", "keep"),
        (DICE, "<THINKING>[reroll 3]</THINKING>ACTION: keep", "keep"),
        (DICE, "<think>keep</think>Hm.<think>keep</think>\nACTION: reroll 3", "reroll 3"),
        (DICE, "ACTION: keep\n<think>reroll 3", "keep"),
        (DICE, "ACTION: keep\n<think>Is it fine?</think>", "keep"),
        (DICE, "<think>x</think>\nACTION: keep\n<think>y</think>", "keep"),
        (DICE, "Fine.<think>x</think>ACTION: keep", "keep"),
        (DICE, "<think>a<think>b</think>ACTION: reroll 3</think>keep", "keep"),
        (DICE, "[reroll 3]</think>ACTION: keep", "keep"),
    ],
)
def test_actions_are_parsed(texts: tuple[str, ...], answer: str, text: str) -> None:
    assert parse(texts, answer, listed=False) == text


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (DICE, "ACTION: reroll 6 3"),
        (DICE, "ACTION: reroll 3 3"),
        (DICE, "reroll 3 of my dice"),
        (DICE, "reroll 3 as well as 6"),
        (DICE, "reroll 3 to 6"),
        (DICE, "reroll 3. And 6."),
        (DICE, "reroll 3 (6)"),
        (DICE, "reroll [3]"),
        (DICE, "reroll: [#3]"),
        (DICE, "keep 1"),
        (DICE, "ACTION: keep (3)"),
        (DICE, "ACTION: keep-3"),
        (DICE, "ACTION: keep?"),
        (DICE, "ACTION: keep, then move 3 9"),
        (DICE, "ACTION: keep. No, reroll 4"),
        (DICE, "ACTION: keep, not reroll 4"),
        (DICE, "ACTION: not keep"),
        (DICE, "ACTION: I will not keep"),
        (DICE, "ACTION: never keep"),
        (DICE, "The best action is not keep"),
        (DICE, "I'm sorry, but I cannot keep playing"),
        (DICE, "I keep thinking"),
        (DICE, "I do not\nkeep"),
        (DICE, "I do not want [keep]"),
        (DICE, "I would never choose this:\n[keep]"),
        (DICE, "Anything rather than [keep]"),
        (DICE, "Options [1], [2]... I reroll all"),
        (DICE, "[keep] I reroll all"),
        (DICE, "1. I think that it is good"),
        (DICE, "1. Because of the dice.\n2. Because of the pawns."),
        (DICE, "3 6"),
        (DICE, "ACTION: -3"),
        (DICE, "ACTION: 3.5"),
        (DICE, "ACTION: 3-4"),
        (DICE, "ACTION: 99. keep"),
        (DICE, "I do not want \\boxed{keep}"),
        (DICE, "<answer>keep 1</answer>"),
        (DICE, "ACTION: reroll 3\N{SUPERSCRIPT FOUR}"),
        (DICE, "ACTION: reroll 3 \N{SUPERSCRIPT SIX}"),
        (DICE, "ACTION: reroll 3 \N{SUBSCRIPT SIX}"),
        (DICE, "ACTION: reroll 3\N{VULGAR FRACTION ONE HALF}"),
        (DICE, "ACTION: \N{SUPERSCRIPT ONE}"),
        (DICE, "I choose option 1\N{SUPERSCRIPT ONE}."),
        (SEA, "sea c4"),
        (SEA, "sea c4 - s"),
        (SEA, "land d5 n"),
        (SAVES, "go C4"),
        (SAVES, "go C4.S.S"),
        (SAVES, "save"),
        (CARDS, "no board 1"),
        (CARDS, "board 2"),
        (CARDS, "take 1"),
    ],
)
def test_ambiguous_answers_are_rejected(texts: tuple[str, ...], answer: str) -> None:
    with pytest.raises(AnswerError, match="is not legal now"):
        parse(texts, answer)


@pytest.mark.parametrize("answer", ["<think>ACTION: keep</think>", "<think>\nACTION: keep", "<think>[keep]</think> "])
def test_actions_in_thoughts_are_not_read(answer: str) -> None:
    for thoughts in (answer, answer.replace("ACTION", "Hm.\n" * 30_000 + "ACTION")):
        with pytest.raises(AnswerError, match="the answer is empty"):
            parse(DICE, thoughts)


@pytest.mark.parametrize(
    "answer",
    [
        "ACTION: keep or reroll 3",
        "ACTION: keep. Actually, reroll 3.",
        "ACTION: keep because reroll 3 is bad",
        "ACTION: 2. keep",
        "ACTION: option 2: keep",
        "keep\nreroll 3",
        "1. keep\n2. reroll 3",
        "Possible are [keep] and [reroll 3]",
        "reroll 3 is as good as [keep]",
        "<answer>keep</answer> or <answer>reroll 3</answer>",
        "<answer>keep</answer> Wait, reroll 3",
    ],
)
def test_answers_with_two_actions_are_rejected(answer: str) -> None:
    with pytest.raises(AnswerError, match=r"names 2 actions: (keep, reroll 3|reroll 3, keep); name one"):
        parse(DICE, answer)


@pytest.mark.parametrize(
    "answer",
    ["#3", "3", "3.", "(3)", "No. 3", "number 3", "option 3", "[3]", "I choose option 3", "3 because it is high"],
)
def test_numbers_refer_to_the_list(answer: str) -> None:
    for line in (answer, f"ACTION: {answer}"):
        assert parse(DICE, line) == "reroll 6"
        with pytest.raises(AnswerError, match="is not legal now"):
            parse(DICE, line, listed=False)


@pytest.mark.parametrize("text", ["{}. {}", "{}: {}", "({}) {}", "#{} {}", "option {}: {}", "I choose {}. {}"])
def test_number_can_precede_its_action(text: str) -> None:
    for number, action in enumerate(DICE, start=1):
        assert parse(DICE, text.format(number, action)) == action


def test_numbers_in_actions_do_not_refer_to_the_list() -> None:
    for number in (2, 3, 4):
        assert parse(NUMBERS, f"number {number}") == f"number {number}"
    for answer in ("2", "No. 3", "[#2]"):
        with pytest.raises(AnswerError, match=r"names 2 actions: number \d, number \d; name one"):
            parse(NUMBERS, answer)
    assert parse(NUMBERS, "option 2") == parse(NUMBERS, "2. number 3") == "number 3"
    with pytest.raises(AnswerError, match="'number 1' is not legal now"):
        parse(NUMBERS, "number 1")
    with pytest.raises(AnswerError, match="'number 2' is not legal now"):
        parse(SAVES, "number 2", examples=("number 3",))
    assert parse(SAVES, "No. 2", examples=("number 3",)) == "save -"
    assert parse(("1", "0"), "1") == "1"


def test_first_word_of_an_action_is_not_a_filler() -> None:
    assert parse(DICE, "play 2") == "reroll 3"
    with pytest.raises(AnswerError):
        parse(DICE, "play 2", examples=("play 9",))


def test_equal_spellings_are_reported() -> None:
    with pytest.raises(AnswerError, match="names 2 actions: go b1, go B1"):
        parse(("go b1", "go B1"), "ACTION: go b1")


def test_only_the_end_of_a_long_answer_is_parsed() -> None:
    assert parse(DICE, f"{'not ' * MOST_READ}\nkeep") == "keep"
    with pytest.raises(AnswerError, match=f"the last line is longer than {MOST_READ} characters"):
        parse(DICE, f"not {' ' * MOST_READ}keep")
