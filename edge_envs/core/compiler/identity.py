"""Identities of kernels: the same in every process, but different for two kernels that one line makes."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from typing import Any

from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps


def identity_of(name: str) -> uuid.UUID:
    """Return the UUID of a name."""
    return uuid.uuid5(uuid.NAMESPACE_URL, name)


def closure_hash(function: Callable[..., Any]) -> str:
    """Hash the closure of a function, in the same way in every process if it consists of kernels and plain values.

    Machine code is linked by names that contain identities, so two kernels with other closures need two identities: a
    kernel's identity contains this hash, and so those of the kernels that it calls. A name without a value counts as
    none: a recursive kernel's own name while the kernel is made.

    Raises:
        TypeError: if the function uses another name that has no value yet. Its identity would not depend on the value.
    """
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:
            if name != function.__name__:
                raise TypeError(f"kernel {function.__qualname__} uses {name}, which must be defined above it") from None
            continue
        if isinstance(value, Dispatcher):
            if name != function.__name__:
                found.append(str(value._uuid).encode())  # type: ignore[attr-defined]  # missing in the stubs of numba
        elif value is None or isinstance(value, bool | int | float | str):
            found.append(repr(value).encode())
        else:
            found.append(dumps(value))
    return hashlib.sha256(b"\0".join(found)).hexdigest()
