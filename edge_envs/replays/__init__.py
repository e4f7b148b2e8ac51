"""Replays of games: their scenes, and a self-contained HTML page that shows them.

The page is a single file. It contains each drawn element once, and each scene as the numbers of its elements. A whole
game takes about ten kilobytes. It is compressed together with the scripts, which `boot.js` unpacks. Without JavaScript
the page shows the first and the last scene: as pictures if the page stays small, otherwise as text.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import resources
from typing import Any
from xml.etree import ElementTree

from edge_envs.core.errors import printable
from edge_envs.core.nodes import REVEALED, TERMINAL
from edge_envs.core.state import State
from edge_envs.envs.options import forfeited_by
from edge_envs.pictures.canvas import NAMESPACE, bannered
from edge_envs.pictures.colours import dark_style
from edge_envs.records import replay, start_of

_FOLDER = resources.files(__name__)
_MOST_BYTES = 60_000  # largest page that has pictures for browsers without JavaScript


@dataclass(frozen=True)
class Scene:
    """A position of a game at a decision, or its end."""

    svg: str
    text: str
    """The picture as text."""
    texts: tuple[str, ...]
    """The events since the previous scene as the viewer saw them, as in `State.history_strings`."""
    player: int
    """The player to act; negative at the end."""


def scenes(record: Mapping[str, Any], viewer: int | None = None, *, outlines: bool = False) -> Iterator[Scene]:
    """Yield the scenes of a record, with rings around the places that the last decision touched.

    An incomplete record also ends with a scene. The last scene of a forfeited game says so.

    Args:
        record: the record.
        viewer: the player whose view is shown; None shows public information only.
        outlines: draw letters as shapes.

    Raises:
        ValueError: if the record is not valid (see `edge_envs.replay`), or if the viewer does not exist.
    """
    replay(record)
    state = start_of(record)
    game = state.game
    if viewer is not None and not 0 <= viewer < game.num_players:
        raise ValueError(f"player {viewer} does not exist; players are 0..{game.num_players - 1}")
    decided: tuple[Any, int] | None = None
    shown = 0

    def scene() -> Scene:
        nonlocal shown
        texts = state.history_strings(viewer)
        shown, new = len(texts), texts[shown:]
        last: tuple[str, ...] = ()
        if decided is not None:
            last = game.touched(*decided, REVEALED if state.is_terminal() else viewer)
        svg = game.svg(
            state._record, viewer, last=last, caption=" ".join(state.latest_events(viewer)), outlines=outlines
        )
        text = game.picture(state._record, viewer)
        return Scene(svg, text, tuple(new), state.current_player())

    for player, action in record["history"]:
        if player >= 0:
            yield scene()
            decided = state._records.copy()[0], action
        state.apply_action(action)
    end = scene()
    given_away = forfeited(record)
    yield end if given_away is None else _with_end(end, given_away, outlines)


def forfeited(record: Mapping[str, Any]) -> str | None:
    """Say who forfeited a game, or return None. The reason is left out, because it may reveal hidden information."""
    forfeit = record.get("forfeit")
    return None if forfeit is None else forfeited_by(forfeit["seat"])


def _with_end(scene: Scene, words: str, outlines: bool) -> Scene:
    """Return the scene as the end of the game, with a banner that gives the reason."""
    text = f"{scene.text.rstrip()}\n{words}\n"
    return Scene(bannered(scene.svg, words, outlines=outlines), text, (*scene.texts, words), TERMINAL)


def replay_page(
    record: Mapping[str, Any],
    viewer: int | None = None,
    title: str | None = None,
    analysis: Mapping[str, Any] | None = None,
) -> str:
    """Return an HTML page that shows a recorded game.

    Args:
        record: the record.
        viewer: the player whose view is shown; None shows public information only.
        title: the heading; by default the title of the game.
        analysis: an analysis of the game that the page of the server has computed, or None.

    Raises:
        ValueError: as `scenes`.
    """
    shown = list(scenes(record, viewer))
    state = start_of(record)
    data, scripts, graph_style = packed_scenes(shown), ["viewer.js", "page.js"], ""
    if analysis is not None:
        data |= {"analysis": analysis, "at": ends_of_scenes(record), "players": state.game.num_players}
        scripts, graph_style = ["viewer.js", "graph.js", "page.js", "analysis.js"], _text("graph.css")
    data["script"] = "".join(map(_compact, scripts))
    parts, frames = data["parts"], data["frames"]
    packed = gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9, mtime=0)
    words = {
        "title": html.escape(printable(title or state.game.type.title)),
        "about": html.escape(_about(state, record, viewer)),
        "style": _text("viewer.css") + graph_style + dark_style('[data-theme="dark"] svg', "".join(parts)),
        "data": base64.b64encode(packed).decode(),
        "script": _compact("boot.js"),
    }
    page = _filled(_text("page.html"), words)
    drawn = "".join(_first_and_last(data["head"], *([parts[n] for n in frames[k]] for k in (0, -1))))
    if len((page + drawn).encode()) > _MOST_BYTES:
        drawn = "".join(f"<pre>{html.escape(shown[k].text)}</pre>" for k in (0, -1))
    return _filled(_text("page.html"), {**words, "plain": drawn})


def _filled(template: str, words: Mapping[str, str]) -> str:
    """Replace the `{{ placeholders }}` of a template; placeholders within the replacements are left alone."""
    return re.sub(r"\{\{ (\w+) \}\}", lambda place: words.get(place[1], ""), template)


def packed_scenes(shown: Sequence[Scene]) -> dict[str, Any]:
    """Return the scenes of one game for JSON, with each drawn element once.

    `head` is the beginning of each picture, `parts` are the elements, `frames` lists the numbers of the elements of
    each scene, and `texts` lists the events before each scene.
    """
    return {**packed_pictures([scene.svg for scene in shown]), "texts": [list(scene.texts) for scene in shown]}


def ends_of_scenes(record: Mapping[str, Any]) -> list[int]:
    """Return, for each scene of a record, the number of transitions before it."""
    return [*(at for at, (player, _) in enumerate(record["history"]) if player >= 0), len(record["history"])]


def packed_pictures(svgs: Sequence[str]) -> dict[str, Any]:
    """Return pictures of one game for JSON, with each drawn element once: `head`, `parts` and `frames`."""
    parts, frames = _shared(svgs)
    return {"head": _head(svgs[0]), "parts": parts, "frames": frames}


def unpacked_pictures(packed: Mapping[str, Any]) -> list[str]:
    """Return the pictures of `packed_pictures`; groups at their top level are split into their elements."""
    return [
        "".join([packed["head"], *(packed["parts"][part] for part in frame), "</svg>"]) for frame in packed["frames"]
    ]


def _compact(name: str) -> str:
    """Return a script without block comments and indentation."""
    return re.sub(r"/\*.*?\*/\s*|^\s+", "", _text(name), flags=re.DOTALL | re.MULTILINE)


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _about(state: State, record: Mapping[str, Any], viewer: int | None) -> str:
    """Describe the parameters, the returns, the end and the viewer of a game."""
    params = ", ".join(state.game.type.format_params(state.game.params))
    returns = ", ".join(f"player {seat} {value:+zg}" for seat, value in enumerate(record["returns"]))
    who = "everyone's view" if viewer is None else f"the view of player {viewer}"
    view = "" if state.game.perfect_information else f" · {who}"
    given_away = forfeited(record)
    end = "" if given_away is None else f" · {given_away}"
    return f"{params} · {returns}{end}{view}"


def _elements(svg: str) -> list[str]:
    """Return the elements of a picture as strings; groups at the top level are split into their elements."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():  # registering a namespace prefix would affect the whole process
        element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    paper, *groups = root
    elements = [paper, *(element for group in groups for element in group)]
    return [ElementTree.tostring(element, encoding="unicode") for element in elements]


def _first_and_last(head: str, first: Sequence[str], last: Sequence[str]) -> tuple[str, str]:
    """Return two pictures for one HTML page; the second refers to the elements that it shares with the first."""
    one, other = [head], [head]
    at = until = 0
    for number, (start, begin, length) in enumerate(SequenceMatcher(None, first, last, False).get_matching_blocks()):
        one += [*first[at:start], f'<g id="shared-{number}">', *first[start : start + length], "</g>"]
        other += [*last[until:begin], f'<use href="#shared-{number}" />']
        at, until = start + length, begin + length
    return "".join([*one, "</svg>"]), "".join([*other, "</svg>"])


def _head(svg: str) -> str:
    return svg[: svg.index(">") + 1]


def _shared(pictures: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Return each distinct element once, and the numbers of the elements of each picture."""
    numbers: dict[str, int] = {}
    frames = [[numbers.setdefault(part, len(numbers)) for part in _elements(svg)] for svg in pictures]
    return list(numbers), frames
