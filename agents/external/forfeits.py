"""Count the errors of external agents as illegal actions, which forfeit a game."""

from __future__ import annotations

import numpy as np

from agents.external.reasons import reason_of
from agents.external.unavailable import UnavailableError
from edge_envs.core.opponent import action_numbers
from edge_envs.core.spec import Array, Records
from edge_envs.players import Agent


def is_external_agent(agent: Agent) -> bool:
    """Return whether others wrote an agent, so that it may fail in any way."""
    return bool(getattr(agent, "external", False))


class ForfeitingAgent:
    """An agent that chooses -1, which is never legal, where the wrapped agent fails."""

    def __init__(self, agent: Agent) -> None:
        self.name, self.needs_states = agent.name, agent.needs_states
        self._agent = agent
        self.why = ""
        """The first error."""

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the agent's actions (k,); if the call fails for several positions, call it for each separately."""
        try:
            answer = self._agent.act(observations, action_masks, states, players, rng)
            self.why = self.why or next(filter(None, getattr(self._agent, "reasons", ())), "")
            return action_numbers(answer, len(players), f"actions of agent {self.name}")
        except UnavailableError:
            raise
        except Exception as error:
            if len(players) == 1:
                self.why = self.why or reason_of(error)
                return np.array([-1])
        lanes = [slice(lane, lane + 1) for lane in range(len(players))]
        return np.concatenate(
            [
                self.act(
                    observations[one], action_masks[one], None if states is None else states[one], players[one], rng
                )
                for one in lanes
            ]
        )
