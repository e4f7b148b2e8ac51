"""Parser for answers in natural language: find the one legal action that an answer names.

Rejecting an answer is better than playing an action that was not meant. So the action must be at the place where the
answer states its choice, with nothing before it but words such as `I choose`, and the text after it must not continue
it. Parsing takes time linear in the length of the answer.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence

MOST_READ = 100_000  # characters of an answer; earlier ones are ignored
SHOWN = 60  # characters of an answer in a message

_PIECES = re.compile(r"\s+|\S{1,200}")
_SAME = str.maketrans("’‐−", "'--")
_AROUND = " \n\"'`*_.,;:!“”‘«»"
_MARKS = f"{_AROUND}<>[](){{}}"
_ACTION = re.compile(r"""(?m)^(?: |[>*_#`\[("'-])*+action[ *_`]*+[:=](.*)$""")
_BRACKETS = re.compile(r"\[([^\[\]\n]+)\]")
_MARKED = re.compile(
    r"""
    (?:\\[(\[]\s?|\${1,2})?\\boxed\ ?\{(?:\\text\ ?\{)?([^{}\n]+)\}{1,2}(?:\s?\\[)\]]|\${1,2})?
    |<answer>\s?([^<>\n]+)\s?</answer>""",
    re.VERBOSE,
)  # read like square brackets
_THOUGHTS = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;!?]\s|\n ?\n|, (?:so|therefore|thus|hence)\b")
_TOKEN = re.compile(r"\n|\w+(?:[.'-]\w+)*|[^\w\s]")
_LEAD = re.compile(r"""(?:[\s"'`*_“”‘«»<>\[(){}#:.,;]|[-•–—]\s)*+""")
_FILLER = re.compile(
    r"""(?:
    so|thus|therefore|hence|then|now|finally|well|ok|okay
    |(?:i|we)(?:'ll|'d)?|let's|let\ me|let\ us|will|would|shall|rather|am\ going\ to|want\ to|like\ to
    |(?:choose|pick|select|play|prefer|decide)(?:\ to|\ on)?|(?:go|opt)\ (?:with|for)
    |(?:(?:(?:my|our|the)\ )?(?:(?:final|best|next|chosen)\ )?(?:action|answer|choice|decision)
      |(?:my|our|the)\ (?:(?:final|best|next|chosen)\ )?move)(?:\ is|\ will\ be)?(?:\ to)?
    )(?![\w'-])""",
    re.VERBOSE,
)
_LISTED = re.compile(r"(?:(number|no[.]|option|action) ?)?[#(]*([0-9]{1,6})(?!\w)([.):]*)")

_QUOTES = frozenset("\"'`*_“”‘«»")
_JOINTS = frozenset((",", "&", "and"))
_CLOSING = frozenset(")]}>")
_ENDS = frozenset(".;:!(-–—\n")
_REASONS = frozenset(("because", "since"))
_PURPOSES = frozenset(("as", "for", "so", "to", "which", "please"))
_DENIALS = frozenset(
    (
        "not",
        "no",
        "never",
        "cannot",
        "without",
        "neither",
        "nor",
        "avoid",
        "instead",
        "than",
        "except",
        "unlike",
        "dont",
        "cant",
        "wont",
    )
)
_TURNS = frozenset(
    ("or", "and", "also", "plus", "then", "else", "if", "unless", "but", "wait", "actually", "rather", "well", "sorry")
)
WORDS = frozenset(
    (*_REASONS, *_PURPOSES, *_DENIALS, *_TURNS, *re.findall("[a-z]+", f"{_FILLER.pattern} {_LISTED.pattern}"))
)
"""Words with a special meaning in answers."""


class AnswerError(ValueError):
    """The answer does not name exactly one legal action."""


class Reader:
    """Parser of answers for a list of legal actions.

    Args:
        texts: the texts of the legal actions.
        listed: whether an answer may also be the number of an action in this list, from 1.
        examples: other action texts that the player has seen; they are never read as numbers of the list.
    """

    def __init__(self, texts: Sequence[str], listed: bool, examples: Iterable[str] = ()) -> None:
        self._texts = texts
        self._places: dict[tuple[str, ...], list[int]] = {}
        plain = [_normal(text) for text in texts]
        for place, text in enumerate(plain):
            self._places.setdefault(tuple(_joined(_tokens(text))), []).append(place)
        self._longest = max(map(len, self._places), default=0)
        known = [*plain, *map(_normal, examples)]
        self._verbs = {tokens[0] for tokens in map(_tokens, known) if tokens}
        self._words = self._verbs.union(*self._places)
        self._listed = listed
        self._called = {found[1] for text in known if (found := _LISTED.fullmatch(text))}
        self._like_numbers = [(place, int(m[2])) for place, text in enumerate(plain) if (m := _LISTED.fullmatch(text))]

    def read(self, answer: str) -> int:
        """Return the index of the text that an answer names.

        Raises:
            AnswerError: if the answer names no legal action or several; the message says what is wrong.
        """
        answer = _without_thoughts(answer)
        said = _normal(answer[-MOST_READ:])
        if len(answer) > MOST_READ or len(said) > MOST_READ:  # the first remaining line is incomplete
            _, newline, said = said[-MOST_READ:].partition("\n")
            if not newline:
                raise AnswerError(f"the last line is longer than {MOST_READ} characters")
        text, named = self._chosen(said)
        if len(named) == 1:
            return named[0]
        if named:
            names = ", ".join(self._texts[place] for place in named[:5])
            raise AnswerError(f"the answer names {len(named)} actions: {names}; name one")
        if not _bare(text):
            raise AnswerError("the answer is empty; name an action")
        text = " ".join(text.split()).strip(_AROUND)
        short = text if len(text) <= SHOWN else f"…{text[-SHOWN:]}"
        raise AnswerError(f"{short!r} is not legal now")

    def _chosen(self, said: str) -> tuple[str, list[int]]:
        """Return the part of an answer that counts, and the indices of the actions that it names."""
        said = _MARKED.sub(lambda found: f"[{(found[1] or found[2]).strip()}]", said)
        if marked := list(_ACTION.finditer(said)):
            text = marked[-1][1]
            if not _bare(text):
                text = next(filter(_bare, said[marked[-1].end() :].split("\n")), "")
            return text, self._named(text)
        brackets = list(_BRACKETS.finditer(said))
        if brackets and not _bare(said[brackets[-1].end() :]):
            return self._in_brackets(brackets[-1])
        lines = list(filter(_bare, said.split("\n"))) or [""]
        if not (named := self._named(lines[-1])):
            return lines[-1], self._named(said)
        others = [place for line in lines[:-1] for place in self._named(line)]
        return self._behind(said[: said.rindex(lines[-1])], lines[-1], _once([*named, *others]))

    def _in_brackets(self, found: re.Match[str]) -> tuple[str, list[int]]:
        """Parse the last brackets. A number in them must not continue an action in front of them."""
        before = found.string[: found.start()]
        line = before[before.rfind("\n") + 1 :]
        words = [token for token in _tokens(line) if _is_word(token)]
        if _LISTED.fullmatch(_bare(found[1])) and words and self._goes_on(words[-1]):
            return f"{line}{found[0]}", []
        if not (named := self._named(found[1])):
            return found[1], []
        others = [place for other in _BRACKETS.findall(line) for place in self._named(other)]
        return self._behind(before, found[0], _once([*named, *others]))

    def _behind(self, before: str, text: str, named: list[int]) -> tuple[str, list[int]]:
        """Return a string with the beginning of its sentence, and the actions that both name (none if negated)."""
        begun = _SENTENCE_END.split(before)[-1]
        tokens = _tokens(begun)
        denied = any(token in _DENIALS or token.endswith("n't") for token in tokens)
        return begun + text, [] if denied else _once([*named, *self._within(tokens)])

    def _named(self, text: str) -> list[int]:
        """Return the indices that a string names: one, several if it is ambiguous, or none."""
        start = _end(_LEAD, text, 0)
        chosen = start
        while (filler := _FILLER.match(text, chosen)) and filler[0].split()[0] not in self._verbs:
            chosen = _end(_LEAD, text, filler.end())
        for at in dict.fromkeys((start, chosen)):
            if found := self._first(_tokens(text[at:])):
                return found
        number = _LISTED.match(text, chosen) if self._listed else None
        return self._numbered(number, _tokens(text[number.end() :])) if number else []

    def _first(self, tokens: list[str]) -> list[int]:
        """Return the actions at the beginning of `tokens`; none if the rest may continue the action."""
        ends = [at for at, token in enumerate(tokens) if token not in _JOINTS or not at][: self._longest]
        for count in range(len(ends), 0, -1):
            if places := self._places.get(tuple(tokens[at] for at in ends[:count])):
                tail = tokens[ends[count - 1] + 1 :]
                named = _once([*places, *self._within(tail)])
                return named if len(named) > 1 or self._may_follow(tail) else []
        return []

    def _numbered(self, number: re.Match[str], tail: list[str]) -> list[int]:
        """Return the actions that a number of the list names; a string after it must agree."""
        place = int(number[2]) - 1
        if number[1] in self._called or not 0 <= place < len(self._texts):
            return []
        if named := self._first(tail):
            return _once([place, *named])
        words = [token for token in tail if _is_word(token)]
        if not self._may_follow(tail) or (words and (number[3] or words[0] not in _REASONS | _PURPOSES)):
            return []
        alike = [other for other, like in self._like_numbers if like == place + 1 and not _is_option(number)]
        return _once([place, *alike, *self._within(tail)])

    def _may_follow(self, tail: list[str]) -> bool:
        """Return whether the clause ends or an explanation begins, so that the rest does not continue the action."""
        at = 0
        while at < len(tail) and tail[at] in _CLOSING:
            at += 1
        ended = at < len(tail) and tail[at] in _ENDS
        while at < len(tail) and (tail[at] in _CLOSING or tail[at] in _ENDS or tail[at] == ","):
            at += 1
        words = tail[at:]
        if not words or words[0] in _REASONS:
            return True
        if words[0] in _PURPOSES:
            if any(token[0].isdigit() for token in words):
                return False
        elif not ended and words[:2] != ["of", "course"]:
            return False
        return not any(self._goes_on(token) or token in _DENIALS or token in _TURNS for token in words[:3])

    def _goes_on(self, token: str) -> bool:
        return token in self._words or token[0].isdigit()

    def _within(self, tokens: list[str]) -> list[int]:
        """Return the indices of all texts that occur anywhere in `tokens`."""
        tokens = [token for token in tokens if token not in _JOINTS]
        sizes = range(1, self._longest + 1)
        spans = (tuple(tokens[at : at + size]) for at in range(len(tokens)) for size in sizes)
        return [place for span in spans for place in self._places.get(span, ())]


def _normal(text: str) -> str:
    """Convert to lower case and single spaces; line breaks are kept.

    Unicode normalization takes quadratic time in the number of consecutive accents, so it is done in pieces.
    """
    if not text.isascii():
        text = "".join(map(_separated, text))
    normal = "".join(unicodedata.normalize("NFKC", piece) for piece in _PIECES.findall(text))
    return re.sub(r"[^\S\n]+", " ", normal.translate(_SAME).lower())


@functools.lru_cache(maxsize=4096)
def _separated(character: str) -> str:
    """Keep NFKC from joining superscripts and circled numbers with adjacent digits; drop invisible characters.

    A superscript or subscript, such as a footnote mark, becomes `^`, which no action contains.
    """
    category = unicodedata.category(character)
    if category == "No":
        raised = unicodedata.decomposition(character).startswith(("<super>", "<sub>"))
        return " ^ " if raised else f" {character} "
    return "" if category == "Cf" else character


def _without_thoughts(text: str) -> str:
    """Return a string without blocks of thoughts. One may begin before the string, or not end in it."""
    kept, since, thinking = list[str](), 0, False
    for tag in _THOUGHTS.finditer(text):
        if not tag[1]:
            kept += [] if thinking else [text[since : tag.start()]]
        elif not thinking:
            kept = []
        since, thinking = tag.end(), not tag[1]
    return "\n".join([*kept, *([] if thinking else [text[since:]])])


def _bare(text: str) -> str:
    """Return a string without surrounding punctuation."""
    return text.strip(_MARKS)


def _tokens(text: str) -> list[str]:
    """Return words, numbers and other characters, without quotes."""
    tokens = (token.strip("_") for token in _TOKEN.findall(text))
    return [token for token in tokens if token and token not in _QUOTES]


def _joined(tokens: Iterable[str]) -> list[str]:
    """Remove optional joints, such as commas and `and`, between tokens."""
    return [token for at, token in enumerate(tokens) if token not in _JOINTS or not at]


def _is_word(token: str) -> bool:
    return token[0].isalnum()


def _is_option(number: re.Match[str]) -> bool:
    return number[1] in ("option", "action")


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _once(places: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(places))
