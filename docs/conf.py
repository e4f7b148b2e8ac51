"""Configure Sphinx for the documentation site, which `make docs` builds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import edge_envs  # noqa: E402  the line above makes it importable
from scripts.release_checks.building import PLACEHOLDER, repository_address  # noqa: E402  the same

project = "edge_envs"
author = copyright = "edge_envs contributors"
version = release = edge_envs.__version__

extensions = [
    "myst_nb",  # includes myst_parser
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "made_pages",
]
# README.md is the index for readers of the repository.
exclude_patterns = ["_build", "_page", "jupyter_execute", "README.md"]
myst_enable_extensions = ["attrs_inline", "colon_fence", "fieldlist"]
nb_execution_mode = "off"  # `scripts/notebooks.py` stores the outputs
nb_merge_streams = True
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # docstrings start with a heading below that of their class

# Links into the documentation of other libraries need their inventories from the network, so they are optional.
intersphinx_mapping: dict[str, tuple[str, None]] = {}
if os.environ.get("INTERSPHINX"):
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3/", None),
        "numpy": ("https://numpy.org/doc/stable/", None),
        "gymnasium": ("https://gymnasium.farama.org/", None),
        "pettingzoo": ("https://pettingzoo.farama.org/", None),
        "sb3": ("https://stable-baselines3.readthedocs.io/en/master/", None),
    }

html_theme = "furo"
repository = repository_address(Path(__file__).parents[1])
if not repository.startswith(PLACEHOLDER):  # else there is nothing to link to
    html_theme_options = {"source_repository": repository, "source_branch": "main", "source_directory": "docs/"}
    owner, name = repository.split("/")[-2:]
    html_baseurl = f"https://{owner}.github.io/{name}/"
html_favicon = html_logo = "../edge_envs/web/static/icon.svg"
html_title = f"edge_envs {version}"
html_static_path = ["_static", "_made/replays"]
html_css_files = ["site.css"]
html_extra_path = ["_page"] if (Path(__file__).parent / "_page").is_dir() else []  # `make static-page` writes it
html_copy_source = False
