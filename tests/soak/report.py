"""Report the results of a soak test: as lines for the terminal, and as a page with a plot."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.common.drawing import subplots
from agents.workers.cores import usable_cores
from tests.soak.gauge import MEGABYTE, MOST_DESCRIPTORS, MOST_GROWTH, SETTLED, WINDOW, growth, resource_leaks

HEAD = """\
# Soak test

You need none of this to use the package. This page describes the test that uses the whole project at once under injected faults, and
shows its last result.

```sh
make soak                   # run for half an hour and update this page
make soak SOAK_MINUTES=5
.venv/bin/python -m tests.soak page --seed 7 --example 12   # repeat one round of one part
```

The soak test uses the whole project at once, in three processes on two cores, and injects faults. It checks that nothing
crashes or hangs, that no data is lost, and that the use of memory and file descriptors does not grow. Each process runs
one part:

| part | a round | what must hold |
|---|---|---|
| apis | fuzzes one target of the [fuzzing](../../CONTRIBUTING.md#fuzzing) with any game: positions, parameters, maps, records, actions, answers in words, opponents, configurations, policies, runs, data sets, transcripts, paths in files, command lines; through `State`, both PettingZoo APIs, the batched environment, and the seat environments of Gymnasium and Stable-Baselines3. Or it plays a game in the parallel API, OpenSpiel or TextArena, where they are installed; deletes a file of a data set; or asks any agent for a decision in any position | each example ends in the documented error or in a valid result; bridges and `State` agree; the deleted file is restored |
| page | sends invalid requests, breaks off connections, and plays games of a human player against an agent, on one server | invalid requests are rejected; a running game is not disturbed; its record contains every decision and leads to the same position |
| programs | starts a training run, a search for weights, a best response, a tournament (also with a policy and with an external program), a leaderboard or a data set. Up to three times it kills or terminates the program, denies it disk space, or corrupts one of its files, and resumes it | the output has the same bytes as that of an uninterrupted run; PPO, which resumes with other games, reaches the same number of steps and evaluations; a full disk and a corrupt file cause a one-line error |

The last round of each part is completed and checked like the others. A part that crashes, hangs or completes no round has
failed. Memory and open descriptors of each process must stay constant once everything has been used.

## Results
"""  # noqa: E501  a table row is one line


def summary(found: dict[str, Any]) -> tuple[str, bool]:
    """Return a line per result of each part, and whether all parts are sound."""
    lines = [f"{part:9} {line}" for part, result in found.items() for line in _verdicts(result)]
    sound = all(verdict == "sound" for result in found.values() for verdict in _verdicts(result))
    return "\n".join(lines), sound


def _verdicts(result: dict[str, Any]) -> list[str]:
    """Return the problems of a part, or "sound" if it completed at least one round and its end without any."""
    problems = [f"FAULT\n{result['fault']}"] if result["fault"] else []
    if not result["ended"] or result["code"] != (1 if result["fault"] else 0):
        problems.append(f"FAULT: the process ended with {result['code']}")
    if not sum(result["outcomes"].values()):
        problems.append("FAULT: no round was completed")
    return [*problems, *(resource_leaks(result["samples"]) if result["samples"] else [])] or ["sound"]


def write_report(file: Path, found: dict[str, Any], minutes: float, seed: int) -> None:
    """Write the page, and its plot into the folder `plots` next to it."""
    picture = file.parent / "plots" / f"{file.stem}.svg"
    picture.parent.mkdir(parents=True, exist_ok=True)
    _plot(picture, found)
    lines = [HEAD, *_results(found, minutes, seed, picture.relative_to(file.parent))]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _results(found: dict[str, Any], minutes: float, seed: int, picture: Path) -> Iterator[str]:
    machine = f"Python {platform.python_version()}, {usable_cores()} cores"
    yield f"Duration {minutes:g} minutes, seed {seed}, {machine}."
    yield "\n| part | rounds | memory, MB | descriptors | result |\n|---|---|---|---|---|"
    for part, result in found.items():
        verdict = " ".join("; ".join(_verdicts(result)).split("\n")[:1])
        yield f"| {part} | {sum(result['outcomes'].values()):,} | {_change(result, 'memory')} | {_change(result, 'descriptors')} | {verdict} |"  # noqa: E501  a table row is one line
    yield (
        f"\nMemory and descriptors are medians over {WINDOW:.0%} of the time, starting at {SETTLED:.0%} and at the end "
        f"of the run. A growth of {MOST_GROWTH // MEGABYTE} MB and of {MOST_DESCRIPTORS} descriptors is allowed."
    )
    yield f"\n![Memory and descriptors of the three processes]({picture.as_posix()})"
    yield "\n| part | rounds of each kind |\n|---|---|"
    for part, result in found.items():
        yield f"| {part} | {', '.join(f'{kind} {count:,}' for kind, count in sorted(result['outcomes'].items()))} |"
    yield "\n## Next step\n\n[Contributing](../../CONTRIBUTING.md) describes all tests."


def _change(result: dict[str, Any], what: str) -> str:
    medians = growth(result["samples"]["seconds"], result["samples"][what]) if result["samples"] else None
    unit = MEGABYTE if what == "memory" else 1
    return "too short" if medians is None else f"{medians[0] / unit:,.0f} → {medians[1] / unit:,.0f}"


def _plot(file: Path, found: dict[str, Any]) -> None:
    settings = {"svg.hashsalt": "soak", "svg.fonttype": "none", "font.size": 9}
    with subplots(2, 1, sharex=True, figsize=(7.2, 4.2), settings=settings) as (figure, (memory, descriptors)):
        for part, result in found.items():
            if result["samples"]:
                minutes = [second / 60 for second in result["samples"]["seconds"]]
                memory.plot(minutes, [value / MEGABYTE for value in result["samples"]["memory"]], label=part)
                descriptors.plot(minutes, result["samples"]["descriptors"], label=part)
        memory.set_ylabel("memory, MB")
        memory.set_ylim(bottom=0)
        memory.legend(loc="center", bbox_to_anchor=(0.5, 0.62), ncols=3)
        descriptors.set_ylabel("open descriptors")
        descriptors.set_ylim(bottom=0)
        descriptors.set_xlabel("minutes")
        figure.savefig(file, metadata={"Date": None})
