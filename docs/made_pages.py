"""Generate pages of the site from the code: a page and a replay for each game, and the references.

The pages are written into `docs/_made` before Sphinx reads its sources. Links to files of the repository are changed to
links to the generated pages.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from google_style import as_markdown
from made_cli import cli_page
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import edge_envs
from edge_envs.replays import replay_page

DOCS = Path(__file__).parent
ROOT = DOCS.parent
MADE = DOCS / "_made"
GAMES, REFERENCE, REPLAYS = MADE / "games", MADE / "reference", MADE / "replays"
COPIED = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md", "CHANGELOG.md": "changelog.md"}

MODULES = {
    "edge_envs": "The package",
    "edge_envs.players": "Built-in agents",
    "edge_envs.records": "Records",
    "edge_envs.replays": "Replays",
    "edge_envs.text": "Games in words",
    "edge_envs.answers": "Parsing of answers",
    "edge_envs.core.game": "Games",
    "edge_envs.core.state": "Positions",
    "edge_envs.core.game_type": "Game types",
    "edge_envs.core.spec": "Declarations of games",
    "edge_envs.core.compiled": "Compiled games",
    "edge_envs.core.values": "Values of the heuristic",
    "edge_envs.core.features": "Features for networks",
    "edge_envs.core.cells": "Cells for learned values",
    "edge_envs.core.opponent": "Agent interface",
    "edge_envs.core.interactive.tutorials": "Tutorials",
    "edge_envs.core.interactive.editor": "Editors",
    "edge_envs.play.match": "Matches between human players and agents",
    "edge_envs.play.appraisal": "Action values from several judges",
    "edge_envs.envs.aec": "PettingZoo AEC",
    "edge_envs.envs.parallel": "PettingZoo parallel",
    "edge_envs.envs.vector": "Vector environment of all seats",
    "edge_envs.envs.seat": "Gymnasium",
    "edge_envs.envs.sb3": "Stable-Baselines3",
    "edge_envs.envs.opponents": "Opponents",
    "edge_envs.search.agent": "Tree search",
    "edge_envs.trained.agent": "Trained policies",
    "edge_envs.core.trained": "Trained policies of the package",
    "edge_envs.bridges.open_spiel": "OpenSpiel",
    "edge_envs.bridges.textarena": "TextArena",
    "agents.train": "Training in Python",
    "agents.players.agent": "Agents by name",
    "agents.evaluation.matches": "Matches",
    "agents.evaluation.report": "Match statistics",
    "agents.evaluation.verdict": "Comparison with random play",
    "agents.collection.config": "Configuration of data sets",
    "agents.collection.episodes": "Episodes as arrays",
    "agents.collection.run": "Collection of data sets",
}
"""Modules of the reference, with their headings."""

WITHOUT_SERVER = """# Play without installation

Tutorials, famous games with their analysis, a gallery, and a game of `falling_off` against its exact solution run in
your browser without a server.
{link}
`make static-page` writes these files to `docs/_page/page`; open `index.html` there.

## Next step

