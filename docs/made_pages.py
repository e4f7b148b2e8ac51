"""Pages of the site that are made of the code: of each game from its docstring, of the API from what it promises.

They are written into `docs/_made` before Sphinx reads. Links to files of the repository lead to the pages made of them.
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

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import edge_envs

DOCS = Path(__file__).parent
ROOT = DOCS.parent
MADE = DOCS / "_made"
GAMES, REFERENCE = MADE / "games", MADE / "reference"
COPIED = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md", "CHANGELOG.md": "changelog.md"}

MODULES = {
    "edge_envs": "The package",
    "edge_envs.players": "Agents that need no training",
    "edge_envs.records": "Records of games",
    "edge_envs.replays": "Replays",
    "edge_envs.text": "Games in words",
    "edge_envs.answers": "What answers in words name",
    "edge_envs.core.game": "Games",
    "edge_envs.core.state": "Positions",
    "edge_envs.core.values": "What built-in players tell",
    "edge_envs.core.features": "What networks are shown",
    "edge_envs.core.asking": "Agents",
    "edge_envs.core.tutorials": "Tutorials",
    "edge_envs.core.editing": "Editors",
    "edge_envs.play.sitting": "Games between persons and agents",
    "edge_envs.play.appraisal": "What actions are worth, and by whom",
    "edge_envs.envs.aec": "PettingZoo",
    "edge_envs.envs.parallel": "PettingZoo, in parallel",
    "edge_envs.envs.vector": "Many games, all seats",
    "edge_envs.envs.seat": "Gymnasium",
    "edge_envs.envs.sb3": "Stable-Baselines3",
    "edge_envs.envs.opponents": "Opponents",
    "edge_envs.search.agent": "Tree search",
    "edge_envs.bridges.open_spiel": "OpenSpiel",
    "edge_envs.bridges.textarena": "TextArena",
    "agents.players.agent": "Agents by their names",
    "agents.evaluation.matches": "Matches",
    "agents.evaluation.report": "What matches say",
    "agents.evaluation.verdict": "Players against random play",
    "agents.collection.config": "What data sets hold",
    "agents.collection.episodes": "Games as arrays",
    "agents.collection.run": "Data sets",
}
"""Modules of the reference and their headings."""

CONSTANTS = {
    "CHANCE": "What `current_player` says where chance is to act: -1, as in OpenSpiel.",
    "GAMES": "All games by their names, a `GameType` each.",
    "Opponents": "What `opponents` may be: a name, an `Opponent`, an `OpponentMix`, or one of them for each seat.",
    "TERMINAL": "What `current_player` says when the game is over: -4, as in OpenSpiel.",
}
"""What is exported without a docstring of its own."""


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.connect("builder-inited", lambda app: make_pages())
    app.connect("source-read", _lead_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def make_pages() -> None:
    """Write all of them; files that stay the same are left alone."""
    for name, game_type in edge_envs.GAMES.items():
        title, _, rest = inspect.cleandoc(importlib.import_module(game_type.package).__doc__ or "").partition("\n")
        cover = f"![{name}](../../pictures/{name}-light.svg){{width=480px}}"
        _write(GAMES / f"{name}.md", f"# `{name}`\n\n{title}\n\n{cover}\n{rest}\n")
    for source, name in COPIED.items():
        _write(MADE / name, (ROOT / source).read_text(encoding="utf-8"))
    for name, heading in MODULES.items():
        page = "\n".join(_module_page(importlib.import_module(name), heading))
        _write(REFERENCE / f"{name}.md", page)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _module_page(module: ModuleType, heading: str) -> Iterator[str]:
    """A module's docstring, and all that it defines or, if it says what that is, exports."""
    yield f"# {heading}: `{module.__name__}`\n"
    yield f"```{{py:module}} {module.__name__}\n```\n\n{inspect.cleandoc(module.__doc__ or '')}\n"
    for name in _public(module):
        thing = getattr(module, name)
        if inspect.isclass(thing):
            kind = "exception" if issubclass(thing, BaseException) else "class"
            members = [text for member, value in vars(thing).items() for text in _member(member, value)]
            members += [text for field, told in _fields(thing) for text in _directive("attribute", field, told)]
            text = "\n".join([inspect.cleandoc(thing.__doc__ or ""), "", *members])
            yield from _directive(kind, name + _signature(thing, returns=False), text, fence="`````")
        elif callable(thing) and thing.__doc__:
            yield from _directive("function", name + _signature(thing), thing.__doc__)
        elif hasattr(module, "__all__"):
            yield from _directive("data", name, CONSTANTS[name])


def _public(module: ModuleType) -> list[str]:
    """What a module defines, or exports unless a page of its own has it."""
    found = []
    for name in getattr(module, "__all__", None) or list(vars(module)):
        home = getattr(getattr(module, name), "__module__", None)
        if not name.startswith("_") and (
            home == module.__name__ or (hasattr(module, "__all__") and home not in MODULES)
        ):
            found.append(name)
    return found


def _member(name: str, value: Any) -> Iterator[str]:
    """A public method or property with a docstring."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if name.startswith("_") or not getattr(value, "__doc__", None):
        return
    if inspect.isfunction(value):
        yield from _directive("method", name + _signature(value), value.__doc__ or "")
    elif isinstance(value, property) or type(value).__name__ == "cached_property":
        yield from _directive("property", name, value.__doc__ or "")


def _fields(thing: type) -> Iterator[tuple[str, str]]:
    """The fields of a class that a text below tells of."""
    analyzer = ModuleAnalyzer.for_module(thing.__module__)
    analyzer.analyze()
    for (owner, field), lines in analyzer.attr_docs.items():
        if owner == thing.__qualname__ and not field.startswith("_"):
            yield field, "\n".join(lines)


def _directive(kind: str, signature: str, text: str, fence: str = "````") -> Iterator[str]:
    yield f"{fence}{{py:{kind}}} {signature}\n\n{inspect.cleandoc(text)}\n{fence}\n"


def _signature(thing: Any, returns: bool = True) -> str:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    kept = [p for p in signature.parameters.values() if p.name not in ("self", "cls") and not p.name.startswith("_")]
    text = str(signature.replace(parameters=kept))
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)  # annotations are texts
    while (shorter := re.sub(r"<[^<>]*>", "...", text)) != text:  # a function within one stands in two pairs
        text = shorter
    return text if returns else text.partition(" -> ")[0]


_LINK = re.compile(r"\[([^\[\]]*)\]\((?!\w+:)([^)\s#]+)(#[^)\s]*)?\)")


def _lead_links(app: Sphinx, docname: str, source: list[str]) -> None:
    """Links between files of the repository lead to the pages made of them; where there is none the text stays."""
    page = DOCS / docname
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
    """The file in `docs` that shows a file of the repository."""
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
