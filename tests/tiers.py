"""The three tiers of tests: `pytest --tier check`, `test` (the default) or `all`.

- `all` runs every test.
- `test` leaves out slow tests: those with a case that needed more than `LIMIT` seconds of processor time when
  `durations.json` was written. The marker `slow` leaves out a test whatever the file says, `essential` keeps it. Of the
  cases of a game (`tests/contract/cases.py`), each test runs with the plain one and with one of the others. The tests
  take turns, so that together they cover every case.
- `check` runs the rules tests and the contract tests, each with the plain case of every game, and leaves out tests with
  a case that needed more than `CHECK_LIMIT` seconds.

Tests that are named in full (`tests/core/test_rng.py::test_...`) always run.

`pytest --tier all --write-durations` writes the file, `python -m tests.tiers` prints the tables of CONTRIBUTING.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from edge_envs import Game

TIERS = ("check", "test", "all")
MARKERS = {
    "slow": "runs only in the tier `all`",
    "essential": "runs in the tier `test`, however long it takes",
}
LIMIT = 3.0
CHECK_LIMIT = 0.5
FILE = Path(__file__).resolve().parent / "durations.json"


@dataclass
class Duration:
    """The processor time of a test function in seconds, that of child processes included."""

    cases: int = 0
    total: float = 0.0
    slowest: float = 0.0
    """The time of the slowest case."""

    def add(self, seconds: float) -> None:
        """Count a case."""
        self.cases += 1
        self.total += seconds
        self.slowest = max(self.slowest, seconds)


def share(games: Iterable[Game], test: str, tier: str) -> list[Game]:
    """Return the cases that a test runs with.

    Args:
        games: All cases, those of one game in a row, the plain one first.
        test: The name of the test function. It decides which of the other cases is taken.
        tier: One of `TIERS`.
    """
    if tier == "all":
        return list(games)
    return list(_some(games, zlib.crc32(test.encode()) if tier == "test" else None))


def _some(games: Iterable[Game], draw: int | None) -> Iterator[Game]:
    for _, cases in itertools.groupby(games, lambda game: game.name):
        plain, *others = cases
        yield plain
        if others and draw is not None:
            yield others[draw % len(others)]


def is_in(item: pytest.Item, tier: str, games: Sequence[Game]) -> bool:
    """Return whether a tier contains a test; `games` are all cases of all games."""
    if tier == "all":
        return True
    if is_slow(item, LIMIT if tier == "test" else CHECK_LIMIT) and not (tier == "test" and _has(item, "essential")):
        return False
    if "contract" in item.path.parts:
        return True  # its conftest chooses the games
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    game = next((value for value in parameters.values() if isinstance(value, Game)), None)
    if game in games and game not in share(games, function_of(item.nodeid).rpartition("::")[2], tier):
        return False
    return tier == "test" or item.path.stem.startswith("test_rules")


def is_named(item: pytest.Item, config: pytest.Config) -> bool:
    """Return whether the command line names a test function in full."""
    name = f"{item.path.name}::{function_of(item.nodeid).partition('::')[2]}"
    return any(function_of(argument).endswith(name) for argument in config.args)


def is_slow(item: pytest.Item, limit: float) -> bool:
    """Return whether a test has the marker `slow`, or a case that needed more seconds than the limit."""
    known = durations().get(function_of(item.nodeid))
    return _has(item, "slow") or (known is not None and known.slowest > limit)


def _has(item: pytest.Item, marker: str) -> bool:
    return item.get_closest_marker(marker) is not None


def function_of(test: str) -> str:
    """Return the name of a test without its parameters."""
    return test.partition("[")[0]


class Recorder:
    """A plugin that writes the processor time of every test function to `durations.json`.

    With pytest-xdist, workers measure, and the time travels to the controller with the reports.
    """

    def __init__(self) -> None:
        self._last = 0.0
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logstart(self) -> None:
        """Start to measure a test."""
        self._last = _processor_time()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        """Add to each report how much was computed since the one before."""
        report = yield
        before, self._last = self._last, _processor_time()
        report.user_properties = [*report.user_properties, ("processor_time", self._last - before)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up set-up, call and tear-down."""
        self._seconds[report.nodeid] += dict(report.user_properties).get("processor_time", 0.0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file; tests that were not asked for keep their figures."""
        if hasattr(session.config, "workerinput"):
            return
        measured: defaultdict[str, Duration] = defaultdict(Duration)
        for test, seconds in self._seconds.items():
            measured[function_of(test)].add(seconds)
        asked_for_all = session.config.args == session.config.getini("testpaths")
        FILE.write_text(as_text(measured if asked_for_all else {**durations(), **measured}), encoding="utf-8")


def _processor_time() -> float:
    """Return the seconds that this process and its children have computed."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@functools.cache
def durations() -> dict[str, Duration]:
    """Return the content of `durations.json`."""
    if not FILE.exists():
        return {}
    return {test: Duration(*figures) for test, figures in json.loads(FILE.read_text(encoding="utf-8")).items()}


def as_text(measured: Mapping[str, Duration]) -> str:
    """Return durations as JSON with one test function in a line."""
    lines = [
        f"  {json.dumps(test)}: [{duration.cases}, {duration.total:.2f}, {duration.slowest:.2f}]"
        for test, duration in sorted(measured.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def table(measured: Mapping[str, Duration]) -> str:
    """Return the durations by folder, and those of slow tests, as a table in Markdown."""
    rows: defaultdict[str, list[float]] = defaultdict(lambda: [0] * 4)
    for test, duration in measured.items():
        slow = duration.slowest > LIMIT
        figures = (duration.cases, duration.total, duration.cases * slow, duration.total * slow)
        for row in (_folder(test), "all"):
            rows[row] = [one + other for one, other in zip(rows[row], figures, strict=True)]
    lines = ["| tests | cases | s | slow cases | s |", "|---|---|---|---|---|"]
    for name, row in sorted(rows.items(), key=lambda item: (item[0] == "all", item[0])):
        lines.append(f"| {name} | " + " | ".join(f"{figure:,.0f}" for figure in row) + " |")
    return "\n".join(lines)


def slow_tests(measured: Mapping[str, Duration]) -> str:
    """Return the files with slow tests and their names, as a table in Markdown."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for test, duration in sorted(measured.items()):
        if duration.slowest > LIMIT:
            file, _, name = test.partition("::")
            found[file].append(f"`{name}`")
    return "\n".join(["| file | slow tests |", "|---|---|", *(f"| `{f}` | {', '.join(t)} |" for f, t in found.items())])


def _folder(test: str) -> str:
    parts = test.partition("::")[0].split("/")
    return f"`{'/'.join(parts[:2])}`" if len(parts) > 2 else "`tests/*.py`"


if __name__ == "__main__":
    print(table(durations()), slow_tests(durations()), sep="\n\n")
