"""Test records of played games: each is appended completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import edge_envs
from edge_envs import State, read_records, record_of, replay
from scripts.playing import files
from scripts.playing.files import RecordFile


@pytest.fixture
def state() -> State:
    state = edge_envs.load_game("kuhn").new_initial_state(seed=1)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    return state


@pytest.mark.parametrize("before", ["", "{}\n", '{"half": '])
def test_a_record_has_a_line_of_its_own(state: State, tmp_path: Path, before: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(before, encoding="utf-8")
    with closing(RecordFile(path)) as file:
        file.add(state)
        file.add(state)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:-2] == before.splitlines()
    assert [replay(json.loads(line)).to_dict() for line in lines[-2:]] == [state.to_dict()] * 2


@pytest.mark.parametrize("before", ["game: falling_off\n", "{\n}\n", "notes"])
def test_a_file_with_other_content_is_refused(tmp_path: Path, before: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(before, encoding="utf-8")
    with pytest.raises(ValueError, match=r"config\.yaml: this file holds something else than records of games"):
        RecordFile(path)
    assert path.read_text(encoding="utf-8") == before


def test_a_full_disk_leaves_the_file_unchanged_and_prints_the_record(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.jsonl"
    with closing(RecordFile(path)) as file:
        file.add(state)
    before = path.read_bytes()
    room: Iterator[int] = iter([10])

    class Full:
        """A file on a disk with ten free bytes."""

        def __init__(self, file: object) -> None:
            self._file = file

        def write(self, content: bytes) -> int:
            if (size := next(room, 0)) == 0:
                raise OSError(28, "No space left on device")
            return self._file.write(content[:size])  # type: ignore[attr-defined,no-any-return]

        def __getattr__(self, name: str) -> object:
            return getattr(self._file, name)

    with closing(RecordFile(path)) as file:
        monkeypatch.setattr(file, "_file", Full(file._file))
        with pytest.raises(ValueError, match="No space left on device; the record is ") as failed:
            file.add(state)
    assert path.read_bytes() == before
    assert json.loads(str(failed.value).partition("the record is ")[2]) == record_of(state)
    assert len(list(read_records(path))) == 1


def test_a_pipe_accepts_records(state: State) -> None:
    with closing(RecordFile(Path("/dev/null"))) as file:
        file.add(state)


@pytest.mark.parametrize(
    ("error", "message"),
    [(OSError(2, "No such file"), "No such file"), (ValueError("a\nb"), "a b"), (RuntimeError(), "RuntimeError")],
)
def test_errors_are_one_line(error: Exception, message: str) -> None:
    assert files.why(error) == message
