"""The kernels of every game take the arguments that `Kernels` declares."""

from __future__ import annotations

import inspect
import typing
from dataclasses import fields

from edge_envs import Game
from edge_envs.core import spec


def declared_arguments() -> dict[str, list[str]]:
    """Return the argument names of each kernel."""
    hints = typing.get_type_hints(spec.Kernels)
    found = {}
    for field in fields(spec.Kernels):
        kinds = [kind for kind in (hints[field.name], *typing.get_args(hints[field.name])) if inspect.isclass(kind)]
        (protocol,) = [kind for kind in kinds if kind is not type(None)]
        found[field.name] = list(inspect.signature(protocol.__call__).parameters)[1:]
    return found


def test_kernels_take_the_declared_arguments(plain_game: Game) -> None:
    for name, arguments in declared_arguments().items():
        kernel = getattr(plain_game.compiled.declared, name)
        if kernel is None:
            continue
        taken = list(inspect.signature(getattr(kernel, "py_func", kernel)).parameters)
        assert len(taken) == len(arguments), f"{name} of {plain_game.name} takes {taken}; expected {arguments}"
