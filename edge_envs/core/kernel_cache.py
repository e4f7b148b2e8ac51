# mypy: allow-untyped-calls
"""The disk cache of one kernel: numba's own, made so that no fault of the disk reaches the user.

numba lets an index or a data file that is damaged, and a disk that is full, end the program with a traceback. Here
what cannot be read counts as missing, so that the kernel is compiled anew and its files are replaced; what cannot be
written is given up with one line on stderr.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator

from edge_envs.core.notices import say_once

_DIGEST = hashlib.sha256().digest_size


class _Place(UserProvidedCacheLocator):
    """Names the folder of a kernel's files; whether it can be written shows when it is."""

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Place:
        return cls(py_func, py_file)


class _Compiled(CompileResultCacheImpl):
    """How numba keeps compiled functions, without the places of its own where edits elsewhere would go unnoticed."""

    _locator_classes = [_Place]  # noqa: RUF012  numba's own convention


class _Files(IndexDataCacheFile):
    """The index and the data files of a kernel, with checksums; what is damaged counts as missing."""

    def exists(self) -> bool:
        """Whether there is an index."""
        return Path(self._index_path).exists()

    def save(self, key: Any, data: Any) -> None:
        """Keep data with its key: of two processes at once one may write the index and the other the data file."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """The data of a key, or None."""
        kept = super().load(key)
        return kept[1] if kept is not None and kept[0] == key else None

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = self._read(self._index_path)
        except OSError:
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, content: Any) -> None:
        pickled = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(self._digest(pickled) + pickled)

    def _read(self, path: str) -> Any:
        """What was written; OSError if it is missing or damaged, or another version of numba wrote it."""
        content = Path(path).read_bytes()
        if content[:_DIGEST] != self._digest(content[_DIGEST:]):
            raise OSError(f"{path} is damaged")
        return pickle.loads(content[_DIGEST:])

    def _digest(self, pickled: bytes) -> bytes:
        return hashlib.sha256(self._version.encode() + pickled).digest()


class KernelCache(FunctionCache):
    """What was compiled of one kernel, kept in or below `folder`; with None nothing is kept."""

    _impl_class = _Compiled

    def __init__(self, function: Callable[..., Any], folder: Path | None) -> None:
        config: Any = numba.config
        previous, config.CACHE_DIR = config.CACHE_DIR, str(folder or "nowhere")
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = previous
        stamp = self._impl.locator.get_source_stamp()
        self._files = self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)
        self._folder = folder
        if folder is None:
            self.disable()

    @property
    def is_filled(self) -> bool:
        """Whether something is kept, of use or not."""
        return self._folder is not None and self._files.exists()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None if it is not kept or cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # files of another make of numba or numpy may fail in any way, and are not needed
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature, if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            say_once("disk", f"compiled kernels cannot be kept in {self._folder}: {error.strerror or error}")
