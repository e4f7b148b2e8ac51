"""Tells a person what a decision gives away, in games whose perfect play is known."""

from __future__ import annotations

import numpy as np

from agents.agent import records_shown
from agents.evaluation.regret import RegretMeter
from edge_envs import Game, State

SMALLEST = 0.0005  # of what is given away that is worth a number


class Adviser:
    """Judges decisions and remembers what they gave away; ValueError if there is no exact solution of the game."""

    def __init__(self, game: Game) -> None:
        self._meter = RegretMeter(game)
        self.decisions = 0
        self.given_away = 0.0
        self._rng = np.random.default_rng(0)  # for hidden parts, if there are any

    def judge(self, state: State, action: int) -> str:
        """What a legal action gives away, before it is applied."""
        values = self._meter.values(records_shown(state, self._rng))[0]
        best = int(np.nanargmax(values))
        regret = float(values[best] - values[action])
        self.decisions += 1
        self.given_away += regret
        if regret < SMALLEST:
            return "That was best." if regret == 0.0 else "That was as good as best."
        return f"That gives away {regret:.3f} of winning probability; best was {state.action_to_string(best)}."

    def sum_up(self) -> str:
        """What all decisions gave away together."""
        decisions = f"{self.decisions} decisions" if self.decisions != 1 else "one decision"
        return f"Your {decisions} gave away {self.given_away:.3f} of winning probability in all."
