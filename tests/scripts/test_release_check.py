"""Test `scripts/release_check.py` without its slow steps: results, output, and the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import edge_envs
from scripts import release_check
from scripts.release_checks import bounds, building, pythons, smoke
from scripts.release_checks.building import (
    MOST_BYTES,
    check_address,
    check_contents,
    check_description,
    check_size,
)
from scripts.release_checks.pythons import Environment, StepError, find_python, run
from tests.docs.test_install import project
from tests.programs import ROOT, Here

OWN = f"{sys.version_info.major}.{sys.version_info.minor}"


def test_only_installed_pythons_are_found() -> None:
    found = find_python(OWN)
    assert found is not None
    assert run([found, "--version"], ROOT).startswith(f"Python {OWN}.")
    assert find_python("3.99") is None


def test_a_python_that_does_not_run_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = tmp_path / "python3.99"
    shim.write_text("#!/bin/sh\necho '(3, 98)'\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_python("3.99") is None
    shim.write_text("#!/bin/sh\necho '(3, 99)'\n", encoding="utf-8")
    assert find_python("3.99") == shim


def test_a_failing_step_shows_its_command_and_output(tmp_path: Path) -> None:
    with pytest.raises(StepError, match=r"raise SystemExit[^\n]*\nthis is why"):
        run([sys.executable, "-c", "raise SystemExit('this is why')"], tmp_path)


def test_missing_pythons_are_reported_and_fail(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "built_wheel", lambda root, folder: Path("some.whl"))
    outcome = here(release_check.main, "--python", "3.98", "3.99")
    assert outcome.code == 1
    assert [line for line in outcome.out.splitlines() if "not installed" in line] == [
        f"| {version} | not installed: not tested |" + " |" * 6 for version in ("3.98", "3.99")
    ]


def test_failures_are_reported_and_set_the_exit_code(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(self: Environment, *what: object) -> None:
        raise StepError("pip install\nno such package")

    monkeypatch.setattr(building, "built_wheel", lambda root, folder: Path("some.whl"))
    monkeypatch.setattr(building, "lowest_versions", lambda *_: Path("pins.txt"))
    monkeypatch.setattr(pythons.Environment, "make", classmethod(lambda cls, python, folder: cls(folder)))
    monkeypatch.setattr(pythons.Environment, "install", refuse)
    outcome = here(release_check.main, "--python", OWN, "--keep", tmp_path)
    assert outcome.code == 1
    bounds = 3 if OWN == release_check.PINNED_FOR else 2
    assert outcome.out.count("| failed | failed |") == bounds
    assert outcome.out.count("no such package") == 2 * bounds + len(release_check.SUITES)
    assert "\n| rllib | failed |\n" in outcome.out


def test_the_quick_check_uses_this_python_and_one_game(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []

    def step(command: list[object], folder: Path, **environment: str) -> str:
        commands.append([str(word) for word in command])
        return "1 2 3 4"

    monkeypatch.setattr(building, "built_wheel", lambda root, folder: Path("some.whl"))
    monkeypatch.setattr(pythons, "run", step)
    outcome = here(release_check.main, "--quick", "--keep", tmp_path)
    assert outcome.out.splitlines()[-1].startswith(f"| {OWN} | newest | 1 | 2 | 3 | 4 | one game, 1 2 3 4, ")
    assert commands[-1][-1] == "--one-game"
    assert not any("pytest" in command for command in commands)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--extras", "train"), "unknown extra 'train' (choose from render, film, web, openspiel, textarena)"),
        (("--quick", "--python", "3.12"), "--quick cannot be combined"),
        (("--quick", "--bounds"), "--quick cannot be combined"),
        (("--bounds", "--extras", "examples"), "unknown extra 'examples' (choose from play, render"),
    ],
)
def test_invalid_arguments_are_rejected(here: Here, arguments: tuple[str, ...], message: str) -> None:
    assert message in here.fails(release_check.main, *arguments)


def test_results_of_the_checkouts_tests_are_reported(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands = []

    def step(command: list[object], folder: Path, **environment: str) -> str:
        commands.append([str(word) for word in command])
        return "....\n12 passed in 3.45s\n"

    monkeypatch.setattr(building, "built_wheel", lambda root, folder: Path("some.whl"))
    monkeypatch.setattr(building, "lowest_versions", lambda *_: Path("pins.txt"))
    monkeypatch.setattr(pythons, "run", step)
    monkeypatch.setattr(pythons, "find_python", lambda version: Path(sys.executable))
    monkeypatch.setattr(release_check, "_wheel_is_used", lambda *_: True)
    assert here(release_check.main, "--keep", tmp_path).out.count("| 12 passed, ") == 2
    assert [command[-1] for command in commands if "pytest" in command] == ["tests/web", "tests/bridges/rllib_suite.py"]
    assert sum(building.pinned(ROOT, "numba") in command for command in commands) == len(release_check.SUITES)
    assert [command[1:3] for command in commands if "agents.train" in command] == [["-m", "agents.train"]]
    before = len(commands)
    assert "passed" not in here(release_check.main, "--keep", tmp_path, "--no-suites").out
    assert len(commands) == before


def test_a_placeholder_address_is_not_published(here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for owner in ("OWNER", "somebody"):
        (tmp_path / owner).mkdir()
        address = f'[tool.hatch.metadata.hooks.custom]\nrepository = "https://github.com/{owner}/edge_envs"\n'
        (tmp_path / owner / "pyproject.toml").write_text(address, encoding="utf-8")
    check_address(tmp_path / "somebody")
    monkeypatch.setattr(release_check, "ROOT", tmp_path / "OWNER")
    monkeypatch.setattr(building, "built_wheel", lambda root, folder: pytest.fail("the check comes first"))
    line = here.fails(release_check.main, "--quick", "--publish")
    assert "still the placeholder https://github.com/OWNER/edge_envs" in line


def test_each_extra_is_tested_with_its_lowest_versions() -> None:
    tried = {extra for extras, _ in release_check.SUITES.values() for extra in extras}
    assert tried == project()["optional-dependencies"].keys()
    for _, tests in release_check.SUITES.values():
        assert all((ROOT / name).exists() for name in tests)


def test_a_wheel_with_a_missing_or_extra_file_is_rejected(tmp_path: Path) -> None:
    listed = run(["git", "ls-files", "edge_envs"], ROOT).splitlines()
    for name, files in (("whole", listed), ("less", listed[1:]), ("more", [*listed, "edge_envs/more.py"])):
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as archive:
            for file in [*files, "edge_envs-1.dist-info/METADATA"]:
                archive.writestr(file, "")
    check_contents(ROOT, tmp_path / "whole.whl")
    for name, file in (("less", listed[0]), ("more", "edge_envs/more.py")):
        with pytest.raises(StepError, match=rf"differ in {file}$"):
            check_contents(ROOT, tmp_path / f"{name}.whl")


def test_a_wheel_of_ten_megabytes_is_rejected(tmp_path: Path) -> None:
    for size in (MOST_BYTES - 1, MOST_BYTES):
        with (tmp_path / "wheel.whl").open("wb") as file:
            file.truncate(size)
        if size < MOST_BYTES:
            check_size(tmp_path / "wheel.whl")
    with pytest.raises(StepError, match="the wheel has 10,000,000 bytes, but must have less than 10,000,000"):
        check_size(tmp_path / "wheel.whl")


def test_tested_extras_are_declared() -> None:
    assert list(smoke.EXTRAS) == release_check.EXTRAS
    assert smoke.EXTRAS.keys() <= project()["optional-dependencies"].keys()


def test_tested_pythons_match_the_classifiers() -> None:
    versions = [line.rpartition(" ")[2] for line in project()["classifiers"] if ":: Python :: 3." in line]
    assert release_check.PYTHONS[: len(versions)] == versions


def test_the_wheel_works_outside_the_tree(tmp_path: Path) -> None:
    """Use a game and the command with the packages of this environment, without the compiler."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path / "installed")]
    done = subprocess.run([*pip, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r})\n"
        "import edge_envs, runpy\n"
        f"assert edge_envs.__file__.startswith({str(tmp_path)!r})\n"
        f"assert edge_envs.__version__ == {edge_envs.__version__!r}\n"
        f"smoke = runpy.run_path({smoke.__file__!r})\n"
        "name = next(iter(edge_envs.GAMES))\n"
        "for use in ('use_state', 'use_aec_env', 'use_vector_env', 'use_seat_envs'):\n"
        "    smoke[use](name)\n"
    )
    output = run([sys.executable, "-I", "-c", program], tmp_path, NUMBA_DISABLE_JIT="1")
    assert output == ""


