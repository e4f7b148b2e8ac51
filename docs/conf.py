"""Configure Sphinx for the documentation site, which `make docs` builds."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import edge_envs  # noqa: E402  the line above makes it importable
from scripts.release_checks.building import PLACEHOLDER, repository_address  # noqa: E402  the same

project = "edge_envs"
author = copyright = "edge_envs contributors"
version = release = edge_envs.__version__

extensions = ["myst_parser", "sphinx_copybutton", "made_pages"]
exclude_patterns = ["_build", "_page", "README.md"]  # README.md is the index for readers of the repository
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # docstrings start with a heading below that of their class

html_theme = "furo"
repository = repository_address(Path(__file__).parents[1])
if not repository.startswith(PLACEHOLDER):  # else there is nothing to link to
    html_theme_options = {"source_repository": repository, "source_branch": "main", "source_directory": "docs/"}
html_title = f"edge_envs {version}"
html_static_path: list[str] = []
html_extra_path = ["_page"] if (Path(__file__).parent / "_page").is_dir() else []  # `make static-page` writes it
html_copy_source = False
