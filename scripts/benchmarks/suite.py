"""All rows of a game, in groups of sides that are compared with each other and therefore run interleaved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scripts.benchmarks import apis, drawing, measure, peers, searches, startup, training
from scripts.benchmarks.goals import judge, settings, standard
from scripts.benchmarks.measure import Budget, Row, Side, Tick

Group = list[Side | tuple[str, str]]
"""Sides to compare; rows to skip, by name with the reason."""


@dataclass(frozen=True)
class Plan:
    """Groups of sides to time for a game, and the rows to skip, by name with the reason."""

    game: str
    budget: Budget
    groups: tuple[tuple[Side, ...], ...]
    skipped: dict[str, str]
    whole: bool

    @property
    def ticks(self) -> int:
        """Number of calls of `tick` by `measure_game`."""
        rows = sum(measure.ticks(group, self.budget) for group in self.groups)
        return rows + (startup.ticks(self.budget) if self.whole else 0)


def plan(name: str, budget: Budget, rows: str = "", device: str = "cpu") -> Plan:
    """Plan the measurements of a game.

    Args:
        name: Name of the game.
        budget: The budget of each row.
        rows: Only plan groups with a row whose name contains this string.
        device: With `cuda`, training is also timed on the CPU and on the GPU side by side.

    Raises:
        ValueError: if the game is unknown, or if no row matches.
    """
    groups = [*_api_groups(name, budget), *_training_groups(name, budget, device)]
    groups = [group for group in groups if any(rows in (s.name if isinstance(s, Side) else s[0]) for s in group)]
    if not groups:
        raise ValueError(f"no row of {name} contains {rows!r} in its name")
    return Plan(
        name,
        budget,
        tuple(tuple(side for side in group if isinstance(side, Side)) for group in groups),
        dict(side for group in groups for side in group if not isinstance(side, Side)),
        whole=not rows,
    )


def _api_groups(name: str, budget: Budget) -> list[Group]:
    """Return the rows of the environments, playouts, searches and pictures, with their peers."""
    s, by_label = standard(name), settings(name)
    first, beside_openspiel = by_label[s.first], by_label[s.beside_openspiel]
    no_spiel, no_connect_four = peers.missing_openspiel(), peers.missing_connect_four()
    no_frames, no_gold = drawing.missing(), peers.missing_city_of_gold()
    return [
        [
            *(apis.vector(first, budget, lanes, threads) for lanes in apis.LANES for threads in apis.THREADS),
            *(
                apis.vector(setting, budget, lanes)
                for setting in by_label.values()
                if setting is not first
                for lanes in (apis.STANDARD_LANES, max(apis.LANES))
            ),
            peers.cartpole(),
            (peers.CITY_OF_GOLD, no_gold) if no_gold else peers.city_of_gold(),
            apis.vector_from_python(first),
        ],
        [
            apis.playouts(beside_openspiel),
            (peers.rollouts_name(s.openspiel), no_spiel) if no_spiel else peers.openspiel_rollouts(s.openspiel, budget),
        ],
        [
            apis.aec(first),
            (peers.CONNECT_FOUR, no_connect_four) if no_connect_four else peers.connect_four(),
        ],
        [
            apis.state(beside_openspiel),
            (peers.states_name(s.openspiel), no_spiel) if no_spiel else peers.openspiel_states(s.openspiel),
        ],
        [
            searches.search(beside_openspiel, budget.iterations),
            *(
                [
                    (searches.openspiel_name(s.openspiel), no_spiel),
                    (searches.from_python_name(s.beside_openspiel), no_spiel),
                ]
                if no_spiel
                else [
                    searches.openspiel(s.openspiel, budget.iterations),
                    searches.from_python(beside_openspiel, budget.iterations),
                ]
            ),
        ],
        [apis.seat(first), apis.seat_vector(first), apis.heuristic(first, budget)],
        [
            drawing.svg(first),
            *(
                [(drawing.frame_name(s.first), no_frames), (drawing.rendered_name(s.first), no_frames)]
                if no_frames
                else [drawing.frames(first), drawing.rendered(first)]
            ),
        ],
    ]


def _training_groups(name: str, budget: Budget, device: str) -> list[Group]:
    """Return the rows of training: PPO, on both devices if another than the CPU is chosen, and self-play."""
    s = standard(name)
    first, no_train = settings(name)[s.first], training.missing()
    return [
        [(name(s.first), no_train) for name in (training.training_name, training.maskable_ppo_name)]
        if no_train
        else [training.training(first, budget), training.maskable_ppo(first, budget)],
        *(
            [
                (training.device_name(s.first, network, where), reason)
                if (reason := training.missing_device(where))
                else training.on_device(first, budget, network, where)
                for where in ("cpu", device)
            ]
            for network in (training.networks_for(first) if device != "cpu" else [])
        ),
        [
            (training.self_play_name(config), no_train) if no_train else training.self_play(config)
            for config in s.self_play
        ],
    ]


def measure_game(plan: Plan, tick: Tick) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Measure a game and return its rows and ratios for JSON."""
    rows: list[Row] = []
    for group in plan.groups:
        rows += measure.interleave(group, plan.budget, tick)
    if plan.whole:
        rows += startup.startup(plan.game, plan.budget, tick)
    if plan.whole and plan.budget.compile:
        rows += startup.compilation(plan.game, tick)
    ratios = [ratio for ratio in judge(plan.game, rows) if plan.whole or ratio["value"] is not None]
    return [{"game": plan.game, **row.to_dict()} for row in rows], ratios
