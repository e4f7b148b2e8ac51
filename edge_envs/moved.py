"""Keep old module names importable for one release, with a DeprecationWarning.

`edge_envs` and `agents` each register a table, old name to new name. A package's entry also covers its submodules.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

REMOVED_IN = "0.4"
"""The version that drops the old names."""


def keep_old_names(moved: Mapping[str, str]) -> None:
    """Make modules importable by their old names.

    Args:
        moved: Old module name to new module name, both absolute. An entry with the longest matching name applies.
    """
    _Finder.installed().moved.update(moved)


def new_name(old: str) -> str | None:
    """Return the new name of a module, or None if it has not moved."""
    return _Finder.installed().new_name(old)


def moved_names(module: str, moved: Mapping[str, str]) -> Callable[[str], Any]:
    """Make the `__getattr__` of a module whose names have moved or changed.

    Args:
        module: The name of the module.
        moved: Old name to the full new name, such as `edge_envs.core.spec.Parameter`.
    """

    def getattr_of_module(name: str) -> Any:
        if name not in moved:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(_message(f"{module}.{name}", moved[name]), DeprecationWarning, stacklevel=2)
        return _resolve(moved[name])

    return getattr_of_module


class MovedAttribute:
    """An attribute that is now that of another object. Reading it warns."""

    def __init__(self, find: str, new: str) -> None:
        """Say where the attribute is now.

        Args:
            find: The full name of the function that returns the other object.
            new: The new name, as a user writes it; its last part is the attribute of the other object.
        """
        self._find, self._new = find, new

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = f"{owner.__name__}.{name}"

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        warnings.warn(_message(self._old, self._new), DeprecationWarning, stacklevel=2)
        return getattr(_resolve(self._find)(instance), self._new.rpartition(".")[2])


def _message(old: str, new: str) -> str:
    return f"{old} is now {new}; the old name will be removed in version {REMOVED_IN}"


def _resolve(name: str) -> Any:
    return pkgutil.resolve_name(name)


class _Finder(MetaPathFinder):
    """Find modules by their old names.

    It comes before Python's own finders, which would load a second copy of a module from a renamed package.
    """

    def __init__(self) -> None:
        self.moved: dict[str, str] = {}

    @classmethod
    def installed(cls) -> _Finder:
        for finder in sys.meta_path:
            if isinstance(finder, cls):
                return finder
        finder = cls()
        sys.meta_path.insert(0, finder)
        return finder

    def new_name(self, old: str) -> str | None:
        prefix, rest = old, ""
        while prefix:
            if prefix in self.moved:
                return self.moved[prefix] + rest
            prefix, _, last = prefix.rpartition(".")
            rest = f".{last}{rest}"
        return None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        new = self.new_name(fullname)
        return None if new is None else ModuleSpec(fullname, _Alias(new))


class _Alias(Loader):
    """Import a module by its new name and put it in `sys.modules` under the old one as well."""

    def __init__(self, new: str) -> None:
        self.new = new

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        # Frames of importlib do not count, so this names the line that imports.
        warnings.warn(_message(old, self.new), DeprecationWarning, stacklevel=2)
        sys.modules[old] = importlib.import_module(self.new)
