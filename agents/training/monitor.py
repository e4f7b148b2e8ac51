"""Show the progress of a training: progress bar, evaluations, learning curves, TensorBoard."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from torch.utils.tensorboard import SummaryWriter

from agents.common.configuration import parse
from agents.common.console import stop_if_asked
from agents.common.devices import fallback_note
from agents.common.files import json_lines, parse_json, read_json, read_text, write_whole
from agents.common.seeds import CURVES
from agents.evaluation.report import equal_share, evaluate_against
from agents.players.agent import make_agent
from agents.training.config import RunConfig, TorchConfig
from agents.training.curves import draw_curves, draw_met
from agents.training.divergence import DivergedError
from agents.training.progress import make_bar
from agents.training.run_page import record_games, write_run_page, written_replays
from edge_envs import Game
from edge_envs.core.errors import printable
from edge_envs.core.writing import naming
from edge_envs.intervals import format_rate
from edge_envs.players import Agent

ROWS, PICTURE = "evaluations.jsonl", "curves.png"
TIME = "time.json"
"""The file of a checkpoint with the processor time so far."""
MET, MET_PICTURE = "opponents.jsonl", "opponents.png"

Count = Annotated[int, Field(ge=0, le=10**15)]
Number = Annotated[float, Field(ge=-1e9, le=1e9)]
"""A number that can be plotted."""


class Spent(BaseModel):
    """The content of `time.json`."""

    cpu_seconds: float = Field(ge=0.0, le=1e12)


class EvaluationRow(BaseModel):
    """The part of a line of `evaluations.jsonl` that learning curves need."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)

    step: Count
    opponent: str
    win_rate: Number
    low: Number
    high: Number
    mean_return: Number = 0.0
    estimate: Number = 0.0
    half_width: Number = 0.0
    cpu_seconds: Number = 0.0


class MetRow(BaseModel):
    """The part of a line of `opponents.jsonl` that the plot needs: games against an opponent of the training."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)

    step: Count
    opponent: str
    games: Count
    score: Number
    chance: Number


class _Writer(SummaryWriter):  # type: ignore[misc]  # TensorBoard may be untyped
    """A writer whose errors name its folder: errors of a full disk come from a thread and name no file."""

    def add_scalar(self, *what: Any, **more: Any) -> None:
        with naming(Path(self.log_dir)):
            super().add_scalar(*what, **more)

    def flush(self) -> None:
        with naming(Path(self.log_dir)):
            super().flush()

    def close(self) -> None:
        with naming(Path(self.log_dir)):
            super().close()


@contextlib.contextmanager
def quiet_writers() -> Iterator[None]:
    """Hide tracebacks of TensorBoard's threads: the writer raises their errors again."""
    report = threading.excepthook

    def hook(dropped: threading.ExceptHookArgs) -> None:
        if not isinstance(dropped.exc_value, OSError) or type(dropped.thread).__name__ != "_AsyncWriterThread":
            report(dropped)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = report


def scalar_writer(folder: Path, step: int) -> SummaryWriter:
    """Make the only writer of a run; data after `step`, from a killed run, is hidden.

    A second writer would hide the data of the first. A run that starts again evaluates again at step 0.
    """
    with quiet_writers(), naming(folder):  # on a full disk, its thread fails at once
        return _Writer(str(folder), purge_step=step + 1 if step else 0)