[Play in the browser](../web.md) is about the page with all games, which needs an installation.
"""
LINK = (
    '\n<p><a href="../page/play.html">Play falling_off against the perfect agent</a>, or '
    '<a href="../page/index.html">choose a tutorial or a famous game</a>.</p>\n'
)
"""The page that leads to the files of `make static-page`, if they exist."""

CONSTANTS = {
    "CHANCE": "The value of `current_player` at a chance node: -1, as in OpenSpiel.",
    "GAMES": "All games: a dictionary from names to `GameType` objects.",
    "Opponents": "The type of `opponents`: a name, an `Opponent`, an `OpponentMix`, or a list of these.",
    "TERMINAL": "The value of `current_player` when the game is over: -4, as in OpenSpiel.",
}
"""Descriptions of exported constants, which have no docstrings."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register this extension with Sphinx."""
    REPLAYS.mkdir(parents=True, exist_ok=True)  # Sphinx checks that folders of static files exist
    app.connect("builder-inited", lambda app: make_pages())
    app.connect("source-read", _lead_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def make_pages() -> None:
    """Write all generated pages and remove those of earlier versions. Unchanged files are not rewritten."""
    pages = dict(_pages())
    for page in {*MADE.rglob("*.md"), *REPLAYS.rglob("*.html")} - pages.keys():
        page.unlink()
    for page, text in pages.items():
        _write(page, text)


def _pages() -> Iterator[tuple[Path, str]]:
    """Yield the file and the text of every generated page."""
    for name, game_type in edge_envs.GAMES.items():
        title, _, rest = inspect.cleandoc(importlib.import_module(game_type.package).__doc__ or "").partition("\n")
        has_picture = (DOCS / "pictures" / f"{name}-light.svg").exists()
        covers = (f"![{name}](../../pictures/{name}-{theme}.svg){{.only-{theme} width=480px}}" for theme in THEMES)
        cover = "\n" + "\n".join(covers) + "\n" if has_picture else ""
        top = f"# `{name}`\n\n{title}\n{cover}\n{_contents(rest)}\n{_try_it(name)}"
        yield GAMES / f"{name}.md", f"{top}{rest}\n{_next_step(name)}"
        yield REPLAYS / "replays" / f"{name}.html", _replay(name)
    has_files = (DOCS / "_page" / "page" / "index.html").exists()
    yield MADE / "page.md", WITHOUT_SERVER.format(link=LINK if has_files else "")
    for source, name in COPIED.items():
        yield MADE / name, (ROOT / source).read_text(encoding="utf-8")
    yield MADE / "cli.md", cli_page()
    for name, heading in MODULES.items():
        yield REFERENCE / f"{name}.md", "\n".join(_module_page(importlib.import_module(name), heading))


THEMES = ("light", "dark")
HEADINGS = {
    "Description": "Rules",
    "Try it": "Try it",
    "Parameters": "Parameters",
    "Spec": "Spec",
    "Observation": "Observation",
    "Actions and chance outcomes": "Actions",
    "Heuristic": "Heuristic",
    "Version history": "History",
}
"""Sections to which the line below a game's picture leads, with their names there."""


def _contents(text: str) -> str:
    """Return the line of links to the sections of a game's page."""
    found = {"Try it", *re.findall(r"(?m)^## (.*)$", text)}
    links = [
        f"[{short}](#{heading.lower().replace(' ', '-')})" for heading, short in HEADINGS.items() if heading in found
    ]
    return " | ".join(links) + "\n"


def _next_step(name: str) -> str:
    return f"""
## Next step

[Train](../../training.md) an agent for `{name}`, compare agents on the [leaderboard](../../leaderboard.md), or look up
the [variants and boards](../../benchmark.md#names).
"""


def _try_it(name: str) -> str:
    lesson = f"learn-{name}.html"
    has_files = (DOCS / "_page" / "page" / lesson).exists()
    tutorial = (
        f'<a href="../../page/{lesson}">Take the tutorial of the rules</a> in this browser. ' if has_files else ""
    )
    return f"""
## Try it

Step through a game of the built-in agent. Nothing needs to be installed:

<iframe class="replay" src="../../_static/replays/{name}.html" title="a game of {name}" loading="lazy"></iframe>

<a href="../../_static/replays/{name}.html">Open this replay alone.</a> {tutorial}To play on your machine,
install the extra `web`:

```sh
edge-envs play {name}
```
"""


def _replay(name: str) -> str:
    """Return the page of a game that the heuristic plays in every seat."""
    state = edge_envs.load_game(name).new_initial_state(seed=7)
    while not state.is_terminal():
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
    return replay_page(edge_envs.record_of(state))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _module_page(module: ModuleType, heading: str) -> Iterator[str]:
    """Yield a module's docstring and its public names: those in `__all__`, or all that it defines."""
    yield f"# {heading}: `{module.__name__}`\n"
    yield f"```{{py:module}} {module.__name__}\n```\n\n{inspect.cleandoc(module.__doc__ or '')}\n"
    for name in _public(module):
        thing = getattr(module, name)
        if inspect.isclass(thing):
            kind = "exception" if issubclass(thing, BaseException) else "class"
            members = [text for member, value in vars(thing).items() for text in _member(member, value)]
            members += [text for field, told in _fields(thing) for text in _directive("attribute", field, told)]
            told = as_markdown(inspect.cleandoc(thing.__doc__ or ""), _defaults(thing))
            text = "\n".join([told, "", *members])
            yield from _directive(kind, name + _signature(thing, returns=False), text, fence="`````")
        elif callable(thing) and thing.__doc__:
            yield from _directive("function", name + _signature(thing), _told(thing))
        elif hasattr(module, "__all__"):
            yield from _directive("data", name, CONSTANTS[name])
    yield "## Next step\n\nGo back to the [reference](../../reference.md), or read [The APIs](../../apis.md).\n"


def _public(module: ModuleType) -> list[str]:
    """Return the names that a module defines or exports, except names documented on another page."""
    found = []
    for name in getattr(module, "__all__", None) or list(vars(module)):
        home = getattr(getattr(module, name), "__module__", None)
        if not name.startswith("_") and (
            home == module.__name__ or (hasattr(module, "__all__") and home not in MODULES)
        ):
            found.append(name)
    return found


def _member(name: str, value: Any) -> Iterator[str]:
    """Yield the directive of a public method or property with a docstring."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if name.startswith("_") or not getattr(value, "__doc__", None):
        return
    if inspect.isfunction(value):
        yield from _directive("method", name + _signature(value), _told(value))
    elif isinstance(value, property) or type(value).__name__ == "cached_property":
        yield from _directive("property", name, _told(value))


def _fields(thing: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class that are followed by a docstring."""
    analyzer = ModuleAnalyzer.for_module(thing.__module__)
    analyzer.analyze()
    for (owner, field), lines in analyzer.attr_docs.items():
        if owner == thing.__qualname__ and not field.startswith("_"):
            yield field, "\n".join(lines)


def _directive(kind: str, signature: str, text: str, fence: str = "````") -> Iterator[str]:
    yield f"{fence}{{py:{kind}}} {signature}\n\n{text}\n{fence}\n"


def _told(thing: Any) -> str:
    """Return the docstring of a function or property as Markdown."""
    return as_markdown(inspect.cleandoc(thing.__doc__ or ""), _defaults(thing))


def _defaults(thing: Any) -> dict[str, str]:
    """Return the default values of arguments as text."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: repr(p.default) for p in parameters if p.default is not p.empty and "<" not in repr(p.default)}


def _signature(thing: Any, returns: bool = True) -> str:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    kept = [p for p in signature.parameters.values() if p.name not in ("self", "cls") and not p.name.startswith("_")]
    text = str(signature.replace(parameters=kept))
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)  # annotations are strings
    while (shorter := re.sub(r"<[^<>]*>", "...", text)) != text:  # nested functions have two pairs of brackets
        text = shorter
    return text if returns else text.partition(" -> ")[0]


_LINK = re.compile(r"\[([^\[\]]*)\]\((?!\w+:)([^)\s#]+)(#[^)\s]*)?\)")


def _lead_links(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace links to files of the repository by links to their pages, or by the link text if it has no page."""
    page = DOCS / docname
    if page.with_suffix(".ipynb").exists():
        return  # only Markdown has such links, and brackets in code look like them
    before = {GAMES: ROOT / "edge_envs/games/any", MADE: ROOT, REFERENCE: ROOT / "edge_envs/core"}.get(page.parent)

    def lead(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        for folder in (page.parent, before or page.parent):
            path = (folder / target).resolve()
            if to := _page_of(path):
                return f"[{text}]({Path(os.path.relpath(to, page.parent)).as_posix()}{anchor})"
        return text

    source[0] = _LINK.sub(lead, source[0])


def _page_of(path: Path) -> Path | None:
    """Return the file in `docs` that shows a file of the repository, or None."""
    if DOCS in path.parents and path.exists():
        return path
    if ROOT not in path.parents:
        return None
    inside = path.relative_to(ROOT).as_posix()
    if found := re.fullmatch(r"edge_envs/games/(\w+)/__init__\.py", inside):
        return GAMES / f"{found[1]}.md"
    if inside in COPIED:
        return MADE / COPIED[inside]
    return DOCS / "index.md" if inside == "README.md" else None
