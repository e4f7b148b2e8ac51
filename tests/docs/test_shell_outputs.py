"""Test that the shell blocks of the documentation print what the pages show below them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.test_readme import PAGES, ROOT

SHOWN = re.compile(
    r"^```sh\n(?P<code>(?:(?!```)[^\n]*\n)+)```\n\n"
    r"(?:(?P<omitted><!-- not compared: [^\n]+ -->)\n\n)?"
    r"(?:It prints(?:[^\n]+\n)+\n)?"
    r"^```text\n(?P<output>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
"""A shell block with its output, below it or after a paragraph that begins with "It prints"."""
SAVED = re.compile(
    r"^Save [^\n]*?`(?P<name>[\w.]+)`(?:[^\n]+\n)+\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
"""A block that the reader saves as a file."""
REPEATED = ROOT / "README.md", ROOT / "docs" / "tutorials" / "from_rules_to_agent.md"
"""A page and the one whose shell blocks and outputs it repeats."""
PAGES_WITH_OUTPUT = [
    page for page in PAGES if page.suffix == ".md" and "lab_notebook" not in page.parts and page != REPEATED[0]
]


@dataclass(frozen=True)
class ShellBlock:
    """A shell block of a page, and the lines of its output that the page shows below it, from an offset of its text."""

    code: str
    output: str
    start: int


def shell_blocks(text: str) -> Iterator[ShellBlock]:
    """Yield the blocks of a page whose output is compared."""
    for match in SHOWN.finditer(text):
        if not match["omitted"]:
            yield ShellBlock(match["code"], match["output"], match.start("output"))


def printed_by(code: str, folder: Path) -> str:
    """Run a shell block in a folder and return what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "160", "PYTHONUNBUFFERED": "1"}
    shell = ["bash", "-euo", "pipefail", "-c", code]
    done = subprocess.run(
        shell,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def without_times(text: str) -> list[str]:
    """Return the lines without what differs between machines: times, and columns of speeds and times."""
    lines, cut, column = [], None, None
    for line in text.splitlines():
        if not line.strip():
            cut = column = None
            continue
        if "games/s" in line:
            cut = line.index("games/s"), line.index("games/s") + len("games/s")
        cells = line.split("|")
        if any(cell.strip() == "ms/decision" for cell in cells):
            column = [cell.strip() for cell in cells].index("ms/decision")
        if cut:
            line = line[: cut[0] - 1].rstrip() + line[cut[1] :].rstrip()
        if column is not None and column < len(cells):
            line = "|".join(cells[:column] + cells[column + 1 :])
        lines.append(re.sub(r"\b[\d.,]+ (s|ms|minutes?)\b", r"# \1", line.rstrip()))
    return lines


def missing(shown: list[str], printed: list[str]) -> list[str]:
    """Return the shown lines that are not printed in this order; rows of tables may show the first columns only."""
    rest = iter(printed)
    return [
        line for line in shown if not any(one == line or (line[:1] == "|" and one.startswith(line)) for one in rest)
    ]


def folder_of_reader(text: str, folder: Path) -> Path:
    """Make the folder in which the reader of a page is: a clone, with the files that the page tells them to save."""
    for name in ("agents", "configs", "edge_envs", "policies", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    for match in SAVED.finditer(text):
        (folder / match["name"]).write_text(match["text"], encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES_WITH_OUTPUT if any(shell_blocks(page.read_text(encoding="utf-8")))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_shell_blocks_print_what_their_page_shows(page: Path, tmp_path: Path) -> None:
    """A page shows lines of the output in their order. WRITE_OUTPUTS=1 writes all lines where none are shown."""
    text = written = page.read_text(encoding="utf-8")
    folder = folder_of_reader(text, tmp_path)
    for block in shell_blocks(text):
        printed = printed_by(block.code, folder)
        if os.environ.get("WRITE_OUTPUTS") and not block.output:
            at = block.start + len(written) - len(text)
            written = written[:at] + printed + written[at:]
            page.write_text(written, encoding="utf-8")
        else:
            assert block.output
            assert missing(without_times(block.output), without_times(printed)) == []


def test_the_readme_repeats_a_tutorial() -> None:
    short, whole = (page.read_text(encoding="utf-8") for page in REPEATED)
    (block,) = SHOWN.finditer(short)
    blocks = list(SHOWN.finditer(whole))
    assert block["code"].endswith(blocks[-1]["code"])
    assert blocks[1]["code"] in block["code"]
    assert block["output"] == blocks[-1]["output"]


def test_outputs_are_compared_without_times() -> None:
    text = "```sh\npython a.py\n```\n\n```text\n{}\n```\n"
    (block,) = shell_blocks(text.format("x"))
    assert block == ShellBlock("python a.py\n", "x\n", text.index("{}"))
    (block,) = shell_blocks(text.format("x").replace("```text", "It prints this:\n\n```text"))
    assert block.output == "x\n"
    assert not list(shell_blocks(text.format("x").replace("```text", "<!-- not compared: random -->\n\n```text")))
    assert not list(shell_blocks("```sh\na\n```\n\nA sentence.\n\n```text\nb\n```\n"))
    table = "            games  return games/s      estimate\n  all seats 2,000 +1.0000   {} 0.4363±0.0035\nin {} s\n"
    assert without_times(table.format("1,642", "1.5")) == without_times(table.format("  362", "20"))
    assert without_times(table.format("1,642", "1.5")) != without_times(table.replace("2,000", "2,001").format(1, 2))
    assert missing(["a", "c"], ["a", "b", "c"]) == []
    assert missing(["b", "a"], ["a", "b"]) == ["a"]
    assert missing(["| a | b |", "a"], ["| a | b | c |", "ab"]) == ["a"]
    rows = "| board | ms/decision | return |\n|---|---|---|\n| pond | {} | {} |\n"
    assert without_times(rows.format(0.1, 1)) == without_times(rows.format(0.2, 1))
    assert without_times(rows.format(0.1, 1)) != without_times(rows.format(0.1, 2))
