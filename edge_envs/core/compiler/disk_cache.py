# mypy: allow-untyped-calls
"""The disk cache of one kernel, in numba's format, robust against faults of the disk.

One process at a time compiles a kernel for given types; others wait for its files.

With numba's own cache, a damaged file or a full disk ends the program with a traceback. Here a file that cannot be read
counts as missing: the kernel is compiled again and the file replaced. If a file cannot be written, one line on stderr
says so. Entries may also come from read-only folders, such as those of a container image.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import filelock
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.compiler import CompileResult

from edge_envs.core.compiler.cache_dirs import OTHERS_WRITE, is_safe
from edge_envs.core.compiler.identity import closure_hash
from edge_envs.core.compiler.messages import say_once

_DIGEST = hashlib.sha256().digest_size
LONGEST_WAIT = 120.0
"""Seconds that a process waits for another one to compile a kernel, before it compiles the kernel itself."""
_STAMP = (
    "by the sources"  # of an index; numba uses the time of the source file, but here the folder is named after a hash
)


class _Files(IndexDataCacheFile):
    """The index and the data files of a kernel, with checksums; a damaged file counts as missing."""

    def exists(self) -> bool:
        """Return whether the index exists."""
        return Path(self._index_path).exists()

    def save(self, key: Any, data: Any) -> None:
        """Store data with its key, because two processes may write the index and the data file at the same time."""
        Path(self._cache_path).mkdir(parents=True, exist_ok=True, mode=0o755)
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """Return the data of a key, or None."""
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
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), stat.S_IMODE(os.fstat(file.fileno()).st_mode) & ~OTHERS_WRITE)
            file.write(self._digest(pickled) + pickled)

    def _read(self, path: str) -> Any:
        """Read a file that `_write` wrote.

        Raises:
            OSError: if it is missing or damaged, or other users can write it.
        """
        with Path(path).open("rb") as file:
            if hasattr(os, "getuid") and not is_safe(os.fstat(file.fileno())):
                raise PermissionError(f"other users can write {path}")
            content = file.read()
        if content[:_DIGEST] != self._digest(content[_DIGEST:]):
            raise OSError(f"{path} is damaged")
        return pickle.loads(content[_DIGEST:])

    def _digest(self, pickled: bytes) -> bytes:
        return hashlib.sha256(self._version.encode() + pickled).digest()


class KernelCache(FunctionCache):
    """The compiled code of one kernel.

    numba's own cache folders are not used, because numba would not notice edits of other source files.

    Args:
        function: The Python function.
        writable: The folder that entries are written to; None to cache nothing.
        filled: Read-only folders that entries are also read from.
    """

    def __init__(self, function: Callable[..., Any], writable: Path | None, filled: Sequence[Path] = ()) -> None:
        self._name = repr(function)
        self._py_func = function
        self._kept = None if writable is None else _files_of(function, writable)
        self._layers = [*([] if self._kept is None else [self._kept]), *(_files_of(function, at) for at in filled)]
        self._folder = writable
        self._locks: dict[Any, filelock.FileLock] = {}  # of the entries that this process is compiling
        self.is_lost = False
        """Whether something was compiled that could not be written."""
        self.enable()

    @property
    def cache_path(self) -> str | None:
        """The folder that files are written to."""
        return None if self._kept is None else self._kept._cache_path

    @property
    def is_filled(self) -> bool:
        """Whether the cache has any entry, valid or not."""
        return any(files.exists() for files in self._layers)

    def flush(self) -> None:
        """Remove all entries."""
        if self._kept is not None:
            self._kept.flush()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature; None if it is missing or cannot be read, and must be compiled.

        If another process is compiling it, wait for its files.
        """
        target_context.refresh()
        key = self._index_key(sig, target_context.codegen())
        found = self._load(key, target_context, self._layers)
        if found is None and self._kept is not None and self._enabled and self._lock(key):
            found = self._load(key, target_context, [self._kept])
            if found is not None:
                self._unlock(key)
        return found

    def _load(self, key: Any, target_context: Any, layers: Sequence[_Files]) -> Any:
        for files in layers if self._enabled else ():
            try:
                kept = files.load(key)
                if kept is not None:
                    return CompileResult._rebuild(target_context, *kept)
            except Exception:  # files of another build of numba or NumPy may fail in any way, and are not needed
                continue
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the code for a signature, if possible."""
        if self._kept is None or not self._enabled:
            self.is_lost = True
            return
        key = self._index_key(sig, data.codegen)
        try:
            if data.library.has_dynamic_globals:
                self.is_lost = True
            else:
                self._kept.save(key, data._reduce())
        except OSError as error:
            self.is_lost = True
            say_once("disk", f"compiled kernels cannot be kept in {self._folder}: {error.strerror or error}")
        finally:
            self._unlock(key)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return the key of an entry: the types, the processor, and hashes of the bytecode and of the closure.

        numba hashes the pickled closure. But a kernel pickles differently in a process that compiled its module from
        source than in one that loaded the module from a `.pyc` file, so the second process would find nothing.
        """
        code = hashlib.sha256(self._py_func.__code__.co_code).hexdigest()
        return sig, codegen.magic_tuple(), (code, closure_hash(self._py_func))

    def _lock(self, key: Any) -> bool:
        """Become the only process that compiles an entry; return whether another process may have compiled it.

        Kernels are compiled after the kernels that they call, so processes cannot wait for each other.
        """
        if key in self._locks or self._kept is None:
            return False
        name = hashlib.sha256(f"{self._kept._index_path}\0{key!r}".encode(errors="surrogateescape")).hexdigest()[:16]
        locks = Path(self._kept._cache_path, "locks")
        lock = filelock.FileLock(locks / f"{name}.lock", timeout=LONGEST_WAIT)
        try:
            for folder in (locks.parent, locks):
                folder.mkdir(parents=True, exist_ok=True, mode=0o755)
            lock.acquire()
        except (OSError, NotImplementedError, filelock.Timeout):  # some file systems have no locks
            return True
        self._locks[key] = lock
        return True

    def give_up(self) -> None:
        """Let other processes compile the entries that this one failed to compile."""
        for key in [*self._locks]:
            self._unlock(key)

    def _unlock(self, key: Any) -> None:
        lock = self._locks.pop(key, None)
        if lock is not None:
            lock.release()


def _files_of(function: Callable[..., Any], folder: Path) -> _Files:
    """Return the files of a kernel below a folder, named as numba names them."""
    code = function.__code__
    source = Path(code.co_filename).absolute()
    home = f"{source.parent.name}_{hashlib.sha256(str(source.parent).encode()).hexdigest()[:16]}"
    qualname = function.__qualname__.replace("<", "").replace(">", "")
    return _Files(str(folder / home), f"{source.stem}.{qualname}-{code.co_firstlineno}", _STAMP)
