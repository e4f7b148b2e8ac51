"""Run the notebooks of the documentation and store their outputs.

    python scripts/notebooks.py [NAME ...]

Each notebook runs in an empty folder, in the environment of this program. The site shows the stored outputs without
running anything. A digest of the code cells shows whether the outputs belong to them. The address of the repository, in
the links to Colab and in the cells that install the package there, is copied from `pyproject.toml`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from agents.common.console import fail_politely, run
from agents.common.files import write_whole
from scripts.release_checks.building import repository_address

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "notebooks"
VARIES = "varies"
"""The tag of a cell whose output contains times, or numbers that depend on the machine."""
SECONDS = 600
"""The limit of a cell."""

_ADDRESS = re.compile(
    r"(https://(?:colab\.research\.google\.com/github|github\.com))/[\w.-]+/[\w.-]+(?=/blob/main/|\s|$)"
)


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="notebooks to run; default: all")] = None,
) -> None:
    """Run the notebooks of the documentation and store their outputs.

    Example: python scripts/notebooks.py first_hour
    """
    with fail_politely():
        known = {path.stem: path for path in notebooks()}
        if unknown := set(names or ()) - known.keys():
            raise ValueError(f"unknown notebook {', '.join(sorted(unknown))} (choose from {', '.join(known)})")
        for name in names or known:
            before = os.times()
            notebook = executed(with_address(read(known[name]), repository_address(ROOT)))
            write_whole(known[name], json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
            after = os.times()
            print(f"{name}: {after.elapsed - before.elapsed:.0f} s", flush=True)


def notebooks() -> list[Path]:
    """Return the files of all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """Return a notebook as JSON."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def source(cell: dict[str, Any]) -> str:
    """Return the text of a cell."""
    return "".join(cell["source"])


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the code cells of a notebook."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def digest(notebook: dict[str, Any]) -> str:
    """Return a digest of the code cells."""
    texts = json.dumps([source(cell) for cell in code_cells(notebook)])
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def with_address(notebook: dict[str, Any], address: str) -> dict[str, Any]:
    """Return a notebook whose links and installation cells have the address of a repository."""
    path = address.removeprefix("https://github.com")
    cells = [
        {**cell, "source": [_ADDRESS.sub(rf"\1{path}", line) for line in cell["source"]]} for cell in notebook["cells"]
    ]
    return {**notebook, "cells": cells}


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Run the cells of a notebook in an empty folder and return the notebook with their outputs.

    Raises:
        nbclient.exceptions.CellExecutionError: if a cell raises an error.
    """
    import nbformat
    from nbclient import NotebookClient

    made: Any = nbformat
    opened = made.reads(json.dumps(notebook), as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "IPYTHONDIR": folder,
            "PYTHONWARNINGS": "ignore",
        }
        environment.pop("MPLBACKEND", None)
        work = Path(folder) / "work"
        work.mkdir()
        client: Any = NotebookClient(opened, timeout=SECONDS, resources={"metadata": {"path": str(work)}})
        client.execute(env=environment)
    outcome: dict[str, Any] = json.loads(made.writes(opened))
    for cell in code_cells(outcome):
        cell["metadata"].pop("execution", None)
        cell["outputs"] = joined([output for output in cell["outputs"] if output.get("name") != "stderr"])
    outcome["metadata"] = {**notebook["metadata"], "edge_envs": {"outputs_of": digest(outcome)}}
    return outcome


def joined(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return outputs with all printed text in one; kernels divide it at random."""
    text = [line for output in outputs if output["output_type"] == "stream" for line in output["text"]]
    others = [output for output in outputs if output["output_type"] != "stream"]
    lines = "".join(text).splitlines(keepends=True)
    return [{"name": "stdout", "output_type": "stream", "text": lines}, *others] if lines else others


def printed(cell: dict[str, Any]) -> str:
    """Return what a cell printed, without pictures."""
    return "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")


if __name__ == "__main__":
    run(main)
