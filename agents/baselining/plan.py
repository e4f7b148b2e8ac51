"""The plan of the baselines: algorithms × boards × seeds, and the configuration of each run."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from agents.benchmarking.protocol import BenchmarkBoard, Protocol, read_protocol
from agents.common.configuration import Section
from agents.common.numbers import all_digits
from edge_envs import load_game
from edge_envs.games import plain_name

STEPS = 10**12
"""More steps than any run takes: the processor time ends it."""

BETWEEN_CHECKPOINTS = 60.0
"""Seconds on the reference machine between two checkpoints."""

PLAN = Path("configs/baselines.yaml")
"""The file of the shipped plan."""

Seconds = Annotated[float, Field(gt=0, le=1e7)]
Speed = Annotated[float, Field(gt=0, le=1e9)]
Seeds = Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(min_length=1)]


class Algorithm(Section):
    """An algorithm.

    Attributes:
        title: how figures and tables call it.
        program: the program that trains.
        network: whether the run's configuration gets the `network` of its board.
        config: keys of its configuration, the same on all boards.
        boards: further keys on some boards. If `only_these` is true, it runs on these boards alone.
        only_these: see `boards`.
        speeds: frames per second of processor time on the reference machine, by board. A run on such a board ends after
            the frames that the reference machine makes in its seconds, and on other boards after these seconds.
    """

    title: str = Field(min_length=1)
    program: Literal["train", "selfplay", "dqn", "teach", "values", "tuples"]
    network: bool = True
    config: dict[str, Any] = Field(default_factory=dict)
    boards: dict[str, dict[str, Any]] = Field(default_factory=dict)
    only_these: bool = False
    speeds: dict[str, Speed] = Field(default_factory=dict)


class LongRuns(Section):
    """Longer runs."""

    seconds: Seconds
    seeds: Seeds


class BaselinePlan(Section):
    """The plan of the baselines.

    Attributes:
        seconds: the processor time of each run on the reference machine.
        seeds: the seeds of each algorithm on each board.
        long: further, longer runs, or none.
        points: the number of policies of a run that are measured for its learning curve.
        curve_games: the games of such a policy against each level.
        final_games: the same for the last policy of a run, against all opponents of the protocol.
        protocol: the file of the benchmark protocol.
        boards: the boards, each with the network of the algorithms that have one.
        algorithms: the algorithms by name.
    """

    seconds: Seconds
    seeds: Seeds
    long: LongRuns | None = None
    points: int = Field(default=10, gt=0, le=1000)
    curve_games: int = Field(default=60, gt=0)
    final_games: int = Field(default=400, gt=0)
    protocol: Path = Path("configs/edge-bench-v1.yaml")
    boards: dict[str, dict[str, Any]] = Field(min_length=1)
    algorithms: dict[str, Algorithm] = Field(min_length=1)

    def checked(self) -> Self:
        """Check that names are names of files, and that each run has a valid configuration."""
        from agents.programs.table import PROGRAMS, parse_config

        for name in self.algorithms:
            if not re.fullmatch(r"\w+", name):
                raise ValueError(f"algorithms.{name}: expected a name of letters, digits and _")
        for name, algorithm in self.algorithms.items():
            for key, boards in (("boards", algorithm.boards), ("speeds", algorithm.speeds)):
                for board in boards.keys() - self.boards.keys():
                    raise ValueError(f"algorithms.{name}.{key}.{board}: not one of the boards of the plan")
        for run in self.runs():
            parse_config(PROGRAMS[run.program]().config, self.config_of(run), f"{run.algorithm} on {run.board}")
        return self

    def runs(self) -> list[Run]:
        """Return all runs, so that after an interruption all algorithms and boards have about equally many."""
        kinds = [(seed, self.seconds) for seed in self.seeds]
        kinds += [(seed, self.long.seconds) for seed in self.long.seeds] if self.long else []
        return [
            Run(name, algorithm.program, board, seed, seconds)
            for seed, seconds in kinds
            for board in self.boards
            for name, algorithm in self.algorithms.items()
            if not algorithm.only_these or board in algorithm.boards
        ]

    def config_of(self, run: Run) -> dict[str, Any]:
        """Return the configuration of a run as it is read from JSON."""
        algorithm, game = self.algorithms[run.algorithm], load_game(run.board)
        config: dict[str, Any] = {
            "game": game.name,
            "params": game.params_dict(),
            "seed": run.seed,
            **_end(run, algorithm.speeds.get(run.board)),
            "keep_policies": self.points,
            "torch_threads": 1,
            "evaluation": {"every": STEPS, "games": 50, "against": ["random"]},
        }
        if algorithm.network and self.boards[run.board]:
            config["network"] = self.boards[run.board]
        whole = merged(merged(config, algorithm.config), algorithm.boards.get(run.board, {}))
        return dict(json.loads(json.dumps(whole)))

    def read_protocol(self) -> Protocol:
        """Read the protocol, with all boards of the plan; those that it does not have get its common opponents."""
        protocol = read_protocol(self.protocol)
        added = {plain_name(name): BenchmarkBoard() for name in self.boards}
        return protocol.model_copy(update={"boards": {**added, **protocol.boards}})


@dataclass(frozen=True)
class Run:
    """One run of an algorithm on a board."""

    algorithm: str
    program: str
    board: str
    seed: int
    seconds: float

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.board}-{self.algorithm}-{all_digits(self.seconds)}s-seed{self.seed}"


def _end(run: Run, speed: float | None) -> dict[str, Any]:
    """Return the keys that say when a run ends and saves checkpoints."""
    if speed is None:
        return {"total_steps": STEPS, "max_seconds": run.seconds, "checkpoint_every": STEPS}
    between = min(BETWEEN_CHECKPOINTS, run.seconds / 10)
    return {"total_steps": math.ceil(run.seconds * speed), "checkpoint_every": math.ceil(between * speed)}


def same_training(config: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two configurations differ at most in when the run ends, and saves checkpoints."""
    ends = {"total_steps", "max_seconds", "checkpoint_every"}
    first, second = ({key: value for key, value in one.items() if key not in ends} for one in (config, other))
    return first == second


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with changes; sections are merged key by key."""
    result = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result