def test_each_bound_is_tested_with_the_newest_versions_of_everything_else(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pins, synced = list[str](), 0

    def step(command: list[object], folder: Path, **environment: str) -> str:
        nonlocal synced
        words = [str(word) for word in command]
        if "compile" in words:
            assert words[words.index("--extra") + 1] == "play"
            assert "lowest-direct" not in words
            pins.append(Path(words[words.index("--constraint") + 1]).read_text(encoding="utf-8"))
        synced += "sync" in words
        if "scripts/picture.py" in words and pins[-1].startswith("rich"):
            raise StepError("picture.py\nno such colour")
        return ""

    def lowest(root: Path, python: Path, extras: list[str], folder: Path) -> Path:
        file = folder / "lowest.txt"
        file.write_text(
            "# pins\ntyper==1.2.3\n    # via edge-envs\nrich==4.0\npyyaml==5 ; python_version > '3'\n", encoding="utf-8"
        )
        return file

    monkeypatch.setattr(building, "built_wheel", lambda root, folder: Path("edge_envs-1-py3.whl"))
    monkeypatch.setattr(bounds, "lowest_versions", lowest)
    monkeypatch.setattr(bounds, "run", step)
    monkeypatch.setattr(pythons.Environment, "make", classmethod(lambda cls, python, folder: cls(folder)))
    arguments = ("--bounds", "--python", OWN, "--extras", "play", "--keep", tmp_path)
    outcome = here(release_check.main, *arguments)
    rows = [line for line in outcome.out.splitlines() if line.startswith(f"| {OWN}")]
    assert rows == [
        f"| {OWN} | play | typer==1.2.3 | works |",
        f"| {OWN} | play | rich==4.0 | failed |",
        f"| {OWN} | play | pyyaml==5 | works |",
    ]
    assert "no such colour" in outcome.out
    assert outcome.code == 1
    assert (pins, synced) == (["typer==1.2.3\n", "rich==4.0\n", "pyyaml==5\n"], 3)


def test_the_bounds_of_all_extras_are_tested() -> None:
    assert {*bounds.CHECKS, "examples"} == {"", *project()["optional-dependencies"]}
    assert all({*check.also} <= {*bounds.CHECKS} for check in bounds.CHECKS.values())
    assert bounds.direct(ROOT, "play") == ["typer", "rich", "pyyaml"]
    assert "numpy" in bounds.direct(ROOT, "")
    for check in bounds.CHECKS.values():
        assert all((ROOT / words[0]).exists() for words in check.commands if words[0].startswith("scripts/"))


@pytest.mark.parametrize(
    ("description", "fault"),
    [
        ('[a](https://example.org/docs) [b](#part) <img src="https://example.org/a.svg">', None),
        ("[a](https://example.org) [b](docs/apis.md)", "relative link docs/apis.md"),
        ('<source srcset="docs/a.svg">', "relative link docs/a.svg"),
        ("", "has no description"),
    ],
)
def test_a_wheel_with_a_relative_link_in_its_description_is_rejected(
    tmp_path: Path, description: str, fault: str | None
) -> None:
    with zipfile.ZipFile(tmp_path / "some.whl", "w") as archive:
        archive.writestr("edge_envs-1.dist-info/METADATA", f"Name: edge-envs\n\n{description}")
    if fault is None:
        check_description(tmp_path / "some.whl")
    else:
        with pytest.raises(StepError, match=fault):
            check_description(tmp_path / "some.whl")
