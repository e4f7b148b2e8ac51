"""Test files in other encodings, and writing: full disks, symlinks, pipes."""

from __future__ import annotations

import codecs
import contextlib
import errno
import json
import os
import re
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agents.arena.tournament import Players
from agents.common.configuration import ConfigError, parse, read_mapping
from agents.common.files import append_lines, read_json, read_text, whole_lines, write_whole
from agents.evaluation.single import play_game
from agents.ppo.config import TrainingConfig
from agents.training.folder import TrainingFolder
from agents.training.monitor import quiet_writers, scalar_writer
from edge_envs import load_game, read_records, record_of, write_records
from edge_envs.core.writing import replacing
from edge_envs.players import built_in_agent
from tests.programs import ROOT, tiny_config

TEXT = 'game: "é"\nseed: 3\n'
LIMIT = 4096  # bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_files_with_a_byte_order_mark_are_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode(encoding))
    assert read_text(path, "YAML") == TEXT
    assert read_mapping(path) == {"game": "é", "seed": 3}
    path.write_bytes('{"é": 1}'.encode(encoding))
    assert read_json(path) == {"é": 1}


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf_16_of_either_byte_order_is_read(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(mark + TEXT.encode("utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"))
    assert read_text(path, "YAML") == TEXT


def test_wrong_encoding_error_names_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(TEXT.encode("latin-1"))
    with pytest.raises(ValueError, match=rf"^{path}: not YAML: byte 7, 0xe9, is not UTF-8; save the file as UTF-8$"):
        read_mapping(path)


def test_json_lines_and_records_may_start_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(codecs.BOM_UTF8 + b'{"a": 1}\n{"b": 2}\n{"cut')
    assert whole_lines(path) == ['{"a": 1}', '{"b": 2}']
    record = record_of(load_game("falling_off").new_initial_state(seed=0))
    path.write_bytes(codecs.BOM_UTF8 + json.dumps(record).encode())
    assert list(read_records(path)) == [record]


def test_name_that_is_not_utf_8_is_rejected() -> None:
    with pytest.raises(ConfigError, match=r"^tournament: .*program:\./\\udce9.*: names must be valid UTF-8$"):
        parse(Players, {"agents": ["program:./\udce9"]}, "tournament")


def test_name_that_is_not_utf_8_can_be_written(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.json", json.dumps({"é": "\udce9"}, ensure_ascii=False))
    assert (tmp_path / "a.json").read_bytes() == b'{"\xc3\xa9": "\\udce9"}'
    assert read_json(tmp_path / "a.json") == {"é": "\udce9"}


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Limit the size of files to LIMIT."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_failed_write_names_the_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "before")
    with full_disk():
        for write in (write_whole, lambda path, text: append_lines(path, [text])):
            with pytest.raises(OSError, match="File too large") as failed:
                write(path, "x" * (LIMIT + 1))
            assert failed.value.filename == str(path)
            assert failed.value.errno == errno.EFBIG
            if write is write_whole:
                assert path.read_text(encoding="utf-8") == "before"
        with pytest.raises(OSError, match="File too large") as failed:
            write_records(path, [{"x": "x" * 5000}])
        assert failed.value.filename == str(path)
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk_under_tensorboard_names_the_folder(tmp_path: Path) -> None:
    writer = scalar_writer(tmp_path / "tensorboard", step=0)
    with quiet_writers(), full_disk(), pytest.raises(OSError, match="File too large") as failed:  # noqa: PT012  # a thread writes
        for step in range(2000):
            writer.add_scalar("loss", 1.0, step)
            if step % 100 == 0:
                writer.flush()
    assert failed.value.filename == str(tmp_path / "tensorboard")
    with contextlib.suppress(OSError):
        writer.close()


def test_full_disk_at_the_start_of_tensorboard_names_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tensorboard").mkdir()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as failed:
            scalar_writer(tmp_path / "tensorboard", step=0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert failed.value.filename == str(tmp_path / "tensorboard")
    assert capsys.readouterr().err == ""


def test_failed_checkpoint_leaves_nothing_and_the_next_one_removes_those_of_killed_runs(
    tmp_path: Path, tiny_training: TrainingConfig
) -> None:
    folder = TrainingFolder[TrainingConfig](tmp_path)
    (folder.checkpoints / "partial-step-000000000005").mkdir(parents=True)

    def fail(partial: Path) -> None:
        (partial / "model").write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        folder.write_checkpoint(tiny_training, 10, fail)
    assert list(folder.checkpoints.iterdir()) == []
    folder.write_checkpoint(tiny_training, 20, lambda partial: None)
    assert [path.name for path in folder.checkpoints.iterdir()] == ["step-000000000020"]


def test_interrupt_leaves_no_partial_file(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a.json") as partial:  # noqa: PT012
        partial.write_text("half", encoding="utf-8")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_missing_folder_is_named_as_given(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "a.json"
    with pytest.raises(FileNotFoundError) as failed:
        write_whole(path, "text")
    assert failed.value.filename == str(path)


def test_symlink_is_preserved(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_text("before", encoding="utf-8")
    link.symlink_to(target)
    write_whole(link, "after")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "after"


def test_permissions_of_a_replaced_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text("before", encoding="utf-8")
    path.chmod(0o600)
    write_whole(path, "after")
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("after", 0o600)


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    path = tmp_path / f"{'é' * 125}.json"
    write_whole(path, "text")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda path: write_whole(path, "text"), "text"),
        (lambda path: write_records(path, [{"game": 1}]), '{"game": 1}\n'),
    ],
    ids=["write_whole", "write_records"],
)
def test_pipe_is_written_to_and_not_replaced(tmp_path: Path, write: Callable[[Path], None], text: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write(pipe)
    reader.join()
    assert read == [text]
    assert pipe.is_fifo()


PAIR = "--game falling_off --agents random heuristic --games 32 --workers 1"
WRITERS = {
    "picture": ("scripts/picture.py beyond_maps --out {out}.svg", "{out}.svg"),
    "replay": ("scripts/replay.py {records} --out {out}.html", "{out}.html"),
    "map": ("scripts/map_report.py flat_earth --games 1 --map-file {out}.json", "{out}.json"),
    "tournament": (f"-m agents.tournament {PAIR} --out {{out}}", "{out}/"),
    "training": ("-m agents.train --config {tiny} --out {out}", "{out}/"),
    "games": ("-m agents.fit --game beyond_maps --param size=6 --games 500 --keep {out}.npz", "{out}.npz"),
}  # fmt: skip
"""Command lines, and the start of the names of the files that they write."""


@pytest.mark.parametrize("writer", WRITERS)
def test_full_disk_error_names_the_file(tmp_path: Path, writer: str) -> None:
    records = tmp_path / "records.jsonl"
    game = load_game("falling_off")
    write_records(records, [record_of(play_game(game, {seat: built_in_agent("random", game) for seat in (0, 1)}, 0))])
    names = {"out": str(tmp_path / "out"), "records": str(records), "tiny": str(tiny_config(tmp_path))}
    command, begins = (text.format(**names) for text in WRITERS[writer])
    done = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)),
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(rf"error: {re.escape(begins)}.*: File too large", last), done.stderr
    assert not list(tmp_path.rglob("partial-*.*"))


ALLOWED = {
    "agents/common/files.py", "agents/external/chat.py",
    "scripts/playing/files.py", "scripts/recipes/recipe.py", "scripts/release_checks/bounds.py",
}  # fmt: skip
WRITES = re.compile(r"(?<!partial)\.(write_(text|bytes)\(|open\(\"[wax])|savefig\((?!partial)")


def test_programs_write_files_only_through_the_helpers() -> None:
    """On a full disk, the helpers name the file and keep an older one."""
    sources = [path for folder in ("agents", "scripts") for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in sources if WRITES.search(path.read_text(encoding="utf-8"))}
    assert found == ALLOWED
