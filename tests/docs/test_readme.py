"""Test that the Python blocks of the documentation run, and that programs accept its commands."""

from __future__ import annotations

import os
import re
import runpy
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

import agents.common.console

ROOT = Path(__file__).resolve().parents[2]
# The pages of examples have their own tests.
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(
        page
        for page in (ROOT / "docs").rglob("*.md")
        if not {"_build", "_made", "examples"} & set(page.relative_to(ROOT / "docs").parts)
    ),
    *sorted((ROOT / "edge_envs" / "games").glob("*/__init__.py")),
]
WRITTEN_BY_TRAINING = "runs/"


def blocks(language: str) -> list[Any]:
    """Return page, line and text of every fenced block in a language."""
    fence = re.compile(rf"^ *```{language}\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
    return [
        pytest.param(page, text.count("\n", 0, match.start(1)), match[1], id=f"{page.relative_to(ROOT)}-{number}")
        for page in PAGES
        for text in [page.read_text(encoding="utf-8")]
        for number, match in enumerate(fence.finditer(text), start=1)
    ]


def lines_of(block: str) -> list[str]:
    """Return the lines of a shell block; a backslash at the end of one continues it, in a docstring two of them."""
    return re.sub(r"\\+\n", " ", block).splitlines()


def commands() -> list[str]:
    """Return every line of the shell blocks, without comments."""
    lines = [shlex.split(line, comments=True) for block in blocks("sh") for line in lines_of(block.values[2])]
    return list(dict.fromkeys(shlex.join(words) for words in lines if words))


def programs() -> list[str]:
    """Return the commands that run one of our programs."""
    return [line for line in commands() if line.startswith(("python -m agents.", "python scripts/"))]


BELOW = r"^```python\n{block}```\n\n(?:(It prints(?:[^\n]+\n)+)\n)?```text\n(.*?)^```$"
"""A Python block, an optional sentence that introduces its output, and the output."""
OMITTED = "<!-- no output: "
"""Start of the comment below a block whose output is not shown; it gives the reason."""


def output_after(page: Path, block: str) -> tuple[str, list[str]]:
    """Return the sentence before the output below a Python block, and the lines of the output."""
    below = BELOW.format(block=re.escape(block))
    shown = re.search(below, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return (shown[1] or "", [line for line in shown[2].splitlines() if line.strip()]) if shown else ("", [])


def write_output(page: Path, block: str, printed: str) -> None:
    """Write the output of a Python block below it, unless the page shows a part of it or says why it does not."""
    text, code = page.read_text(encoding="utf-8"), f"```python\n{block}```\n"
    introduction, shown = output_after(page, block)
    if introduction or not printed.strip() or page.suffix != ".md" or f"{code}\n{OMITTED}" in text:
        return
    if shown:
        below = BELOW.format(block=re.escape(block))
        text = re.sub(below, lambda _: f"{code}\n```text\n{printed}```", text, count=1, flags=re.MULTILINE | re.DOTALL)
    else:
        text = text.replace(code, f"{code}\n```text\n{printed}```\n", 1)
    page.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("page", "line", "text"), blocks("python"))
def test_python_block_runs_and_its_page_shows_its_output(
    page: Path,
    line: int,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """WRITE_OUTPUTS=1 writes the output below the block first. After the words "It prints", a part of it is enough."""
    for folder in ("configs", "edge_envs", "policies"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)  # where a block writes
    exec(compile("\n" * line + text, page, "exec"), {"__name__": "block"})
    printed = "".join(f"{row.rstrip()}\n" for row in capsys.readouterr().out.splitlines())
    if os.environ.get("WRITE_OUTPUTS"):
        write_output(page, text, printed)
    introduction, shown = output_after(page, text)
    lines = [row for row in printed.splitlines() if row.strip()]
    assert [row for row in shown if row not in lines] == []
    if page.suffix == ".md" and not introduction and f"{text}```\n\n{OMITTED}" not in page.read_text(encoding="utf-8"):
        assert shown == lines


def test_readme_and_first_pages_show_output() -> None:
    with_output = [block.id for block in blocks("python") if output_after(block.values[0], block.values[2])[1]]
    first = ("index", "quick_start", "tutorials/from_rules_to_agent", "text")
    assert {name.rpartition("-")[0] for name in with_output} >= {"README.md", *(f"docs/{one}.md" for one in first)}


def test_the_quick_start_shows_every_api_and_the_readme_names_it() -> None:
    shown = "".join(block.values[2] for block in blocks("python") if block.values[0].name == "quick_start.md")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for api in ("new_initial_state", "aec_env", "vector_env", "seat_env", "seat_vector_env", "sb3_vec_env"):
        assert f"{api}(" in shown
        assert api in readme


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 105


def main_of(file: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return the main function of a program."""
    found: list[Callable[..., Any]] = []

    def record(main: Callable[..., Any], **_: Any) -> None:
        found.append(main)

    monkeypatch.setattr(agents.common.console, "run", record)
    runpy.run_path(str(file), run_name="__main__")
    return found[0]


def command_of(main: Callable[..., Any]) -> Any:
    """Return the command line of a main function, as typer parses it."""
    return typer.main.get_command(agents.common.console.make_app(main))


def file_of(module: str) -> str:
    """Return the file that `python -m` runs: a module or the main module of a package."""
    path = module.replace(".", "/")
    return f"{path}.py" if (ROOT / f"{path}.py").exists() else f"{path}/__main__.py"


@pytest.mark.parametrize("line", programs())
def test_program_accepts_its_command(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, *words = shlex.split(line)
    file = file_of(words.pop(1)) if words[0] == "-m" else words[0]
    main = main_of(ROOT / file, monkeypatch)
    command_of(main).make_context(file, words[1:])
    for word in words[1:]:
        path = re.sub(r"^((chat|sb3|search:\d+|turns:[\dx]+):|[\w. -]+=)", "", word)
        assert "/" not in path or path.startswith(WRITTEN_BY_TRAINING) or (ROOT / path).exists(), word


@pytest.mark.parametrize(("program", "name"), [("agents.train", "training.md"), ("agents.evaluate", "evaluation.md")])
def test_every_option_is_explained(program: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    table = re.search(
        rf"^python -m {program} (?:(?!^python -m ).)*?\n\| option \| meaning \|\n((?:\|[^\n]*\n)+)",
        page,
        re.MULTILINE | re.DOTALL,
    )
    assert table is not None
    main = main_of(ROOT / f"{program.replace('.', '/')}.py", monkeypatch)
    options = {option for parameter in command_of(main).params for option in parameter.opts}
    assert set(re.findall(r"^\| `(--\w+)", table[1], re.MULTILINE)) == options - {"--help"}


def test_make_targets_exist() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    mentioned = {word for line in commands() for word in re.findall(r"\bmake ([a-z-]+)$", line)}
    assert {"demo", "test"} <= mentioned <= set(targets)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_point_to_existing_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target
