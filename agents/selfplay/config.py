"""The configuration of a training by self-play."""

from __future__ import annotations

from pydantic import Field

from agents.ppo.config import PPOConfig
from agents.training.config import OpponentWeights


class SelfPlayConfig(PPOConfig):
    """In a share `pool` of the games, one seat learns against opponents; in the others all seats learn."""

    opponents: OpponentWeights = OpponentWeights(snapshots=1.0)
    pool: float = Field(default=0.0, ge=0, le=1)

    @property
    def meets_opponents(self) -> bool:
        """Whether some games have opponents."""
        return self.pool > 0
