"""Policy folders with a model card, and with metadata in the file of their weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from agents.baselining.measuring import Measured
from agents.baselining.plan import BaselinePlan
from agents.common.files import write_whole
from agents.training.upkeep import KEPT
from edge_envs.core.checks.files import MOST_ARRAY_BYTES, MOST_HEADER_BYTES, read_bytes
from edge_envs.intervals import format_interval

LICENSE = "MIT"


def write_card(plan: BaselinePlan, one: Measured, policy: Path, folder: Path) -> None:
    """Copy the last policy of a run, with a model card and metadata."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(policy, folder, ignore=shutil.ignore_patterns(KEPT))
    timed = "max_seconds" in one.config
    last, protocol = one.curve[-1], plan.read_protocol().title
    about = {
        "board": one.run.board,
        "algorithm": plan.algorithms[one.run.algorithm].title,
        "program": f"agents.{one.run.program}",
        "seed": str(one.run.seed),
        "frames": str(last.step),
        "processor_seconds" if timed else "seconds_on_the_reference_machine": f"{last.seconds:.1f}",
        "hints": "none",
        "protocol": protocol,
        "score": "not defined" if last.score is None else f"{last.score:.1f}",
        "mean_return": f"{last.mean_return:.3f}",
        "licence": LICENSE,
    }
    weights = folder / "policy.safetensors"
    write_whole(weights, with_metadata(read_bytes(weights, MOST_ARRAY_BYTES), about))
    write_whole(folder / "README.md", card(plan, one, about))


def card(plan: BaselinePlan, one: Measured, about: dict[str, str]) -> str:
    """Return a model card in Markdown."""
    rows = "\n".join(f"| {key.replace('_', ' ')} | {value} |" for key, value in about.items())
    results = "\n".join(
        f"| `{row['opponent']}` | {row['games']} | {row['win_rate']:.3f} | "
        f"{format_interval(row['low'], row['high'])} | {row['mean_return']:+z.3f} ± {row['return_half_width']:.3f} |"
        for row in one.opponents
    )
    seconds = f"{one.run.seconds:g} seconds of processor time"
    frames = f"as many frames as the reference machine makes in {seconds}"
    length = seconds if "max_seconds" in one.config else frames
    config = json.dumps(one.config, indent=2)
    return f"""# {about["algorithm"]} on {one.run.board}, seed {one.run.seed}

A baseline: a policy for `{one.run.board}` that was trained without hints on one core, for {length}.
It is meant for comparisons and as an opponent. Its strength depends on the seed.

| | |
|---|---|
{rows}

## Results under {about["protocol"]}

| opponent | games | win rate | 95 % interval | mean return |
|---|---|---|---|---|
{results}

## Training

`python -m agents.{one.run.program} --config FILE` with this configuration:

```json
{config}
```
"""


def with_metadata(content: bytes, about: dict[str, str]) -> bytes:
    """Return a safetensors file with metadata in its header.

    Raises:
        ValueError: if the header is too large.
    """
    size = int.from_bytes(content[:8], "little")
    if size > MOST_HEADER_BYTES:
        raise ValueError("the header of the weights is too large")
    header = json.loads(content[8 : 8 + size])
    header["__metadata__"] = {**header.get("__metadata__", {}), **about}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + content[8 + size :]
