"""`compiled_game`: the kernels and compiled loops of a game, built once per game type.

The modules that need numba are imported when the first kernel or loop is used.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Kernels

if TYPE_CHECKING:
    from edge_envs.core.loops.complete_kernels import CompleteKernels
    from edge_envs.core.loops.game_loops import GameLoops
    from edge_envs.core.loops.seat_loops import SeatDecider, SeatLoops
    from edge_envs.core.loops.value_loops import ValueLoops

_REQUIRED = {
    "rules": ("new_game", "current_player", "legal_action_mask", "chance_probabilities", "apply", "rewards"),
    "observation": ("observe",),
    "heuristic": ("heuristic",),
}
_OPTIONAL = {
    "rules": ("sample_chance", "random_action", "resample", "score", "turn_of"),
    "observation": ("read_observation",),
    "heuristic": ("action_values", "position_features"),
}


class CompiledGame:
    """A game as machine code: its kernels, and the generic loops specialised to them.

    Each part is built on first use, and compiled when it is called for the first time.
    """

    def __init__(self, game_type: GameType) -> None:
        self._game_type = game_type

    @functools.cached_property
    def declared(self) -> Kernels:
        """The kernels that the game declares; optional ones that it omits are None."""
        from edge_envs.core.compiler.backends import boundary

        module = self._game_type.module
        found: dict[str, Any] = {name: getattr(module(m), name) for m, names in _REQUIRED.items() for name in names}
        found |= {name: getattr(module(m), name, None) for m, names in _OPTIONAL.items() for name in names}
        for name, m in (("cells", "cells"), ("cells_with", "cells"), ("turns", "turns")):
            found[name] = getattr(module(m), name, None) if self._game_type.has_module(m) else None
        kernels = Kernels(**found)
        for kernel in vars(kernels).values():
            boundary(kernel)
        return kernels

    @functools.cached_property
    def kernels(self) -> CompleteKernels:
        """The declared kernels, with generic ones in place of those that the game omits."""
        from edge_envs.core.loops.complete_kernels import CompleteKernels

        game_type = self._game_type
        return CompleteKernels.of(self.declared, game_type.folder, game_type.most_chance_outcomes)

    @functools.cached_property
    def loops(self) -> GameLoops:
        """The loops over positions and games."""
        from edge_envs.core.loops.game_loops import GameLoops

        return GameLoops.build(self.kernels)

    @functools.cache  # noqa: B019  a game type lives as long as the process
    def seat_loops(self, heuristic: bool, decider: SeatDecider | None = None) -> SeatLoops:
        """Return the loops of the APIs with one learning seat.

        Args:
            heuristic: Whether the heuristic may play one of the other seats.
            decider: How an opponent object decides that plays inside the loops; None if there is none.
        """
        from edge_envs.core.loops.seat_loops import SeatLoops

        return SeatLoops.build(self.kernels, heuristic, decider)

    @functools.cached_property
    def value_loops(self) -> ValueLoops:
        """The loops over the value kernels.

        Raises:
            ValueError: if the game declares no `VALUES`.
        """
        from edge_envs.core.loops.value_loops import ValueLoops

        if self._game_type.values is None:
            raise ValueError(f"{self._game_type.name} declares no VALUES, so its actions have no values")
        return ValueLoops.build(self.kernels)


@functools.cache
def compiled_game(game_type: GameType) -> CompiledGame:
    """Return the compiled game of a game type; each version of its heuristic has its own."""
    return CompiledGame(game_type)
