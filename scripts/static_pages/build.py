"""Write the folder of pages: tutorials, famous games, a gallery, and a game to play."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from agents.common.files import write_whole
from edge_envs import GAMES
from edge_envs.core.game_type import GameType
from edge_envs.replays import replay_page
from edge_envs.web import tutorials
from edge_envs.web.catalog import cover_of
from edge_envs.web.pages import STATIC, VIEWER, dark_colours
from edge_envs.web.titles import title_of
from scripts.static_pages import famous, race
from scripts.static_pages.bundle import ASSETS, bundle

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
PLAYABLE = "falling_off"
TITLE = "Games at the edge of the world"
STORED = {
    "api.js": "export const gameNamed = async () => globalThis.LESSON.game;\n"
    "export const get = async () => ({ scenes: globalThis.LESSON.scenes });\n",
    "ready.js": 'export const readiness = () => ["", () => {}];\n',
}
"""Modules of the web page that ask its server, replaced by ones that use the data of the page."""

Files = Iterator[tuple[str, str | bytes]]


def build(folder: Path) -> list[str]:
    """Write all pages to a folder, in place of those of earlier versions, and return the names of the files."""
    shutil.rmtree(folder, ignore_errors=True)
    names = []
    for name, content in files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        names.append(name)
    return names


def may_replace(folder: Path) -> bool:
    """Return whether a folder does not exist, is empty, or has pages of an earlier version."""
    if not folder.exists():
        return True
    home = folder / "index.html"
    if folder.is_dir() and home.is_file():
        return f"<title>{TITLE}</title>" in home.read_text(encoding="utf-8", errors="replace")
    return folder.is_dir() and not any(folder.iterdir())


def files() -> Files:
    """Yield the name and the content of each file."""
    taught = [kind for kind in GAMES.values() if kind.has_module("tutorial") and any(_games_of(kind))]
    yield "index.html", _page(TITLE, _home(taught), "home.js")
    yield "page.css", _style()
    yield "icon.svg", (STATIC / "icon.svg").read_bytes()
    for entry in ("home.js", "learn.js", "play.js"):
        yield entry, bundle(entry, STORED)
    for kind in taught:
        yield from _lesson(kind)
    for one in famous.GAMES:
        yield f"game-{one.game}.html", famous_page(one)
    yield from _gallery()
    data = {"table": race.packed_table(), "drawings": race.drawings()}
    yield "falling_off.js", f"globalThis.FALLING_OFF = {json.dumps(data)};\n"
    yield "play.html", _page("Play falling_off", _asset("play.html"), "falling_off.js", "play.js")


def _games_of(kind: GameType) -> list[famous.Famous]:
    return [one for one in famous.GAMES if one.game == kind.name]


def _fill(template: str, words: Mapping[str, str]) -> str:
    """Replace the `{{ placeholders }}` of a template."""
    return re.sub(r"\{\{ (\w+) \}\}", lambda place: words[place[1]], template)


def _page(title: str, content: str, *scripts: str) -> str:
    """Return a page. The scripts run in order, after the page is read."""
    tags = "\n".join(f'<script src="{name}"></script>' for name in scripts)
    words = {"title": html.escape(title), "content": content, "scripts": tags}
    return _fill(_asset("page.html"), words)


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _style() -> str:
    files = [*(file for file in VIEWER if file.suffix == ".css"), STATIC / "page.css", ASSETS / "static.css"]
    return "\n".join([*(file.read_text(encoding="utf-8") for file in files), dark_colours()])


def _home(kinds: list[GameType]) -> str:
    cards = "\n".join(_card(kind) for kind in kinds)
    return _fill(_asset("index.html"), {"cards": cards})


def _card(kind: GameType) -> str:
    links = [f'<a href="learn-{kind.name}.html">Learn</a>', f'<a href="game-{kind.name}.html">A famous game</a>']
    if kind.name == PLAYABLE:
        links.insert(0, '<a href="play.html">Play</a>')
    cover = cover_of(kind).read_text(encoding="utf-8")
    title, summary = html.escape(kind.title), html.escape(kind.summary)
    return (
        f'<li class="card"><figure class="cover" aria-hidden="true">{cover}</figure><h2>{title}</h2>'
        f'<p>{summary}</p><p class="row">{" ".join(links)}</p></li>'
    )


def _lesson(kind: GameType) -> Files:
    scenes = tutorials.drawn_in_advance(kind)
    if scenes is None:
        scenes = tutorials.draw(kind)
    data = {"game": {"name": kind.name, "title": kind.title}, "scenes": scenes}
    yield f"lesson-{kind.name}.js", f"globalThis.LESSON = {json.dumps(data)};\n"
    yield f"learn-{kind.name}.html", _page(f"Learn {kind.title}", "", f"lesson-{kind.name}.js", "learn.js")


def famous_page(one: famous.Famous) -> str:
    """Return the page of a famous game: the viewer, the analysis, and its story."""
    document = famous.load(one)
    title = f"A famous game of {GAMES[one.game].title}"
    page = replay_page(document["record"], title=title, analysis=document["analysis"])
    story = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in story_of(one, document))
    links = '<nav><a href="index.html">All games</a></nav>'
    return page.replace("</header>", f'</header>{links}<section aria-label="the story">{story}</section>', 1)


def story_of(one: famous.Famous, document: Mapping[str, Any]) -> list[str]:
    """Tell a famous game in paragraphs: the players, how the lead changed, the most costly decision, and the end."""
    agents, analysis, returns = document["agents"], document["analysis"], document["record"]["returns"]
    players = " against ".join(f"player {seat} ({title_of(name)}, {name})" for seat, name in enumerate(agents))
    chances = [share - loss if player == 0 else 1 - share + loss for _, player, share, loss in analysis["points"]]
    changes = sum((before - 0.5) * (after - 0.5) < 0 for before, after in pairwise(chances))
    lead = (
        "The lead never changed"
        if not changes
        else f"The lead changed {changes} times"
        if changes > 1
        else "The lead changed once"
    )
    paragraphs = [
        f"{players[0].upper()}{players[1:]}, with seed {one.seed}: {len(chances)} decisions, "
        f"judged by: {analysis['by']}."
    ]
    best = max(range(len(returns)), key=lambda seat: returns[seat])
    end = f"player {best} won" if returns[best] > min(returns) else "the game ended in a draw"
    low, high = min(chances), max(chances)
    paragraphs.append(f"{lead}: the win probability of player 0 was between {low:.0%} and {high:.0%}, and {end}.")
    if analysis["costly"]:
        worst = analysis["costly"][0]
        paragraphs.append(
            f"The turning point: player {worst['player']} chose “{worst['chosen']}”, where “{worst['best']}” would "
            f"have kept a win probability of {worst['probability']:.0%}. It cost {worst['loss']:.0%}; click it below "
            "the graph."
        )
    return paragraphs


def _gallery() -> Files:
    """Yield the pictures of the documentation, and the page that shows them."""
    parts = []
    for path in sorted([*PICTURES.glob("*-light.svg"), *PICTURES.glob("*-dark.svg"), *PICTURES.glob("web/*.png")]):
        name = path.name if path.parent == PICTURES else f"web-{path.name}"
        yield f"pictures/{name}", path.read_bytes()
        about = html.escape(path.stem.replace("-", ", ") + (" in the browser" if path.parent != PICTURES else ""))
        parts.append(
            f'<figure><img src="pictures/{name}" alt="{about}" loading="lazy"><figcaption>{about}</figcaption></figure>'
        )
    content = f'<h2>Pictures</h2>\n<div class="gallery">\n{chr(10).join(parts)}\n</div>'
    yield "gallery.html", _page("Pictures", content, "home.js")
