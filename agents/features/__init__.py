"""What networks make of observations before their first layer, by name: vectors, or planes over a board."""

from __future__ import annotations

from collections.abc import Mapping

from agents.features.beyond_maps import BeyondMapsFeatures
from agents.features.falling_off import FallingOffFeatures
from agents.features.ghost_ship import GhostShipFeatures
from agents.features.hints import HintingFeatures
from agents.features.over_the_edge import OverTheEdgeFeatures
from agents.features.plain import Features, PlainFeatures, VectorView
from agents.features.planes import BoardFeatures, BoardView
from edge_envs import Game

__all__ = [
    "BoardFeatures",
    "BoardView",
    "Features",
    "HintingFeatures",
    "VectorView",
    "make_board_features",
    "make_features",
]

FEATURES: dict[str, type[Features]] = {
    "plain": PlainFeatures,
    "falling_off": FallingOffFeatures,
    "over_the_edge": OverTheEdgeFeatures,
    "ghost_ship": GhostShipFeatures,
}
BOARD_FEATURES: dict[str, type[BoardFeatures]] = {"planes": BoardFeatures, "beyond_maps": BeyondMapsFeatures}


def make_features(name: str, game: Game, hints: bool, weights: Mapping[str, float]) -> Features:
    """The features module of a game; ValueError for a game that it does not fit, or hints or weights it has not."""
    return FEATURES[name](game, hints, weights)


def make_board_features(name: str, game: Game, hints: bool) -> BoardFeatures:
    """The features module of a game with a board; ValueError for a game that it does not fit, or hints it has not."""
    return BOARD_FEATURES[name](game, hints)
