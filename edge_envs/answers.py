"""What an answer in words names: one of the texts that are possible, or nothing.

It is better to refuse an answer than to play what was not meant. So an action must stand where the answer says what it
chooses, with nothing before it but words such as `I choose`, and what follows must not go on with it. All this takes a
time that grows as the answer's length does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

MOST_READ = 100_000  # characters of an answer; what comes before them is not looked at
SHOWN = 60  # characters of an answer in a message

_PIECES = re.compile(r"\s+|\S{1,200}")
_SAME = str.maketrans("’‐−", "'--")
_AROUND = " \n\"'`*_.,;:!“”‘«»"
_MARKS = f"{_AROUND}<>[](){{}}"
_ACTION = re.compile(r"""(?m)^(?: |[>*_#`\[("'-])*+action[ *_`]*+[:=](.*)$""")
_BRACKETS = re.compile(r"\[([^\[\]\n]+)\]")
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
"""Words that mean something of their own in answers."""


class AnswerError(ValueError):
    """An answer names no action that is possible."""


class Reader:
    """Reads answers where these texts are possible; with `listed` their numbers count, too.

    `examples` are texts that the player has seen elsewhere: they are no list's numbers, whatever they look like.
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
        """The place of the text that an answer names. AnswerError says what is wrong if it is none or several."""
        said = _normal(answer[-MOST_READ:])
        if len(answer) > MOST_READ or len(said) > MOST_READ:  # the line that is cut may have said anything
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
        raise AnswerError(f"{short!r} is not possible now")

    def _chosen(self, said: str) -> tuple[str, list[int]]:
        """What of an answer counts, and the places of what it names."""
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
        """What the last brackets name. A number there must not go on with the action that stands before it."""
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
        """A text with the beginning of its sentence, and what both name: nothing if it is denied there."""
        begun = _SENTENCE_END.split(before)[-1]
        tokens = _tokens(begun)
        denied = any(token in _DENIALS or token.endswith("n't") for token in tokens)
        return begun + text, [] if denied else _once([*named, *self._within(tokens)])

    def _named(self, text: str) -> list[int]:
        """What a text names: one place, or several if it is not clear, or none."""
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
        """What stands at the beginning, and nothing if what follows may go on with it."""
        ends = [at for at, token in enumerate(tokens) if token not in _JOINTS or not at][: self._longest]
        for count in range(len(ends), 0, -1):
            if places := self._places.get(tuple(tokens[at] for at in ends[:count])):
                tail = tokens[ends[count - 1] + 1 :]
                named = _once([*places, *self._within(tail)])
                return named if len(named) > 1 or self._may_follow(tail) else []
        return []

    def _numbered(self, number: re.Match[str], tail: list[str]) -> list[int]:
        """What a number of the list names; with a text behind it both must agree."""
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
        """Whether a clause has ended or an explanation begins, and nothing goes on with the action."""
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
        """All places whose texts stand somewhere."""
        tokens = [token for token in tokens if token not in _JOINTS]
        sizes = range(1, self._longest + 1)
        spans = (tuple(tokens[at : at + size]) for at in range(len(tokens)) for size in sizes)
        return [place for span in spans for place in self._places.get(span, ())]


def _normal(text: str) -> str:
    """Lower case, single spaces; lines stay.

    Normalising takes a time that grows with the square of accents in a row, so it is done in pieces.
    """
    normal = "".join(unicodedata.normalize("NFKC", piece) for piece in _PIECES.findall(text))
    return re.sub(r"[^\S\n]+", " ", normal.translate(_SAME).lower())


def _bare(text: str) -> str:
    """A text without the marks around it."""
    return text.strip(_MARKS)


def _tokens(text: str) -> list[str]:
    """Words, numbers and other signs, without quotes."""
    tokens = (token.strip("_") for token in _TOKEN.findall(text))
    return [token for token in tokens if token and token not in _QUOTES]


def _joined(tokens: Iterable[str]) -> list[str]:
    """Tokens without what may or may not stand between them."""
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
