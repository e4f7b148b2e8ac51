"""Test files of JSON lines with unusual content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.common.files import json_lines, whole_lines
from agents.training.monitor import MetRow, read_rows


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85"])
def test_only_line_feeds_end_lines(tmp_path: Path, letter: str) -> None:
    path = tmp_path / "rows.jsonl"
    row = {"step": 1, "opponent": f"a{letter}b", "win_rate": 0.5, "low": 0.4, "high": 0.6}
    line = json.dumps(row, ensure_ascii=False)
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")
    assert len(whole_lines(path)) == 2
    assert [row["step"] for row in read_rows(path, step=1)] == [1, 1]


@pytest.mark.parametrize("wrong", [{"step": -(10**29)}, {"games": 10**400}, {"games": -1}])
def test_opponent_rows_reject_numbers_that_cannot_be_plotted(tmp_path: Path, wrong: dict[str, int]) -> None:
    path = tmp_path / "rows.jsonl"
    row = {"step": 1, "opponent": "random", "games": 8, "score": 4.0, "chance": 0.5}
    path.write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    assert read_rows(path, 1, MetRow) == [row]
    path.write_text(f"{json.dumps({**row, **wrong})}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"line 1: {next(iter(wrong))}: Input should be"):
        read_rows(path, 1, MetRow)


def test_truncated_line_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    assert whole_lines(path) == json_lines("") == []
    path.write_text("one\n\ntwo", encoding="utf-8")
    assert json_lines(path.read_text(encoding="utf-8")) == ["one", "", "two"]
    assert whole_lines(path) == ["one", ""]


def test_truncated_multibyte_character_is_tolerated(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes("one\ntwö".encode()[:-1])
    assert whole_lines(path) == ["one"]
    path.write_bytes(b"\xff\nrest")
    with pytest.raises(ValueError, match="not JSON lines"):
        whole_lines(path)
