"""What a run shows while it trains: progress, evaluations, learning curves, TensorBoard."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import matplotlib
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from stable_baselines3.common.logger import KVWriter
from torch.utils.tensorboard import SummaryWriter

from agents.agent import make_agent
from agents.evaluation.report import evaluate_against
from agents.policy import PolicyAgent
from agents.ppo.config import TrainingConfig

matplotlib.use("Agg")


class TensorBoard(KVWriter):
    """What Stable-Baselines3 logs, as scalars for TensorBoard."""

    def __init__(self, writer: SummaryWriter) -> None:
        self.writer = writer

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0) -> None:
        """One step's scalars."""
        for key, value in key_values.items():
            if isinstance(value, int | float | np.number):
                self.writer.add_scalar(key, value, step)
        self.writer.flush()

    def close(self) -> None:
        """Whoever made the writer closes it."""


def scalar_writer(folder: Path, step: int) -> SummaryWriter:
    """The one writer of a run: what lies after `step`, from a run that was killed, is hidden.

    With two of them the second would hide what the first has written.
    """
    return SummaryWriter(str(folder), purge_step=step + 1)


class Monitor:
    """Progress bar, evaluations and curves of a run; a context manager around the training."""

    def __init__(self, folder: Path, config: TrainingConfig, step: int, writer: SummaryWriter) -> None:
        self._rows_file, self._picture = folder / "evaluations.jsonl", folder / "curves.png"
        self._config = config
        self._rows = self._rows_up_to(step)
        self._evaluated = max((row["step"] for row in self._rows), default=0)
        game = config.load_game()
        self._opponents = [make_agent(name, game) for name in config.evaluation.against]
        self._console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console,
        )  # fmt: skip
        self._first = step
        self._task = self._progress.add_task("steps", total=config.total_steps, completed=step, speed="")
        self._started = time.perf_counter()
        self._writer = writer

    def __enter__(self) -> Monitor:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def advance(self, step: int) -> None:
        """Show how far the training is."""
        speed = (step - self._first) / max(time.perf_counter() - self._started, 1e-9)
        self._progress.update(self._task, completed=step, speed=f"{speed:,.0f}/s")

    def is_due(self, step: int, last: bool) -> bool:
        """Whether another `evaluation.every` steps are complete, or the end has come without an evaluation."""
        every = self._config.evaluation.every
        return step // every > self._evaluated // every or (last and step > self._evaluated)

    def evaluate(self, step: int, policy: PolicyAgent) -> None:
        """Play against each opponent; write, print and plot the results."""
        self._evaluated = step
        game, games = self._config.load_game(), self._config.evaluation.games
        for opponent in self._opponents:
            row = {"step": step, **evaluate_against(game, policy, opponent, games, seed=step).to_dict()}
            self._rows.append(row)
            self._console.print(f"{step:>12,}  {_in_words(row)}", highlight=False, soft_wrap=True)
            for key in ("win_rate", "estimate"):
                if key in row:
                    self._writer.add_scalar(f"{key}/{opponent.name}", row[key], step)
        self._writer.flush()
        partial = self._rows_file.with_name(f"partial-{self._rows_file.name}")
        partial.write_text("".join(json.dumps(row) + "\n" for row in self._rows), encoding="utf-8")
        partial.replace(self._rows_file)
        draw_curves(self._rows, f"{game.name}: learning curves", self._picture)

    def _rows_up_to(self, step: int) -> list[dict[str, Any]]:
        """The rows of a resumed run; those after its checkpoint will be made again."""
        if step == 0 or not self._rows_file.exists():
            return []
        rows = [json.loads(line) for line in self._rows_file.read_text(encoding="utf-8").splitlines()]
        return [row for row in rows if row["step"] <= step]


def _in_words(row: dict[str, Any]) -> str:
    text = f"against {row['opponent']}: wins {row['win_rate']:.1%} [{row['low']:.1%}, {row['high']:.1%}]"
    if "estimate" in row:
        text += f", estimate {row['estimate']:.4f} ± {row['half_width']:.4f}"
    return text


def draw_curves(rows: list[dict[str, Any]], title: str, path: Path) -> None:
    """Win rates with their intervals over the steps, and the estimates against perfect play."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for opponent in dict.fromkeys(row["opponent"] for row in rows):
        own = [row for row in rows if row["opponent"] == opponent]
        steps = [row["step"] for row in own]
        (line,) = axes.plot(steps, [row["win_rate"] for row in own], marker=".", label=f"wins against {opponent}")
        axes.fill_between(
            steps, [row["low"] for row in own], [row["high"] for row in own], color=line.get_color(), alpha=0.2
        )
        if any("estimate" in row for row in own):
            axes.plot(
                steps, [row["estimate"] for row in own], linestyle="--", color=line.get_color(),
                label=f"estimate against {opponent}",
            )  # fmt: skip
    axes.set(title=title, xlabel="steps of the learner", ylabel="rate", ylim=(-0.02, 1.02))
    axes.grid(alpha=0.3)
    axes.legend()
    partial = path.with_name(f"partial-{path.name}")
    figure.savefig(partial, dpi=120)
    plt.close(figure)
    partial.replace(path)
