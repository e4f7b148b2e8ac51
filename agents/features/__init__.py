"""What networks make of observations before their first layer, by name."""

from __future__ import annotations

from agents.features.falling_off import FallingOffFeatures
from agents.features.plain import Features, PlainFeatures
from edge_envs import Game

FEATURES: dict[str, type[Features]] = {"plain": PlainFeatures, "falling_off": FallingOffFeatures}


def make_features(name: str, game: Game) -> Features:
    """The features module of a game; ValueError for an unknown name or a game that it does not fit."""
    if name not in FEATURES:
        raise ValueError(f"there are no features {name!r}; possible are {', '.join(FEATURES)}")
    return FEATURES[name](game)
