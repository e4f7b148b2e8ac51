"""Files from untrusted sources: only regular files of limited size are read, and none blocks."""

from __future__ import annotations

import errno
import io
import json
import os
import socket
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.core.checks.files import open_regular, read_arrays, read_bytes, read_tensors
from edge_envs.core.solving.certificates import read_certificate
from tests.systems import needs_linux, needs_posix
from tests.untrusted import HOSTILE, make_hostile

READERS: dict[str, Callable[[Path], Any]] = {
    "open_regular": lambda path: open_regular(path, 1000),
    "read_bytes": lambda path: read_bytes(path, 1000),
    "read_arrays": lambda path: read_arrays(path, 1000),
    "read_tensors": lambda path: read_tensors(path, 1000),
}


@needs_posix
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HOSTILE)
def test_only_regular_files_of_limited_size_are_read(kind: str, reader: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    make_hostile(kind, path)
    with pytest.raises(OSError, match=HOSTILE[kind]) as refused:
        READERS[reader](path)
    assert refused.value.filename == str(path)


@needs_posix
def test_sockets_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # socket paths must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        with pytest.raises(OSError, match="not a regular file"):
            read_bytes("socket")


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_invalid_file_name_raises_os_error(name: str) -> None:
    with pytest.raises(OSError, match=r"null|surrogates|character|Invalid|No such"):
        read_bytes(name)


@needs_posix
def test_links_to_regular_files_are_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    assert read_bytes(tmp_path / "link") == b"content"


def test_file_of_maximal_size_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 100)
    assert len(read_bytes(tmp_path / "file", 100)) == 100
    with pytest.raises(OSError, match="too large: more than 99 bytes"):
        read_bytes(tmp_path / "file", 99)


@needs_linux
def test_file_without_a_size_is_read_up_to_the_limit() -> None:
    """Such as files in /proc."""
    assert os.stat("/proc/self/status").st_size == 0
    assert b"Pid:" in read_bytes("/proc/self/status", 10_000)
    with pytest.raises(OSError, match="too large: more than 10 bytes"):
        read_bytes("/proc/self/status", 10)


def test_growing_file_is_read_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 50)

    class Growing(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:  # type: ignore[override]  # the size is never None here
            with path.open("ab") as more:
                more.write(b"y" * 50)
            return super().read(size) or b""

    monkeypatch.setattr("edge_envs.core.checks.files.os.fdopen", lambda handle, mode: Growing(handle))
    with pytest.raises(OSError, match="too large: more than 1,000 bytes"):
        read_bytes(path, 1000)


@needs_posix
def test_file_replaced_by_a_fifo_before_opening_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"x")
    about = os.stat(tmp_path / "file")
    make_hostile("fifo", tmp_path / "fifo")
    monkeypatch.setattr("edge_envs.core.checks.files.os.stat", lambda path: about)
    with pytest.raises(OSError, match="not a regular file"):
        read_bytes(tmp_path / "fifo")


@needs_linux
def test_files_are_closed(tmp_path: Path) -> None:
    make_hostile("fifo", tmp_path / "fifo")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(OSError, match="not a regular file"):
            read_bytes(tmp_path / "fifo")
    assert len(os.listdir("/proc/self/fd")) == before


# Arrays


def saved(path: Path, **arrays: Any) -> Path:
    with path.open("wb") as file:
        np.savez(file, allow_pickle=True, **arrays)
    return path


def test_arrays_are_read_as_they_were_saved(tmp_path: Path) -> None:
    arrays: dict[str, Any] = {
        "a": np.arange(6, dtype=np.int16).reshape(2, 3),
        "b": np.zeros((0, 4)),
        "c": np.asfortranarray(np.eye(3, 2)),
        "d": np.array("text"),
    }
    read = read_arrays(saved(tmp_path / "x.npz", **arrays))
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype
        assert np.array_equal(read[name], array)


