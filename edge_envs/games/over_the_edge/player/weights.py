"""What the heuristics of `over_the_edge` weigh by, and the numbers that they give about positions."""

from __future__ import annotations

from edge_envs.core.values import Feature, Values, Weight

WON = 1000.0

FEATURES = (
    Feature("value", "the value of the ship, in turns; the more the better; ±1000 once somebody has won"),
    Feature("way_home", "what the cheapest way home costs by the weights of steps, in turns"),
    Feature("skip", "turns that will be skipped"),
    Feature("fair_weather", "cards of the kind in hand"),
    Feature("favorable_winds", "cards of the kind in hand"),
    Feature("loyal_crew", "cards of the kind in hand"),
    Feature("bad_cards", "cards from mutiny to severe damage in hand"),
    Feature("exposed", "how likely another has the card to come and board"),
)

RANGES = {
    "step": (0.0, 20.0, "a step on the way home, into a space from which drifts lead aground"),
    "step_1": (0.0, 20.0, "a step into a space at the rim, from which one drift leads over the edge"),
    "step_2": (0.0, 20.0, "a step into a space from which two drifts lead over the edge"),
    "step_3": (0.0, 20.0, "a step into a space from which three drifts or more lead over the edge"),
    "port_step": (0.0, 20.0, "a step into a port"),
    "loss": (0.0, 100.0, "what a drift costs where drifts lead aground"),
    "loss_1": (0.0, 100.0, "what a drift costs at the rim"),
    "loss_2": (0.0, 100.0, "what a drift costs one space from the rim"),
    "loss_3": (0.0, 100.0, "what a drift costs farther from the rim"),
    "mutiny_loss": (0.0, 100.0, "what a mutiny costs besides the way that is lost"),
    "threat_1": (0.0, 1.0, "what part of a loss counts with one bad card of the kind in hand"),
    "threat_2": (0.0, 1.0, "what part of a loss counts with two of the kind"),
    "crew": (-20.0, 20.0, "a loyal crew"),
    "more_crew": (-20.0, 20.0, "the second and the third"),
    "winds": (-20.0, 20.0, "favorable winds, one or more"),
    "winning": (-20.0, 20.0, "a card that brings the ship home in its next turn"),
    "bad_card_in_port": (-20.0, 20.0, "a bad card in port"),
    "dead_calm_in_port": (-20.0, 20.0, "a dead calm in port"),
    "skipped": (-20.0, 20.0, "a turn that will be skipped"),
    "exposed": (-20.0, 0.0, "lying where another may come and board"),
    "drawing": (0.0, 1.0, "what part of the chance counts that another draws the card to come with"),
    "detour": (0.0, 5.0, "what a turn's way that the other loses by coming takes off"),
    "refusal": (0.0, 1.0, "what part of it three loyal crew take off, who may refuse"),
    "ready": (-20.0, 0.0, "staying in port with a hand that carries far, and as far as any other in port"),
    "patience": (0.0, 127.0, "turns of all players before the limit in which nobody lies in wait"),
    "fallen": (-1000.0, 0.0, "a ship that has fallen"),
    "rivals": (0.0, 5.0, "the change of all others' values together, against the own"),
}
"""The weights: from where to where, and for what."""


def values_with(**defaults: float) -> Values:
    """The values of a heuristic that weighs by these numbers."""
    weights = (Weight(name, defaults[name], low, high, text) for name, (low, high, text) in RANGES.items())
    return Values(unit="turns", span=8.0, weights=tuple(weights), features=FEATURES, decided=WON / 2)
