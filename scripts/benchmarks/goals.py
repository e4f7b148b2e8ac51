"""Settings, peers and targets of each game, and the resulting ratios.

A new game needs no entry: it gets all rows with its default parameters, and the ratios of `Standard()`. An entry in
`STANDARDS` gives a game its own settings, peers and targets.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import edge_envs
from scripts.benchmarks import apis, drawing, peers, searches, startup, training
from scripts.benchmarks.apis import Setting
from scripts.benchmarks.measure import Clock, Rates, Row


@dataclass(frozen=True)
class Standard:
    """Settings and targets of a game. A ratio with the target None is reported without a verdict.

    `params` maps the labels in row names to parameters. All rows use the first label; each label also has the vector
    row with 1,024 games and one thread. `openspiel` is the OpenSpiel game that is compared with playouts and `State`,
    which use the parameters of the label `openspiel_at`. `growth` names two labels whose costs per decision are
    compared.
    """

    params: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"": {}})
    openspiel: str = "pig"
    openspiel_at: str | None = None  # None: the first label
    growth: tuple[str, str] | None = None
    vector: Mapping[str, float] = field(default_factory=dict)  # decisions/s by label, at 1,024 games, one thread
    vector_over_cartpole: float | None = None
    playouts: float | None = None  # decisions/s
    playouts_over_openspiel: float | None = None
    search_over_openspiel: float | None = 1.0  # iterations/s, against C++ on the most similar game
    search_over_python: float | None = 50.0  # iterations/s, against OpenSpiel's Python search on our game
    aec_over_connect_four: float | None = 5.0
    heuristic: float | None = None  # turns/s
    pictures: float | None = 100.0  # per second: 10 ms each
    frames: float | None = 33.4  # per second: 30 ms each
    training: float | None = None  # frames/s
    self_play: Mapping[str, float] = field(default_factory=dict)  # turns/s by configuration of an n-tuple network
    two_threads: float | None = 1.8
    many_lanes: float | None = 0.85
    import_seconds: float | None = 0.5
    first_kernel_seconds: float | None = 1.0
    first_step_seconds: float | None = None  # processor time with an empty cache
    further_step_seconds: float | None = 4.0  # the same for each further API in one process

    @property
    def first(self) -> str:
        """Label of all rows, unless stated otherwise."""
        return next(iter(self.params))

    @property
    def beside_openspiel(self) -> str:
        """Label of the rows that are compared with OpenSpiel."""
        return self.first if self.openspiel_at is None else self.openspiel_at


STANDARDS: Mapping[str, Standard] = {
    "falling_off": Standard(
        openspiel="pig",
        vector={"": 10e6},
        vector_over_cartpole=1.5,
        playouts=20e6,
        playouts_over_openspiel=1.5,
        training=50e3,
        first_step_seconds=3.0,
    ),
    "beyond_maps": Standard(
        params={"12×12": {"size": 12}, "18×18": {"size": 18}, "5×5": {"size": 5}},
        openspiel="go(board_size=19)",
        openspiel_at="18×18",
        growth=("5×5", "18×18"),
        vector={"12×12": 600e3, "18×18": 400e3},
        playouts_over_openspiel=2.0,
        aec_over_connect_four=3.0,
        heuristic=1.5e3,
        training=8e3,
        self_play={"from_rules_8x8": 5e3},
        first_step_seconds=15.0,
    ),
    "over_the_edge": Standard(
        params={
            "4 players": {"map": "flat_earth", "num_players": 4},
            "2 players": {"map": "flat_earth", "num_players": 2},
            "pond, 2 players": {"map": "pond", "num_players": 2},
        },
        openspiel="backgammon",
        vector={"4 players": 3e6},
        aec_over_connect_four=4.0,
        training=25e3,
        self_play={"from_rules_pond": 60e3},
        first_step_seconds=8.0,
    ),
    "ghost_ship": Standard(
        params={
            "tour": {"creation": "random"},
            "whole game": {},
            "tour, 4 players": {"creation": "random", "num_players": 4},
        },
        openspiel="backgammon",
        vector={"tour": 1e6, "whole game": 500e3},
        aec_over_connect_four=3.0,
        training=6e3,
        first_step_seconds=20.0,
    ),
}


def standard(game: str) -> Standard:
    """Return the standard of a game."""
    return STANDARDS.get(game, Standard())


def settings(game: str) -> dict[str, Setting]:
    """Return the settings of a game by label. Raises ValueError for an unknown game."""
    return {
        label: Setting(edge_envs.load_game(game, **params), label) for label, params in standard(game).params.items()
    }


GPU_OVER_CPU = {"perceptron": 3.0, "convolutions": 10.0}
"""Targets of training on a GPU, by networks. They are only reported if rows on a GPU were measured."""


@dataclass(frozen=True)
class Goal:
    """A target for a row, or for the ratio of a row to another, both by the same `clock`.

    It compares units per second or, with `by_games`, games per second.
    """

    name: str
    row: str
    over: str | None
    target: float | None
    clock: Clock = "cpu"
    at_most: bool = False
    by_games: bool = False


def goals(game: str) -> list[Goal]:
    """Return all goals of a game in the order of the report."""
    s = standard(game)
    one, two = (apis.vector_name(s.first, apis.STANDARD_LANES, threads) for threads in (1, 2))
    many = {label: apis.vector_name(label, max(apis.LANES), 1) for label in s.params}
    at = {label: apis.vector_name(label, apis.STANDARD_LANES, 1) for label in s.params}
    playouts, aec = apis.named("playouts", s.beside_openspiel), apis.named("AEC", s.first)
    search, spiel_search = searches.search_name(s.beside_openspiel), searches.openspiel_name(s.openspiel)
    python_search = searches.from_python_name(s.beside_openspiel)
    state = apis.named("State from Python", s.beside_openspiel)
    heuristic = apis.heuristic_name(s.first)
    over_openspiel, rollouts = f"playouts ÷ OpenSpiel {s.openspiel}, C++ rollouts", peers.rollouts_name(s.openspiel)
    return [
        *(Goal(row, row, None, s.vector.get(label)) for label, row in at.items()),
        Goal("vector env ÷ CartPole, 1,024 games", one, peers.CARTPOLE, s.vector_over_cartpole),
        Goal("vector env ÷ City of Gold", one, peers.CITY_OF_GOLD, None),
        *(
            Goal(f"cost of a decision, {large} ÷ {small}", at[small], at[large], None)
            for small, large in ([s.growth] if s.growth else [])
        ),
        Goal(playouts, playouts, None, s.playouts),
        Goal(over_openspiel, playouts, rollouts, s.playouts_over_openspiel),
        Goal(f"{over_openspiel}, by games", playouts, rollouts, None, by_games=True),
        Goal(f"search ÷ OpenSpiel {s.openspiel}, C++ search", search, spiel_search, s.search_over_openspiel),
        Goal("search ÷ OpenSpiel's in Python on State", search, python_search, s.search_over_python),
        Goal("AEC ÷ PettingZoo connect_four", aec, peers.CONNECT_FOUR, s.aec_over_connect_four),
        Goal("State ÷ OpenSpiel, from Python", state, peers.states_name(s.openspiel), None),
        Goal(heuristic, heuristic, None, s.heuristic),
        Goal(drawing.svg_name(s.first), drawing.svg_name(s.first), None, s.pictures),
        Goal(drawing.frame_name(s.first), drawing.frame_name(s.first), None, s.frames),
        Goal(training.training_name(s.first), training.training_name(s.first), None, s.training),
        *(
            Goal(training.self_play_name(config), training.self_play_name(config), None, target)
            for config, target in s.self_play.items()
        ),
        Goal(
            "training frames ÷ MaskablePPO alone",
            training.training_name(s.first),
            training.maskable_ppo_name(s.first),
            None,
        ),
        Goal("two threads ÷ one, 1,024 games", two, one, s.two_threads, "wall"),
        *(
            Goal(apis.named("8,192 games ÷ 1,024", label, "one thread"), many[label], at[label], s.many_lanes)
            for label in s.params
        ),
        Goal(startup.IMPORT, startup.IMPORT, None, s.import_seconds, "wall", at_most=True),
        Goal(startup.FIRST_KERNEL, startup.FIRST_KERNEL, None, s.first_kernel_seconds, "wall", at_most=True),
        *(
            Goal(name(api), name(api), None, seconds, "process", at_most=True)
            for name, seconds in (
                (startup.first_step, s.first_step_seconds),
                (startup.further, s.further_step_seconds),
            )
            for api in startup.APIS
        ),
    ]


def gpu_goals(game: str) -> list[Goal]:
    """Return the goals of training on a GPU."""
    label = standard(game).first
    return [
        Goal(
            f"training frames, GPU ÷ CPU, {network}",
            training.device_name(label, network, "cuda"),
            training.device_name(label, network, "cpu"),
            target,
            "wall",
        )
        for network, target in GPU_OVER_CPU.items()
    ]


def judge(game: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the ratios of a game for JSON: median, range over the repeats, and whether the median meets the target."""
    by_name = {row.name: row for row in rows}
    asked = [*goals(game), *(goal for goal in gpu_goals(game) if goal.row in by_name)]
    return [{"game": game, **_judge(goal, by_name)} for goal in asked]


def _judge(goal: Goal, rows: Mapping[str, Row]) -> dict[str, Any]:
    entry = {"name": goal.name, "target": goal.target, "at_most": goal.at_most, "clock": goal.clock}
    rates, others = (_rates(rows.get(name), goal) for name in (goal.row, goal.over or goal.row))
    if rates is None or others is None:
        return {**entry, "value": None, "low": None, "high": None, "met": None}
    values = rates[goal.clock]
    if goal.over is not None:  # per repeat, because both sides ran within seconds of each other
        values = [value / peer for value, peer in zip(values, others[goal.clock], strict=True)]
    value = statistics.median(values)
    met = None if goal.target is None else value < goal.target if goal.at_most else value >= goal.target
    return {**entry, "value": value, "low": min(values), "high": max(values), "met": met}


def _rates(row: Row | None, goal: Goal) -> Rates | None:
    if row is None:
        return None
    return row.games if goal.by_games else row.values