def with_header(shape: str, data: bytes, dtype: str = "<u8") -> bytes:
    """Return an entry of an .npz file with an arbitrary header."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def archive(path: Path, entry: bytes, compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as file:
        file.writestr("a.npy", entry)
    return path


LIES = {
    "a huge shape": "(1000000000000,)",
    "an overflowing shape": "(10000000000, 10000000000, 10000000000)",
    "a negative shape": "(-1,)",
    "a shape that is too small": "(1,)",
    "code": "__import__('os').abort()",
    "deep nesting": "(" * 3000,
}


@pytest.mark.parametrize("lie", LIES)
def test_false_headers_are_rejected_before_allocation(lie: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_arrays(archive(tmp_path / "x.npz", with_header(LIES[lie], b"x" * 16)))
    assert read_arrays(archive(tmp_path / "x.npz", with_header("(2,)", b"x" * 16)))["a"].shape == (2,)


def test_archives_that_expand_too_much_are_rejected(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "x.npz", with_header("(1000000,)", bytes(8_000_000)), zipfile.ZIP_DEFLATED)
    assert bomb.stat().st_size < 50_000
    with pytest.raises(ValueError, match="compressed"):
        read_arrays(bomb)


def test_overlapping_archive_entries_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.npy", with_header("(2000,)", b"x" * 16_000))
        for number in range(20):
            entry = zipfile.ZipInfo(f"{number}.npy")
            for key in ("file_size", "compress_size", "CRC", "header_offset"):
                setattr(entry, key, getattr(file.filelist[0], key))
            file.filelist.append(entry)
    with pytest.raises(ValueError, match="entries are larger than the file"):
        read_arrays(path)


def test_pickles_and_files_without_arrays_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="arrays of objects"):
        read_arrays(saved(tmp_path / "x.npz", a=np.array([{}], object)))
    for content in (b"", b"PK\x05\x06" + bytes(10), b"\x93NUMPY", b"x" * 100):
        (tmp_path / "x.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"."):
            read_arrays(tmp_path / "x.npz")


def tensors(path: Path, header: Any, data: bytes = bytes(16)) -> Path:
    """Write a `.safetensors` file with an arbitrary header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def about(dtype: Any = "U16", shape: Any = (2, 4), offsets: Any = (0, 16)) -> dict[str, Any]:
    return {"x": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}


def test_tensors_are_read_as_they_are_written(tmp_path: Path) -> None:
    data = np.arange(8, dtype="<u2").tobytes()
    header = {"__metadata__": {"format": "np"}, **about(), "y": about("F16", [0], [16, 16])["x"]}
    read = read_tensors(tensors(tmp_path / "x.safetensors", header, data))
    assert read.keys() == {"x", "y"}
    np.testing.assert_array_equal(read["x"], np.arange(8, dtype=np.uint16).reshape(2, 4))
    assert (read["y"].dtype, read["y"].shape) == (np.float16, (0,))


FALSE_HEADERS: dict[str, Any] = {
    "no JSON": b"nonsense",
    "deep nesting": b"[" * 100_000,
    "not an object": [1],
    "no description": {"x": 1},
    "unknown dtype": about("OBJECT"),
    "a dtype that is not a string": about(["U16"]),
    "a negative size": about(shape=[-2, -4]),
    "a huge size": about(shape=[10**10, 10**10]),
    "a huge size of nothing": about(shape=[0, 10**30], offsets=[0, 0]),
    "a size that is not an integer": about(shape=[2.0, 4]),
    "truth as a size": about(shape=[True, 8]),
    "offsets behind the end": about(offsets=[8, 24]),
    "reversed offsets": about(shape=[0], offsets=[16, 0]),
    "three offsets": about(offsets=[0, 8, 16]),
    "too much data": about(shape=[2]),
}


@pytest.mark.parametrize("fault", FALSE_HEADERS)
def test_false_headers_of_tensors_are_rejected(fault: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"header|dtype"):
        read_tensors(tensors(tmp_path / "x.safetensors", FALSE_HEADERS[fault]))


def test_files_without_whole_header_are_not_read_as_tensors(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    for content in (b"", b"1234567", b"\xff" * 20, (100).to_bytes(8, "little") + b"{}"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="header is incomplete or too large"):
            read_tensors(path)


# Readers that use it


@pytest.mark.parametrize("kind", HOSTILE)
def test_records_are_read_from_regular_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    make_hostile(kind, path)
    with pytest.raises((OSError, ValueError), match="longer than" if kind == "sparse" else HOSTILE[kind]):
        list(edge_envs.read_records(path))


@pytest.mark.parametrize("kind", HOSTILE)
def test_certificates_are_read_from_regular_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    make_hostile(kind, path)
    with pytest.raises(ValueError, match=rf"file cannot be read: {HOSTILE[kind]}"):
        read_certificate(path)


def test_reading_works_in_any_thread(tmp_path: Path) -> None:
    """Reading needs neither a timer nor a signal."""
    make_hostile("fifo", tmp_path / "fifo")
    errnos: list[int | None] = []

    def read() -> None:
        try:
            read_bytes(tmp_path / "fifo")
        except OSError as error:
            errnos.append(error.errno)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(30)
    assert errnos == [errno.EINVAL]
