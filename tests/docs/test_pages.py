"""Test that every page has one title, a first paragraph and a next step, outputs that fit, and links with names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs import ROOT

DOCS = ROOT / "docs"
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not {"_build", "_made"} & set(page.relative_to(DOCS).parts) and page != DOCS / "README.md"
]
PURPOSE = 60
"""The least number of characters of a first paragraph."""
WIDEST = 120
"""The longest line of an output that fits at 1280 px; `tests/docs/test_site.py` looks at all pages in a browser."""

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())


def prose(page: Path) -> str:
    """Return the text of a page without its fenced blocks."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^ *(```+|:::+).*?^ *\1$", "", text, flags=re.MULTILINE | re.DOTALL)


@each_page
def test_page_has_one_title_and_begins_with_its_purpose(page: Path) -> None:
    title, first, *_ = prose(page).split("\n\n")
    assert re.fullmatch(r"# .+", title)
    assert len(re.findall(r"^# ", prose(page), re.MULTILINE)) == 1
    assert not re.match(r"[#|!<*-]|\d\. ", first.lstrip("\n")), "the first paragraph must be text"
    assert len(first) >= PURPOSE


@each_page
def test_page_ends_with_a_next_step(page: Path) -> None:
    headings = re.findall(r"^## (.*)$", prose(page), re.MULTILINE)
    assert headings, "the page needs sections"
    assert headings[-1] in ("Next step", "Next steps")
    assert "](" in prose(page).rpartition("## Next step")[2]


@each_page
def test_no_line_of_an_output_is_cut_off(page: Path) -> None:
    blocks = re.findall(r"^ *```text\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [line for block in blocks for line in block.splitlines() if len(line) > WIDEST] == []


@pytest.mark.parametrize(
    "page", [*PAGES, DOCS / "README.md", ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem
)
def test_no_link_is_named_after_a_file(page: Path) -> None:
    assert re.findall(r"\[[^\]]*\.md`?\]\(", page.read_text(encoding="utf-8")) == []


def test_folders_that_builds_write_are_no_pages() -> None:
    written = set(re.findall(r"^docs/(\w+)/$", (ROOT / ".gitignore").read_text(encoding="utf-8"), re.MULTILINE))
    conf = (DOCS / "conf.py").read_text(encoding="utf-8")
    excluded = re.findall(r'"(.*?)"', conf.partition("exclude_patterns = [")[2].partition("]")[0])
    assert written - {"_made"} <= set(excluded)