class Monitor:
    """Progress bar, evaluations and curves of a run from a step on. Use it as a context manager around the training.

    ValueError if files of an earlier process cannot be read.
    """

    def __init__(self, folder: Path, config: RunConfig, game: Game, step: int) -> None:
        self._folder, self._config, self._game = folder, config, game
        self._rows = read_rows(folder / ROWS, step)
        self._met = read_rows(folder / MET, step, MetRow)
        self._evaluated = max((row["step"] for row in self._rows), default=-1)
        self._replays = written_replays(folder, step)
        self._opponents = [make_agent(name, game) for name in config.evaluation.against]
        self._first = self._step = step
        self._started = time.perf_counter()
        self._spent = time.process_time() - _earlier_seconds(folder, step, self._rows)
        self._bar = make_bar(None if config.max_seconds else config.total_steps, step, self.done(step))
        self._quiet = quiet_writers()
        self.writer = scalar_writer(folder / "tensorboard", step)

    def __enter__(self) -> Monitor:
        self._quiet.__enter__()
        self._bar.start()
        note = fallback_note(self._config.device) if isinstance(self._config, TorchConfig) else None
        if note:
            self.say(note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        try:
            with contextlib.suppress(*[OSError] * (error is not None)):  # the first error is reported
                self.writer.close()
        finally:
            self._quiet.__exit__(kind, error, trace)
        if isinstance(error, DivergedError):
            error.step = self._step

    @property
    def seconds(self) -> float:
        """The processor time of the training so far, without evaluations and with that of earlier processes."""
        return time.process_time() - self._spent

    def done(self, step: int) -> float:
        """Return the fraction of the training that is done at a step, by steps or by processor time, at most 1."""
        most = self._config.max_seconds
        return min(max(step / self._config.total_steps, self.seconds / most if most else 0.0), 1.0)

    def advance(self, step: int) -> None:
        """Update the progress bar; KeyboardInterrupt if the interruption of a signal was lost."""
        stop_if_asked()
        self._step = step
        speed = (step - self._first) / max(time.perf_counter() - self._started, 1e-9)
        self._bar.update(step, self.done(step), speed)

    def say(self, text: str) -> None:
        """Print a line next to the progress bar."""
        self._bar.say(text)

    def is_due(self, step: int, last: bool) -> bool:
        """Return whether to evaluate now: at the start, after every `evaluation.every` steps, and at the end."""
        every = self._config.evaluation.every
        return step // every > self._evaluated // every or (last and step > self._evaluated)

    def evaluate(self, step: int, policy: Agent, met: list[dict[str, Any]]) -> None:
        """Play against each opponent; write, print and plot the results.

        `met` has the rows on opponents of the training since the last evaluation.
        """
        self._evaluated, began = step, time.process_time()
        game, games, recorded = self._game, self._config.evaluation.games, self._config.evaluation.record
        for opponent in self._opponents:
            seconds = {"cpu_seconds": round(began - self._spent, 2)}
            row = {
                "step": step,
                **seconds,
                **evaluate_against(game, policy, opponent, games, seed=CURVES + step).to_dict(),
            }
            self._rows.append(row)
            self.say(f"{step:>12,}  {_in_words(row)}")
            for key in ("win_rate", "estimate"):
                if key in row:
                    self.writer.add_scalar(f"{key}/{opponent.name}", row[key], step)
            if recorded:
                self._replays += record_games(self._folder, game, policy, opponent, step, recorded, seed=CURVES + step)
        self.writer.flush()
        _write_rows(self._folder / ROWS, self._rows)
        title = printable(f"{game.name}: {self._folder.name}")
        draw_curves(self._rows, title, equal_share(game), self._folder / PICTURE)
        self._met += met
        if self._met:
            _write_rows(self._folder / MET, self._met)
            draw_met(self._met, title, equal_share(game), self._folder / MET_PICTURE)
        write_run_page(self._folder, title, self._rows, self._replays, self._met)
        self._spent += time.process_time() - began


def read_rows(path: Path, step: int | None = None, kind: type[BaseModel] = EvaluationRow) -> list[dict[str, Any]]:
    """Read the rows of a run up to a step, at which it resumes: later ones will be written again. None reads all.

    ValueError names the file and the line if a row is invalid.
    """
    if step == 0 or not path.exists():
        return []
    rows = []
    for number, line in enumerate(json_lines(read_text(path, "JSON lines")), start=1):
        where = f"{path}, line {number}"
        rows.append(parse_json(line, where))
        parse(kind, rows[-1], where)
    return [row for row in rows if step is None or row["step"] <= step]


def _earlier_seconds(folder: Path, step: int, rows: list[dict[str, Any]]) -> float:
    """Return the processor time of earlier processes up to a step, as its checkpoint has it."""
    file = folder / "checkpoints" / f"step-{step:012d}" / TIME
    if step == 0 or not file.exists():
        return seconds_until(step, rows)
    return parse(Spent, read_json(file), str(file)).cpu_seconds


def seconds_until(step: int, rows: list[dict[str, Any]]) -> float:
    """Estimate the processor time of an earlier process up to a step, from the speed up to its last evaluation."""
    known = [row for row in rows if "cpu_seconds" in row and row["step"] > 0]
    return known[-1]["cpu_seconds"] * step / known[-1]["step"] if known else 0.0


def _write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    write_whole(path, "".join(json.dumps(row) + "\n" for row in rows))


def _in_words(row: dict[str, Any]) -> str:
    text = f"against {row['opponent']}: wins {format_rate(row['win_rate'], row['low'], row['high'])}"
    if "estimate" in row:
        text += f", estimate {row['estimate']:.4f} ± {row['half_width']:.4f}"
    return text
