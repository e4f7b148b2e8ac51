"""Read files from untrusted sources.

Only regular files of limited size are read. A FIFO would block a plain `open`, and `/dev/zero` would fill the memory
while no signal handler can run. Symbolic links are followed, because shared caches and data folders are made of them.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import zipfile
from io import BufferedReader
from typing import Any

import numpy as np

MOST_BYTES = 2**24
"""The default size limit: 16 MiB. Descriptions, positions and maps are far smaller."""
MOST_ARRAY_BYTES = 2**33
"""The size limit of a file of arrays: 8 GiB, the largest proof that a machine of this size can check."""

MOST_HEADER_BYTES = 2**20
"""The largest header of a file of tensors: their names, dtypes, shapes and offsets."""

_CHUNK = 2**20
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"))
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

_DTYPES = {
    **{"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?"},
}
"""The dtypes of safetensors that NumPy has."""


def open_regular(path: str | os.PathLike[str], limit: int | None = None) -> BufferedReader:
    """Open a regular file for reading, without blocking.

    Args:
        path: The file. A symbolic link is followed.
        limit: The largest size in bytes; None for a file that the caller reads piece by piece.

    Raises:
        OSError: if the file does not exist, cannot be opened, is not a regular file, or is too large. Its `strerror`
            says why and its `filename` is the path.
    """
    name = os.fspath(path)
    try:
        _check(os.stat(name), name, limit)  # opening a device can already have effects
        handle = os.open(name, _FLAGS)
    except ValueError as error:  # a NUL byte, or characters that a file name cannot hold
        raise OSError(errno.EINVAL, str(error), name) from None
    try:
        _check(os.fstat(handle), name, limit)  # another file may have taken its place
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_bytes(path: str | os.PathLike[str], limit: int = MOST_BYTES) -> bytes:
    """Read a regular file of at most `limit` bytes, even if it grows meanwhile.

    Raises:
        OSError: as `open_regular` does.
    """
    content = bytearray()
    with open_regular(path, limit) as file:
        while part := file.read(min(_CHUNK, limit + 1 - len(content))):  # in pieces, so that signals are handled
            content += part
    if len(content) > limit:
        raise _too_large(os.fspath(path), limit)
    return bytes(content)


def read_arrays(path: str | os.PathLike[str], limit: int = MOST_ARRAY_BYTES) -> dict[str, np.ndarray[Any, Any]]:
    """Read the arrays of an uncompressed `.npz` file, as `numpy.savez` writes it.

    The arrays take at most as much memory as the file takes on disk.

    Raises:
        OSError: as `open_regular` does.
        ValueError: if it is not such a file, or is damaged.
    """
    with open_regular(path, limit) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                if any(one.compress_type != zipfile.ZIP_STORED for one in members):
                    raise ValueError("it is compressed")
                if sum(one.file_size for one in members) > os.fstat(file.fileno()).st_size:
                    raise ValueError("its entries are larger than the file")
                return {one.filename.removesuffix(".npy"): _read_array(archive, one) for one in members}
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from None
        except MemoryError:
            raise
        except Exception as error:  # the readers of zip and npy raise half a dozen types for a damaged file
            raise ValueError(" ".join(str(error).split()) or type(error).__name__) from None


def read_tensors(path: str | os.PathLike[str], limit: int = MOST_BYTES) -> dict[str, np.ndarray[Any, Any]]:
    """Read the tensors of a `.safetensors` file as read-only arrays.

    Args:
        path: The file.
        limit: The largest size of all tensors together in bytes.

    Raises:
        OSError: as `open_regular` does.
        ValueError: if it is not such a file, or is damaged.
    """
    data = read_bytes(path, limit + MOST_HEADER_BYTES)
    start = 8 + int.from_bytes(data[:8], "little")
    if len(data) < 8 or start - 8 > MOST_HEADER_BYTES or start > len(data):
        raise ValueError("its header is incomplete or too large")
    try:
        header = json.loads(data[8:start])
    except (ValueError, RecursionError):
        raise ValueError("its header is not JSON") from None
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")
    header.pop("__metadata__", None)
    tensors = memoryview(data)[start:]
    return {name: _read_tensor(tensors, name, about) for name, about in header.items()}


def _read_tensor(tensors: memoryview, name: str, about: Any) -> np.ndarray[Any, Any]:
    """Return one array of a file of tensors, after a check that it is as large as its header says."""
    about = about if isinstance(about, dict) else {}
    shape, offsets, dtype = about.get("shape"), about.get("data_offsets"), _DTYPES.get(str(about.get("dtype")))
    if dtype is None or not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2:
        raise ValueError(f"{name}: unknown dtype, or invalid shape or offsets")
    first, end = offsets
    if not first <= end <= len(tensors) or math.prod(shape) * np.dtype(dtype).itemsize != end - first:
        raise ValueError(f"{name}: its size differs from its header's")
    return np.frombuffer(tensors[first:end], dtype).reshape(shape)


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(type(one) is int and 0 <= one <= MOST_ARRAY_BYTES for one in values)


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray[Any, Any]:
    """Read one array, after a check that it is as large as its header says."""
    with archive.open(member) as entry:
        read_header = _HEADERS.get(np.lib.format.read_magic(entry))
        if read_header is None:
            raise ValueError(f"{member.filename}: unknown version of the npy format")
        shape, _, dtype = read_header(entry)
        if dtype.hasobject:
            raise ValueError(f"{member.filename}: arrays of objects are not read")
        if math.prod(shape) * dtype.itemsize != member.file_size - entry.tell():
            raise ValueError(f"{member.filename}: its size differs from its header's")
    with archive.open(member) as entry:
        array: np.ndarray[Any, Any] = np.lib.format.read_array(entry, allow_pickle=False)
    return array


def _check(about: os.stat_result, name: str, limit: int | None) -> None:
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", name)
    if limit is not None and about.st_size > limit:
        raise _too_large(name, limit)


def _too_large(name: str, limit: int) -> OSError:
    return OSError(errno.EFBIG, f"too large: more than {limit:,} bytes", name)
