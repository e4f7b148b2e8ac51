"""Test that the notebooks of the documentation run, and that their stored outputs belong to their cells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.notebooks import ROOT, VARIES, code_cells, digest, executed, notebooks, printed, read, source, with_address
from scripts.release_checks.building import repository_address

OTHERS = ("own_agent", "rules_alone")
ADDRESS = repository_address(ROOT)

each_notebook = pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)


def path_of(name: str) -> Path:
    return ROOT / "docs/notebooks" / f"{name}.ipynb"


def check_outputs(name: str) -> None:
    """Run a notebook and compare what its cells print with the stored outputs."""
    stored = read(path_of(name))
    for before, after in zip(code_cells(stored), code_cells(executed(stored)), strict=True):
        kinds = [[output["output_type"] for output in cell["outputs"]] for cell in (before, after)]
        assert kinds[0] == kinds[1], source(before)
        if VARIES not in before["metadata"].get("tags", []):
            assert printed(before) == printed(after), source(before)


def test_first_hour_runs_and_prints_its_stored_outputs() -> None:
    check_outputs("first_hour")


@pytest.mark.parametrize("name", OTHERS)
def test_notebook_runs_and_prints_its_stored_outputs(name: str) -> None:
    check_outputs(name)


def test_every_notebook_is_run() -> None:
    assert [path.stem for path in notebooks()] == sorted(["first_hour", *OTHERS])


@each_notebook
def test_stored_outputs_belong_to_the_cells(path: Path) -> None:
    notebook = read(path)
    assert notebook["metadata"]["edge_envs"]["outputs_of"] == digest(notebook), (
        f"run: python scripts/notebooks.py {path.stem}"
    )
    counts = [cell["execution_count"] for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


def test_digest_depends_on_every_code_cell() -> None:
    notebook = read(path_of("first_hour"))
    before = digest(notebook)
    code_cells(notebook)[-1]["source"].append("\n1")
    assert digest(notebook) != before


@each_notebook
def test_notebook_opens_and_installs_in_colab_from_the_address_of_the_repository(path: Path) -> None:
    notebook = read(path)
    assert with_address(notebook, ADDRESS) == notebook, f"run: python scripts/notebooks.py {path.stem}"
    owner = ADDRESS.removeprefix("https://github.com/")
    badge = f"https://colab.research.google.com/github/{owner}/blob/main/docs/notebooks/{path.name}"
    assert f"]({badge})" in source(notebook["cells"][0])
    first = source(code_cells(notebook)[0])
    assert 'if "google.colab" in sys.modules:' in first
    assert f"{ADDRESS}\n" in f"{first}\n"


def test_address_of_the_repository_is_replaced_everywhere() -> None:
    for path in notebooks():
        moved = str(with_address(read(path), "https://github.com/example/fork"))
        assert ADDRESS.removeprefix("https://github.com/") not in moved
        assert moved.count("example/fork") == 2


@each_notebook
def test_notebook_has_one_title_a_purpose_and_a_next_step(path: Path) -> None:
    text = "\n\n".join(source(cell) for cell in read(path)["cells"] if cell["cell_type"] == "markdown")
    title, badge, purpose, *_ = text.split("\n\n")
    assert re.fullmatch("# .+", title)
    assert badge.startswith("[![Open in Colab]")
    assert len(purpose) > 60
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    assert "## Next step\n" in text
    for target in re.findall(r"\]\((?!https:)([^)#]+)", text):
        assert (path.parent / target).exists(), target


def test_every_exercise_has_a_solution() -> None:
    notebook = read(path_of("first_hour"))
    text = "".join(source(cell) for cell in notebook["cells"])
    exercises = re.findall(r"\*\*Exercise (\d)\.", text)
    assert exercises == re.findall(r"\*\*Solution (\d)\.", text) == [str(n) for n in range(1, 7)]
    tags = [cell["metadata"].get("tags", []) for cell in code_cells(notebook)]
    assert tags.count(["exercise"]) == tags.count(["hide-cell"]) == len(exercises)
