"""Titles and names of agents, maps and files are escaped in every output: no markup, no terminal control codes."""

from __future__ import annotations

import base64
import gzip
import html.parser
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

import edge_envs
from agents.arena.plots import draw_matrix, draw_ratings
from agents.arena.report import code, fenced, literal, markdown
from agents.collection.card import card_page
from agents.common.console import fail
from agents.common.progress_lines import Description
from agents.evaluation.tables import evaluation_table, notes
from agents.external.reasons import reason_of
from agents.training.curves import draw_curves, draw_met
from agents.training.run_page import Replay, write_run_page
from edge_envs.__main__ import main as command
from edge_envs.core.errors import printable
from edge_envs.games.over_the_edge.map.charts import read_source
from edge_envs.replays import replay_page
from edge_envs.text import position_message
from scripts.playing.terminal import Terminal

NAMES = {
    "a place of a template": "{{ script }} {{ data }}",
    "a script": "<script>alert(1)</script>",
    "the end of a script": "</script><img src=x onerror=alert(1)>",
    "an attribute": "\" onmouseover='alert(1)",
    "an entity": "&lt;b&gt; &",
    "a cell": "a|b || c",
    "code": "`x` ``y`` ```",
    "ticks": "``",
    "markup of rich": "[bold]x[/bold] [/x] [link=http://x]y",
    "a link": "[x](javascript:alert(1)) http://example.com",
    "emphasis": "*x* __y__ ~~z~~ # w",
    "a formula": "$x^2$ \\frac{1}{2} $",
    "a format": "%s {0} {name} \\n",
    "terminal control codes": "\x1b[2J\x1b]0;title\x07x\x9b1m",
    "several lines": "a\nb\r\n\n# c\n```\n| d |",
    "the other direction": "\u202eabc\u2066",
    "half a character": "\ud800x",
    "a path": "../../x/..",
    "a formula of a spreadsheet": '=HYPERLINK("http://x")',
    "a long one": "x" * 400,
}
NAMED = pytest.mark.parametrize("kind", NAMES)


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")


def harmless(text: str) -> bool:
    """Return whether a string contains only printable characters and newlines."""
    return all(line.isprintable() for line in text.split("\n"))


@NAMED
def test_unprintable_characters_are_escaped(kind: str) -> None:
    name = NAMES[kind]
    assert printable(name).isprintable()
    assert printable(name) == (name if name.isprintable() else printable(name))
    assert harmless(printable(name, lines=True))
    assert printable("a\tb\nc", lines=True) == "a\tb\nc"
    assert printable("a\tb\nc\u2028d\u00a0e\x1b") == "a b c d e\\x1b"


# HTML


