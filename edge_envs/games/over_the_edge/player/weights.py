"""Declare the weights of the heuristics of `over_the_edge` and their features of positions."""

from __future__ import annotations

from edge_envs.core.values import Feature, Values, Weight

WON = 1000.0

FEATURES = (
    Feature("value", "the value of the ship in turns, higher is better; ±1000 after a player has won"),
    Feature("way_home", "the cost of the cheapest route home by the weights of steps, in turns"),
    Feature("skip", "turns that the player will miss"),
    Feature("fair_weather", "cards of this kind in hand"),
    Feature("favorable_winds", "cards of this kind in hand"),
    Feature("loyal_crew", "cards of this kind in hand"),
    Feature("bad_cards", "mutiny, scurvy, stormy_seas and severe_damage cards in hand"),
    Feature("exposed", "the probability that another ship has the card to come and board"),
)

RANGES = {
    "step": (0.0, 20.0, "cost of a step on the way home into a space from which drifts lead aground"),
    "step_1": (0.0, 20.0, "cost of a step into a space at the rim, one drift from the void"),
    "step_2": (0.0, 20.0, "cost of a step into a space two drifts from the void"),
    "step_3": (0.0, 20.0, "cost of a step into a space three or more drifts from the void"),
    "port_step": (0.0, 20.0, "cost of a step into a port"),
    "loss": (0.0, 100.0, "cost of a drift where drifts lead aground"),
    "loss_1": (0.0, 100.0, "cost of a drift at the rim"),
    "loss_2": (0.0, 100.0, "cost of a drift one space from the rim"),
    "loss_3": (0.0, 100.0, "cost of a drift farther from the rim"),
    "mutiny_loss": (0.0, 100.0, "cost of a mutiny in addition to the lost progress"),
    "threat_1": (0.0, 1.0, "share of a loss that counts with one bad card of the kind in hand"),
    "threat_2": (0.0, 1.0, "share of a loss that counts with two of the kind"),
    "crew": (-20.0, 20.0, "value of the first loyal crew"),
    "more_crew": (-20.0, 20.0, "value of the second and of the third loyal crew"),
    "winds": (-20.0, 20.0, "value of holding favorable winds, one or more"),
    "winning": (-20.0, 20.0, "value of a card that brings the ship home in its next turn"),
    "bad_card_in_port": (-20.0, 20.0, "value of a bad card in port"),
    "dead_calm_in_port": (-20.0, 20.0, "value of a dead calm in port"),
    "skipped": (-20.0, 20.0, "value of a turn that the player will miss"),
    "exposed": (-20.0, 0.0, "value of exposure to a ship that has the card to come and board"),
    "drawing": (0.0, 1.0, "share that counts of the probability that the other ship draws this card"),
    "detour": (0.0, 5.0, "reduction of exposure for each turn that the detour costs the other ship"),
    "refusal": (0.0, 1.0, "share of exposure removed by three loyal crew, which allow a refusal"),
    "ready": (-20.0, 0.0, "value of staying in port with a hand that carries as far as any in port, and far enough"),
    "patience": (0.0, 127.0, "number of last turns of all players in which exposure is ignored"),
    "fallen": (-1000.0, 0.0, "value of a ship that has fallen"),
    "rivals": (0.0, 5.0, "weight of the mean change of the other ships' values, which is subtracted"),
}
"""The range and the meaning of each weight."""


def values_with(**defaults: float) -> Values:
    """Return the value declaration of a heuristic with these default weights."""
    weights = (Weight(name, defaults[name], low, high, text) for name, (low, high, text) in RANGES.items())
    return Values(unit="turns", span=8.0, weights=tuple(weights), features=FEATURES, decided=WON / 2)
