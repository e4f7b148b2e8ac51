"""Test that programs neither overwrite nor remove files that they did not write, and read damaged files of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents import benchmark, collect, exploit, tournament, train, tune
from agents.common.locks import locked
from agents.external.chat import COUNTED
from agents.players.agent import make_agent
from edge_envs import load_game
from scripts.static_pages.build import TITLE, may_replace
from tests.programs import ROOT, Here, tiny_config

FALLING_OFF = ("--game", "falling_off")
TWO = (*FALLING_OFF, "--agents", "random", "heuristic", "--games", 32)
BENCHMARK = ("--agent", "random", "--boards", "falling_off", "--quick")
TOURNAMENT_RULES = json.dumps({"rules": {}, "agents": {}})
COUNTS = dict.fromkeys(COUNTED, 1)
BENCHMARK_RULES = json.dumps({"rules": {}, "boards": {}})
WEIGHTS = ROOT / "configs" / "ghost_ship" / "tour_weights.yaml"

FOREIGN: dict[str, tuple[Callable[..., Any], tuple[object, ...], str, str]] = {
    "a kept policy": (train.main, ("--config", "tiny.yaml"), "policies/step-000000000001/kept.json", '{"step": 1}'),
    "a policy": (train.main, ("--config", "tiny.yaml"), "policy/policy.json", "mine"),
    "a checkpoint": (train.main, ("--config", "tiny.yaml"), "checkpoints/step-000000000001/model.zip", "mine"),
    "evaluations": (train.main, ("--config", "tiny.yaml"), "evaluations.jsonl", "mine"),
    "a page": (train.main, ("--config", "tiny.yaml"), "index.html", "mine"),
    "records": (collect.main, (*TWO, "--format", "records"), "00000.jsonl", "mine"),
    "a card": (collect.main, TWO, "card.md", "mine"),
    "games": (tournament.main, TWO, "games.jsonl", "mine"),
    "standings": (tournament.main, TWO, "standings.md", "mine"),
    "results": (benchmark.main, BENCHMARK, "results.md", "mine"),
    "metadata": (collect.main, (*TWO, "--format", "minari"), "metadata.json", "mine"),
    "records of a tournament": (tournament.main, (*TWO, "--record"), "records.jsonl", "mine"),
    "rules of a benchmark": (tournament.main, TWO, "rules.json", BENCHMARK_RULES),
    "games of a benchmark": (benchmark.main, BENCHMARK, "falling_off.jsonl", "mine"),
    "rules of a tournament": (benchmark.main, BENCHMARK, "rules.json", TOURNAMENT_RULES),
    "a trial": (exploit.main, (*FALLING_OFF, "--agent", "random"), "trial/notes.txt", "mine"),
    "weights": (tune.main, ("--config", WEIGHTS), "weights.yaml", "mine"),
    "a lock": (tournament.main, TWO, "lock", "mine"),
}
"""By name: a program, its arguments, and a file in the folder for its results that it did not write."""


@pytest.mark.parametrize("kind", FOREIGN)
def test_programs_keep_files_that_they_did_not_write(
    kind: str, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, arguments, name, content = FOREIGN[kind]
    tiny_config(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "out" / name
    file.parent.mkdir(parents=True)
    file.write_text(content, encoding="utf-8")
    outcome = here(main, *arguments, "--out", "out")
    assert outcome.code == 2
    assert f"error: out/{name.partition('/')[0]}" in outcome.err.splitlines()[-1]
    assert file.read_text(encoding="utf-8") == content
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file() and path.name != "lock"] in ([file], [])


def test_a_data_set_keeps_files_that_begin_like_partial_ones(here: Here, tmp_path: Path) -> None:
    for name in ("partial-results.txt", "notes/partial-1-00000.safetensors"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine", encoding="utf-8")
    for _ in range(2):
        assert here(collect.main, *TWO, "--workers", 1, "--out", tmp_path).code == 0
        assert (tmp_path / "partial-results.txt").read_text(encoding="utf-8") == "mine"
        assert (tmp_path / "notes" / "partial-1-00000.safetensors").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("content", ["", "4711\nhost\n"])
def test_locks_of_killed_processes_are_taken_over(tmp_path: Path, content: str) -> None:
    (tmp_path / "lock").write_text(content, encoding="utf-8")  # the second form is that of drives without locks
    with locked(tmp_path, "run"):
        pass


def test_pages_replace_only_pages_of_earlier_versions(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    assert may_replace(folder)
    folder.mkdir()
    assert may_replace(folder)
    (folder / "index.html").write_text("<title>My thesis</title>", encoding="utf-8")
    assert not may_replace(folder)
    (folder / "index.html").write_text(f"<html><title>{TITLE}</title>", encoding="utf-8")
    assert may_replace(folder)
    assert not may_replace(folder / "index.html")


@pytest.mark.parametrize(
    "content",
    ["url: http://localhost/v1\n", "{}", "notes\n", '{"games": 3}\n', '{"game": "falling_off", "params": {}}\n'],
)
def test_transcripts_are_appended_only_to_transcripts(tmp_path: Path, content: str) -> None:
    file = tmp_path / "model.yaml"
    notes = tmp_path / "notes.txt"
    config = f"url: http://localhost/v1\nmodel: parrot\nkey_variable: null\ntranscripts: {notes}\n"
    file.write_text(config, encoding="utf-8")
    notes.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"notes\.txt: this is not a file of transcripts; name another file"):
        make_agent(f"chat:{file}", load_game("falling_off"))
    assert notes.read_text(encoding="utf-8") == content
    whole = json.dumps({"game": "falling_off", "action": 0, "end": "decided", **COUNTS}) + "\n"
    for begun in ("", '{"ga', '{"game": "falling_off"', whole):
        notes.write_text(begun, encoding="utf-8")
        make_agent(f"chat:{file}", load_game("falling_off"))


CHANGED: tuple[Any, ...] = ([], {}, 3, None, {"step": "soon"}, {"cpu_seconds": "much"}, {"members": [[]], "played": []})


@pytest.mark.parametrize("name", ["checkpoints/*/time.json", "checkpoints/*/opponents.json", "policies/*/kept.json"])
def test_a_damaged_file_of_a_run_is_a_one_line_error(name: str, here: Here, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert here(train.main, "--config", tiny_config(tmp_path), "--out", out, "--set", "keep_policies=2").code == 0
    file = sorted(out.glob(name))[-1]
    for changed in CHANGED:
        file.write_text(json.dumps(changed), encoding="utf-8")
        outcome = here(train.main, "--resume", "--out", out)
        assert outcome.code == 2
        *_, line = outcome.err.splitlines()
        assert line.startswith("error: ")
        assert file.name in line