class Page(html.parser.HTMLParser):
    """The elements of a page and their texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag
        self.elements.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open][-1] += data


def a_record() -> dict[str, Any]:
    state = edge_envs.load_game("tic_tac_toe").new_initial_state(seed=0)
    state.apply_action(0)
    return edge_envs.record_of(state)


@NAMED
def test_title_of_a_replay_page_is_escaped(kind: str) -> None:
    plain, page = Page(replay_page(a_record(), title="title")), Page(replay_page(a_record(), title=NAMES[kind]))
    assert page.texts["title"][0] == page.texts["h1"][0] == printable(NAMES[kind])
    assert page.texts["script"] == plain.texts["script"]
    assert page.elements == plain.elements
    data = json.loads(gzip.decompress(base64.b64decode(page.texts["script"][0])))
    assert data["frames"]


def test_template_is_filled_in_a_single_pass() -> None:
    page = replay_page(a_record(), title="{{ title }} {{ plain }}")
    assert page.count("{{ ") == 4  # from the title, which occurs twice
    assert Page(page).texts["h1"] == ["{{ title }} {{ plain }}"]


def a_row(opponent: str) -> dict[str, Any]:
    rates = {"win_rate": 0.5, "low": 0.4, "high": 0.6, "mean_return": 0.0, "return_half_width": 0.1}
    return {"step": 100, "opponent": opponent, "games": 10, "wins": 5, "draws": 0, "losses": 5, **rates}


def met_row(opponent: str) -> dict[str, Any]:
    return {"step": 100, "opponent": opponent, "games": 10, "score": 5.0, "chance": 0.5}


@NAMED
def test_names_on_a_run_page_are_escaped(kind: str, tmp_path: Path) -> None:
    name = NAMES[kind]
    write_run_page(tmp_path, name, [a_row(name)], [Replay(1, 0, name, 0)], [met_row(name)])
    page = Page((tmp_path / "index.html").read_text(encoding="utf-8"))
    assert page.texts["title"] == page.texts["h1"] == [printable(name)]
    assert page.texts["td"].count(printable(name)) == 2
    assert printable(name) in page.texts["a"][0]
    assert {tag for tag, _ in page.elements} <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "img", "ul", "li", "a"),
        *("table", "tr", "th", "td"),
    }
    assert all(not key.startswith("on") for _, attributes in page.elements for key in attributes)


@NAMED
def test_names_become_safe_file_names(kind: str) -> None:
    file = Replay(1, 0, NAMES[kind], 0).file
    assert re.fullmatch(r"step-[A-Za-z0-9_.-]{1,200}\.html", file)


# Markdown


def rendered(text: str) -> Page:
    """Render Markdown with tables and raw HTML, as GitHub does."""
    return Page(MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").render(text))


def a_tournament(*names: str) -> dict[str, Any]:
    agent = {
        "rating": 1000.0, "low": 900.0, "high": 1100.0, "bootstrap_low": 900.0, "bootstrap_high": 1100.0, "games": 10,
        "wins": 5, "draws": 0, "mean_return": 0.0, "forfeits": 1, "forfeit_reasons": {names[0]: 1},
        "ms_per_decision": 1.0,
    }  # fmt: skip
    pair = {"games": 10, "score": 0.5, "low": 0.4, "high": 0.6, "by_ratings": 0.5, "surprise": 0.1, "p": 0.9}
    return {
        "game": "over_the_edge", "params": {"map": {"name": names[0]}}, "games": 10, "deals": 5, "anchor": names[0],
        "agents": [{"agent": name, **agent} for name in names],
        "pairs": [{"agent": names[0], "other": names[1], **pair}],
        "seats": [{"seat": 0, "points": 1.0, "mean_return": 0.1}],
        "least_as_rated": {"agent": names[0], "other": names[1], **pair}, "cycles": [[*names[:2], "other"]],
    }  # fmt: skip


MARKDOWN = {"h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre"}


@NAMED
def test_names_in_tournament_markdown_are_escaped(kind: str) -> None:
    name = NAMES[kind]
    text = markdown(a_tournament(name, f"b{name}", "other"))
    page, plain = rendered(text), rendered(markdown(a_tournament("name", "bname", "other")))
    assert harmless(text)
    assert {tag for tag, _ in page.elements} <= MARKDOWN
    assert len(page.texts["td"]) == len(plain.texts["td"])
    shown = [shown.strip() for shown in page.texts["code"]]
    assert shown.count(printable(name).strip()) >= 5
    assert any(printable(repr(name)) in text for text in page.texts["code"] + page.texts["h2"])


@NAMED
def test_names_on_a_data_set_card_are_escaped(kind: str) -> None:
    name = NAMES[kind]
    document = {
        "game": "over_the_edge", "version": 0, "params": {"map": {"name": name}}, "package": "edge-envs 0",
        "command": f"python -m agents.collect --agents '{name}'", "license": "MIT", "citation": f"games by {name}",
        "hidden": "Nothing.", "first_seed": 0, "games": 1, "decisions": 1, "drawn": 0, "bytes": 1,
        "seats": [name, "random"],
        "agents": [{"agent": name, "digest": "", "seats": 1, "decisions": 1, "win_rate": 0.5, "mean_return": 0.0}],
        "arrays": {"a": {"dtype": "|u1", "shape": [1], "meaning": "numbers"}},
    }  # fmt: skip
    text = card_page(document)
    page = rendered(text)
    assert harmless(text)
    assert {tag for tag, _ in page.elements} <= MARKDOWN
    assert len(page.texts["td"]) == 6 + 4
    assert printable(name).strip() in [shown.strip() for shown in page.texts["code"]]
    assert "|u1" in page.texts["td"]


@NAMED
def test_code_literals_and_blocks_accept_any_name(kind: str) -> None:
    name = NAMES[kind]
    for text in (code(name), literal(name)):
        page = rendered(f"a {text} b")
        assert {tag for tag, _ in page.elements} <= {"p", "code"}
    assert rendered(code(name)).texts["code"][0].strip() == printable(name).strip()
    block = rendered("\n".join([*fenced(name), "after"]))
    assert block.texts["code"][0].rstrip("\n") == printable(name, lines=True).rstrip("\n")
    assert literal("num_players=2, size=5") == "num_players=2, size=5"


# Pictures


def texts_of(svg: Path) -> list[str]:
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    return ["".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("}text")]


@NAMED
def test_names_in_tournament_plots_are_escaped(kind: str, tmp_path: Path) -> None:
    name = NAMES[kind][:40]
    document = a_tournament(name, f"b{name}"[:40], "other")
    draw_ratings(document, "title", tmp_path)
    draw_matrix(document, "title", tmp_path)
    squeezed = " ".join(printable(name).split())
    for picture in ("ratings", "matrix"):
        assert any(squeezed in " ".join(text.split()) or "…" in text for text in texts_of(tmp_path / f"{picture}.svg"))


@NAMED
def test_names_in_learning_curves_are_escaped(kind: str, tmp_path: Path) -> None:
    """A missing glyph would cause a warning, a wrong formula an error."""
    name = NAMES[kind][:100]
    draw_curves([a_row(name), {**a_row(name), "step": 200}], "title", 0.5, tmp_path / "curves.png")
    draw_met([met_row(name)], "title", 0.5, tmp_path / "met.png")
    assert (tmp_path / "curves.png").stat().st_size > 1000


@NAMED
def test_map_name_in_its_picture_is_escaped(kind: str) -> None:
    """Maps with unprintable names are rejected."""
    name = NAMES[kind].strip()
    source = {**read_source("pond"), "name": name}
    if not name.isprintable():
        with pytest.raises(ValueError, match="cannot be printed"):
            edge_envs.load_game("over_the_edge", map=source)
        return
    state = edge_envs.load_game("over_the_edge", map=source).new_initial_state(seed=0)
    root = ElementTree.fromstring(state.svg())
    assert not [element for element in root.iter() if element.tag.rpartition("}")[2] in ("script", "img", "b")]
    assert any(name in "".join(element.itertext()) for element in root.iter() if element.tag.endswith("text"))
    assert harmless(position_message(state))
    assert Page(replay_page(edge_envs.record_of(state))).texts["h1"] == [state.game.type.title]


# Terminals


@NAMED
def test_names_in_evaluation_tables_are_escaped(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = NAMES[kind]
    row = {**a_row(name), "decisions": 5, "games_per_second": 1.0, "opponent_forfeits": 1, "opponent_why": "why",
           "seats": [{"seat": seat, **a_row(name)} for seat in range(2)]}  # fmt: skip
    document = {"game": "falling_off", "params": {}, "agent": name, "illegal": 0, "random_opening": 0, "against": [row]}
    table, more = evaluation_table(document), notes(document)
    assert harmless(table)
    assert harmless(more)
    assert f"against {printable(name)}" in table
    assert f"{printable(name)} forfeited 1 games" in more


@NAMED
def test_names_in_error_lines_are_escaped(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fail(f"{NAMES[kind]}: wrong")
    assert capsys.readouterr().err == f"error: {printable(NAMES[kind])}: wrong\n"
    name = NAMES[kind]
    if not name.startswith("-"):
        assert command(["rules", f"x{name}"]) == 2
        stderr = capsys.readouterr().err
        assert harmless(stderr)
        assert stderr.count("\n") == 1


@NAMED
def test_names_in_progress_bars_are_escaped(kind: str) -> None:
    class OneTask:
        description = NAMES[kind]

    task: Any = OneTask()
    text = Description().render(task)
    assert text.plain == printable(NAMES[kind])
    assert not text.spans
    console = Console(width=1000, force_terminal=True, color_system=None)
    with console.capture() as shown:
        console.print(text)
    assert harmless(shown.get())


@NAMED
def test_text_in_the_game_terminal_is_escaped(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    for show in (terminal.say, terminal.draw, terminal.page):
        show(f"{NAMES[kind]} moves")
        shown = capsys.readouterr().out
        assert harmless(shown)
        assert "moves" in shown


@NAMED
def test_reasons_of_external_errors_are_one_harmless_line(kind: str) -> None:
    reason = reason_of(RuntimeError(NAMES[kind]))
    assert reason.isprintable()
    assert reason.startswith("RuntimeError: ")
