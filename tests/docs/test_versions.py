"""Test that all files state the same version of the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

import edge_envs
from scripts.release_checks.building import PLACEHOLDER, repository_address

ROOT = Path(__file__).resolve().parents[2]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert citation["version"] == edge_envs.__version__
    assert f"version = {{{edge_envs.__version__}}}" in text_of("README.md")
    assert f"badge/version-{edge_envs.__version__}-" in text_of("README.md")
    assert f"title   = {{{citation['title']}}}" in text_of("README.md")


def test_the_citation_file_has_the_required_keys() -> None:
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= citation.keys()
    assert citation["license"] == tomllib.loads(text_of("pyproject.toml"))["project"]["license"]


def test_the_changelog_starts_with_this_version() -> None:
    headings = re.findall(r"^## \[([^\]]*)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == edge_envs.__version__


def test_the_lowest_python_is_the_first_of_the_classifiers() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    versions = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert versions == sorted(versions, key=lambda version: int(version.partition(".")[2]))
    assert project["requires-python"] == f">={versions[0]}"


def test_links_in_security_point_to_existing_files() -> None:
    for target in re.findall(r"\]\(([^)#]+)", text_of("SECURITY.md")):
        assert (ROOT / target).exists(), target


def test_the_address_of_the_repository_is_set_in_one_place() -> None:
    address = repository_address(ROOT)
    assert address.startswith("https://github.com/")
    assert address.endswith("/edge_envs")
    expected = None if address.startswith(PLACEHOLDER) else address
    assert yaml.safe_load(text_of("CITATION.cff")).get("repository-code") == expected


def test_documents_name_no_other_repository() -> None:
    places = ["*.md", "*.toml", "*.cff", ".github/**/*.*", "docs/**/*.md", "docs/*.py"]
    files = [path for place in places for path in ROOT.glob(place) if path.name != "pyproject.toml"]
    assert len(files) > 30
    for path in files:
        if "_build" not in path.parts:
            found = set(re.findall(r"https://github\.com/[\w-]+/edge.envs\b", path.read_text(encoding="utf-8")))
            assert found <= {repository_address(ROOT)}, path
