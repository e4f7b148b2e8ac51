"""Keep old module names of this package importable for one release, with a DeprecationWarning.

This module imports only the standard library, because every program loads it: `edge_envs.moved` is imported when an old
name is first used.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_COMMON = (
    *("command_lines", "configuration", "console", "drawing", "extras", "files", "locks", "parameters"),
    *("progress_lines", "replaying", "running_time", "runs", "seeds", "waiting", "yaml_values"),
)
_PLAYERS = ("agent", "digests", "games", "policy", "policy_file", "policy_places", "roster")

MOVED = {
    **{f"agents.{name}": f"agents.common.{name}" for name in _COMMON},
    **{f"agents.{name}": f"agents.players.{name}" for name in _PLAYERS},
    "agents.arena.crew": "agents.arena.match_task",
    "agents.arena.seating": "agents.arena.pairings",
    "agents.arena.table": "agents.arena.match",
    "agents.choices": "agents.training.masked_categorical",
    "agents.features": "agents.networks.features",
    "agents.guests": "agents.external",
    "agents.tuning": "agents.fitting.heuristic_weights",
    "agents.workers.hand": "agents.workers.worker",
}
"""Old module names and their new names."""


class _OldNames(MetaPathFinder):
    """Register the old names when the first of them is imported; it comes after all other finders."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        sys.meta_path.remove(self)
        from edge_envs.moved import keep_old_names

        keep_old_names(MOVED)
        return importlib.util.find_spec(fullname)


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module, which keeps the old names of its functions and classes with a warning.

    Args:
        module: the name of the module.
        names: old name to new name.
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        import warnings

        from edge_envs.moved import REMOVED_IN

        new = names[name]
        message = f"{module}.{name} is now {new}; the old name will be removed in version {REMOVED_IN}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(module), new)

    return find


def install() -> None:
    """Make the old names importable."""
    sys.meta_path.append(_OldNames())
