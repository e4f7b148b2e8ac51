"""Test the documentation site: it builds without warnings, covers everything, has a search, and fits all windows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import edge_envs
from scripts.release_checks.building import repository_address
from tests.contract.cases import is_draft
from tests.docs.test_docs import GAMES
from tests.programs import ROOT
from tests.web.browser import REQUIRES_BROWSER, chromium

ADDRESS = repository_address(ROOT).removeprefix("https://github.com/")
STALE = ROOT / "docs/_made/reference/edge_envs.of_an_earlier_version.md"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site and return its folder."""
    folder = tmp_path_factory.mktemp("site")
    STALE.parent.mkdir(parents=True, exist_ok=True)
    STALE.write_text("# A module that no longer exists\n", encoding="utf-8")
    made, trees = str(folder / "html"), str(folder / "trees")
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", trees]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), made],
        check=False, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Path(made)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_pages_of_earlier_versions_are_removed(site: Path) -> None:
    assert not STALE.exists()
    assert not (site / "_made/reference" / f"{STALE.stem}.html").exists()


def test_every_game_has_a_page_with_its_picture(site: Path) -> None:
    for game_type in GAMES:
        page = text_of(site / "_made/games" / f"{game_type.name}.html")
        assert f"{game_type.name}-light.svg" in page or is_draft(game_type)
        for heading in ("Description", "Parameters", "Observation", "Actions and chance outcomes", "Version history"):
            assert f">{heading}<" in page


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    reference = "".join(text_of(page) for page in (site / "_made/reference").glob("*.html"))
    for name in edge_envs.__all__:
        assert re.search(rf'id="edge_envs[\w.]*\.{name}"', reference), name


def test_arguments_are_fields_with_their_defaults(site: Path) -> None:
    page = re.sub(r"<[^>]*>", "", text_of(site / "_made/reference/edge_envs.envs.seat.html"))
    for text in ("Parameters:", "Returns:", "Raises:", "Default: None", "Default: False"):
        assert text in page, text
    for module in (site / "_made/reference").glob("*.html"):
        assert "<strong>Arguments</strong>" not in text_of(module)


def test_notebooks_are_shown_with_their_outputs_and_open_in_colab(site: Path) -> None:
    for name, printed in (("first_hour", "21 outcomes"), ("own_agent", "mean return"), ("rules_alone", "finished")):
        page = text_of(site / "notebooks" / f"{name}.html")
        assert printed in page
        assert f"https://colab.research.google.com/github/{ADDRESS}/blob/main/docs/notebooks/{name}.ipynb" in page
    assert text_of(site / "notebooks/first_hour.html").count("tag_hide-cell") == 6


def test_the_index_contains_the_whole_reference(site: Path) -> None:
    index = text_of(site / "genindex.html")
    entries = set(re.findall(r'href="(_made/reference/[^"]+)"', index))
    for page in (site / "_made/reference").glob("*.html"):
        for name in re.findall(r'<dt class="sig [^"]*" id="([^"]+)"', text_of(page)):
            assert f"_made/reference/{page.name}#{name}" in entries, name


def test_every_page_is_reachable_from_the_home_page(site: Path) -> None:
    pages = {page.relative_to(site).as_posix() for page in site.rglob("*.html")} - {"genindex.html", "search.html"}
    seen, waiting = set(), ["index.html"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        for target in re.findall(r'href="([^"#:?]+\.html)', text_of(site / page)):
            waiting.append((site / page).parent.joinpath(target).resolve().relative_to(site.resolve()).as_posix())
    assert pages - {"py-modindex.html"} <= seen


def test_links_point_to_existing_anchors(site: Path) -> None:
    for page in site.rglob("*.html"):
        for target, anchor in re.findall(r'href="([^"#:?]*)#([^"]+)"', text_of(page)):
            other = (page.parent / target).resolve() if target else page
            assert re.search(rf'(id|name)="{re.escape(anchor)}"', text_of(other)), f"{page.name}: {target}#{anchor}"


def test_the_search_finds_words_of_the_games_without_a_server(site: Path) -> None:
    index = text_of(site / "searchindex.js")
    for word in ("peninsula", "archipelago", "mutini"):  # stemmed words
        assert f'"{word}"' in index or f"{word}:" in index, word
    assert "https://" not in re.sub(r'<a [^>]*href="https://[^"]*"', "", text_of(site / "search.html"))


CUT_OFF = """
([width, scrolling]) => {
  const found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page");
  for (const element of document.querySelectorAll("article pre, article table, article img")) {
    const frame = element.closest(".table-wrapper, pre") ?? element;
    const inside = element.matches("pre") ? element.scrollWidth > element.clientWidth + 1
      : element.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1;
    const scrolls = scrolling && ["auto", "scroll"].includes(getComputedStyle(frame).overflowX);
    if (inside && !scrolls) found.push(element.textContent.trim().slice(0, 60));
  }
  return found;
}
"""
"""Return what is wider than its place: on a wide window everything counts, on a phone only what does not scroll."""
WIDE, PHONE = (1280, 900), (390, 800)
MOST_PAGES_IN_SIDEBAR = 32


@REQUIRES_BROWSER
def test_nothing_is_cut_off_on_the_home_page_and_pages_with_wide_tables(site: Path) -> None:
    check_widths(site, [site / f"{name}.html" for name in ("index", "leaderboard", "_made/games/ghost_ship")])


@REQUIRES_BROWSER
def test_nothing_is_cut_off_on_any_page(site: Path) -> None:
    shown = [page for page in site.rglob("*.html") if not {"_static", "_modules", "reference"} & set(page.parts)]
    check_widths(site, shown)


def check_widths(site: Path, shown: list[Path]) -> None:
    """Check that everything on some pages fits on a wide window, and that it fits or scrolls on a phone."""
    with chromium() as browser:
        page = browser.new_page()
        page.route("**/*.{webp,gif,png,svg,js}", lambda route: route.abort())  # sizes of text do not depend on them
        for file in shown:
            page.goto(file.as_uri(), wait_until="domcontentloaded")
            for (width, height), scrolling in ((WIDE, False), (PHONE, True)):
                page.set_viewport_size({"width": width, "height": height})
                cut = page.evaluate(CUT_OFF, [width, scrolling])
                assert cut == [], f"{file.relative_to(site)} at {width} px"


def test_the_sidebar_is_short(site: Path) -> None:
    entries = re.findall(r'<li class="toctree-l1[ "]', text_of(site / "index.html"))
    assert 15 < len(entries) <= MOST_PAGES_IN_SIDEBAR


def test_every_game_page_has_a_replay_that_needs_no_server(site: Path) -> None:
    for game_type in GAMES:
        page = text_of(site / "_made/games" / f"{game_type.name}.html")
        assert f'src="../../_static/replays/{game_type.name}.html"' in page
        assert (site / "_static/replays" / f"{game_type.name}.html").exists()
